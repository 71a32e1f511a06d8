"""Labelled pages as what the network learns from: features, and how much of a block is gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned import SCOPES
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.surroundings import NamePlaces, place_names
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.folds import site_of
from thresher.features import Features, compute_features
from thresher.parse import parse
from thresher.training.alignment import align_blocks

__all__ = ["MIXED_CORPORA", "Example", "make_examples", "scope_of"]

MIXED_CORPORA: Final = ("wcxb_dev",)
"""Corpora of all kinds of pages; what they show of `auto` and of page types counts in full."""
_MIN_RECALL: Final = 0.5
"""Share of the gold that must be on the page: below it the label is of another page."""
_SCOPE_OF_TYPE: Final = {
    "article": "article",
    "documentation": "article",
    "forum": "thread",
    "service": "page",
    "product": "page",
    "collection": "page",
    "listing": "page",
}
"""What a label of each page type shows, for a reader who says what he is after."""
_CHUNK: Final = 8
"""Pages handed to a process at a time."""


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled page, as networks learn from it and choices are measured by it."""

    page: LabelledPage
    site: str
    features: Features
    names: NamePlaces
    weight: npt.NDArray[np.float32]
    """Tokens of each block; 0 for copies of content, which are neither right nor wrong;
    float32[n_block]."""
    share: npt.NDArray[np.float32]
    """Share of each block's tokens that is in the gold; float32[n_block]."""
    n_gold: float
    """Tokens of the gold."""

    def measure(self, keep: npt.NDArray[np.bool_]) -> float:
        """Return the F1 of keeping some blocks, by the alignment; 1 where none is kept, rightly."""
        kept = self.weight[keep]
        total = float(kept.sum()) + self.n_gold
        return 2 * float((kept * self.share[keep]).sum()) / total if total else 1.0

    @property
    def is_empty(self) -> bool:
        """Whether a human said that the page has no main content."""
        return not (self.page.text or "").strip()

    @property
    def page_type(self) -> int:
        """Its place in `PAGE_TYPES`, −1 where it is not labelled."""
        kind = self.page.page_type
        return PAGE_TYPES.index(kind) if kind in PAGE_TYPES else -1


def scope_of(page: LabelledPage) -> int:
    """Return the scope that a page's label is an example of, beside `auto`."""
    return SCOPES.index(_SCOPE_OF_TYPE.get(page.page_type or "article", "article"))


def make_examples(pages: Iterable[LabelledPage], *, n_job: int = 1) -> Iterator[Example]:
    """Make an example of every page whose label can be found in it, in their order."""
    labelled = [page for page in pages if page.text is not None]
    if n_job == 1:
        made: Iterable[Example | None] = map(_make_example, labelled)
        yield from (example for example in made if example)
        return
    with ProcessPoolExecutor(n_job, mp_context=get_context("spawn")) as pool:
        made = pool.map(_make_example, labelled, chunksize=_CHUNK)
        yield from (example for example in made if example)


def _make_example(labelled: LabelledPage) -> Example | None:
    page = parse(labelled.html, url=labelled.url)
    if not len(page.blocks):
        return None
    gold = labelled.text or ""
    alignment = align_blocks(page, gold)
    if alignment is None or (gold.strip() and alignment.recall < _MIN_RECALL):
        return None
    features = compute_features(page)
    n_gold = float(alignment.matched.sum()) / max(float(alignment.recall), 1e-9)
    return Example(
        page=LabelledPage(
            labelled.corpus,
            labelled.id,
            html="",  # not needed any more, and the most of it
            url=labelled.url,
            text=labelled.text,
            page_type=labelled.page_type,
        ),
        site=site_of(labelled),
        features=features,
        names=place_names(features),
        weight=np.where(alignment.is_copy, 0, alignment.tokens).astype(np.float32),
        share=alignment.share,
        n_gold=n_gold if gold.strip() else 0.0,
    )
