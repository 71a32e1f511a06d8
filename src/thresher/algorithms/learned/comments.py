"""Readers' comments, found by the names of elements such as `comments` or `respond`.

The labelled pages that the network is trained on are recent, and scripts load most of their
comments. On older pages and many blogs comments are part of the HTML and read like the article, but
their elements are clearly named.
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
"""Elements that contain the article too, whose classes may be `comments-open` and the like."""
_MAX_SHARE: Final = 0.7
"""Share of a page's words above which an element is not a mere comment section: on a page of only
comments they are the content."""


def find_comments(page: Page, features: Features) -> npt.NDArray[np.bool_]:
    """Flag the blocks inside elements named after comments; bool[n_block].

    A block is inside if its first and its last leaf are. A paragraph that only begins or ends with
    a link to its comments belongs to the story.
    """
    tokens = features.tokens
    found = np.zeros(tokens.hash.size, np.bool_)
    for name in _hash_names():  # np.isin would need 128 KiB of working memory
        found |= tokens.hash == name
    if not found.any():
        return np.zeros(len(page.blocks), np.bool_)
    is_comment = np.logical_or.reduceat(found, tokens.start)
    rows = tokens.row[is_comment[tokens.name]]
    words = page.words_before[page.end[rows]] - page.words_before[rows]
    rows = rows[~_WHOLE[page.tag[rows]] & (words <= _MAX_SHARE * features.words.sum())]
    marked = np.zeros(len(page), np.bool_)
    marked[rows] = True
    inside = page.within(marked)
    return inside.take(page.block_leaf) & inside.take(page.block_last_leaf)


@cache
def _hash_names() -> Hashes:
    """Return the hashes of the names; computed on first use, as the hash table takes time."""
    hashes = hash_words(_NAMES) + np.uint64(SALTS["class"])
    hashes.setflags(write=False)
    return hashes
