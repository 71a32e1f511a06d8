"""Agreement of two labellers, which bounds what a model can learn.

Cohen's κ (Cohen 1960, A coefficient of agreement for nominal scales) is agreement beyond chance: 1
for full agreement, 0 for the agreement of random labels with the same numbers of content blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from thresher.evaluation.metrics import score_words
from thresher.labelling.model import Label
from thresher.page.rows import BoolArray

__all__ = ["LabellerAgreement", "PageAgreement", "agree", "find_kappa"]


@dataclass(frozen=True, slots=True)
class PageAgreement:
    """Agreement on one page."""

    page: int
    f1: float
    """Word F1 of one text against the other, which is symmetric."""
    n_differing: int
    """Blocks kept by one labeller only."""


@dataclass(frozen=True, slots=True)
class LabellerAgreement:
    """Agreement over the pages that both labelled."""

    kappa: float | None
    """Over all blocks of all pages; None if both gave every block the same label."""
    f1: float
    """Mean over pages."""
    n_block: int
    pages: tuple[PageAgreement, ...]
    """Pages with the least agreement first."""


def agree(mine: Iterable[Label], theirs: Iterable[Label]) -> LabellerAgreement | None:
    """Compare the labels of two labellers; None without a page that both labelled.

    Pages that were split into different blocks for the two are compared by their texts alone.
    """
    others = {label.page: label for label in theirs if label.keep is not None}
    pairs = [
        (label, others[label.page])
        for label in mine
        if label.keep is not None and label.page in others
    ]
    if not pairs:
        return None
    same_cut = [(a, b) for a, b in pairs if _mask(a).size == _mask(b).size]
    empty = np.zeros(0, np.bool_)
    first = np.concatenate([empty, *(_mask(a) for a, _ in same_cut)])
    second = np.concatenate([empty, *(_mask(b) for _, b in same_cut)])
    pages = [_compare(a, b) for a, b in pairs]
    return LabellerAgreement(
        find_kappa(first, second),
        fmean(page.f1 for page in pages),
        first.size,
        tuple(sorted(pages, key=lambda page: page.f1)),
    )


def find_kappa(first: BoolArray, second: BoolArray) -> float | None:
    """Return Cohen's κ of two masks, bool[n] each; None if chance agreement is complete."""
    if not first.size:
        return None
    observed = float(np.mean(first == second))
    p, q = float(first.mean()), float(second.mean())
    by_chance = p * q + (1 - p) * (1 - q)
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def _mask(label: Label) -> BoolArray:
    assert label.keep is not None
    return label.keep


def _compare(a: Label, b: Label) -> PageAgreement:
    first, second = _mask(a), _mask(b)
    n_differing = int(np.count_nonzero(first != second)) if first.size == second.size else 0
    return PageAgreement(a.page, score_words(a.text or "", b.text or "").f1, n_differing)
