"""Who signs a page, as it shows it: elements that markup or class names call an author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from thresher.analysis.metadata.signs import MAX_SHORT_CHARS, Signs
from thresher.analysis.metadata.wording import plain_text
from thresher.page import Page
from thresher.page.scan import IntArray

__all__ = ["find_likely_bylines", "find_marked_bylines", "find_signed_lines"]

MAX_SIGNERS: Final = 8
"""More elements than this with one mark are a list of other articles, not one byline."""

_BY: Final = r"(?i:(?:(?:written|posted|reported|story|words) )?by:?|von|par|por|door)"
_ALONE: Final = re.compile(_BY)
_SIGNED: Final = re.compile(rf"{_BY}\s+[^\W\d_a-z]")
"""How a line begins that signs the page without any mark: the next word has a capital."""


def find_marked_bylines(signs: Signs) -> Iterator[str]:
    """Yield what elements hold that markup calls the author: itemprop, else rel."""
    for rows in (signs.rows_with("itemprop", "author"), signs.rows_with("rel", "author")):
        yield from _names_in(signs, rows)


def find_likely_bylines(signs: Signs) -> Iterator[str]:
    """Yield what elements hold whose class or id says so; then the links to pages of authors."""
    for rows in (signs.bylines, signs.author_links):
        yield from _names_in(signs, rows)


def find_signed_lines(signs: Signs) -> Iterator[str]:
    """Yield the short lines around the headline that begin with "By"."""
    return (line for line in signs.lines_near_headline if _SIGNED.match(line))


def _names_in(signs: Signs, rows: IntArray) -> Iterator[str]:
    for row in _one_byline(signs, signs.near(rows)):
        yield from _byline_of(signs, row)


def _one_byline(signs: Signs, near: list[int]) -> list[int]:
    """Keep of marked elements the nearest with words, and its equals in the same container."""
    page = signs.page
    filled = [row for row in near if page.chars_before[page.end[row]] > page.chars_before[row]]
    if not filled:
        return []
    first = filled[0]
    holder = max(0, int(page.parent[page.parent[first]]))
    equals = [row for row in sorted(filled) if holder <= row < page.end[holder]]
    outer = [row for i, row in enumerate(equals) if not _is_inside(row, equals[:i], page)]
    return outer if len(outer) <= MAX_SIGNERS else [first]


def _is_inside(row: int, others: list[int], page: Page) -> bool:
    return any(other < row < page.end[other] for other in others)


def _byline_of(signs: Signs, row: int) -> Iterator[str]:
    """Yield the names in an element: the links to authors, else its first line with words."""
    links = signs.author_links
    inside = links[(links >= row) & (links < signs.page.end[row])][:MAX_SIGNERS].tolist()
    texts = [plain_text(signs.words_of(link, " ")) for link in inside]
    if not any(texts):
        lines = (plain_text(line) for line in signs.words_of(row, "\n").split("\n"))
        texts = [line for line in lines if line and not _ALONE.fullmatch(line)][:1]
    yield from (text for text in texts if text and len(text) <= MAX_SHORT_CHARS)
