"""How far two labellers agree: what they differ in, no model can learn.

Cohen's κ (Cohen 1960, A coefficient of agreement for nominal scales) is agreement beyond chance: 1
where two always agree, 0 where they agree as often as two who label at random, each as many blocks
as content as they do.
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
    """How far two agree on one page."""

    page: int
    f1: float
    """Word F1 of one text against the other: which of them is the gold does not matter."""
    n_differing: int
    """Blocks that one keeps and the other does not."""


@dataclass(frozen=True, slots=True)
class LabellerAgreement:
    """How far two agree, over the pages that both have labelled."""

    kappa: float | None
    """Over all blocks of all pages; None where either said the same of every block."""
    f1: float
    """Mean of the pages."""
    n_block: int
    pages: tuple[PageAgreement, ...]
    """The ones they agree on least come first."""


def agree(mine: Iterable[Label], theirs: Iterable[Label]) -> LabellerAgreement | None:
    """Compare the labels of two; None where there is no page that both have labelled.

    Pages whose blocks were cut otherwise for one of them are compared by their texts alone.
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
    """Return Cohen's κ of two masks, bool[n] each; None where chance alone explains it all."""
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
