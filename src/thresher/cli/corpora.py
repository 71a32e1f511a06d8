"""Labelled pages, as the commands that measure and train are told of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from thresher.evaluation.corpora import CORPORA_VARIABLE, Corpus, LabelledPage

__all__ = ["read_corpora_paths", "read_labelled"]


def read_corpora_paths(paths: Sequence[str]) -> list[Path]:
    """Return the paths that are named, or where none is, the one the environment names, if any."""
    default = os.environ.get(CORPORA_VARIABLE)
    return [Path(path) for path in paths or ([default] if default else [])]


def read_labelled(corpus: Corpus, count: int | None) -> Iterator[LabelledPage]:
    """Yield the first pages of a corpus that have a text label; all where no count is given."""
    return islice((page for page in corpus.pages() if page.text is not None), count)
