"""Applies all filters to a page and writes what remains of it, as Crunch does.

Source: Gupta, Kaiser, Neistadt, Grimm, "DOM-based Content Extraction of HTML Documents", WWW 2003,
sections 3 and 4.2. Elements pass through two sets of filters: those that edit an element and do
not delete it (`thresher.filters.attributes`), and those that delete (`deletion`), the one
for empty tables last. No filter depends on another's edits, so deletions are found first, and only
remaining elements are edited. Finally the removed text links are appended (`removed_links`).
Cost: linear; array operations, and loops over addresses and styles.

Controls of the content stay: tabs, switches and summaries that show parts of it, and its next page.
Their words are no content, so methods drop them; but without them a person cannot get to a part
that a style sheet or a script hides until it is asked for, nor to the rest of an article or list
that goes on at another address. Buttons of menus control nothing that is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from thresher.analysis.links import find_base, resolve_link
from thresher.analysis.pagination import find_next_url
from thresher.deadline import check_deadline, watch
from thresher.errors import UsageError
from thresher.filters.attributes import edit_attributes
from thresher.filters.blocklist import NO_HOSTS, BlockList
from thresher.filters.deletion import SETTINGS_OF_STEPS, UNWANTED, Deletion, delete, settle_boxes
from thresher.filters.disposal import dispose, find_fixed_headers, write_style
from thresher.filters.filter_context import FilterContext, Forced
from thresher.filters.link_lists import RemovedLink, find_removed_links, list_links
from thresher.filters.settings import Filters, first_stage
from thresher.filters.tags import read_alternatives
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.writers.shared.editing import Edits, edit_page
from thresher.writers.shared.forms import find_forms

_LABEL, _INPUT, _SUMMARY = (CODE_OF[name] for name in ("label", "input", "summary"))
_LINK: Final = CODE_OF["a"]
_DETAILS: Final = CODE_OF["details"]
_ASIDE: Final = flags_of("aside footer header nav")
_MAX_DETAILS_LINK_SHARE: Final = 0.5
"""Share of words in links above which a `details` element is a menu."""
_MAX_PAGER_WORDS: Final = 30
"""Words of a box around the link to the next page up to which it is a row of page numbers."""
_PAGER_SIGNS: Final = (
    ("rel", (b"next",), rb"\bnext\b"),
    ("class", (b"pag",), rb"pager|pagina|page-?nav|page-?num|wp-link-pages"),
    (
        "href",
        (b"page", b"p=", b"pg=", b"start=", b"offset="),
        rb"[?&;](?:p|pg|page|paged|start|offset)=[0-9]|/page[-/]?[0-9]",
    ),
)
"""Attributes with parts of values and patterns, of which pages with a pager have one; every match
has one of the parts. Looking closer takes 2 ms."""
_WHOLE_PAGE: Final = flags_of("html body main article")
"""An input right in one of these switches a menu or a theme."""


def keep_controls(page: Page, keep: BoolArray) -> BoolArray:
    """Return the selected leaves, bool[n_leaf], with those of controls of selected content."""
    if not keep.any():
        return keep
    has_kept = page.subtree_sums(page.flag(page.leaves[keep])) > 0
    controls = [row for row, shown in _find_controls(page) if has_kept[shown]]
    controls += _find_details(page, has_kept)
    controls += _find_pagers(page)
    if not controls:
        return keep
    extended: BoolArray = keep | page.within(page.flag(controls))[page.leaves]
    return extended


def _find_controls(page: Page) -> Iterator[tuple[int, int]]:
    """Yield each control with an element that contains what it shows."""
    values = page.attributes.values
    for row in np.flatnonzero(page.tag == _SUMMARY).tolist():
        yield row, int(page.parent[row])
    controlled = values("aria-controls")
    labelled = {row: name for row, name in values("for").items() if page.tag[row] == _LABEL}
    tabs = [row for row, role in values("role").items() if role.strip().lower() == "tab"]
    if not (controlled or labelled or tabs):
        return
    row_of = {name: row for row, name in reversed(values("id").items())}
    for row, names in controlled.items():
        yield from ((row, row_of[name]) for name in names.split() if name in row_of)
    addresses = values("href") if tabs else {}
    for row in tabs:
        place = row_of.get(addresses.get(row, "").removeprefix("#"))
        if place is not None:
            yield row, place
    types = values("type")
    for row, name in labelled.items():
        field = row_of.get(name.strip())
        if field is None or page.tag[field] != _INPUT:
            continue
        around = int(page.parent[field])
        if (
            types.get(field, "").lower() in ("radio", "checkbox")
            and not _WHOLE_PAGE[page.tag[around]]
        ):
            yield row, around


def _find_details(page: Page, has_kept: BoolArray) -> Iterator[int]:
    """Yield the `details` elements that go on a text: right after something kept, in its box.

    Methods may take an example or a question for less than the text that it follows; a person who
    sees it closed decides. Menus, which have links, and what is beside the text are none.
    """
    rows = np.flatnonzero(page.tag == _DETAILS)
    if not rows.size:
        return
    aside = page.within(_ASIDE[page.tag])
    goes_on = np.zeros(len(page), np.bool_)
    for row in rows.tolist():
        before = _previous_element(page, row)
        if before < 0 or aside[row] or not (has_kept[before] or goes_on[before]):
            continue
        n_link_word = page.link_words_before[page.end[row]] - page.link_words_before[row]
        if n_link_word <= _MAX_DETAILS_LINK_SHARE * page.subtree_words[row]:
            goes_on[row] = True
            yield row


def _previous_element(page: Page, row: int) -> int:
    """Return the row of the element before another one in the same parent; −1 for none."""
    parent = int(page.parent[row])
    at = row - 1
    while at > parent:
        # From the last row within the sibling to the sibling itself.
        while page.parent[at] != parent:
            at = int(page.parent[at])
        if page.tag[at] != TEXT:
            return at
        at -= 1
    return -1


def _find_pagers(page: Page) -> Iterator[int]:
    """Yield the links to the next page, each with the row of page numbers that it is in."""
    attributes = page.attributes
    if not any(
        any(map(attributes.search(name).has, parts)) and attributes.matching(name, pattern).size
        for name, parts, pattern in _PAGER_SIGNS
    ):
        return
    target = find_next_url(page)
    if target is None:
        return
    base = find_base(page)
    for row, address in page.attributes.values("href").items():
        if page.tag[row] != _LINK or resolve_link(address, base).partition("#")[0] != target:
            continue
        at = row
        while (
            page.subtree_words[page.parent[at]] <= _MAX_PAGER_WORDS
            and not _WHOLE_PAGE[page.tag[page.parent[at]]]
        ):
            at = int(page.parent[at])
        yield at


_NOSCRIPT: Final = flags_of("noscript")
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
    boxes = settle_boxes(context, deleted, context.page.flag(list(alternatives)))
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
    shown = _NOSCRIPT[page.tag] & ~boxes.removed & ~context.untouched & filters.scripts
    html = edit_page(
        page,
        Edits(
            removed=np.flatnonzero(disposal.cut & ~context.page.flag(list(replaced))),
            attributes=edits,
            unwrapped=tuple(np.flatnonzero(shown).tolist()),
            replaced=replaced,
            appended=write_style(disposal)
            + list_links(listed, filters.removed_links_title, filters.max_removed_links),
        ),
    )
    for setting, count in deleted.n_element.items():
        counts[setting] = counts.get(setting, 0) + count
    if keep is not None and (unchosen := int((outermost & ~deleted.rows).sum())):
        counts[_SELECTION] = unchosen
    n_char = int(page.leaf_chars[boxes.removed[page.leaves]].sum())
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
    unwanted, held = deleted.by(*UNWANTED), deleted.unwanted()
    for row in watch(np.flatnonzero(outermost).tolist()):
        stop = int(page.end[row])
        inside = deleted.step[row:stop]
        leaves = page.leaves[page.leaf_offset[row] : page.leaf_offset[stop]]
        first = int(inside[np.argmax(inside >= 0)])
        holds = bool(held[row + 1 : stop].any())
        if inside[0] < 0 and (first < 0 or (deleted.step[leaves] < 0).any()):
            yield RemovedRow(row, _SELECTION, holds)
        elif inside[0] >= 0 or not unwanted[row:stop].any():
            yield RemovedRow(row, SETTINGS_OF_STEPS[first], holds)
        else:
            at = row
            while at < stop:
                if unwanted[at]:
                    yield RemovedRow(at, SETTINGS_OF_STEPS[int(deleted.step[at])], False)
                at = int(page.end[at]) if unwanted[at] else at + 1
