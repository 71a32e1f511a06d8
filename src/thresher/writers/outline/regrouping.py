"""Runs that are joined or split where their paragraphs are not those of the page's blocks."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.blocks import SPACE, Runs
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF
from thresher.writers.outline.kept_runs import KeptRuns

__all__ = ["join_continued", "regroup", "split_slides"]

_CAROUSEL: Final = CODE_OF["amp-carousel"]


def regroup(page: Page, kept: KeptRuns, begins: BoolArray) -> KeptRuns:
    """Group kept leaves again; ``begins`` flags those that begin a run, bool[n_kept]."""
    starts = begins.nonzero()[0]
    runs = Runs(
        np.append(starts, kept.leaves.size).astype(np.int32),
        (np.cumsum(begins) - 1).astype(np.int32),
    )
    return kept._replace(
        runs=runs,
        first_row=page.leaves[kept.leaves[starts]],
        last_row=page.leaves[kept.leaves[runs.start[1:] - 1]],
    )


def join_continued(page: Page, kept: KeptRuns, continued: Collection[int]) -> KeptRuns:
    """Put a space before each of some leaves, and join the run that it begins to the run before."""
    places = np.isin(kept.leaves, list(continued)) if continued else np.zeros(0, np.bool_)
    if not places.any():
        return kept
    places[0] = False
    gaps = kept.gaps.copy()
    gaps[places] = SPACE
    return regroup(page, kept._replace(gaps=gaps), _flag_begins(kept) & ~places)


def split_slides(page: Page, kept: KeptRuns) -> KeptRuns:
    """Begin a run with each slide of a carousel."""
    if not kept.tags[_CAROUSEL]:
        return kept
    slides = (page.tag[page.parent] == _CAROUSEL) & kept.holds
    begins = _flag_begins(kept)
    begins[kept.leaves.searchsorted(page.leaf_offset[slides.nonzero()[0]])] = True
    return regroup(page, kept, begins)


def _flag_begins(kept: KeptRuns) -> BoolArray:
    """Flag the kept leaves that begin a run; bool[n_kept]."""
    begins = np.zeros(kept.leaves.size, np.bool_)
    begins[kept.runs.start[:-1]] = True
    return begins
