"""Lists that only lay out sections, as layout tables do, or show no numbers: their items are none.

Javadoc puts every part of a class into an item, with its heading, and live blogs every entry;
written as lists, such pages would be hard to read, and headings in them mean nothing.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.permalinks import HEADINGS

__all__ = ["drop_layout_lists"]

IntArray = npt.NDArray[np.integer]
TagArray = npt.NDArray[np.int16]

_DIV, _LI, _OL, _SECTION = (CODE_OF[name] for name in ("div", "li", "ol", "section"))
_LISTS: Final = flags_of("ol ul")
_UNNUMBERED: Final = (
    rb"list-style(?:-type)?(?<![\w-]list-style)(?<![\w-]list-style-type)\s*:\s*none"
)
_MIN_WORDS: Final = 45
"""Words of an item with a heading, on average, from which it is a text of its own.

By `python -m thresher.evaluation.fidelity` on `readability` (2026-11-24), lists of the whole page
are 69.3 without this rule, 69.2 from 45 words on and 66.3 from 20, as labels keep such lists."""


def drop_layout_lists(page: Page, tag: TagArray, holds: BoolArray) -> TagArray:
    """Return the tag that each row is written as, with layout lists and their items as `div`.

    ``holds`` flags rows that are or hold a kept leaf; bool[n_row]. Every item that is written
    holds a heading, and is the only one, nothing but a `section`, or a text of its own. Numbered
    lists whose style hides the numbers are none either.
    """
    lists = page.rows_of(_LISTS)
    lists = lists[holds.take(lists)]
    if not lists.size:
        return tag
    tag = _drop_unnumbered(page, tag, lists[page.tag[lists] == _OL])
    headings = HEADINGS.take(tag) & holds
    rows = headings.nonzero()[0]
    lists = lists[rows.searchsorted(page.end.take(lists)) > rows.searchsorted(lists)]
    if not lists.size:
        return tag  # as most
    before = sum_before(headings)
    words = sum_before(page.leaf_words * holds[page.leaves])
    written = tag
    for row in lists.tolist():
        items = _find_children(page, row, holds)
        if _are_sections(page, items, before, words, holds):
            written = tag.copy() if written is tag else written
            written[[row, *items]] = _DIV
    return written


def _drop_unnumbered(page: Page, tag: TagArray, lists: IntArray) -> TagArray:
    found = page.attributes
    if not (lists.size and found.named("style").size):
        return tag
    hidden = np.intersect1d(lists, found.row[found.matching("style", _UNNUMBERED)])
    if not hidden.size:
        return tag
    tag = tag.copy()
    tag[hidden] = _DIV
    tag[np.isin(page.parent, hidden) & (page.tag == _LI)] = _DIV
    return tag


def _are_sections(
    page: Page, items: list[int], before: IntArray, words: IntArray, holds: BoolArray
) -> bool:
    """Return whether all items have headings, and enough else.

    ``before`` counts the headings before each row, ``words`` the kept words before each leaf.
    """
    if not items or any(
        page.tag[item] != _LI or before[page.end[item]] == before[item] for item in items
    ):
        return False
    first, stop = page.leaf_offset[items[0]], page.leaf_offset[page.end[items[-1]]]
    n_word = words[stop] - words[first]
    return (
        len(items) == 1
        or bool(n_word >= _MIN_WORDS * len(items))
        or all(_find_tags(page, item, holds) == [_SECTION] for item in items)
    )


def _find_tags(page: Page, row: int, holds: BoolArray) -> list[int]:
    tags: list[int] = page.tag[_find_children(page, row, holds)].tolist()
    return tags


def _find_children(page: Page, row: int, holds: BoolArray) -> list[int]:
    """Return the child elements and texts of a row that hold kept leaves."""
    children: list[int] = []
    child = row + 1
    while child < page.end[row]:
        if holds[child]:
            children.append(child)
        child = int(page.end[child])
    return children
