"""Applies all filters to a page and writes what remains of it, as Crunch does.

Source: Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content Extraction of HTML Documents", WWW 2003,
sections 3 and 4.2. Elements pass through two sets of filters: those that edit an element and do
not delete it (`thresher.filters.attributes`), and those that delete (`deletion`), the one
for empty tables last. No filter depends on another's edits, so deletions are found first, and only
remaining elements are edited. Finally the removed text links are appended (`removed_links`).
Cost: linear; array operations, and loops over addresses and styles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from thresher.deadline import check_deadline, watch
from thresher.errors import UsageError
from thresher.filters.attributes import edit_attributes
from thresher.filters.blocklist import NO_HOSTS, BlockList
from thresher.filters.controls import keep_controls
from thresher.filters.deletion import STEPS, Deletion, delete, settle_boxes
from thresher.filters.disposal import dispose, find_fixed_headers, write_style
from thresher.filters.filter_context import BoolArray, FilterContext, Forced
from thresher.filters.link_lists import RemovedLink, find_removed_links, list_links
from thresher.filters.settings import Filters, first_stage
from thresher.filters.tags import read_alternatives
from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.writers.shared.editing import edit_page
from thresher.writers.shared.edits import Edits
from thresher.writers.shared.forms import find_forms

_NOSCRIPT: Final = CODE_OF["noscript"]
_SELECTION: Final = "selection"


class RemovedRow(NamedTuple):
    """An outermost element or text that was removed."""

    row: int
    by: str
    """What removed it, as in `Filtered.removed`."""
    holds_unwanted: bool
    """Whether filters of unwanted things, such as advertisements, matched something in it."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """The result of filtering a page."""

    html: str
    """The page's own source with elements removed and attributes edited."""
    removed: Mapping[str, int]
    """Setting → how many elements its filter deleted or edited; for link lists, the number of
    lists. Elements that the method did not select count as ``selection``, those that the user's
    rules drop as ``rules``. Filters without effect are absent."""
    removed_chars: int
    """Characters, excluding white space, that are no longer visible."""
    links: tuple[RemovedLink, ...]
    """The removed text links, whether the page lists them or not."""
    rows: tuple[RemovedRow, ...] = ()
    """The outermost removed elements and texts; empty unless they were asked for."""


def filter_page(
    page: Page,
    filters: Filters,
    blocklist: BlockList = NO_HOSTS,
    *,
    keep: BoolArray | None = None,
    dropped: BoolArray | None = None,
    forced: Forced | None = None,
    n_fixed_char: int = 0,
    lists_rows: bool = False,
) -> Filtered:
    """Filter a page.

    ``keep`` flags the leaves that a method selected, ``Selection.keep``; bool[n_leaf]. If given,
    all other content is removed too, as in the format inplace; ``dropped`` flags those that must
    go, even from a form, such as `Selection.dropped_by_rule`. ``forced`` flags elements that the
    user's rules keep or drop, with or without a method. Forms are kept or removed whole
    (`thresher.writers.shared.forms`), and a page whose purpose is a form loses what `first_stage`
    removes only. What begins in the first ``n_fixed_char`` characters of the source stays. Rows
    attached to the page (text from its data) are not written. Raises LimitError when the time is
    up, UsageError for a mask of the wrong length.
    """
    if keep is not None and keep.shape != page.leaves.shape:
        raise UsageError(f"keep has {keep.shape[0]} entries, for {page.leaves.size} leaves")
    forms = find_forms(page, keep, dropped)
    if forms.is_purpose:
        filters, keep = first_stage(filters), None
        forms = replace(forms, dropped=np.zeros_like(forms.dropped))
    if keep is not None:
        keep = keep_controls(page, forms.extend(keep, page.leaves))
    context = FilterContext(page, filters, blocklist, keep, forms, forced, n_fixed_char)
    deleted = delete(context)
    pictures = deleted.by("images", "image_links") & filters.alternative_texts
    alternatives = read_alternatives(context, pictures) if pictures.any() else {}
    boxes = settle_boxes(context, deleted, context.flag(list(alternatives)))
    boxes = boxes.without(find_fixed_headers(context, deleted, boxes))
    check_deadline()
    disposal = dispose(context, deleted, boxes)
    edits, counts = edit_attributes(
        context, emptied_cells=boxes.emptied_cells, unlocks=deleted.has_overlay
    )
    edits = {row: edit for row, edit in edits.items() if not boxes.removed[row]}
    for row, edit in disposal.attributes(context).items():
        edits.setdefault(row, {}).update(edit)
    links = find_removed_links(context, boxes.removed, deleted.unwanted())
    check_deadline()
    outermost = boxes.removed & ~page.below(boxes.removed)
    outermost[page.n_own_row :] = False
    replaced = {row: text for row, text in alternatives.items() if outermost[row]}
    listed = links if filters.removed_links else ()
    html = edit_page(
        page,
        Edits(
            removed=np.flatnonzero(disposal.cut & ~context.flag(list(replaced))),
            attributes=edits,
            unwrapped=_find_noscripts(context, boxes.removed) if filters.scripts else (),
            replaced=replaced,
            appended=write_style(disposal)
            + list_links(listed, filters.removed_links_title, filters.max_removed_links),
        ),
    )
    for setting, count in deleted.n_element.items():
        counts[setting] = counts.get(setting, 0) + count
    if keep is not None and (unchosen := int((outermost & ~deleted.rows).sum())):
        counts[_SELECTION] = unchosen
    n_char = _count_chars(context, boxes.removed)
    rows = tuple(_list_rows(page, outermost, deleted)) if lists_rows else ()
    return Filtered(html, counts, n_char, links, rows)


def drop_unwanted(page: Page, filters: Filters, blocklist: BlockList, keep: BoolArray) -> BoolArray:
    """Return the selected leaves without what goes from every page, such as advertisements.

    For outputs that are not the page itself; bool[n_leaf].
    """
    context = FilterContext(page, first_stage(filters), blocklist, None, find_forms(page, None))
    return keep & ~delete(context).unwanted()[page.leaves]


def _list_rows(page: Page, outermost: BoolArray, deleted: Deletion) -> Iterator[RemovedRow]:
    """Yield the outermost removed rows.

    Of a box that goes only because unwanted things were all in it, it is those.
    """
    names = [*(step.setting for step in STEPS), "empty_tables"]
    unwanted_names = [step.setting for step in STEPS if step.is_unwanted]
    unwanted, held = deleted.by(*unwanted_names), deleted.held(*unwanted_names)
    for row in watch(np.flatnonzero(outermost).tolist()):
        stop = int(page.end[row])
        inside = deleted.step[row:stop]
        leaves = page.leaves[page.leaf_offset[row] : page.leaf_offset[stop]]
        first = int(inside[np.argmax(inside >= 0)])
        holds = bool(held[row + 1 : stop].any())
        if inside[0] < 0 and (first < 0 or (deleted.step[leaves] < 0).any()):
            yield RemovedRow(row, _SELECTION, holds)
        elif inside[0] >= 0 or not unwanted[row:stop].any():
            yield RemovedRow(row, names[first], holds)
        else:
            at = row
            while at < stop:
                if unwanted[at]:
                    yield RemovedRow(at, names[int(deleted.step[at])], False)
                at = int(page.end[at]) if unwanted[at] else at + 1


def _find_noscripts(context: FilterContext, removed: BoolArray) -> tuple[int, ...]:
    """Return the rows of the remaining elements that are shown only when scripts are off."""
    shows = (context.page.tag == _NOSCRIPT) & ~removed & ~context.untouched
    return tuple(np.flatnonzero(shows).tolist())


def _count_chars(context: FilterContext, removed: BoolArray) -> int:
    """Count the characters of the removed leaves, excluding white space."""
    return int(context.page.leaf_chars[removed[context.page.leaves]].sum())
