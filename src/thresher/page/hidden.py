"""Flags for rows that are initially hidden, with the reason; hidden rows stay in the table.

Much main content is hidden: replies behind "show more", tabs, slides, text in `<noscript>` on pages
rendered by scripts. So hiding is evidence for an algorithm, never a reason to drop while parsing.
What nobody will see, because no control of the page shows it, is flagged too (`Hidden.UNSEEN`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from enum import IntFlag
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline, watch
from thresher.native import Steps, kernel_with
from thresher.page.attributes import Attributes
from thresher.page.parts import CLASS_PARTS
from thresher.page.revealed import (
    MAX_TWIN_WORDS,
    find_read_along,
    find_revealed,
    has_shown_twin,
    have_same_words,
    is_short,
)
from thresher.page.rows import BoolArray, flag_within, inherit_flags, sum_before
from thresher.page.scan import IntArray
from thresher.page.style import Compound, Hiding, hides, limit_sheet, read_hiding, shrinks
from thresher.page.tags import BLOCK, CODE_OF, FALLBACK, FORMATTING, REPLACED, TEXT, flags_of

if TYPE_CHECKING:
    from thresher.page.page import Page


class Hidden(IntFlag):
    """Reasons why a row is hidden, those of its ancestors included."""

    NOSCRIPT = 1
    TEMPLATE = 2
    FALLBACK = 4
    """Inside an element whose children are only a fallback: video, object, iframe …"""
    ATTRIBUTE = 8
    """The `hidden` attribute, or a closed dialog."""
    STYLE = 16
    """Its `style` attribute, or a rule of the page's own style sheets."""
    ARIA = 32
    """`aria-hidden="true"`: shown, but kept from screen readers."""
    UNSEEN = 64
    """And nothing on the page shows it to a reader."""
    SPOKEN = 128
    """A class of words for screen readers only."""


REASONS: Final = tuple(Hidden)[:6]
"""Those that the features tell apart."""
_Flags = npt.NDArray[np.uint8]
_SMALL: Final = np.uint8(64)
"""What `flag_hidden` says of a font size of 0, which the elements inside may change."""
_SEVERED: Final = np.uint8(Hidden.TEMPLATE | Hidden.ATTRIBUTE | Hidden.STYLE | Hidden.SPOKEN)
_HIDES: Final = flags_of("noscript") * np.uint8(Hidden.NOSCRIPT) + flags_of("template") * np.uint8(
    Hidden.TEMPLATE
)
"""Flags that each element sets on itself and its descendants, by tag code."""
_HIDES_BELOW: Final = FALLBACK * np.uint8(Hidden.FALLBACK)
"""Flags that each element sets on its descendants only, by tag code."""
_TRUE: Final = rb"true(?<!\wtrue)(?!\w)"
"""The word ``true``. Its lookbehind follows, because patterns that begin with letters are searched
for much faster."""
_SPOKEN_PARTS: Final = CLASS_PARTS.bits(
    *b"sr-only visually hidden invisible screen assistive blind accessibility".split()
)
_SPOKEN: Final = (
    rb"(?<![\w:-])(?!not-)(?:(?:is-)?(?:sr-only|(?:[\w-]*[_-])?(?:visually[_-]?hidden|hidden-visually)"
    rb"|(?:for-)?screen-?readers?(?:[_-](?:text|only))?|assistive-text|(?:is_)?blind)(?![\w-]*focus)"
    rb"|(?:[\w-]+[_-](?:sr-only|assistive-text|screen-?reader(?:[_-](?:text|only))?)"
    rb"|\w+(?:visuallyhidden|screenreaderonly)|(?:[\w-]+-)?hidden-?text|off-?screen"
    rb"|element-invisible|ada-hidden|accessibility-text)(?![\w-]))"
)
"""Class names of words that only screen readers read: Bootstrap, WordPress, Drupal, Tailwind, Naver
and others in Korea, and with the prefixes of other frameworks."""
_GONE_PARTS: Final = CLASS_PARTS.bits(b"-none", b"hidden")
_GONE: Final = re.compile(r"(?<!\S)(?:d-none|(?:is-|tw-)?hidden)(?!\S)")
_GONE_ON_SOME: Final = re.compile(
    r"(?<!\S)(?:\w+:(?:tw-)?(?:block|contents|flex|grid|inline)|d-\w+-(?!none))"
)
"""Classes of what is not shown, and of what is on some screens: Bootstrap, Bulma, Tailwind."""
_ADVICE_PARTS: Final = CLASS_PARTS.bits(b"advice", b"tooltip")
_ADVICE: Final = (
    rb"(?<![^\s\0])(?:method-click-advice|footnote_tooltip|tooltip-?(?:content|text))(?![^\s\0])"
)
"""Classes of what is shown only under the pointer: RDoc, Sphinx, WordPress and many others."""
_GLYPH_PARTS: Final = CLASS_PARTS.bits(b"material-")
_GLYPHS: Final = rb"(?<![^\s\0])material-(?:icons|symbols)(?:-[a-z]+)*(?![^\s\0])"
_GLYPH_NAME: Final = re.compile(r"\s*[a-z0-9_]+\s*")
"""Google's icons: a font draws the name of each as one sign."""
_STYLE, _DIALOG = flags_of("style"), flags_of("dialog")
_NOSCRIPT: Final = CODE_OF["noscript"]
_NO_PROSE: Final = flags_of("head noscript template a")
"""Elements whose text does not begin the page's own."""
_IN_LINE: Final = flags_of("abbr b bdi em h1 h2 h3 h4 h5 h6 i s small span strong sub sup time u")
"""Elements that a class of a framework may hide within a line, and headings."""
_CONTROLS: Final = flags_of("button summary")
_OPENING_SIGNS: Final = frozenset("+−–-✕▲▼▾▸▶›»⌄↓")
_PICTURES: Final = flags_of("img")
_FIGURE, _CAPTIONS = CODE_OF["figure"], flags_of("figcaption")
_FORMS: Final = flags_of("math rt")
"""Elements that are another form of what is shown: formulas of pictures, readings of characters."""
_SMALL_INSIDE: Final = FORMATTING | flags_of("a br")
"""Elements that rarely change the size of letters."""
_BYTES: Final = [bytes([code]) for code in range(256)]
_WHITE: Final = np.array([byte.isspace() for byte in _BYTES])
_WORDS: Final = np.array([byte.isalnum() or byte > b"\x7f" for byte in _BYTES])
_MOST: Final = 0.4
"""Share of a page's words above which an element is its content, whatever hides it: a script or a
style sheet that loads late shows it."""
_MESSAGE_WORDS: Final = 60
"""Words of a message that asks for scripts, at most: up to 35 were seen."""
_PROSE_WORDS: Final = 10
"""Words of a text from which it is one of the page's."""


def find_hidden(page: Page) -> _Flags:
    """Return why each row is hidden, itself or by an ancestor: `Hidden` flags; uint8[n_row]."""
    own = _HIDES.take(page.tag)
    own |= flag_hidden(page.attributes, page.tag.size)
    _flag_small(page, own)
    for rows, flag in (
        (page.attributes.rows_classed(_SPOKEN_PARTS, _SPOKEN), Hidden.SPOKEN),
        (_find_closed_dialogs(page), Hidden.ATTRIBUTE),
        (_find_styled(page), Hidden.STYLE),
        (page.attributes.rows_classed(_ADVICE_PARTS, _ADVICE), Hidden.STYLE),
        (_find_gone(page), Hidden.STYLE),
    ):
        if rows.size:
            own[rows] |= np.uint8(flag)
    if own.any():
        _flag_unseen(page, own)
    own[_find_second_captions(page)] |= np.uint8(Hidden.UNSEEN)
    own[_find_glyphs(page)] |= np.uint8(Hidden.UNSEEN)
    return inherit_flags(own, _HIDES_BELOW.take(page.tag), page.parent, page.end)


def _flag_hidden_by_step(steps: Steps, attributes: Attributes, n_row: int) -> _Flags | None:
    columns = (attributes.row, attributes.name_start, attributes.start, attributes.stop)
    return steps.flag_hidden(attributes.buffer, *columns, n_row)


@kernel_with(_flag_hidden_by_step)
def flag_hidden(attributes: Attributes, n_row: int) -> _Flags:
    """Return the flags that each row's own attributes set, or 64 for tiny letters; uint8[n_row]."""
    flags = np.zeros(n_row, np.uint8)
    for entries, flag in (
        (attributes.named("hidden"), Hidden.ATTRIBUTE),
        (attributes.matching("aria-hidden", _TRUE), Hidden.ARIA),
    ):
        if entries.size:
            flags[attributes.row.take(entries)] |= np.uint8(flag)
    buffer = attributes.buffer
    for entry in attributes.named("style").tolist():
        style = buffer[attributes.start[entry] : attributes.stop[entry]]
        if hides(style):
            flags[attributes.row[entry]] |= np.uint8(Hidden.STYLE)
        elif shrinks(style):
            flags[attributes.row[entry]] |= _SMALL
    return flags


def _flag_small(page: Page, own: _Flags) -> None:
    """Turn the flag of tiny letters into that of hidden ones, unless others may be inside."""
    rows = ((own & _SMALL) != 0).nonzero()[0]
    if not rows.size:
        return
    own[rows] &= ~_SMALL
    others = (page.tag != TEXT) & ~_SMALL_INSIDE.take(page.tag)
    before = sum_before(others)
    plain = before.take(page.end.take(rows)) == before.take(rows + 1)
    own[rows[plain]] |= np.uint8(Hidden.STYLE)


def _find_gone(page: Page) -> IntArray:
    """Find what a framework's class hides within a line, or a heading; a script may show a box."""
    attributes = page.attributes
    entries = attributes.classed(_GONE_PARTS)
    entries = entries[_IN_LINE.take(page.tag.take(attributes.row.take(entries)))]
    texts = attributes.texts_of(entries)
    is_gone = [bool(_GONE.search(text) and not _GONE_ON_SOME.search(text)) for text in texts]
    rows: IntArray = attributes.row.take(entries[is_gone])
    return rows


def _find_closed_dialogs(page: Page) -> IntArray:
    dialogs = page.rows_of(_DIALOG).astype(np.int32)
    if not dialogs.size:
        return dialogs
    attributes = page.attributes
    closed: IntArray = np.setdiff1d(dialogs, attributes.rows_named("open"))
    return closed


def _find_styled(page: Page) -> IntArray:
    """Find the rows that a rule of the page's own style sheets hides."""
    sheets = page.rows_of(_STYLE)
    if not sheets.size:
        return np.zeros(0, np.int32)
    values_of = {b".": page.attributes.distinct("class"), b"#": page.attributes.distinct("id")}
    words_of: dict[bytes, set[bytes]] = {}
    for sign, values in values_of.items():
        check_deadline()
        words_of[sign] = set(b" ".join(values.texts).split())
    selectors = read_hiding(
        (
            limit_sheet(page.raw_utf8(row), page.attr(row, "media") or "")
            for row in watch(sheets.tolist())
        ),
        lambda name: name[1:] in words_of[name[:1]],
    )
    compounds = {compound for selector in selectors for compound in selector if compound}
    names = {name for compound in compounds for name in compound.names}
    places_of: defaultdict[bytes, list[int]] = defaultdict(list)
    """Name with its sign → the distinct values that have it."""
    for sign, values in values_of.items():
        wanted = {name[1:] for name in names if name.startswith(sign)}
        for place, text in enumerate(watch(values.texts if wanted else ())):
            for word in wanted.intersection(text.split()):
                places_of[sign + word].append(place)
    named = {name: set(values_of[name[:1]].rows_with(places_of[name]).tolist()) for name in names}
    rows = {row for selector in selectors for row in _rows_of(page, selector, named)}
    return np.array(sorted(rows), np.int32)


def _rows_of(page: Page, selector: Hiding, named: dict[bytes, set[int]]) -> list[int]:
    """Return the rows of a selector, given those of each name."""
    rows = _find_compound(page, selector.element, named)
    if selector.around is None or not rows:
        return rows
    around = page.flag(_find_compound(page, selector.around, named))
    inside = page.within(around).take(page.parent.take(rows))
    return [row for row, is_inside in zip(rows, inside.tolist(), strict=True) if is_inside]


def _find_compound(page: Page, compound: Compound, named: dict[bytes, set[int]]) -> list[int]:
    tag = compound.tag.decode()
    if not compound.names:
        rows: list[int] = np.flatnonzero(page.tag == CODE_OF.get(tag, -1)).tolist()
        return rows
    matching = set.intersection(*(named.get(name, set()) for name in compound.names))
    return [row for row in matching if tag in {"", page.name(row)}]


def _flag_unseen(page: Page, own: _Flags) -> None:
    words, end = page.words_before, page.end
    rows = ((own & ~np.uint8(Hidden.ARIA)) != 0).nonzero()[0]
    shows = page.has_text(rows)
    blank = rows[~shows & (end.take(rows) > rows + 1)]
    blank = blank[(own.take(blank) & _SEVERED) != 0]
    if blank.size:  # what holds pictures alone; a hidden picture itself may wait for a script
        pictures = page.rows_of(_PICTURES)
        holds = pictures.searchsorted(end.take(blank)) > pictures.searchsorted(blank)
        shows[rows.searchsorted(blank[holds])] = True
    rows = rows[shows]
    rows = rows[~_FORMS.take(page.tag.take(rows))]
    rows = rows[words.take(end.take(rows)) - words.take(rows) <= _MOST * int(words[-1])]
    severed = rows[(own.take(rows) & _SEVERED) != 0]
    if severed.size:
        is_spoken = (own.take(severed) & np.uint8(Hidden.SPOKEN)) != 0
        seen = find_revealed(page, severed[~is_spoken], own)
        if is_spoken.any():
            is_drawn = (own == np.uint8(Hidden.ARIA)) & ~REPLACED.take(page.tag)
            seen += find_read_along(page, severed[is_spoken], own, is_drawn)
        own[np.setdiff1d(severed, seen)] |= np.uint8(Hidden.UNSEEN)
    noscripts = rows[page.tag.take(rows) == _NOSCRIPT]
    if noscripts.size:
        own[_find_messages(page, noscripts)] |= np.uint8(Hidden.UNSEEN)
    own[_find_twins(page, own)] |= np.uint8(Hidden.UNSEEN)
    own[_find_signs(page, own)] |= np.uint8(Hidden.UNSEEN)


def _find_messages(page: Page, noscripts: IntArray) -> list[int]:
    """Find the noscripts that ask for scripts: they say so, or precede the page's own text."""
    words = page.words_before
    is_prose = np.diff(words) >= _PROSE_WORDS
    is_prose &= ~page.within(_NO_PROSE.take(page.tag))
    first = int(is_prose.argmax())  # 0 if there is none
    return [
        row
        for row in watch(noscripts.tolist())
        if words[page.end[row]] - words[row] <= _MESSAGE_WORDS
        and is_short(page, row)
        and (row < first or "javascript" in page.text_of(row).lower())
    ]


def _find_twins(page: Page, own: _Flags) -> list[int]:
    """Find what is kept from screen readers beside the same words for everyone."""
    aria, unseen = np.uint8(Hidden.ARIA), np.uint8(Hidden.UNSEEN)
    rows = ((own & (aria | unseen)) == aria).nonzero()[0]
    size = page.words_before.take(page.end.take(rows)) - page.words_before.take(rows)
    twins = watch(rows[(size > 0) & (size <= MAX_TWIN_WORDS)].tolist())
    return [row for row in twins if has_shown_twin(page, row, own)]


def _find_signs(page: Page, own: _Flags) -> list[int]:
    """Find what is kept from screen readers in a control, and only shows whether it is open."""
    rows = ((own & np.uint8(Hidden.ARIA)) != 0).nonzero()[0]
    rows = rows[page.subtree_words.take(rows) == 0]
    if not rows.size:
        return []
    rows = rows[page.within(_CONTROLS.take(page.tag)).take(rows)]
    return [row for row in watch(rows.tolist()) if page.text_of(row).strip() in _OPENING_SIGNS]


def _find_glyphs(page: Page) -> list[int]:
    """Find the names of icons, each in an element of its own."""
    rows = watch(page.attributes.rows_classed(_GLYPH_PARTS, _GLYPHS).tolist())
    return [row for row in rows if is_short(page, row) and _GLYPH_NAME.fullmatch(page.text_of(row))]


def _find_second_captions(page: Page) -> list[int]:
    """Find captions that repeat the one before them in their figure, for narrow windows."""
    rows = page.rows_of(_CAPTIONS)
    if rows.size < 2:
        return []
    figures = page.nearest(page.tag == _FIGURE, rows)
    is_second = (figures[1:] == figures[:-1]) & (figures[1:] >= 0)
    pairs = zip(rows[:-1][is_second].tolist(), rows[1:][is_second].tolist(), strict=True)
    return [row for before, row in watch(pairs) if have_same_words(page, before, row)]


def find_concealed(page: Page) -> BoolArray:
    """Flag the rows of what is not shown in a line, unseen elements and pixels; bool[n_row].

    An element with a formula is not among them: it may be the only readable form.
    """
    unseen: BoolArray = (page.hidden & np.uint8(Hidden.UNSEEN)) != 0
    pixels = _find_pixels(page)
    if not unseen.any():
        unseen[pixels] = True
        return unseen
    level = BLOCK.take(page.tag) | (REPLACED.take(page.tag) & (page.tag != CODE_OF["svg"]))
    before = sum_before(level)
    inline = before.take(page.end) == before[:-1]
    roots = unseen & inline
    roots[1:] &= ~unseen.take(page.parent[1:])
    roots[pixels] = True
    return flag_within(roots, page.end)


def _find_pixels(page: Page) -> IntArray:
    """Find the pictures by which others count who reads a page, directly before words of a line."""
    tag, pixels = page.tag, _find_tiny(page.attributes, "width")
    if not pixels.size:
        return pixels
    pixels = pixels[_PICTURES.take(tag.take(pixels)) & (pixels + 1 < tag.size)]
    pixels = pixels[tag.take(pixels + 1) == TEXT]
    pixels = pixels[np.isin(pixels, _find_tiny(page.attributes, "height"))]
    raw = np.frombuffer(page.buffer, np.uint8)
    shown: IntArray = pixels[~_WHITE[raw[page.open_start.take(pixels + 1)]]]
    return shown


def _find_tiny(attributes: Attributes, name: str) -> IntArray:
    """Find the elements of which one side is a pixel or nothing."""
    entries = attributes.named(name)
    if entries.size:
        entries = entries[attributes.stop.take(entries) - attributes.start.take(entries) == 1]
    if not entries.size:
        return np.zeros(0, np.int32)  # as on most pages
    rows: IntArray = attributes.row.take(entries[attributes.first_bytes(entries) <= ord("1")])
    return rows


def find_parted(page: Page, concealed: BoolArray, leaves: IntArray) -> IntArray:
    """Return the leaves, by their places, that words for screen readers part from the one before.

    "Tides<i class=sr-only>: </i>Late" is two words, as its white space says. ``concealed`` is
    bool[n_row].
    """
    spoken = (page.hidden & np.uint8(Hidden.SPOKEN)) != 0
    rows = (concealed & spoken & (page.tag == TEXT)).nonzero()[0]
    raw = np.frombuffer(page.buffer, np.uint8)
    start, stop = page.open_start, page.open_stop
    rows = rows[_WHITE[raw[start.take(rows)]] | _WHITE[raw[stop.take(rows) - 1]]]
    places = leaves.searchsorted(rows)
    places = places[(places > 0) & (places < leaves.size)]
    first, second = leaves.take(places - 1), leaves.take(places)
    are_texts = (page.tag.take(first) == TEXT) & (page.tag.take(second) == TEXT)
    are_words = _WORDS[raw[stop.take(first) - 1]] | (raw[stop.take(first) - 1] == ord("."))
    parted: IntArray = places[are_texts & are_words & _WORDS[raw[start.take(second)]]]
    return parted
