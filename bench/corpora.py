"""The argument by which every benchmark takes its corpora."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from thresher.errors import UsageError
from thresher.evaluation.corpora import CORPORA_VARIABLE, Corpus, find_corpora


def add_corpora_argument(parser: argparse.ArgumentParser) -> None:
    """Add the positional argument that names corpora: files, or a folder of them."""
    folder = os.environ.get(CORPORA_VARIABLE)
    parser.add_argument(
        "corpora",
        nargs="*",
        type=Path,
        default=[Path(folder)] if folder else [],
        metavar="CORPUS",
        help=f"a .jsonl, .jsonl.gz or .jsonl.xz file, or a folder (default: ${CORPORA_VARIABLE})",
    )


def named_corpora(paths: Sequence[Path], *, role: str | None = None) -> tuple[Corpus, ...]:
    """Return the corpora at paths, those of one role if it is given; exits where there is none."""
    try:
        return find_corpora(paths, role=role)
    except UsageError as error:
        raise SystemExit(str(error)) from error
