"""What a page has twice, for narrow and for wide screens: one of the two is text."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

_PARTS: Final = CLASS_PARTS.bits(*b"-none hidden mobile visible-xs desktop -for-".split())
_NARROW: Final = (
    rb"(?<![\w:-])(?:(?:is-|show-|visible-)?(?:on-)?mobile(?:[_-]?only)?|visible-(?:xs|phone)"
    rb"|(?![\w-]*(?:hid|no[_-]|not[_-]))[\w-]*[_-]mobile(?:copy|[_-][\w-]+)?"
    rb"|(?:u-)?show-for-small(?:-only)?|is-hidden-(?:tablet|desktop)"
    rb"|(?:[\w-]+[_-])?hid(?:den|e)[_-]{1,2}(?:(?:on|for)-)?(?:desktop|md|lg|up-\w+)"
    rb"|d-(?:md|lg|xl)-none|(?:md|lg|xl):hidden|d-print-block|[\w-]*display-in-print)(?![\w-])"
)
"""Classes of what is shown on narrow screens or on paper only: Bootstrap, Bulma, Elementor,
Foundation, Tailwind and others."""
_TITLE: Final = flags_of("h1")
_MAX_CHARS: Final = 20_000
_MAX_COPIES: Final = 64
"""Elements for narrow screens that are looked for elsewhere."""


def find_narrow_copies(page: Page, keep: BoolArray) -> BoolArray:
    """Flag the kept leaves for narrow screens whose words are kept elsewhere, too; bool[n_leaf]."""
    copies = np.zeros(page.leaves.size, np.bool_)
    rows = page.attributes.rows_classed(_PARTS, _NARROW)
    if not rows.size:
        return copies  # as on most pages
    size = page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows)
    rows = rows[(size <= _MAX_CHARS) & (page.subtree_words.take(rows) > 0)][:_MAX_COPIES]
    spans = [slice(*page.leaf_offset[[row, page.end[row]]].tolist()) for row in rows.tolist()]
    spans = [span for span in spans if keep[span].any()]
    if not spans:
        return copies
    # The title is written by itself, so its heading may be dropped from the copy that stays.
    in_title = page.within(_TITLE.take(page.tag)).take(page.leaves)
    whole = _join(page, (keep | in_title).nonzero()[0])
    texts = [_join(page, span.start + keep[span].nonzero()[0]) for span in spans]
    n_narrow = Counter(texts)
    for span, text in watch(zip(spans, texts, strict=True)):
        if text and whole.count(text) > n_narrow[text]:
            copies[span] = True
    return copies


def _join(page: Page, leaves: np.ndarray[tuple[int], np.dtype[np.intp]]) -> str:
    return "".join("".join(page.leaf_texts(leaves.astype(np.int32))).split())
