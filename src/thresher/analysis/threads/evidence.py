"""Evidence for posts in each row of a page: dates, authors, prose, links typical of boards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.dates import find_date, read_date
from thresher.analysis.metadata.normalise import plain_text
from thresher.analysis.threads import PostDate
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.names import DATE
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.parts import Parts
from thresher.page.rows import BoolArray, sum_before
from thresher.page.tags import HEADINGS, REPLACED, flags_of
from thresher.support.cached import cached_property, cached_view

MAX_DATE_CHARS: Final = 120
"""Longest text of a marked element read for a date, in characters."""
MAX_LEAF_CHARS: Final = 60
"""Longest unmarked text read for a date, in characters."""
MAX_BLOCK_LEAVES: Final = 12
"""Maximum leaves of a line that is read for a date as a whole."""
MAX_RELATIVE_CHARS: Final = 30
"""Longest text of a marked element that counts as a date with only a number, in characters."""
_VALUES: Final = ("datetime", "content", "title", "data-time", "data-timestamp", "data-utime",
                  "created-timestamp", "data-date", "ts")  # fmt: skip
"""Attributes with machine-readable dates."""
_YEARS: Final = (re.compile(r"199\d"), re.compile(r"20[0-4]\d"))
"""Also next to other digits: the texts of a page are concatenated. Each begins with plain
characters, which are found three times as quickly as alternatives."""
_YEAR: Final = re.compile(rb"(?<!\d)(?:199|20[0-4])\d(?!\d)")
_YEAR_PARTS: Final = Parts(b"199", b"200", b"201", b"202", b"203", b"204")
_TWO_NUMBERS: Final = re.compile(r"\d\D+\d")
"""In every text with a date; most texts with a year are copyright notices."""
_NUMERIC: Final = re.compile(r"(?<![\d./-])(\d\d?)([./-])(\d\d?)\2(?:\d{4}|\d\d)(?!\d)")
"""Day and month in either order."""
_DIGIT: Final = re.compile(r"\d")
_MAX_MONTH: Final = 12


class DateCandidates(NamedTuple):
    """What is read for dates, in order: more than states one, but found at less cost."""

    rows: list[int]
    """Elements whose name, tag or title is that of a date."""
    leaves: list[int]
    """Short texts with a year."""


@cached_view
def find_candidates(hints: MarkupHints) -> DateCandidates:
    """Find what may state the dates of a page."""
    return DateCandidates(_marked_rows(hints), _leaves_with_years(hints.page))


def find_dates(hints: MarkupHints, language: str | None) -> dict[int, PostDate]:
    """Find the rows that state a date, in order; of nested rows the innermost."""
    page, candidates = hints.page, find_candidates(hints)
    dates: dict[int, PostDate] = {}
    dated = hints.marked(DATE)
    for row in watch(candidates.rows):
        if moment := _read_element(page, row, language, marked=bool(dated[row])):
            dates[row] = moment
    dates = _innermost(page, dates)
    taken = page.within(page.flag(list(dates))) | hints.unrendered
    find_gaps = cache(lambda: page.gaps_in(page.blocks.of_leaf[candidates.leaves]))
    for leaf in watch(candidates.leaves):
        row = int(page.leaves[leaf])
        if taken[row]:
            continue
        if moment := _read_leaf(page, leaf, language, find_gaps):
            dates[row] = moment
    return dict(sorted(dates.items()))


def settle_order(dates: Iterable[PostDate | None]) -> str | None:
    """Return a language tag that disambiguates the dates of one thread; None if undecidable.

    One date with a day above 12 decides for all; otherwise the order in which posts are
    chronological does, if only one of the two orders is.
    """
    texts = [date.raw for date in dates if date]
    pairs = [(int(hit[1]), int(hit[3])) for text in texts for hit in _NUMERIC.finditer(text)]
    day_first = any(first > _MAX_MONTH >= second for first, second in pairs)
    month_first = any(second > _MAX_MONTH >= first for first, second in pairs)
    if day_first != month_first:
        return "en-gb" if day_first else "en-us"
    rising = []
    for tag in ("en-gb", "en-us"):
        days = [day for text in texts if (day := find_date(text, tag))]
        if len(days) > 1 and days == sorted(days):
            rising.append(tag)
    return rising[0] if len(rising) == 1 else None


def _marked_rows(hints: MarkupHints) -> list[int]:
    page = hints.page
    flags = hints.marked(DATE)
    flags[_rows_with_titles(page)] = True
    flags &= ~hints.unrendered
    rows = flags.nonzero()[0]
    chars = page.text_offset.take(page.end.take(rows)) - page.text_offset.take(rows)
    short: list[int] = rows[chars <= 4 * MAX_DATE_CHARS].tolist()
    return short


def _rows_with_titles(page: Page) -> list[int]:
    """Find the rows with a year in their title."""
    attributes = page.attributes
    entries = attributes.named("title")
    if not entries.size:
        return []
    entries = entries[attributes.parts_of(entries, _YEAR_PARTS) != 0]
    columns = attributes.row, attributes.start, attributes.stop
    titles = zip(*(column.take(entries).tolist() for column in columns), strict=True)
    return [row for row, first, last in titles if _YEAR.search(page.buffer, first, last)]


def _read_element(page: Page, row: int, language: str | None, *, marked: bool) -> PostDate | None:
    attrs = page.attrs(row)
    text = plain_text(page.text_of(row))[:MAX_DATE_CHARS]
    for name in _VALUES:
        if (value := attrs.get(name)) and (iso := read_date(value, language)):
            return PostDate(iso, text or value.strip()[:MAX_DATE_CHARS])
    if not marked:
        return None
    if iso := find_date(text, language):
        return PostDate(iso, text)
    relative = len(text) <= MAX_RELATIVE_CHARS and _DIGIT.search(text)
    return PostDate(None, text) if relative or _NUMERIC.search(text) else None


def _read_leaf(
    page: Page, leaf: int, language: str | None, find_gaps: Callable[[], npt.NDArray[np.uint8]]
) -> PostDate | None:
    """Read the date of a text with a year, or of the line that it is in."""
    text = plain_text(page.leaf_text(leaf))
    if len(text) > MAX_LEAF_CHARS:
        return None
    if _TWO_NUMBERS.search(text):
        if iso := find_date(text, language):
            return PostDate(iso, text)
        if _NUMERIC.search(text):
            return PostDate(None, text)
    block = int(page.blocks.of_leaf[leaf])
    first, last = page.blocks.start[block : block + 2].tolist()
    if not 1 < last - first <= MAX_BLOCK_LEAVES:
        return None
    if _TWO_NUMBERS.search("\n".join(page.leaf_texts(np.arange(first, last)))):
        text = plain_text(page.block_text(block, every=find_gaps()))
        if len(text) <= MAX_DATE_CHARS and (iso := find_date(text, language)):
            return PostDate(iso, text)
    return None


def _leaves_with_years(page: Page) -> list[int]:
    """Find the short leaves in which a year begins."""
    hits = (hit.start() for years in _YEARS for hit in watch(years.finditer(page.text)))
    places = np.fromiter(hits, np.int64)
    if not places.size or not page.leaves.size:
        return []
    starts, stops = page.text_offset.take(page.leaves), page.text_offset.take(page.leaves + 1)
    leaf = starts.searchsorted(places, side="right") - 1
    inside = (leaf >= 0) & (places < stops[leaf]) & (page.leaf_chars[leaf] <= MAX_LEAF_CHARS)
    leaves: list[int] = np.unique(leaf[inside]).tolist()
    return leaves


def _innermost(page: Page, dates: dict[int, PostDate]) -> dict[int, PostDate]:
    kept: list[int] = []
    for row in sorted(dates):
        # An element around another date is only its container, unless the inner has no ISO date.
        while kept and row < page.end[kept[-1]] and dates[row].iso:
            kept.pop()
        if not kept or row >= page.end[kept[-1]]:
            kept.append(row)
    return {row: dates[row] for row in kept}


# -- evidence --------------------------------------------------------------------------------------

_Rows = npt.NDArray[np.int64]

MIN_NAMELESS: Final = 3
"""Minimum posts of a group whose name has no weight; nearly all need author and date."""
MIN_SHARE_NAMELESS: Final = 0.7
"""Minimum share of its posts with an author, and with a date."""
MIN_PLAIN: Final = 7
"""Minimum posts of a group without a strong name, unless its posts have links typical of boards, or
it has a name of reviews."""
_REVIEW_PARTS: Final = Parts(b"review", b"testimonial", b"rating")
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
        dates = page.flag(candidates.rows)
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
        has_reviews = self.hints.names.find(_REVIEW_PARTS).size > 0
        return not (has_reviews or self.hints.links.members.any() or self.hints.links.posts.any())

    @cached_property
    def may_be_nameless(self) -> bool:
        """Whether there may be posts without a weighted name: nearly all of them need both facts.

        What may be a date is counted first, because reading the dates takes long.
        """
        return (
            self._suffices(sum(map(len, find_candidates(self.hints))))
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
        return self.hints.page.flag(list(self.date_of))

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
    heading = HEADINGS[page.tag]
    # An address with a fragment leads to a post in its thread.
    flags = hints.links.without_fragment
    flags &= ~hints.links.profiles & ~page.within(hints.authors)
    around = page.within(flags)[np.flatnonzero(heading)]
    leads = page.subtree_sums(flags)[heading] > 0
    return page.flag(np.flatnonzero(heading)[leads | around])
