"""Removal of boxes that the filters emptied, so that no gaps remain.

The paper removes emptied tables; today's pages are laid out with other boxes. An element is removed
together with its removed content if nothing visible or fillable remains. If it still contains a
script or a style, which other scripts may look up, it is hidden instead. Cells are kept, to
preserve their columns, while their row has visible content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.filters.ads import find_labels
from thresher.filters.deletion import Deletion
from thresher.filters.filter_context import BoolArray, FilterContext
from thresher.page.attributes import whole
from thresher.page.tags import CODE_OF, flags_of

__all__ = ["Boxes", "settle_boxes"]

_ROOTS: Final = flags_of("html head body frameset")
_CELLS: Final = flags_of("td th")
_FIELDS: Final = flags_of("button input select textarea")
_MACHINERY: Final = flags_of("link meta script style template")
_ADS: Final = ("ads", "ad_slots", "ad_elements")
_BOXES: Final = ("ad_slots", "ad_elements", "consent", "newsletters")
"""Filters of boxes that may be empty until a script fills them."""
_INPUT: Final = CODE_OF["input"]


@dataclass(frozen=True, slots=True)
class Boxes:
    """The rows that are removed, hidden or emptied; bool[n_row] each."""

    removed: BoolArray
    """Everything removed, including texts."""
    hidden: BoolArray
    """Elements without visible content that are hidden because scripts may need them."""
    emptied_cells: BoolArray
    """Cells without visible content that are kept to preserve their columns."""

    def without(self, spared: BoolArray) -> Boxes:
        """Return the same, but for rows that stay as they are."""
        return Boxes(self.removed & ~spared, self.hidden & ~spared, self.emptied_cells & ~spared)


def settle_boxes(context: FilterContext, deleted: Deletion, replaced: BoolArray) -> Boxes:
    """Find the boxes to remove along with deleted content and content that was not selected.

    ``replaced`` flags elements that a text will replace; bool[n_row].
    """
    page = context.page
    gone = deleted.rows
    lost_leaf, kept_leaf = _split_leaves(context, gone)
    fields = _find_fields(context)
    forms = context.forms
    dropped = forms.dropped & ~context.untouched
    if context.keep is None:
        dropped = np.zeros_like(dropped)
    lost = lost_leaf | (gone & fields) | deleted.by(*_BOXES) | dropped
    left = kept_leaf | replaced | deleted.spared
    if context.keep is None:
        left |= fields & ~gone
    else:
        # Content that was not selected is removed with its fields, if they belong to no kept form.
        left |= fields & ~gone & forms.kept
    lost_something = page.subtree_sums(lost) > 0
    nothing_left = page.subtree_sums(left) == 0
    empty = lost_something & nothing_left
    ads = page.subtree_sums(deleted.held(*_ADS)) > 0
    if ads.any():
        labels = find_labels(context, ads & lost_something)
        empty |= lost_something & ads & (page.subtree_sums(left & ~labels) == 0)
    empty &= ~_ROOTS[page.tag] & ~context.untouched

    works = page.subtree_sums(_MACHINERY[page.tag] & ~gone) > 0
    is_cell = _CELLS[page.tag] & ~empty[page.parent]
    # A video that was not selected may contain text that was: then it is kept.
    goes = page.within(gone | (lost_leaf & nothing_left) | dropped | (empty & ~works & ~is_cell))
    hidden = empty & works & ~is_cell & ~goes
    return Boxes(goes, hidden & ~page.below(hidden), is_cell & empty & ~goes)


def _split_leaves(context: FilterContext, gone: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Flag the lost leaves and the remaining ones; untouched rows do not change.

    Content of templates is in neither, since it is not shown.
    """
    page = context.page
    keep: npt.NDArray[np.bool_] = ~gone[page.leaves]
    if context.keep is not None:
        keep &= context.keep
    own = context.untouched[page.leaves]
    kept, lost = page.leaves[keep | own], page.leaves[~keep & ~own]
    in_template = page.within(page.tag == CODE_OF["template"]) & context.untouched
    return context.flag(lost), context.flag(kept) & ~in_template


def _find_fields(context: FilterContext) -> BoolArray:
    """Flag form fields and buttons."""
    hidden = context.flag(context.matching("type", whole(rb"hidden")))
    fields: BoolArray = _FIELDS[context.page.tag] & ~((context.page.tag == _INPUT) & hidden)
    return fields
