"""Detection of near copies: the same article at two URLs, or before and after a correction.

Both count as one page, otherwise the article would be text that the site repeats. (A print version
has its text in other places, so it counts as another page, and repeats nothing.) A page's sketch
is the hash of its title and the smallest hashes of its long texts (bottom-k sketch, Broder 1997, On
the resemblance and containment of documents).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from zlib import crc32

import numpy as np

from thresher.page import Page
from thresher.page.tags import CODE_OF
from thresher.sites.keys import Keys

__all__ = ["find_copy", "make_sketch"]

_HASHES: Final = 4
_LONG_LETTERS: Final = 60
"""Fewest letters of a long text, which is unlikely to be a label."""
_SAME_TEXTS: Final = 2
"""Common texts that make two pages with the same title copies; with other titles, four of four were
notices that a newspaper puts on every page."""
_TITLE: Final = CODE_OF["title"]


def make_sketch(page: Page, keys: Keys) -> tuple[int, ...]:
    """Return the hash of the title, and the `_HASHES` smallest hashes of long texts, ascending."""
    titles = (page.tag == _TITLE).nonzero()[0]
    title = " ".join(page.text_of(int(titles[0])).split()) if titles.size else ""
    texts = np.unique(keys.text[keys.letters >= _LONG_LETTERS])[:_HASHES]
    return crc32(title.encode()), *texts.tolist()


def find_copy(sketch: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> bool:
    """Return whether a page is a near copy of one of the others.

    It is if all its hashes are equal, or that of the title and half of those of the texts.
    """
    texts = set(sketch[1:])
    for other in others:
        if sketch == other:
            return True
        if sketch[0] == other[0] and len(texts.intersection(other[1:])) >= _SAME_TEXTS:
            return True
    return False
