"""What surrounds an e-mail: the navigation of a mailing list's archive, and the footer of a letter.

Archives mark where a message begins and ends by comments, since they read their own pages again.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import flags_of

__all__ = ["flag_archive_links", "flag_letter_footer"]

_PRE: Final = flags_of("pre")
_LISTS: Final = flags_of("dir menu ol ul")
_CELL: Final = flags_of("td")
_TABLE: Final = flags_of("table")
_OF_SITES: Final = flags_of("article footer header main nav")
"""Elements that no letter has."""
_UNSUBSCRIBE: Final = rb"unsub|opt-?out"
"""Addresses by which a letter is cancelled, whatever service sends it."""
_MAX_FOOTER_WORDS: Final = 120
_MIN_TABLES: Final = 2
"""Tables of a letter, which are its layout."""


class _Marks(NamedTuple):
    """Comments of an archiver around its parts of a page, each there once."""

    begin: str
    """After this is the message, or its head."""
    end: str
    """After this is only navigation."""
    only_lists: bool
    """Whether only the lists before the message are navigation."""


_ARCHIVERS: Final = (
    _Marks("<!--beginarticle-->", "<!--endarticle-->", only_lists=True),  # Mailman's Pipermail
    _Marks('<!-- body="start" -->', '<!-- body="end" -->', only_lists=True),  # Hypermail
    _Marks("<!--X-TopPNI-End-->", "<!--X-Body-of-Message-End-->", only_lists=False),  # MHonArc
)


def flag_archive_links(page: Page) -> BoolArray | None:
    """Flag what an archive puts before and after a message, bool[n_row]; None if it is none."""
    if not page.rows_of(_PRE).size:
        return None
    source = page.source
    for marks in _ARCHIVERS:
        begin, end = source.find(marks.begin), source.rfind(marks.end)
        if not 0 <= begin < end or source.find(marks.begin, begin + 1) >= 0:
            continue
        start = page.source_spans[:, 0]
        before = (start >= 0) & (start < begin) & (page.subtree_sums(start >= begin) == 0)
        if marks.only_lists:
            before &= _LISTS[page.tag]
        return np.asarray(before | (start >= end))
    return None


def flag_letter_footer(page: Page) -> BoolArray | None:
    """Flag the cells in which a letter can be cancelled, bool[n_row]; None if there are none."""
    if page.rows_of(_OF_SITES).size or page.rows_of(_TABLE).size < _MIN_TABLES:
        return None
    links = page.attributes.row[page.attributes.matching("href", _UNSUBSCRIBE)]
    cells = page.nearest(_CELL[page.tag], links)
    cells = cells[cells >= 0]
    words = page.words_before[page.end[cells]] - page.words_before[cells]
    cells = cells[(words <= _MAX_FOOTER_WORDS) & (2 * words <= page.words_before[-1])]
    found = np.zeros(len(page), np.bool_)
    found[cells] = True
    return found if cells.size else None
