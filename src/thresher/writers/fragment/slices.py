"""Slices of the page buffer that are copied to the output unchanged, and the markup between them.

Text leaves, the tags of meaningful elements, paragraphs around runs without one, and the spaces and
line breaks between leaves. Everything else is added by other modules.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntFlag
from html import escape
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.blocks import GLUE, NEWLINE
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import BLOCK, CODE_OF, HEADINGS, REPLACED, TEXT, flags_of
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.pieces import LITERAL, Pieces, Rank
from thresher.writers.outline.structure import LISTS, number_kinds

_A, _DL, _MATH = (CODE_OF[name] for name in "a dl math".split())
ALLOWED_ATTRIBUTES: Final = {
    "*": frozenset({"dir", "id", "lang"}),
    "a": frozenset({"href", "hreflang", "title"}),
    "abbr": frozenset({"title"}),
    "annotation": frozenset({"encoding"}),
    "blockquote": frozenset({"cite"}),
    "code": frozenset({"class"}),
    "del": frozenset({"cite", "datetime"}),
    "dfn": frozenset({"title"}),
    "img": frozenset({"alt", "height", "src", "title", "width"}),
    "input": frozenset({"checked", "disabled", "type"}),
    "ins": frozenset({"cite", "datetime"}),
    "li": frozenset({"value"}),
    "math": frozenset({"alttext", "display"}),
    "ol": frozenset({"reversed", "start", "type"}),
    "q": frozenset({"cite"}),
    "td": frozenset({"align", "colspan", "rowspan", "style"}),
    "th": frozenset({"align", "colspan", "rowspan", "scope", "style"}),
    "time": frozenset({"datetime"}),
}
"""Element, or `*` for all → its attributes that stay."""


# -- start tags --------------------------------------------------------------------------------

_LONG_TAG_BYTES: Final = 16 * 1024
"""Bytes of a start tag beyond which its attributes are filtered here: the sanitiser's time for an
element grows with the square of their number."""
_MAX_LINK_CHARS: Final = 2 * 2**20
"""Characters of an address that Chromium follows (`url::kMaxURLChars`)."""


def keep_attributes(page: Page, row: int, name: str) -> dict[str, str]:
    """Return the attributes of a row that are allowed on an element of this name in clean HTML.

    Without a link's address that no browser would follow.
    """
    allowed = (ALLOWED_ATTRIBUTES["*"] - {"id"}) | ALLOWED_ATTRIBUTES.get(name, frozenset())
    attrs = page.attrs(row).items()
    return {
        key: value
        for key, value in attrs
        if key in allowed and (key != "href" or len(value) <= _MAX_LINK_CHARS)
    }


def format_start_tag(name: str, attrs: Mapping[str, str]) -> str:
    """Return a start tag with escaped attributes."""
    formatted = (f' {key}="{escape(value)}"' for key, value in attrs.items())
    return f"<{name}{''.join(formatted)}>"


def put_start_tags(  # noqa: PLR0917
    page: Page,
    pieces: Pieces,
    rows: npt.NDArray[np.signedinteger],
    places: IntArray,
    rank: Rank,
    tags: Mapping[int, str],
) -> None:
    """Write the start tags of elements, each at a position, very long ones only as far as allowed.

    ``tags`` holds replacements for some rows.
    """
    as_is = page.open_stop[rows] - page.open_start[rows] <= _LONG_TAG_BYTES
    if tags:
        as_is &= ~np.isin(rows, list(tags))
    short = rows[as_is]
    pieces.move(places[as_is], rank, page.open_start[short], page.open_stop[short])
    for row, place in zip(rows[~as_is].tolist(), places[~as_is].tolist(), strict=True):
        name = page.name(row)
        tag = tags.get(row) or format_start_tag(name, keep_attributes(page, row, name))
        pieces.put(np.array([place]), rank, tag.encode())


def has_long_tag(page: Page, row: int) -> bool:
    """Return whether an element or a descendant has a start tag too long for the sanitiser."""
    inside = slice(row, page.end[row])
    sizes = page.open_stop[inside] - page.open_start[inside]
    return bool((sizes[page.tag[inside] != TEXT] > _LONG_TAG_BYTES).any())


# -- slices ------------------------------------------------------------------------------------

_INLINE: Final = flags_of(
    "a abbr acronym b bdi bdo cite code del dfn em i ins kbd mark q rb rt rtc ruby s samp small"
    " strike strong sub sup time tt u var"
)
"""Inline elements that are meaningful."""
_SAME: Final = tuple(map(flags_of, ("b strong", "em i", "code kbd samp tt", "s strike del")))
"""Groups of elements of which one nested in another adds nothing: not `cite`, `dfn` and `var`, as
Markdown has no marks for them."""
_BOLD, _CODE = _SAME[0], _SAME[2]
_POINTS: Final = REPLACED & ~flags_of("math")
"""Elements written at one position; their content comes after it."""
_KIND_OF: Final = number_kinds(
    enumerate((_INLINE, *_SAME, flags_of("a"), HEADINGS, BLOCK, _POINTS, LISTS, flags_of("dl")))
)
"""The bits of native/fragment/writers.h."""
_START_TAG: Final = -2
"""Value in place of a piece's end: it is the start tag of the row given as its start."""
_LITERALS: Final = (b"<li>", b"</li>", b"<dd>", b"</dd>", b"<p>", b"</p>", b" ", b"<br>")
_WHITE: Final = np.isin(np.arange(256), list(b" \t\n\r\f"))


class RowFlag(IntFlag):
    """Exceptions in writing single rows."""

    ELSEWHERE = 1
    """Its start tag is among the given ones, or its text is added by other modules."""
    LINKED = 2
    """A link that is written whether or not links are."""
    UNLINKED = 4
    """A link that is written as its text."""
    UNMARKED = 8
    """An inline element of which only the content is written."""
    SPANNED = 16
    """An inline element that is written although its tag is not meaningful."""
    UNOPENED = 32
    """An element without a start tag, as it continues the one before."""
    UNCLOSED = 64
    """An element without an end tag, as another one continues it."""


class Edges(NamedTuple):
    """Beginnings and ends of runs, with the inline elements around them; int32[n]."""

    opens: IntArray
    closes: IntArray


def _put_plain_by_step(
    steps: Steps,
    outline: Outline,
    pieces: Pieces,
    row_flags: npt.NDArray[np.uint8],
    tags: Mapping[int, str],
    *,
    links: bool,
) -> Edges | None:
    page = outline.page
    n_element = int(np.count_nonzero(outline.holds | outline.structure))
    n_room = 2 * (n_element + len(outline.runs) + outline.kept.size)
    rows = (page.tag, page.parent, page.end, page.depth)
    spans = (page.open_start, page.open_stop, page.close_start, page.close_stop, page.leaf_offset)
    written = (outline.tag, outline.holds, outline.structure, outline.crossing)
    leaves = (page.leaves[outline.kept], outline.runs.of_leaf, outline.gaps)
    runs = (outline.container, outline.first_row, outline.last_row, outline.bare)
    flags = (outline.preformatted, row_flags)
    limits = (links, _LONG_TAG_BYTES, n_room)
    columns = (*rows, *spans, _KIND_OF, *written, *flags, *leaves, *runs)
    arrays = steps.find_plain_pieces(page.buffer, *columns, *limits)
    if arrays is None:  # also if a start tag is too long
        return None
    opens, closes, key, start, stop = arrays
    literals = list(_LITERALS)
    if tags:
        for place in (stop == _START_TAG).nonzero()[0].tolist():
            literals.append(tags[int(start[place])].encode())
            start[place], stop[place] = len(literals) - 1, LITERAL
    pieces.add(key, start, stop, literals)
    return Edges(opens, closes)


@kernel_with(_put_plain_by_step)
def put_plain_pieces(
    outline: Outline,
    pieces: Pieces,
    row_flags: npt.NDArray[np.uint8],
    tags: Mapping[int, str],
    *,
    links: bool,
) -> Edges:
    """Add what is written unchanged; ``row_flags`` is the `RowFlag` of each row, uint8[n_row].

    ``tags`` holds the start tags that differ from the page's, by row. Not included are formulas,
    preformatted text, headings whose level changes, and links that cross paragraphs.
    """
    page = outline.page
    written = outline.structure & ~outline.preformatted & (outline.tag == page.tag)
    written |= _flag_inline(outline, row_flags, links=links)
    rows = (written & (row_flags & RowFlag.UNOPENED == 0)).nonzero()[0]
    put_start_tags(page, pieces, rows, page.open_start[rows], Rank.SLICE, tags)
    rows = (written & (row_flags & RowFlag.UNCLOSED == 0)).nonzero()[0]
    pieces.cut(page.close_start[rows], page.close_stop[rows])
    _put_texts(outline, pieces, row_flags)
    edges = find_bounds(outline, outline.first_row, outline.last_row)
    _wrap_runs(outline, pieces, edges)
    return edges


def _flag_inline(outline: Outline, row_flags: npt.NDArray[np.uint8], *, links: bool) -> BoolArray:
    """Flag the inline elements that are written, none inside another of the same meaning."""
    page = outline.page
    rows: BoolArray = _INLINE[page.tag] | (row_flags & RowFlag.SPANNED != 0)
    rows &= ~outline.crossing
    for same in _SAME:
        alike = rows & same[page.tag]
        if alike.any():
            rows &= ~(alike & page.below(alike))
    rows &= ~(_BOLD[page.tag] & page.below(outline.structure & HEADINGS[outline.tag]))
    rows &= ~(_CODE[page.tag] & page.within(outline.preformatted))
    is_link = links | (row_flags & RowFlag.LINKED != 0)
    rows &= (page.tag != _A) | (is_link & (row_flags & RowFlag.UNLINKED == 0))
    rows &= row_flags & RowFlag.UNMARKED == 0
    rows &= outline.holds
    return rows


def _put_texts(outline: Outline, pieces: Pieces, row_flags: npt.NDArray[np.uint8]) -> None:
    """Add text leaves, the spaces between leaves, and line breaks."""
    page = outline.page
    rows = page.leaves[outline.kept]
    in_pre = outline.run_preformatted[outline.runs.of_leaf]
    text = rows[(page.tag[rows] == TEXT) & ~in_pre & (row_flags[rows] & RowFlag.ELSEWHERE == 0)]
    pieces.cut(page.open_start[text], page.open_stop[text])

    raw = np.frombuffer(page.buffer, np.uint8)
    between = (~in_pre & (outline.gaps != GLUE)).nonzero()[0]
    before, after = rows[between - 1], rows[between]
    places = page.open_start[_highest_between(page, before, after)]
    breaks = outline.gaps[between] == NEWLINE
    pieces.put(places[breaks], Rank.GAP, b"<br>")
    spaced = _WHITE[raw[page.open_stop[before] - 1]] | _WHITE[raw[page.open_start[after]]]
    pieces.put(places[~breaks & ~spaced], Rank.GAP, b" ")


def _highest_between(page: Page, before: IntArray, after: IntArray) -> npt.NDArray[np.int64]:
    """Return the first of the outermost rows between two rows, for pairs of rows.

    A space or line break put there is at the edge of no inline element, where Markdown could not
    have it.
    """
    if not before.size:
        return before.astype(np.int64)
    n_row = len(page)
    ranked = np.append(page.depth.astype(np.int64) * n_row + np.arange(n_row), 0)
    edges = np.stack((before + 1, after + 1), axis=1).ravel()
    return np.minimum.reduceat(ranked, edges)[::2] % n_row


def find_bounds(outline: Outline, first_row: IntArray, last_row: IntArray) -> Edges:
    """Find where runs, or parts of them, begin and end, given the rows of their outer leaves."""
    page = outline.page
    boundary = BLOCK[page.tag] | outline.crossing
    boundary[page.leaves] = False
    # The outermost elements of a run: their ancestors hold other runs too.
    outermost = ~boundary & boundary[page.parent]
    first, last = (page.nearest(outermost, rows) for rows in (first_row, last_row))
    point = _POINTS[page.tag[last]] & (last == last_row)
    closes = np.where(point, page.open_stop[last], page.close_stop[last])
    return Edges(page.open_start[first], closes)


def _wrap_runs(outline: Outline, pieces: Pieces, edges: Edges) -> None:
    """Put paragraphs around runs without one, and items and definitions in lists."""
    container, bare, tag = outline.container, outline.bare, outline.run_tag
    wrappers = (
        (b"<li>", b"</li>", ~bare & LISTS[tag]),
        (b"<dd>", b"</dd>", ~bare & (tag == _DL)),
        (b"<p>", b"</p>", ~bare & ~LISTS[tag] & (tag != _DL)),
    )
    for opening, closing, wrapped in wrappers:
        pieces.put(edges.opens[wrapped], Rank.OPEN_RUN, opening)
        pieces.put(edges.closes[wrapped], Rank.CLOSE_RUN, closing)
    # Where paragraphs are not possible, as in a heading, their edges become spaces.
    again = np.zeros(len(outline.runs), np.bool_)
    again[1:] = container[1:] == container[:-1]
    pieces.put(edges.opens[bare & again & ~outline.run_preformatted], Rank.GAP, b" ")
