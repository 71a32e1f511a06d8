"""Pages that tell the same story twice: at two addresses, or before and after a correction.

Both count as one page, or the article would be text that the site repeats. (A print version has its
text in other places, so it counts as another page, and repeats nothing.) A page's sketch is the
hash of its title and the least hashes of its long texts (bottom-k sketch, Broder 1997, On the
resemblance and containment of documents).
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
"""Letters of a text that is hardly a label."""
_SAME_TEXTS: Final = 2
"""Texts in common that make copies of two pages with one title; without it, four of four were
notices that a newspaper puts on every page."""
_TITLE: Final = CODE_OF["title"]


def make_sketch(page: Page, keys: Keys) -> tuple[int, ...]:
    """Return the hash of the title, and the `_HASHES` least hashes of long texts, rising."""
    titles = (page.tag == _TITLE).nonzero()[0]
    title = " ".join(page.text_of(int(titles[0])).split()) if titles.size else ""
    texts = np.unique(keys.text[keys.letters >= _LONG_LETTERS])[:_HASHES]
    return crc32(title.encode()), *texts.tolist()


def find_copy(sketch: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> bool:
    """Say whether a page is a near copy of one of the others.

    It is if all its hashes are the same, or the title and half of the texts' hashes.
    """
    texts = set(sketch[1:])
    for other in others:
        if sketch == other:
            return True
        if sketch[0] == other[0] and len(texts.intersection(other[1:])) >= _SAME_TEXTS:
            return True
    return False
