"""Where readers' comments stand: elements named after them, as `comments` or `respond`.

The labelled pages that the network learns from are of today, when comments are mostly fetched by
scripts. On older pages, and on many blogs, they stand in the page and read like its text; but they
are named plainly.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features import Features
from thresher.features.hashing import Hashes, hash_words
from thresher.features.names import SALTS
from thresher.page import Page
from thresher.page.tags import flags_of

__all__ = ["find_comments"]

_NAMES: Final = ("comment", "comments", "commentlist", "commentslist", "disqus", "respond")
"""Words in classes and ids, as WordPress, Blogger, Drupal, Movable Type and Disqus write them."""
_WHOLE: Final = flags_of("html body main article")
"""Elements that hold the story too: `comments-open` among their classes says nothing of it."""
_MAX_SHARE: Final = 0.7
"""Share of a page's words above which an element is no mere comment section: where all is comments,
they are what the page is about."""


def find_comments(page: Page, features: Features) -> npt.NDArray[np.bool_]:
    """Flag the blocks inside elements named after comments; bool[n_block]."""
    tokens = features.tokens
    found = np.zeros(tokens.hash.size, np.bool_)
    for name in _hash_names():  # all at once, numpy takes 128 KiB to work in
        found |= tokens.hash == name
    if not found.any():
        return np.zeros(len(page.blocks), np.bool_)
    is_comment = np.logical_or.reduceat(found, tokens.start)
    rows = tokens.row[is_comment[tokens.name]]
    words = page.words_before[page.end[rows]] - page.words_before[rows]
    rows = rows[~_WHOLE[page.tag[rows]] & (words <= _MAX_SHARE * features.words.sum())]
    marked = np.zeros(len(page), np.bool_)
    marked[rows] = True
    return page.within(marked)[page.block_leaf]


@cache
def _hash_names() -> Hashes:
    """Hash the names; when first asked for, since the table of hashes takes its time."""
    hashes = hash_words(_NAMES) + np.uint64(SALTS["class"])
    hashes.setflags(write=False)
    return hashes
