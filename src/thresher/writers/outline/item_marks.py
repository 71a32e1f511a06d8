"""Marks of list items and formulas that are written out as text, as LaTeXML and exporters do.

The list has marks of its own in every output, and a number beside a displayed formula would be a
paragraph.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import CLASS_PARTS
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, TEXT, flags_of
from thresher.support.quoting import read_whole_number

__all__ = ["find_item_marks"]

_ITEMS: Final = flags_of("li")
_OL, _UL = CODE_OF["ol"], CODE_OF["ul"]
_BULLET: Final = re.compile(r"\s*[•◦▪▫●○■□‣⁃∙·–—-]\s*")
_NUMBER: Final = re.compile(r"\s*\(?([0-9]{1,4})[.)]?\s*")
_MAX_CHARS: Final = 6
"""Characters of a mark, without white space."""
_LATEXML: Final = CLASS_PARTS.bits(b"ltx_")
_EQUATION: Final = rb"(?<![\w-])ltx_tag_equation(?![\w-])"


def find_item_marks(page: Page, keep: BoolArray) -> list[int]:
    """Return the kept leaves, bool[n_leaf], that only show the mark of an item or of a formula.

    A bullet begins an item of an unordered list, its number one of an ordered list; it is the only
    text of an element, and more follows.
    """
    attributes = page.attributes
    found: list[int] = []
    for row in attributes.row[attributes.classed(_LATEXML, _EQUATION)].tolist():
        found += range(int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]]))
    items = page.rows_of(_ITEMS)
    if not items.size:
        return found
    first, stop = page.leaf_offset.take(items), page.leaf_offset.take(page.end.take(items))
    holds = stop - first > 1
    leaf = first[holds]
    is_short = (page.leaf_chars.take(leaf) <= _MAX_CHARS) & keep.take(leaf)
    short = set(items[holds][is_short & (page.tag.take(page.leaves.take(leaf)) == TEXT)].tolist())
    if not short:
        return found
    count: Counter[int] = Counter()
    for item, around in watch(zip(items.tolist(), page.parent.take(items).tolist(), strict=True)):
        count[around] += 1
        if item in short and _begins_with_mark(page, item, around, count[around]):
            found.append(int(page.leaf_offset[item]))
    return found


def _begins_with_mark(page: Page, item: int, around: int, place: int) -> bool:
    """Return whether the first text of an item is its mark; ``place`` is its number in the list."""
    leaf = int(page.leaf_offset[item])
    element = int(page.parent[page.leaves[leaf]])
    if element == item or page.leaf_offset[page.end[element]] - leaf > 1:
        return False
    text = page.leaf_text(leaf)
    if page.tag[around] == _UL:
        return _BULLET.fullmatch(text) is not None
    number = _NUMBER.fullmatch(text)
    if page.tag[around] != _OL or not number:
        return False
    start = read_whole_number(page.attr(around, "start") or "")
    return int(number[1]) == (1 if start is None else start) + place - 1
