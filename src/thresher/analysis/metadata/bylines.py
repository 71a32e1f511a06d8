"""Bylines shown on a page: elements marked as author by markup or class names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.analysis.metadata.headline import words_of
from thresher.analysis.metadata.normalise import plain_text
from thresher.analysis.metadata.visible import MAX_SHORT_CHARS, VisibleEvidence
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF

__all__ = ["find_likely_bylines", "find_marked_bylines", "find_signed_lines"]

_DT: Final = CODE_OF["dt"]
MAX_SIGNERS: Final = 8
"""Most elements with one mark; more are a list of other articles, not a byline."""

_BY: Final = r"(?i:(?:(?:written|posted|reported|story|words) )?by:?|von|par|por|door)"
_ALONE: Final = re.compile(_BY)
_SIGNED: Final = re.compile(rf"{_BY}\s+[^\W\d_a-z]")
"""Start of an unmarked byline; the next word is capitalised."""


def find_marked_bylines(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the texts of elements marked as author by itemprop, then by rel."""
    for rows in (visible.rows_with("itemprop", "author"), visible.rows_with("rel", "author")):
        yield from _names_in(visible, rows)


def find_likely_bylines(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the texts of elements marked by class or id, then of links to author pages."""
    for rows in (visible.bylines, visible.author_links):
        yield from _names_in(visible, rows)


def find_signed_lines(visible: VisibleEvidence) -> Iterator[str]:
    """Yield the short lines near the headline that begin with "By"."""
    return (line for line in visible.lines_near_headline if _SIGNED.match(line))


def _names_in(visible: VisibleEvidence, rows: IntArray) -> Iterator[str]:
    for row in _one_byline(visible, visible.near(rows)):
        yield from _byline_of(visible, row)


def _one_byline(visible: VisibleEvidence, near: list[int]) -> list[int]:
    """Return the nearest marked element with words, and others in the same container."""
    page = visible.page
    if not near:
        return []
    rows = np.array(near)
    is_filled = page.chars_before.take(page.end.take(rows)) > page.chars_before.take(rows)
    filled = rows[is_filled].tolist()
    if not filled:
        return []
    first = filled[0]
    holder = max(0, int(page.parent[page.parent[first]]))
    equals = [row for row in sorted(filled) if holder <= row < page.end[holder]]
    outer = [row for i, row in enumerate(equals) if not _is_inside(row, equals[:i], page)]
    return outer if len(outer) <= MAX_SIGNERS else [first]


def _is_inside(row: int, others: list[int], page: Page) -> bool:
    return any(other < row < page.end[other] for other in others)


def _begins_with_term(page: Page, row: int, text: str) -> bool:
    """Return whether the first term in an element has this text: it is the label of a fact."""
    terms = row + np.flatnonzero(page.tag[row : page.end[row]] == _DT)
    return any(plain_text(words_of(page, term)) == text for term in terms[:1].tolist())


def _byline_of(visible: VisibleEvidence, row: int) -> Iterator[str]:
    """Yield the names in an element: links to authors, else its first line with words."""
    links = visible.author_links
    inside = links[(links >= row) & (links < visible.page.end[row])][:MAX_SIGNERS].tolist()
    texts = [plain_text(words_of(visible.page, link)) for link in inside]
    if not any(texts):
        lines = (plain_text(line) for line in words_of(visible.page, row, "\n").split("\n"))
        texts = [line for line in lines if line and not _ALONE.fullmatch(line)][:1]
        if texts and _begins_with_term(visible.page, row, texts[0]):
            return
    yield from (text for text in texts if text and len(text) <= MAX_SHORT_CHARS)
