"""Readers' comments: what each scope does with them, and elements named `comments` or `respond`.

The labelled pages that the network is trained on are recent, and scripts load most of their
comments. On older pages and many blogs comments are part of the HTML and read like the article, but
their elements are clearly named.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.features import Features
from thresher.features.hashing import Hashes, hash_words
from thresher.features.names import SALTS
from thresher.page import Page
from thresher.page.rows import sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CELLS, CODE_OF, flags_of
from thresher.roles import SCOPES

_FORUM_TYPE: Final = PAGE_TYPES.index("forum")
_MANUAL_TYPE: Final = PAGE_TYPES.index("documentation")
_MANUAL_FROM: Final = 0.25
"""Probability of documentation from which comments are left to the network: manuals have chapters
and code about comments, and few readers' ones."""
_FORUM_FROM: Final = {"auto": 0.2, "thread": 0.5, "article": 2.0, "page": 0.0}
"""Forum probability from which comments count as content and are left to the network, by scope:
never for `article`, always for `page`. For `auto`, 0.2 did best of 0.2, 0.5 and "no article" on the
training corpora, by folds (2026-11-22)."""


def excludes_comments(scope: int, types: npt.NDArray[np.float64]) -> bool:
    """Return whether a scope excludes comments, given the probabilities of page types."""
    is_manual = types[_MANUAL_TYPE] >= _MANUAL_FROM
    return SCOPES[scope] != "thread" and not is_manual and not _is_forum(scope, types)


def includes_comments(scope: int, types: npt.NDArray[np.float64]) -> bool:
    """Return whether a scope includes comments even if the network rejects them."""
    return SCOPES[scope] == "thread" and not _is_forum(scope, types)


def _is_forum(scope: int, types: npt.NDArray[np.float64]) -> bool:
    return bool(types[_FORUM_TYPE] >= _FORUM_FROM[SCOPES[scope]])


# `commentbody`, the names of other languages and those of forms, by folds (2026-11-23, word F1
# without titles, in points): waddle_train +.47, dragnet +.32, wcxb_dev -.03 (reviews of one
# product); the other five corpora the same.
_NAMES: Final = (
    "comment comments commentbody commentlist commentslist disqus respond comentarios"
    " commentaires commenti kommentare kommentarer komentarze reacties"
).split()
"""Words in classes and ids, as WordPress, Blogger, Drupal, Movable Type and Disqus write them, and
the word for comments in other languages."""
_NAMES_OF_FORMS: Final = ("opinie", "opiniones", "opinioni")
"""Words for readers' comments and for opinion pieces alike: they count around a field to write in,
which a column of a newspaper does not have."""
_WHOLE: Final = flags_of("html body main article")
"""Elements that contain the article too, whose classes may be `comments-open` and the like; as may
be those of any element around the headline."""
_H1: Final = flags_of("h1")
_FIELD: Final = CODE_OF["textarea"]
_SIGNS: Final = flags_of("a button form img input textarea time")
"""What tells of a reader: a name, a date, a picture, a field to answer in."""
_SECTION: Final = "comments"
"""In the names of sections, of which there may be only one comment; a remark is a comment."""
_MAX_SHARE: Final = 0.7
"""Share of a page's words above which an element is not a mere comment section: on a page of only
comments they are the content."""


def find_comments(page: Page, features: Features) -> npt.NDArray[np.bool_]:
    """Flag the blocks inside elements named after comments; bool[n_block].

    A single paragraph without any sign of a reader is part of the text: one about comments.
    A block is inside if its first and its last leaf are. A paragraph that only begins or ends with
    a link to its comments belongs to the story.
    """
    rows, maybe = _find_named_rows(features)
    if maybe.size:
        fields = sum_before(page.tag == _FIELD)
        rows = np.concatenate((rows, maybe[fields[page.end[maybe]] > fields[maybe]]))
    if not rows.size or (rows.size == 1 and _is_plain(page, int(rows[0]))):
        return np.zeros(len(page.blocks), np.bool_)
    words = page.words_before[page.end[rows]] - page.words_before[rows]
    rows = rows[~_WHOLE[page.tag[rows]] & (words <= _MAX_SHARE * features.words.sum())]
    rows = _without_data(page, rows)
    headline = _find_headline(page)
    rows = rows[(rows > headline) | (page.end[rows] <= headline)]
    inside = page.within(page.flag(rows))
    return inside.take(page.block_leaf) & inside.take(page.block_last_leaf)


def _find_headline(page: Page) -> int:
    """Return the row of the first h1 with text if the page's title begins with it, 0 if not."""
    chars, end = page.chars_before, page.end
    rows = page.rows_of(_H1)
    rows = rows[chars[end[rows]] > chars[rows]]
    if not rows.size or page.title_row < 0:
        return 0
    headline = int(rows[0])
    words, title = (" ".join(page.text_of(row).split()) for row in (headline, page.title_row))
    return headline if title.startswith(words) else 0


def _is_plain(page: Page, row: int) -> bool:
    """Return whether an element is a paragraph that tells of no reader, by its name neither."""
    attrs = page.attrs(row)
    if any(_SECTION in attrs.get(name, "").lower() for name in ("class", "id")):
        return False
    first, stop = page.leaf_offset[row], page.leaf_offset[page.end[row]]
    of_leaf = page.blocks.of_leaf[first:stop]
    is_one = of_leaf.size > 0 and of_leaf[0] == of_leaf[-1]
    return bool(is_one and not _SIGNS[page.tag[row : page.end[row]]].any())


def _without_data(page: Page, rows: IntArray) -> IntArray:
    """Return rows without the cells that tell of no reader: a table has remarks of its own."""
    is_cell = CELLS[page.tag[rows]]
    if not is_cell.any():
        return rows
    signs = sum_before(_SIGNS[page.tag])
    return rows[~is_cell | (signs[page.end[rows]] > signs[rows])]


def _find_named_rows(features: Features) -> tuple[IntArray, IntArray]:
    """Return the rows of the elements with one of `_NAMES`, and of `_NAMES_OF_FORMS`; int32[n]."""
    tokens, (names, is_of_form) = features.tokens, _hash_names()
    # np.isin would need 128 KiB of working memory.
    place = names.searchsorted(tokens.hash)
    is_listed = names.take(place, mode="clip") == tokens.hash
    if not is_listed.any():
        nothing = np.zeros(0, np.int32)
        return nothing, nothing
    of_form = is_of_form.take(place, mode="clip")
    kinds = (is_listed & ~of_form, is_listed & of_form)
    named = (np.logical_or.reduceat(kind, tokens.start) for kind in kinds)
    plain, forms = (tokens.row[is_named.take(tokens.name)] for is_named in named)
    return plain, forms


@cache
def _hash_names() -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """Return the hashes of all names, sorted, and flags those of forms; computed on first use."""
    hashes = hash_words((*_NAMES, *_NAMES_OF_FORMS)) + np.uint64(SALTS["class"])
    order = hashes.argsort()
    hashes = hashes[order]
    hashes.setflags(write=False)
    return hashes, order >= len(_NAMES)
