"""Headings in the output, and the links and buttons in them that are none of their words."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import InnerLink, is_named_permalink, is_own_address, is_sign
from thresher.analysis.word_exports import find_title
from thresher.deadline import watch
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, SUBHEADINGS, flags_of
from thresher.support.quoting import read_whole_number

_A, _DIV, _DT, _H1 = (CODE_OF[name] for name in "a div dt h1".split())
TagArray = npt.NDArray[np.int16]

# -- permalinks --------------------------------------------------------------------------------
#
# Such links only give the address of what they stand beside, or edit a section.

_BUTTONS: Final = flags_of("button")
_CAPTIONS: Final = flags_of("figcaption")
_LEVELS_UP: Final = 3
"""Elements between a link and its heading."""
_EDIT_CLASS: Final = rb"\b(?:mw-)?edit-?section\b"
"""Class name of MediaWiki's section-edit link and the brackets around it."""
_OWN_SIGNS: Final = frozenset("#¶§🔗⁋")
"""Signs of permalinks beside signatures and captions."""
_RETURN: Final = "↩"
"""The sign of a link back from a note, of which the reference may not be found."""
_MAX_SIGN_CHARS: Final = 8
"""Characters of a sign with the white space around it."""
_WORD: Final = re.compile(r"\w")
_TOP: Final = "top"
"""The name of the beginning of a page, whether or not it is that of an element (HTML Living
Standard, 7.4.6.4)."""


class _Permalinks(NamedTuple):
    """Links in headings that point to the headings themselves."""

    leaves: list[int]
    """Leaves that only show the sign of such a link, a link that edits the section or leads to the
    top, or a button."""
    rows: frozenset[int]
    """Links around the words of a heading or a term."""


def find_permalinks(page: Page, keep: BoolArray, inner: list[InnerLink]) -> _Permalinks:
    """Find the links that give the address of their heading.

    A sign is a link in a heading without any letter or digit, such as "#", "¶" or a chain, unless
    it leads elsewhere, as the "&" of a type in a signature does. Links with words count only if
    their target is within the page.
    """
    signs = _find_signs(page, inner) + _find_buttons(page, keep)
    around = [link.row for link in inner if _is_around_words(page, link)]
    rows = find_heading_links(page, keep)
    if not rows.size and not signs and not around:
        return _Permalinks([], frozenset())
    leaves = signs + _find_edit_links(page, _flag_inside(page, keep))
    own = {link.row for link in inner}
    to_top = {link.row for link in inner if link.name.lower() == _TOP}
    for row in watch(rows.tolist()):
        inside = range(*page.leaf_span(row))
        text = page.text_of(row)
        if text.strip() and not _WORD.search(text):
            if row in own or is_sign(page, row):
                leaves.extend(inside)
        elif row in to_top and not _is_alone(page, keep, row):
            leaves.extend(inside)
        elif row not in own and _leads_to_page(page, row):
            around.append(row)
        elif row in own:
            named = is_named_permalink(page, row)
            alone = _is_alone(page, keep, row)
            (leaves.extend(inside) if named and not alone else around.append(row))
    return _Permalinks(leaves, frozenset(around))


def _find_signs(page: Page, inner: list[InnerLink]) -> list[int]:
    """Return the leaves of signs that are the address of a signature, a caption or a formula.

    And of those that lead back up from a note.
    """
    leaves: list[int] = []
    for link in inner:
        row = link.row
        if page.text_offset[page.end[row]] - page.text_offset[row] > _MAX_SIGN_CHARS:
            continue
        text = page.text_of(row).strip()
        is_return = text.rstrip("\ufe0e\ufe0f") == _RETURN and link.target < row
        is_own = text in _OWN_SIGNS and (
            is_named_permalink(page, row) or _leads_to_itself(page, link)
        )
        if is_own or is_return:
            leaves += range(*page.leaf_span(row))
    return leaves


def _leads_to_itself(page: Page, link: InnerLink) -> bool:
    """Return whether a link leads to an element around it, or to the beginning of its block."""
    row, target = link.row, link.target
    if _is_inside_target(page, link):
        return True
    around = int(page.block_row[page.blocks.of_leaf[page.leaf_offset[row]]])
    return bool(around < target < row)


def _is_around_words(page: Page, link: InnerLink) -> bool:
    """Return whether a link makes the words of an element the address of that element."""
    is_term = _is_inside_target(page, link) and page.tag[link.target] == _DT
    return bool(is_term) and is_named_permalink(page, link.row)


def _is_inside_target(page: Page, link: InnerLink) -> bool:
    return bool(0 <= link.target < link.row < page.end[link.target])


def _find_buttons(page: Page, keep: BoolArray) -> list[int]:
    """Return the leaves of buttons in headings that show more than these."""
    leaves: list[int] = []
    buttons = page.rows_of(_BUTTONS)
    if not buttons.size:
        return leaves
    headings = page.nearest(HEADINGS.take(page.tag), buttons)
    is_inside = headings >= 0
    kept = sum_before(keep)
    pairs = zip(buttons[is_inside].tolist(), headings[is_inside].tolist(), strict=True)
    for row, heading in watch(pairs):
        first, stop = page.leaf_span(row)
        begin, end = page.leaf_span(heading)
        if kept[first] > kept[begin] or kept[end] > kept[stop]:
            leaves += range(first, stop)
    return leaves


def _find_heading_links_by_step(steps: Steps, page: Page, keep: BoolArray) -> IntArray | None:
    columns = (page.tag, page.parent, page.end, page.leaf_offset)
    return steps.find_heading_links(*columns, HEADINGS, keep, _A, _LEVELS_UP)


@kernel_with(_find_heading_links_by_step)
def find_heading_links(page: Page, keep: BoolArray) -> IntArray:
    """Find the links in headings with kept leaves, few levels below them; int32[n]."""
    rows = (_flag_inside(page, keep) & (page.tag == _A)).nonzero()[0].astype(np.int32)
    above = page.parent[rows]
    is_near = np.zeros(rows.size, np.bool_)
    for _ in range(_LEVELS_UP if rows.size else 0):
        is_near |= HEADINGS[page.tag[above]]
        above = np.maximum(page.parent[above], 0)
    near: IntArray = rows[is_near]
    return near


def _flag_inside(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the rows inside headings that hold kept leaves; bool[n_row]."""
    headings = HEADINGS[page.tag].nonzero()[0]
    before = sum_before(keep)[page.leaf_offset]
    return page.below(page.flag(headings[before[page.end[headings]] > before[headings]]))


def _find_edit_links(page: Page, in_heading: BoolArray) -> list[int]:
    """Return the leaves of the links in headings that open an editor."""
    entries = page.attributes.matching("class", _EDIT_CLASS, of=in_heading)
    rows = page.attributes.row[entries]
    return [leaf for row in rows.tolist() for leaf in range(*page.leaf_span(row))]


def _leads_to_page(page: Page, row: int) -> bool:
    """Return whether a link leads to the page itself, as that around a headline may."""
    address = (page.attr(row, "href") or "").strip()
    return is_own_address(page, address) if address and "#" not in address else False


def _is_alone(page: Page, keep: BoolArray, row: int) -> bool:
    """Return whether a link holds all the kept leaves of its block."""
    first, stop = page.leaf_span(row)
    block = page.blocks.of_leaf[first] if first < stop else 0
    begin, end = page.blocks.start[block : block + 2].tolist()
    return not (keep[begin:first].any() or keep[stop:end].any())


# -- tags --------------------------------------------------------------------------------------

_MAX_LEVEL: Final = 6
"""Tag codes are in the order of their names, so those of headings are consecutive."""
_DEFAULT_LEVEL: Final = 2
"""Level of a `role=heading` without one (WAI-ARIA 1.2, 5.3.3)."""
_CAN_BE: Final = flags_of("address center div header p section")
"""Elements that `role=heading` can turn into a heading."""


def _are_in_captions(page: Page, headings: npt.NDArray[np.int64]) -> BoolArray:
    """Return which of some headings are in the caption of a figure, and no links; bool[n]."""
    captions = page.rows_of(_CAPTIONS)
    if not captions.size:
        return np.zeros(headings.size, np.bool_)  # as most
    last = captions.take(captions.searchsorted(headings) - 1)
    ends, linked = page.end.take(headings), page.link_words_before
    is_linked = linked.take(ends) > linked.take(headings)
    inside: BoolArray = (last < headings) & (headings < page.end.take(last)) & ~is_linked
    return inside


def read_headings(page: Page, holds: BoolArray) -> TagArray:
    """Return the tag of each row, with `role=heading` elements and the title of Word as headings.

    ``holds`` flags the rows to be considered; bool[n_row]. Below the title of a document that Word
    exported, its headings are one level lower, unless none is on the first. What is marked up as a
    heading below that but has no words, or is the text of a caption, is a `div`.
    """
    tag, title = page.tag, find_title(page)
    headings = page.rows_of(SUBHEADINGS)
    is_none = (page.subtree_words.take(headings) == 0) | _are_in_captions(page, headings)
    headings = headings[holds.take(headings) & is_none]
    if headings.size:
        tag = tag.copy()
        tag[headings] = _DIV
    if title and holds[title]:
        is_lowered = HEADINGS[tag] & (tag < _H1 + _MAX_LEVEL - 1) & (holds & (tag == _H1)).any()
        tag = (tag + is_lowered).astype(np.int16)
        tag[title] = _H1
    attributes = page.attributes
    entries = attributes.named("role")
    rows = attributes.row[entries]
    is_one = holds[rows] & _CAN_BE[page.tag[rows]]
    if not is_one.any():
        return tag
    roles = attributes.values_of(entries[is_one])
    rows = np.array([row for row, role in roles.items() if role == "heading"], np.int32)
    if not rows.size:
        return tag
    tag = tag.copy()
    has_heading = page.subtree_sums(HEADINGS[page.tag]) > 0
    for row in rows[~has_heading[rows]].tolist():
        stated = read_whole_number(page.attr(row, "aria-level") or "")
        level = _DEFAULT_LEVEL if stated is None else stated
        tag[row] = _H1 + min(max(level, 1), _MAX_LEVEL) - 1
    return tag
