"""What a page has twice, for narrow and wide screens, or shown and hidden: one of them is text."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.parts import CLASS_PARTS
from thresher.page.revealed import find_siblings
from thresher.page.rows import BoolArray, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import REPLACED, flags_of
from thresher.page.text import unescape

_PARTS: Final = CLASS_PARTS.bits(*b"-none hidden mobile visible-xs desktop -for- print".split())
_NARROW: Final = (
    rb"(?<![\w:-])(?:(?:is-|show-|visible-)?(?:on-)?mobile(?:[_-]?only)?|visible-(?:xs|phone)"
    rb"|(?![\w-]*(?:hid|no[_-]|not[_-]|size|point|width|column|font|align|text-(?:left|right|cent)"
    rb"|is-(?:\d|full|half)))[\w-]*[_-]mobile(?:copy|[_-][\w-]+)?"
    rb"|(?:u-)?show-for-small(?:-only)?|is-hidden-(?:tablet|desktop)|mobile__(?:block|flex)"
    rb"|(?:[\w-]+[_-])?hid(?:den|e)[_-]{1,2}(?:(?:on|for)-)?(?:desktop|md|(?:lg|large)(?:-up)?|up-\w+)"
    rb"|d-(?:md|lg|xl)-none|(?:md|lg|xl):hidden|d-print-block"
    rb"|[\w-]*(?:display|show)-?in-?print(?:--\w+)?)(?![\w-])"
)
"""Classes of what is shown on narrow screens or on paper only: Bootstrap, Bulma, Elementor,
Foundation, Tailwind and others. Those of sizes say how it is shown there."""
_WIDE: Final = (
    rb"(?<![\w:-])(?:(?:[\w-]+[_-])?hid(?:den|e)[_-]{1,2}(?:(?:on|for)-)?(?:mobile|xs|small|down-\w+)"
    rb"|mobile[_-]{1,2}hid(?:den|e)|(?:u-)?show-for-(?:medium|large)|desktop[_-]?only"
    rb"|(?:d-none|hidden)(?![\w-])(?=[^\0]*(?<![\w-])(?:d-(?:sm|md|lg|xl)-|(?:sm|md|lg|xl):)"
    rb"(?:block|flex|grid|inline)))(?:-only|-up)?(?![\w-])"
)
"""Classes of what is hidden on narrow screens."""
_TITLE: Final = flags_of("h1")
_PICTURES: Final = REPLACED & ~flags_of("svg")
"""Pictures, players and frames."""
_MAX_CHARS: Final = 20_000
_MAX_COPIES: Final = 64
"""Elements for narrow screens that are looked for elsewhere."""
_ITEMS: Final = flags_of("li tr")
_MIN_SURE_CHARS: Final = 20
"""Characters from which a text is a copy wherever the page has it; "2 cups" is told in steps."""
_WORD: Final = re.compile(r"\w+")
_SHARED: Final = 0.5
"""Share of the words of an element for narrow screens that the one for wide screens has, if they
are two forms of one text."""

_HIDDEN: Final = np.uint8(Hidden.ATTRIBUTE | Hidden.STYLE)
_FIELDS: Final = flags_of("textarea")
_TAG: Final = re.compile(r"<[^<>]*>")
_MIN_CHARS: Final = 80
"""Minimum characters of a hidden copy: shorter words may stand on a page twice."""
_SHOWN: Final = 0.9
"""Share of the characters of a text field in lines that are shown."""


def find_narrow_copies(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the kept leaves for narrow screens of which another form is kept, too; bool[n_leaf].

    It has the same words, or stands beside it, for wide screens, and has most of them.
    """
    copies = np.zeros(page.leaves.size, np.bool_)
    rows = page.attributes.rows_classed(_PARTS, _NARROW)
    if not rows.size:
        return copies  # as on most pages
    has_words = page.subtree_words.take(rows) > 0
    wordless = rows[~has_words][:_MAX_COPIES]
    if wordless.size:
        copies |= _flag_narrow_pictures(page, keep, wordless)
    size = page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows)
    rows = rows[(size <= _MAX_CHARS) & has_words][:_MAX_COPIES]
    spans = {row: _span(page, row) for row in rows.tolist()}
    spans = {row: span for row, span in spans.items() if keep[span].any()}
    if not spans:
        return copies
    # The title is written by itself, so its heading may be dropped from the copy that stays.
    in_title = page.within(_TITLE.take(page.tag)).take(page.leaves)
    whole = _join(page, (keep | in_title).nonzero()[0])
    texts = [_join(page, span.start + keep[span].nonzero()[0]) for span in spans.values()]
    n_narrow = Counter(texts)
    shown = keep & ~page.within(page.flag(np.array(list(spans)))).take(page.leaves)
    is_short = any(0 < len(text) < _MIN_SURE_CHARS for text in texts)
    lines = _join_blocks(page, shown | in_title) if is_short else set()
    wide = set(page.attributes.rows_classed(_PARTS, _WIDE).tolist())
    for (row, span), text in watch(zip(spans.items(), texts, strict=True)):
        is_copy = bool(text) and whole.count(text) > n_narrow[text]
        if is_copy and len(text) < _MIN_SURE_CHARS:
            is_copy = text in lines or _is_beside(page, shown, row, text)
            is_copy &= any(map(str.isalpha, text))  # others are parts of amounts, or of steps
        if is_copy or any(
            _have_shared_words(page, row, other)
            for other in find_siblings(page, row)
            if other in wide and other not in spans and keep[_span(page, other)].any()
        ):
            copies[span] = True
    return copies


def _is_beside(page: Page, shown: BoolArray, row: int, text: str) -> bool:
    """Return whether a text is also shown in the item around an element, else in its parent."""
    parent = int(page.parent[row])
    item = int(page.nearest(_ITEMS[page.tag], np.array([parent]))[0])
    span = _span(page, item if item >= 0 else parent)
    return text in _join(page, span.start + shown[span].nonzero()[0])


def _flag_narrow_pictures(page: Page, keep: BoolArray, narrow: IntArray) -> BoolArray:
    """Flag the kept leaves of elements whose pictures are all kept for wide screens, too."""
    copies = np.zeros(page.leaves.size, np.bool_)
    pictures = page.leaves[keep & _PICTURES.take(page.tag.take(page.leaves))]
    in_narrow = page.within(page.flag(narrow)).take(pictures)
    if not in_narrow.any():
        return copies  # as on most pages
    wide = page.flag(page.attributes.rows_classed(_PARTS, _WIDE))
    in_wide = page.within(wide).take(pictures) & ~in_narrow
    shown = {_read_addresses(page, row) for row in watch(pictures[in_wide].tolist())}
    for row in watch(narrow.tolist()):
        first, stop = pictures.searchsorted([row, page.end[row]])
        given = [_read_addresses(page, picture) for picture in pictures[first:stop].tolist()]
        if given and all(given) and shown.issuperset(given):
            copies[_span(page, row)] = True
    return copies


def _read_addresses(page: Page, row: int) -> tuple[str, ...]:
    """Return the addresses of a picture, those included that a script puts in place of others."""
    return tuple(
        value for name, value in page.attrs(row).items() if name.endswith(("src", "srcset"))
    )


def find_hidden_copies(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the kept leaves of hidden parts and text fields whose words are shown; bool[n_leaf].

    Editors leave the source of a text beside it, some with its tags.
    """
    copies = np.zeros(page.leaves.size, np.bool_)
    is_hidden = (page.hidden & _HIDDEN) != 0
    if page.rows_of(_FIELDS).size:
        is_hidden |= page.within(_FIELDS.take(page.tag))
    in_hidden = is_hidden.take(page.leaves)
    if not (keep & in_hidden).any():
        return copies  # as on most pages
    roots = is_hidden.copy()
    roots[1:] &= ~is_hidden.take(page.parent[1:])
    in_title = page.within(_TITLE.take(page.tag)).take(page.leaves)
    shown = _join(page, ((keep | in_title) & ~in_hidden).nonzero()[0])
    kept = sum_before(keep).take(page.leaf_offset)
    rows = (roots & (kept.take(page.end) > kept[:-1])).nonzero()[0]
    size = page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows)
    rows = rows[(size >= _MIN_CHARS) & (size <= _MAX_CHARS)][:_MAX_COPIES]
    lines: set[str] = set()
    for row in watch(rows.tolist()):
        span = _span(page, row)
        text = _join(page, span.start + keep[span].nonzero()[0])
        is_long = len(text) >= _MIN_CHARS
        is_copy = is_long and (text in shown or unescape(_TAG.sub("", text)) in shown)
        if _FIELDS[page.tag[row]] and not is_copy:
            # Of its lines some may be dropped from what is shown.
            lines = lines or _join_blocks(page, keep & ~in_hidden)
            sizes = {line: len(line) for line in map(_squeeze, page.text_of(row).split("\n"))}
            n_shown = sum(sizes[line] for line in sizes.keys() & lines)
            is_copy = n_shown >= max(_MIN_CHARS, _SHOWN * sum(sizes.values()))
        copies[span] |= is_copy
    return copies


def _join_blocks(page: Page, shown: BoolArray) -> set[str]:
    """Return the texts of the blocks that are shown, without white space."""
    return {
        _squeeze(page.block_text(block)) for block in page.blocks.any(shown).nonzero()[0].tolist()
    }


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _have_shared_words(page: Page, row: int, other: int) -> bool:
    """Return whether most words of an element are words of another one, too."""
    if page.text_offset[page.end[other]] - page.text_offset[other] > _MAX_CHARS:
        return False
    words, others = (set(_WORD.findall(page.text_of(element).lower())) for element in (row, other))
    return len(words & others) >= _SHARED * len(words)


def _span(page: Page, row: int) -> slice:
    """Return where the leaves of an element are."""
    return slice(*page.leaf_offset[[row, page.end[row]]].tolist())


def _join(page: Page, leaves: np.ndarray[tuple[int], np.dtype[np.intp]]) -> str:
    return _squeeze("".join(page.leaf_texts(leaves.astype(np.int32))))
