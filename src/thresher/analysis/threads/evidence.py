"""Evidence for posts in each row of a page: dates, authors, prose, links typical of boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.threads.dates import find_candidates, find_dates
from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.model import PostDate
from thresher.page.parts import Parts
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import REPLACED, flags_of
from thresher.support.cached import cached_property

__all__ = ["MIN_NAMELESS", "MIN_PLAIN", "MIN_SHARE_NAMELESS", "RowEvidence"]

_Rows = npt.NDArray[np.int64]

MIN_NAMELESS: Final = 3
"""Least posts of a group whose name has no weight; nearly all need author and date."""
MIN_SHARE_NAMELESS: Final = 0.7
"""Least share of its posts with an author, and with a date."""
MIN_PLAIN: Final = 7
"""Least posts of a group without a strong name, unless its posts have links typical of boards, or
it has a name of reviews."""
_REVIEW_PARTS: Final = Parts(b"review", b"testimonial", b"rating")
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_HTML: Final = flags_of("html")


@dataclass(frozen=True)
class RowEvidence:
    """Evidence for posts as totals before each row, to be summed over spans; int64[n_row + 1] each.

    Computed on demand: few pages have groups that need all of it.
    """

    hints: MarkupHints

    @cached_property
    def date_of(self) -> dict[int, PostDate]:
        """The rows that state a date, in order."""
        page = self.hints.page
        rows = page.rows_of(_HTML)[:1].tolist()
        return find_dates(self.hints, page.attr(rows[0], "lang") if rows else None)

    @cached_property
    def possible_facts(self) -> _Rows:
        """What may be a date, and authors: at least as many as are, at less cost."""
        page, candidates = self.hints.page, find_candidates(self.hints)
        dates = np.zeros(len(page), np.bool_)
        dates[candidates.rows] = True
        dates[page.leaves[candidates.leaves]] = True
        return sum_before(dates) + self.authors

    @cached_property
    def dates(self) -> _Rows:
        """Dates that are shown."""
        return sum_before(self._dated & ~self.hints.unrendered)

    @cached_property
    def authors(self) -> _Rows:
        """Elements that may name an author, and rows that name one in an attribute."""
        authors, signed = self._signing, self.hints.signed
        if signed:
            authors = authors.copy()
            authors[signed] = True
        return sum_before(authors)

    @cached_property
    def prose(self) -> _Rows:
        """Words outside links, names and dates."""
        return sum_before(self._words * ~self.hints.page.in_link)

    @cached_property
    def words(self) -> _Rows:
        """Words outside names and dates."""
        return sum_before(self._words)

    @cached_property
    def facts_and_words(self) -> _Rows:
        """Dates, authors, prose and words, to be summed at once; int64[4, n_row + 1]."""
        return np.stack((self.dates, self.authors, self.prose, self.words))

    @cached_property
    def pictures(self) -> _Rows:
        """Replaced elements that are shown."""
        return sum_before(REPLACED[self.hints.page.tag] & ~self.hints.unrendered)

    @cached_property
    def titles(self) -> _Rows:
        """Headings that link to another page."""
        return sum_before(_leading_headings(self.hints))

    @cached_property
    def boards(self) -> _Rows:
        """Links to members of a board, and to posts by their number."""
        return sum_before(self.hints.links.members | self.hints.links.posts)

    @cached_property
    def is_plain(self) -> bool:
        """True if no name of the page is of reviews, and no link typical of boards."""
        links = self.hints.links
        return not (
            self.hints.names.find(_REVIEW_PARTS).size or links.members.any() or links.posts.any()
        )

    @cached_property
    def may_be_nameless(self) -> bool:
        """Whether there may be posts without a weighted name: nearly all of them need both facts.

        What may be a date is counted first, because reading the dates takes long.
        """
        candidates = find_candidates(self.hints)
        return (
            self._suffices(len(candidates.rows) + len(candidates.leaves))
            and self._suffices(int(self.authors[-1]))
            and self._suffices(int(self.dates[-1]))
        )

    def _suffices(self, n_fact: int) -> bool:
        """Return whether there are enough facts of one kind for posts without a weighted name."""
        if n_fact < MIN_NAMELESS:
            return False
        return n_fact >= MIN_SHARE_NAMELESS * MIN_PLAIN or not self.is_plain

    @cached_property
    def _dated(self) -> BoolArray:
        flags = np.zeros(len(self.hints.page), np.bool_)
        flags[list(self.date_of)] = True
        return flags

    @cached_property
    def _signing(self) -> BoolArray:
        authors = self.hints.authors
        return authors & ~self.hints.page.below(authors)

    @cached_property
    def _words(self) -> _Rows:
        page = self.hints.page
        fact_rows = page.within(self._dated | self._signing)
        words: _Rows = np.diff(page.words_before) * ~self.hints.unrendered * ~fact_rows
        return words


def _leading_headings(hints: MarkupHints) -> BoolArray:
    page = hints.page
    heading = _HEADING[page.tag]
    # An address with a fragment leads to a post in its thread.
    flags = hints.links.without_fragment
    flags &= ~hints.links.profiles & ~page.within(hints.authors)
    around = page.within(flags)[np.flatnonzero(heading)]
    leads = page.subtree_sums(flags)[heading] > 0
    found = np.zeros(len(page), np.bool_)
    found[np.flatnonzero(heading)[leads | around]] = True
    return found
