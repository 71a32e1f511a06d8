"""Words for screen readers only: which of them continue the sentence that everyone reads."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from thresher.page.revealed import find_siblings
from thresher.page.rows import sum_before
from thresher.page.tags import BLOCK, CODE_OF, REPLACED, TEXT, flags_of

if TYPE_CHECKING:
    from thresher.page.page import Page

__all__ = ["MAX_TWIN_WORDS", "find_read_along", "have_same_words", "is_short"]

MAX_TWIN_WORDS: Final = 60
"""Words of a copy for the eye or the ear, at most."""
_MAX_CHARS: Final = 2000
"""Characters of texts that are compared, at most."""
_LABEL_ENDS: Final = (":", "：")
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_A: Final = CODE_OF["a"]


def find_read_along(
    page: Page, rows: npt.NDArray[np.integer], own: npt.NDArray[np.uint8]
) -> list[int]:
    """Find those of some words for screen readers that belong to the sentence around them.

    They stand apart from the words before and after by white space, once on the page, and no other
    form of them is beside them. A label (`Price:`) is none, nor what says where a link opens. A
    heading names a section for everyone.
    """
    found: list[int] = rows[_HEADING.take(page.tag.take(rows))].tolist()
    level = BLOCK.take(page.tag) | REPLACED.take(page.tag)
    before = sum_before(level)
    rows = rows[before.take(page.end.take(rows)) == before.take(rows)]
    rows = rows[
        page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows) <= _MAX_CHARS
    ]
    if not rows.size:
        return found
    texts = ((page.tag == TEXT) & (np.diff(page.words_before) > 0)).nonzero()[0]
    at = texts.searchsorted(rows)
    last = np.append(texts, -1).take(at - 1)
    following = np.append(texts, -1).take(texts.searchsorted(page.end.take(rows)))
    holders = [page.nearest(BLOCK.take(page.tag), each) for each in (rows, last, following)]
    links = page.nearest(page.tag == _A, rows)
    targets = page.attributes.row.take(page.attributes.named("target")).tolist()
    opened = set(targets)
    spoken = {row: page.text_of(row) for row in rows.tolist()}
    times = Counter(" ".join(text.split()) for text in spoken.values())
    for row, before_it, behind_it, link in zip(
        rows.tolist(),
        ((last >= 0) & (holders[1] == holders[0])).tolist(),
        ((following >= 0) & (holders[2] == holders[0])).tolist(),
        links.tolist(),
        strict=True,
    ):
        text = spoken[row]
        start, stop = int(page.text_offset[row]), int(page.text_offset[page.end[row]])
        is_glued = (before_it and _touch(page.text, start)) or (
            behind_it and _touch(page.text, stop)
        )
        if (
            (before_it or behind_it)
            and not is_glued
            and times[" ".join(text.split())] == 1
            and not text.rstrip().endswith(_LABEL_ENDS)
            and link not in opened
            and not any(
                own[other] and have_same_words(page, row, other)
                for other in find_siblings(page, row)
            )
        ):
            found.append(row)
    return found


def _touch(text: str, place: int) -> bool:
    """Return whether no white space is on either side of a place."""
    return not any(char.isspace() for char in text[place - 1 : place + 1])


def have_same_words(page: Page, row: int, other: int) -> bool:
    """Return whether two elements have the same words, not too many."""
    words = page.words_before
    if words[page.end[other]] - words[other] > MAX_TWIN_WORDS or not (
        is_short(page, row) and is_short(page, other)
    ):
        return False
    return page.text_of(row).split() == page.text_of(other).split()


def is_short(page: Page, row: int) -> bool:
    """Return whether the text of an element is short enough to be read for each one around it."""
    return int(page.text_offset[page.end[row]] - page.text_offset[row]) <= _MAX_CHARS
