"""The filters that delete elements, in the order in which they are applied (section 4.2).

The paper's walk is top-down and depth-first: each element passes the filters before its children,
and deleted elements are not visited again. So the outermost element that a filter matches decides
on its contents, and among filters that match the same element the first one wins. Filters are
independent of each other, so this is computed for all elements at once. The filter for empty tables
is bottom-up and runs after all others.

Then the boxes that were emptied are removed, so that no gaps remain. The paper removes emptied
tables; today's pages are laid out with other boxes. An element is removed together with its removed
content if nothing visible or fillable remains. If it still contains a script or a style, which
other scripts may look up, it is hidden instead. Cells are kept, to preserve their columns, while
their row has visible content.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.removal import find_empty_tables, is_portal
from thresher.deadline import check_deadline
from thresher.filters.ads import find_ads, find_labels, find_listed, find_slots
from thresher.filters.attributes import find_pixels
from thresher.filters.filter_context import FilterContext, IntArray
from thresher.filters.link_lists import find_link_lists, list_contents
from thresher.filters.overlays import (
    find_backdrops,
    find_consent,
    find_consent_scripts,
    find_newsletters,
)
from thresher.filters.settings import Filters, is_on
from thresher.filters.tags import TAG_FILTERS
from thresher.page.attributes import whole
from thresher.page.rows import BoolArray
from thresher.page.tags import CELLS, CODE_OF, flags_of

_RULES: Final = "rules"
"""Name of the step for what the user's rules drop; it has no switch."""


def _find_dropped(context: FilterContext) -> BoolArray:
    return context.forced.dropped if context.forced else np.zeros(len(context.page), np.bool_)


@dataclass(frozen=True, slots=True)
class DeletionStep:
    """One filter that deletes elements."""

    setting: str
    """Its switch in `Filters`; the filter is off if that is False or ``off``."""
    find: Callable[[FilterContext], BoolArray]
    """Flags the elements it matches; bool[n_row]."""
    is_unwanted: bool = False
    """Whether its links are omitted from the list at the end of the page."""

    def is_on(self, filters: Filters) -> bool:
        """Return whether the filter is switched on."""
        return self.setting == _RULES or is_on(filters, self.setting)


STEPS: Final = (
    DeletionStep("ads", find_ads, is_unwanted=True),
    DeletionStep("ad_slots", find_slots, is_unwanted=True),
    DeletionStep("ad_elements", find_listed, is_unwanted=True),
    DeletionStep("consent", find_consent, is_unwanted=True),
    DeletionStep("consent_scripts", find_consent_scripts, is_unwanted=True),
    DeletionStep("newsletters", find_newsletters, is_unwanted=True),
    DeletionStep("tracking_pixels", find_pixels, is_unwanted=True),
    DeletionStep("link_lists", find_link_lists),
    *(DeletionStep(name, find) for name, find in TAG_FILTERS),
    DeletionStep(_RULES, _find_dropped, is_unwanted=True),
)
"""All top-down filters, and last what the user's rules drop."""
_OVERLAYS: Final = frozenset(("consent", "consent_scripts", "newsletters"))
_WITHIN_NO_FORM: Final = _OVERLAYS | {"ad_slots", "ad_elements"}
"""Filters that judge by names and words, as those of a checkbox for consent in a form."""
_STOPPED: Final = frozenset(("ads", "consent_scripts"))
"""Filters by the addresses that elements load from."""
UNWANTED: Final = tuple(step.setting for step in STEPS if step.is_unwanted)
SETTINGS_OF_STEPS: Final = (*(step.setting for step in STEPS), "empty_tables")
"""The setting of each number in `Deletion.step`; the last is that of the bottom-up filter."""
_LINK_LISTS: Final = SETTINGS_OF_STEPS.index("link_lists")
_EMPTY_TABLES: Final = len(STEPS)


@dataclass(frozen=True, slots=True)
class Deletion:
    """The rows that the filters delete."""

    step: IntArray
    """Number in `STEPS` of the filter that deletes each row, −1 for none; int32[n_row]."""
    n_element: dict[str, int]
    """Setting → number of elements, or of link lists, that its filter deleted."""
    matched: dict[str, BoolArray]
    """Setting → what its filter matched, with all contents, even if another filter deletes it;
    bool[n_row]."""
    spared: BoolArray
    """What filters matched, and the user's rules keep; bool[n_row]."""
    stopped: BoolArray
    """What filters matched in the fixed beginning of the source: it stays, and whoever has sent
    that stops what it loads; bool[n_row]."""

    @property
    def has_overlay(self) -> bool:
        """True if an overlay was found."""
        return not _OVERLAYS.isdisjoint(self.n_element)

    @property
    def rows(self) -> BoolArray:
        """Flags everything deleted; bool[n_row]."""
        flags: BoolArray = self.step >= 0
        return flags

    def by(self, *settings: str) -> BoolArray:
        """Flag what these filters delete; bool[n_row]."""
        numbers = [number for number, step in enumerate(STEPS) if step.setting in settings]
        flags: BoolArray = np.isin(self.step, numbers)
        return flags

    def unwanted(self) -> BoolArray:
        """Flag deleted content whose links are not listed; bool[n_row]."""
        return self.held(*UNWANTED)

    def held(self, *settings: str) -> BoolArray:
        """Flag what any of these filters matched, with all contents; bool[n_row]."""
        flags = np.zeros(self.step.size, np.bool_)
        for setting in self.matched.keys() & settings:
            flags |= self.matched[setting]
        return flags


def delete(context: FilterContext) -> Deletion:
    """Find what the filters delete; LimitError when the time is up."""
    steps = [(number, step) for number, step in enumerate(STEPS) if step.is_on(context.filters)]
    matches = {}
    stopped = np.zeros(len(context.page), np.bool_)
    for number, step in steps:
        check_deadline()
        matched = step.find(context)
        if step.setting in _STOPPED:
            stopped |= matched & context.untouched & ~context.aside
        flags = matched & ~context.untouched
        if step.setting in _WITHIN_NO_FORM:
            flags &= ~context.forms.atomic
        if flags.any():
            matches[number] = flags
    spared = _spare(context, matches)
    step_of, counts = _settle(context, matches)
    if (
        _LINK_LISTS in matches
        and context.keep is None
        and is_portal(context.page, context.params, step_of >= 0)
    ):
        del matches[_LINK_LISTS]
        step_of, counts = _settle(context, matches)
    if any(STEPS[number].setting in _OVERLAYS for number in counts):
        backdrops = context.page.within(find_backdrops(context) & ~context.untouched) & (
            step_of < 0
        )
        number = next(n for n, step in steps if step.setting in _OVERLAYS)
        step_of[backdrops] = number
    if context.filters.empty_tables:
        emptied = _find_emptied_tables(context, step_of >= 0)
        counts[_EMPTY_TABLES] = int((emptied & ~context.page.below(emptied)).sum())
        step_of[context.page.within(emptied) & (step_of < 0)] = _EMPTY_TABLES
    n_element = {SETTINGS_OF_STEPS[number]: count for number, count in counts.items() if count}
    held = {STEPS[number].setting: context.page.within(flags) for number, flags in matches.items()}
    return Deletion(step_of, n_element, held, spared, stopped)


def _spare(context: FilterContext, matches: dict[int, BoolArray]) -> BoolArray:
    """Take what the user's rules keep out of what filters matched; flag the rows that stay for it.

    Nothing around a kept element is removed as a whole, and no boilerplate in it. Advertisements
    and other unwanted things in it are, unless it is one: a rule for an advertisement brings back
    all of it, one for an article none in it.
    """
    page = context.page
    spared = np.zeros(len(page), np.bool_)
    if context.forced is None or not context.forced.kept.any():
        return spared
    kept = context.forced.kept
    around = page.subtree_sums(kept) > 0
    for kind in (True, False):
        numbers = [
            number
            for number in matches
            if STEPS[number].is_unwanted == kind and STEPS[number].setting != _RULES
        ]
        if not numbers:
            continue
        matched = page.within(np.logical_or.reduce([matches[number] for number in numbers]))
        inside = page.within(kept & matched if kind else kept)
        spared |= inside & matched
        for number in numbers:
            matches[number] = matches[number] & ~around & ~inside
    for number in [number for number, flags in matches.items() if not flags.any()]:
        del matches[number]
    return spared


def _settle(
    context: FilterContext, matches: dict[int, BoolArray]
) -> tuple[IntArray, dict[int, int]]:
    """Return the filter that deletes each row, int32[n_row], and the number of elements of each."""
    page = context.page
    none = len(page) * len(STEPS)
    first = np.full(len(page), none, np.int64)
    for number, flags in matches.items():
        outermost = page.nearest(flags & ~page.below(flags)).astype(np.int64)
        taken = outermost >= 0
        if number == _LINK_LISTS:
            taken &= list_contents(context, flags)
        np.minimum(first, outermost * len(STEPS) + number, out=first, where=taken)
    gone = first < none
    takers = np.unique(first[gone])
    numbers, counts = np.unique(takers % len(STEPS), return_counts=True)
    step_of = np.where(gone, first % len(STEPS), -1).astype(np.int32)
    return step_of, dict(zip(numbers.tolist(), counts.tolist(), strict=True))


def _find_emptied_tables(context: FilterContext, gone: BoolArray) -> BoolArray:
    """Flag the tables without substance; bool[n_row].

    A table that was empty from the start is kept: a script may fill it.
    """
    page = context.page
    came_empty = page.leaf_offset[page.end] == page.leaf_offset[:-1]
    if context.keep is not None:
        gone = gone.copy()
        gone[page.leaves[~context.keep]] = True
    empty = find_empty_tables(page, context.params, gone)
    has_form = page.subtree_sums(context.forms.atomic) > 0
    tables: BoolArray = empty & ~came_empty & ~has_form & ~context.untouched & ~gone
    return tables


_ROOTS: Final = flags_of("html head body frameset")
_FIELDS: Final = flags_of("button input select textarea")
_MACHINERY: Final = flags_of("link meta script style template")
_ADS: Final = ("ads", "ad_slots", "ad_elements")
_BOXES: Final = ("ad_slots", "ad_elements", "consent", "newsletters")
"""Filters of boxes that may be empty until a script fills them."""
_INPUT: Final = flags_of("input")


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
    is_cell = CELLS[page.tag] & ~empty[page.parent]
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
    return context.page.flag(lost), context.page.flag(kept) & ~in_template


def _find_fields(context: FilterContext) -> BoolArray:
    hidden = _INPUT[context.page.tag] & context.matching("type", whole(rb"hidden"))
    return _FIELDS[context.page.tag] & ~hidden
