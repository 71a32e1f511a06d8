"""Spaces around inline elements that their own style makes boxes: blocks, and what floats aside.

`Flour<span style="float:right">5 g</span>` is two words, which markup alone would run together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.deadline import watch
from thresher.page.parts import STYLE_PARTS
from thresher.page.scan import IntArray
from thresher.page.tags import BLOCK, REPLACED, flags_of

if TYPE_CHECKING:
    from thresher.page.page import Page

_STYLES: Final = STYLE_PARTS.bits(b"absolute", b"display", b"float")
_ASIDE: Final = re.compile(rb"(?<![\w-])float\s*:\s*right")
_PLACED: Final = re.compile(rb"(?<![\w-])position\s*:\s*absolute")
_RIGHT: Final = re.compile(rb"(?<![\w-])right\s*:")
_BOX: Final = re.compile(
    rb"(?<![\w-])(?:float\s*:\s*left|display\s*:\s*(?:block|flex|grid|list-item|table)(?![\w-]))"
)
_BOXES: Final = ~(BLOCK | REPLACED)
_EXACT: Final = flags_of("listing pre textarea xmp")
_INITIAL: Final = 2
"""Characters of an initial that a text flows around, with its quotation mark, at most."""


def find_boxed(page: Page) -> IntArray:
    """Return the rows of inline elements, with words, that their own style sets apart."""
    attributes = page.attributes
    entries = attributes.styled(_STYLES)
    if entries.size:
        entries = entries[_BOXES.take(page.tag.take(attributes.row.take(entries)))]
    rows: IntArray = attributes.row.take(entries)
    if not rows.size:
        return rows  # as on most pages
    chars = page.chars_before
    size = chars.take(page.end.take(rows)) - chars.take(rows)
    styles = zip(map(bytes.lower, attributes.escaped(entries)), size.tolist(), strict=True)
    is_boxed = [_is_boxed(style, n_char) for style, n_char in watch(styles)]
    rows = rows[np.array(is_boxed, np.bool_)]
    return rows[~page.within(_EXACT.take(page.tag)).take(rows)] if rows.size else rows


def _is_boxed(style: bytes, n_char: int) -> bool:
    """Return whether declarations set an element of so many characters apart from its line."""
    return n_char > 0 and bool(
        _ASIDE.search(style)
        or (_PLACED.search(style) and _RIGHT.search(style))
        or (n_char > _INITIAL and _BOX.search(style))
    )
