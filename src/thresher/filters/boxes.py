"""Boxes that the filters left with nothing to show: no hole stays where something was removed.

The paper removes emptied tables; pages are laid out with other boxes today. An element goes with
what was taken out of it if nothing is left to see or fill in. Where a script or a style is left in
it, others may look for it, so it is hidden instead. Cells stay, for the sake of their columns,
while their row has anything to show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.filters.ads import find_labels
from thresher.filters.case import BoolArray, Case, whole
from thresher.filters.passes import Deleted
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["Boxes", "settle_boxes"]

_ROOTS: Final = flags_of("html head body frameset")
_CELLS: Final = flags_of("td th")
_FIELDS: Final = flags_of("button input select textarea")
_MACHINERY: Final = flags_of("link meta script style template")
_INPUT: Final = CODE_OF["input"]


@dataclass(frozen=True, slots=True)
class Boxes:
    """What becomes of a page's elements; bool[n_row] each."""

    removed: BoolArray
    """All that goes, texts too."""
    hidden: BoolArray
    """Elements with nothing to show that stay for the sake of scripts."""
    emptied_cells: BoolArray
    """Cells with nothing to show that stay for the sake of their columns."""


def settle_boxes(case: Case, deleted: Deleted, replaced: BoolArray) -> Boxes:
    """Find what goes with what is deleted and with what a method did not choose.

    ``replaced`` flags elements in whose place a text will stand; bool[n_row].
    """
    page = case.page
    gone = deleted.rows
    lost_leaf, kept_leaf = _split_leaves(case, gone)
    fields = _find_fields(case)
    lost = lost_leaf | (gone & fields) | deleted.by("ad_slots", "consent", "newsletters")
    left = kept_leaf | replaced
    if case.keep is None:
        # What a method did not choose goes with its fields, as in the format inplace.
        left |= fields & ~gone
    lost_something = page.subtree_sums(lost) > 0
    nothing_left = page.subtree_sums(left) == 0
    empty = lost_something & nothing_left
    ads = page.subtree_sums(deleted.held("ads", "ad_slots")) > 0
    if ads.any():
        labels = find_labels(case, ads & lost_something)
        empty |= lost_something & ads & (page.subtree_sums(left & ~labels) == 0)
    empty &= ~_ROOTS[page.tag] & ~case.untouched

    works = page.subtree_sums(_MACHINERY[page.tag] & ~gone) > 0
    is_cell = _CELLS[page.tag] & ~empty[page.parent]
    # A video that was not chosen may hold text that was: then it stays.
    goes = page.within(gone | (lost_leaf & nothing_left) | (empty & ~works & ~is_cell))
    hidden = empty & works & ~is_cell & ~goes
    return Boxes(goes, hidden & ~page.below(hidden), is_cell & empty & ~goes)


def _split_leaves(case: Case, gone: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Flag the leaves that are lost, and those that stay; what is untouched stays as it is.

    The content of templates is in neither: it is not shown.
    """
    page = case.page
    keep: npt.NDArray[np.bool_] = ~gone[page.leaves]
    if case.keep is not None:
        keep &= case.keep
    own = case.untouched[page.leaves]
    kept, lost = page.leaves[keep | own], page.leaves[~keep & ~own]
    in_template = page.within(page.tag == CODE_OF["template"]) & case.untouched
    return case.flag(lost), case.flag(kept) & ~in_template


def _find_fields(case: Case) -> BoolArray:
    """Flag what can be filled in or pressed."""
    hidden = case.flag(case.matching("type", whole(rb"hidden")))
    fields: BoolArray = _FIELDS[case.page.tag] & ~((case.page.tag == _INPUT) & hidden)
    return fields
