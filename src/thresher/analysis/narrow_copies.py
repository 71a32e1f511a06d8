"""What a page has twice, for narrow and for wide screens: one of the two is text."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.revealed import find_siblings
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

_PARTS: Final = CLASS_PARTS.bits(*b"-none hidden mobile visible-xs desktop -for- print".split())
_NARROW: Final = (
    rb"(?<![\w:-])(?:(?:is-|show-|visible-)?(?:on-)?mobile(?:[_-]?only)?|visible-(?:xs|phone)"
    rb"|(?![\w-]*(?:hid|no[_-]|not[_-]))[\w-]*[_-]mobile(?:copy|[_-][\w-]+)?"
    rb"|(?:u-)?show-for-small(?:-only)?|is-hidden-(?:tablet|desktop)|mobile__(?:block|flex)"
    rb"|(?:[\w-]+[_-])?hid(?:den|e)[_-]{1,2}(?:(?:on|for)-)?(?:desktop|md|(?:lg|large)(?:-up)?|up-\w+)"
    rb"|d-(?:md|lg|xl)-none|(?:md|lg|xl):hidden|d-print-block"
    rb"|[\w-]*(?:display|show)-?in-?print(?:--\w+)?)(?![\w-])"
)
"""Classes of what is shown on narrow screens or on paper only: Bootstrap, Bulma, Elementor,
Foundation, Tailwind and others."""
_WIDE: Final = (
    rb"(?<![\w:-])(?:(?:[\w-]+[_-])?hid(?:den|e)[_-]{1,2}(?:(?:on|for)-)?(?:mobile|xs|small|down-\w+)"
    rb"|mobile[_-]{1,2}hid(?:den|e)|(?:u-)?show-for-(?:medium|large)|desktop[_-]?only"
    rb"|(?:d-none|hidden)(?![\w-])(?=[^\0]*(?<![\w-])(?:d-(?:sm|md|lg|xl)-|(?:sm|md|lg|xl):)"
    rb"(?:block|flex|grid|inline)))(?:-only|-up)?(?![\w-])"
)
"""Classes of what is hidden on narrow screens."""
_TITLE: Final = flags_of("h1")
_MAX_CHARS: Final = 20_000
_MAX_COPIES: Final = 64
"""Elements for narrow screens that are looked for elsewhere."""
_WORD: Final = re.compile(r"\w+")
_SHARED: Final = 0.5
"""Share of the words of an element for narrow screens that the one for wide screens has, if they
are two forms of one text."""


def find_narrow_copies(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the kept leaves for narrow screens of which another form is kept, too; bool[n_leaf].

    It has the same words, or stands beside it, for wide screens, and has most of them.
    """
    copies = np.zeros(page.leaves.size, np.bool_)
    rows = page.attributes.rows_classed(_PARTS, _NARROW)
    if not rows.size:
        return copies  # as on most pages
    size = page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows)
    rows = rows[(size <= _MAX_CHARS) & (page.subtree_words.take(rows) > 0)][:_MAX_COPIES]
    spans = {row: _span(page, row) for row in rows.tolist()}
    spans = {row: span for row, span in spans.items() if keep[span].any()}
    if not spans:
        return copies
    # The title is written by itself, so its heading may be dropped from the copy that stays.
    in_title = page.within(_TITLE.take(page.tag)).take(page.leaves)
    whole = _join(page, (keep | in_title).nonzero()[0])
    texts = [_join(page, span.start + keep[span].nonzero()[0]) for span in spans.values()]
    n_narrow = Counter(texts)
    wide = set(page.attributes.rows_classed(_PARTS, _WIDE).tolist())
    for (row, span), text in watch(zip(spans.items(), texts, strict=True)):
        if (text and whole.count(text) > n_narrow[text]) or any(
            _have_shared_words(page, row, other)
            for other in find_siblings(page, row)
            if other in wide and other not in spans and keep[_span(page, other)].any()
        ):
            copies[span] = True
    return copies


def _have_shared_words(page: Page, row: int, other: int) -> bool:
    """Return whether most words of an element are words of another one, too."""
    if page.text_offset[page.end[other]] - page.text_offset[other] > _MAX_CHARS:
        return False
    words, others = (set(_WORD.findall(page.text_of(each).lower())) for each in (row, other))
    return len(words & others) >= _SHARED * len(words)


def _span(page: Page, row: int) -> slice:
    """Return where the leaves of an element are."""
    return slice(*page.leaf_offset[[row, page.end[row]]].tolist())


def _join(page: Page, leaves: np.ndarray[tuple[int], np.dtype[np.intp]]) -> str:
    return "".join("".join(page.leaf_texts(leaves.astype(np.int32))).split())
