"""Evidence shown on a page: elements by their marks and their distance from the headline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.dates import find_date
from thresher.analysis.metadata.headline import MAX_LEAVES, NEAR_BLOCKS, Headline, headline_of
from thresher.analysis.metadata.normalise import (
    absolute_url,
    address_key,
    host_of,
    is_plain,
    key_of,
    plain_text,
    share_domain,
    split_address,
)
from thresher.analysis.structured import read_canonical
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.blocks import collapse
from thresher.page.characters import CharacterKind, code_table, kinds_of
from thresher.page.hidden import Hidden
from thresher.page.parts import PartBits, Parts, find_parts
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, TEXT, flags_of
from thresher.support.cached import cached_lookup, cached_property, cached_view

_OF_BYLINES: Final = b"aut by contributor creator journalist reporter writer".split()
_OF_DATES: Final = b"by dat fecha posted publish time zeit".split()
_UNRELATED_ANYWHERE: Final = (
    b"carousel comment copyright disqus most-read newsletter popular promo pull-quote pullquote"
    b" recommend related respond sidebar teaser trending"
).split()
_OF_UNRELATED: Final = [*_UNRELATED_ANYWHERE, b"footer", b"latest-", b"widget"]
PARTS: Final = Parts(*dict.fromkeys([*_OF_BYLINES, *_OF_DATES, *_OF_UNRELATED]))
"""Parts of names that mark elements. Looking for all of them first takes a tenth of the time of the
expressions."""


class NameMarks(NamedTuple):
    """Words in a class or id, lower-case, that mark elements of one kind."""

    pattern: re.Pattern[bytes]
    parts: np.uint64
    """Bits of `PARTS`; every match has one of these parts in it."""
    marking: np.uint64 = np.uint64(0)
    """Those of them that are matches wherever they occur."""


BYLINES: Final = NameMarks(
    re.compile(
        rb"by[_-]?line|author(?!i|[_-]?buttons)|(?:^|[\s_-])(?:writers?|contributors?|autor|auteur|autore|creator"
        rb"|posted-?by|written-?by|reporter|journalist)(?=$|[\s_-])"
    ),
    PARTS.bits(*_OF_BYLINES),
)
"""Bylines, but not authority, authorised, or MyBB's buttons below a post."""
DATELINES: Final = NameMarks(
    re.compile(
        rb"(?:publish(?:ed)?-?_?date|(?:^|[\s_-])(?:date|datum|fecha|data|pub-?_?date|date-?_?line"
        rb"|published|publish|posted|post-?_?date|entry-?_?date|time-?_?stamp|pubtime|datetime|time"
        rb"|zeit|byline))(?:[_-]?(?:on|time|published|publish|line|text))?(?=$|[\s_-])"
    ),
    PARTS.bits(*_OF_DATES),
)
UNRELATED: Final = NameMarks(
    re.compile(
        rb"comment|respond|related|sidebar|(?<!elementor-)widget|(?:^|\s)(?:site-?)?footer|popular"
        rb"|recommend|teaser|promo|pull-?quote|trending|most-read|latest-(?:news|posts|stories)"
        rb"|newsletter|disqus|carousel|copyright"
    ),
    PARTS.bits(*_OF_UNRELATED),
    PARTS.bits(*_UNRELATED_ANYWHERE),
)
_UNSHOWN: Final = np.uint8(Hidden.STYLE | Hidden.ATTRIBUTE)
_ATTRIBUTES: Final = ("class", "id")
_ROOTS: Final = flags_of("html body")


def find_named(page: Page, marks: NameMarks) -> IntArray:
    """Find the elements whose class or id has one of some words, in order."""
    parts = zip(_ATTRIBUTES, _read_parts(page), strict=True)
    classed, named = (_find_in(page, attribute, bits, marks) for attribute, bits in parts)
    named = named[~HEADINGS.take(page.tag.take(named))]  # their ids are made of their words
    if not named.size:
        return classed
    return np.union1d(classed, named).astype(np.int32)


def _find_in(page: Page, attribute: str, parts: PartBits, marks: NameMarks) -> IntArray:
    values, search = page.attributes.distinct(attribute), marks.pattern.search
    maybe = (parts & marks.parts).nonzero()[0]
    if not maybe.size:
        return values.row[:0]
    buffer, sure = page.buffer, int(marks.marking)
    columns = (maybe, parts.take(maybe), values.start.take(maybe), values.stop.take(maybe))
    candidates = zip(*(column.tolist() for column in columns), strict=True)
    return values.rows_with(
        [
            number
            for number, bits, start, stop in candidates
            if bits & sure or search(buffer[start:stop].lower())
        ]
    )


@cached_view
def _read_parts(page: Page) -> tuple[PartBits, ...]:
    values = map(page.attributes.distinct, _ATTRIBUTES)
    return tuple(find_parts(page.buffer, one.start, one.stop, PARTS) for one in values)


# -- what is shown ---------------------------------------------------------------------------------

MAX_MARKED: Final = 60
"""Elements of one kind examined, nearest to the headline first."""
MAX_SHORT_CHARS: Final = 200
"""Longest text of an element that may be a byline or a date, in characters."""
MAX_DATE_WORDS: Final = 6
"""Longest date that is all of a cell, in words."""
MIN_DATED_ROWS: Final = 3
"""Minimum rows with a date in their first cell of a table that lists days."""
MAX_BLOCKS: Final = 600
"""Blocks read as a last resort: the first screens of a page."""
MAX_LINE_CHARS: Final = 120
"""Longest of these blocks, in characters."""
MAX_RAW_LINE_CHARS: Final = 10_000
"""The same before tags and character references that were escaped twice are removed."""

_CODE: Final = flags_of("code kbd pre samp")
_EXAMPLES: Final = flags_of("code kbd samp")
"""The same but for `pre`, in which some pages have all of their text."""
_CELL, _TABLE = flags_of("td th"), flags_of("table")
_NAVIGATION: Final = flags_of("nav blockquote button label select th")
_ASIDE: Final = flags_of("aside footer")
_ARTICLE: Final = flags_of("article main")
"""Parts of a page whose names and dates are unrelated, unless they are inside an article
(HTML Living Standard, 4.3)."""
_MENUS: Final = ("menu", "menubar", "navigation")
_FIRST_LETTER: Final = re.compile(r"(?:[^\w&<]|_)*([^\W_])")
"""The first letter or digit of a text, unless what was escaped twice comes before it."""
_AUTHOR_PATH: Final = re.compile(
    rb"/(?:authors?|people|person|profiles?|by|contributors?|staff|autor(?:en)?|auteurs?|writers?"
    rb"|editors|reporters?|columnists?)/+(?!index\b)[^/]",
    re.IGNORECASE,
)
"""Parts of the address of a page about an author."""
_PROFILE_PATH: Final = re.compile(rb"/(?:people|person|profiles?)/", re.IGNORECASE)
"""Those that addresses of accounts in networks have too."""
_ACCOUNT_PATH: Final = re.compile(
    rb"/(?:my[-_]?)?(?:account|settings)\b|[/=]my[-_]|\b(?:login|sign-?in|log-?in)\b|\.vcf\b",
    re.IGNORECASE,
)
"""Parts of the address of the visitor's own account, and of a card to download."""
_AUTHOR_PARTS: Final = Parts(
    *(
        b"/auteur /author /autor /by/ /columnist /contributor /editors/ /people/ /person/"
        b" /profile /reporter /staff/ /writer"
    ).split(),
)
"""Every such address has one of these in it; most addresses have none."""


@dataclass(frozen=True)
class VisibleEvidence:
    """The evidence shown on one page; computed on demand, at most once."""

    page: Page

    @property
    def headline(self) -> Headline:
        """The headline, from which distances are measured."""
        return headline_of(self.page)

    # -- marked elements ---------------------------------------------------------------------------

    @cached_property
    def bylines(self) -> IntArray:
        """The elements below `body` whose class or id marks a byline, in order."""
        rows = find_named(self.page, BYLINES)
        return rows[~_ROOTS.take(self.page.tag.take(rows))]

    @cached_property
    def datelines(self) -> IntArray:
        """The elements whose class or id marks a date, in order."""
        return find_named(self.page, DATELINES)

    @cached_property
    def _unrelated(self) -> npt.NDArray[np.bool_]:
        page = self.page
        # Quotations have other authors and dates.
        flags = np.zeros(len(page), np.bool_)
        asides = page.rows_of(_ASIDE)
        if asides.size:
            flags[page.rows_of(_ARTICLE)] = True
            asides = asides[~page.within(flags)[asides]]
            flags[:] = False
            flags[asides] = True
        flags[page.rows_of(_NAVIGATION)] = True
        flags[find_named(page, UNRELATED)] = True
        for role in _MENUS:
            flags[self.rows_with("role", role)] = True
        # An ancestor of the headline is never unrelated, whatever its class.
        headline = self.headline.row
        flags[: headline + 1][page.end[: headline + 1] > headline] = False
        return page.within(flags)

    def near(self, rows: npt.NDArray[np.integer], *, anywhere: bool = False) -> list[int]:
        """Sort rows, given in order: those after the headline, nearest first, then those before it.

        Those in unrelated parts are excluded, unless ``anywhere``.
        """
        if not rows.size:
            return []
        rows = rows if anywhere else rows[~self._unrelated[rows]]
        first = int(rows.searchsorted(self.headline.row))
        behind: list[int] = rows[first : first + MAX_MARKED].tolist()
        before: list[int] = rows[max(0, first - MAX_MARKED) : first][::-1].tolist()
        return [*behind, *before][:MAX_MARKED]

    def rows_with(self, name: str, word: str) -> IntArray:
        """Find the elements with a word in an attribute."""
        return self.page.attributes.distinct(name).rows_with_word(word)

    @cached_property
    def author_links(self) -> IntArray:
        """The shown links whose unresolved address is that of an author's page, no account's."""
        page, values = self.page, self.page.attributes.distinct("href")
        parts = find_parts(page.buffer, values.start, values.stop, _AUTHOR_PARTS)
        maybe = parts.nonzero()[0].tolist()
        texts = {number: values.text(number) for number in maybe}
        numbers = [
            number
            for number, text in texts.items()
            if _AUTHOR_PATH.search(text)
            and not _ACCOUNT_PATH.search(text)
            and self._may_be_own(text)
            and not self._leads_here(text)
        ]
        rows = values.rows_with(numbers)
        is_shown = (page.hidden.take(rows) & _UNSHOWN) == 0
        links: IntArray = rows[is_shown & (page.tag[rows] == CODE_OF["a"])]
        return links

    def _may_be_own(self, address: bytes) -> bool:
        """Return whether an address is on the page's own site, which is certain of a relative one.

        Names of other paths than those of accounts tell of authors, also of a sister's site.
        """
        if not _PROFILE_PATH.search(address):
            return True
        own = host_of(split_address(self.page.url or read_canonical(self.page)))
        other = host_of(split_address(address.decode("utf-8", "replace").strip()))
        return not other or share_domain(own, other)

    def _leads_here(self, address: bytes) -> bool:
        """Return whether an address is that of a place on this page, as in its contents."""
        if b"#" not in address:
            return False
        url = absolute_url(address.decode("utf-8", "replace"), self.page.url)
        return url is not None and address_key(url) == address_key(self.page.url or "")

    def short_text(self, row: int) -> str:
        """Return the text of a row if it is short enough for a byline or a date, else ""."""
        page = self.page
        start, stop = page.text_offset[row], page.text_offset[page.end[row]]
        return plain_text(page.text_of(row)) if stop - start <= 2 * MAX_SHORT_CHARS else ""

    @cached_property
    def lines_near_headline(self) -> tuple[str, ...]:
        """The short blocks near the headline, those after it first, nearest first."""
        block = self.headline.block
        if block < 0:
            return ()
        before, after = NEAR_BLOCKS
        page = self.page
        first, stop = max(0, block - before), min(len(page.blocks), block + after + 1)
        order = np.array([*range(block, stop), *range(block - 1, first - 1, -1)])
        return tuple(self._short_lines(self._without_entries(self._without_code(order))))

    def lines_with_digits(self) -> Iterator[str]:
        """Yield most short blocks of the first screens that have two digits in a row, as dates do.

        Those after the headline come first, and blocks in unrelated parts last: some pages consist
        only of such a part.
        """
        blocks, first = self._first_screens, max(0, self.headline.block)
        order = np.array([*range(first, blocks.stop), *range(blocks.start, first)], int)
        order = self._without_code(order[self._may_have_digits()[order]])
        order = self._without_entries(order)
        yield from self._short_lines(order)
        yield from self._short_lines(order, unrelated=True)

    def shows_line(self, key: str) -> bool:
        """Return whether a short block of the first screens has the key, as of `key_of`."""
        page, blocks = self.page, self._first_screens
        leaves = page.blocks.start[blocks.start : blocks.stop]
        starts = page.text_offset.take(page.leaves.take(leaves)).tolist()
        stops = page.text_offset.take(page.leaf_stop.take(leaves)).tolist()
        maybe = []
        # The texts of all blocks would take ten times as long as a look at where they begin.
        for block, start, stop in watch(zip(blocks, starts, stops, strict=True)):
            match = _FIRST_LETTER.match(page.text, start, stop)
            letter = match[1] if match else ""
            if key.startswith(letter.casefold()) or not letter.isprintable():
                maybe.append(block)
        chosen = np.array(maybe, int)
        return any(
            key_of(line) == key
            for unrelated in (False, True)
            for line in self._short_lines(chosen, unrelated=unrelated)
        )

    @property
    def _first_screens(self) -> range:
        """The blocks around the headline that are read as a last resort."""
        first = max(0, self.headline.block)
        return range(max(0, first - MAX_BLOCKS), min(len(self.page.blocks), first + MAX_BLOCKS))

    def _may_have_digits(self) -> npt.NDArray[np.bool_]:
        """Flag the blocks with two digits in a row, or what may be a reference; bool[n_block]."""
        page = self.page
        codes = page.character_codes  # an expression takes ten times as long
        may_be = kinds_of(codes) == CharacterKind.DIGIT
        may_be[:-1] &= may_be[1:]
        may_be |= codes == code_table()[ord("&")]  # a reference that was escaped twice
        places = may_be.nonzero()[0]
        leaf = page.text_offset.take(page.leaves).searchsorted(places, side="right") - 1
        flags = np.zeros(len(page.blocks), np.bool_)
        flags[page.blocks.of_leaf.take(leaf[leaf >= 0])] = True
        return flags

    def _without_code(self, blocks: IntArray) -> IntArray:
        """Leave out the blocks that begin in code, whose dates and names are examples."""
        page = self.page
        if not blocks.size or not page.rows_of(_EXAMPLES).size:
            return blocks
        first = page.leaves.take(page.blocks.start.take(blocks))
        return blocks[~page.within(_EXAMPLES.take(page.tag)).take(first)]

    def _without_entries(self, blocks: IntArray) -> IntArray:
        """Leave out the blocks in the first cells of tables whose rows begin with dates."""
        page = self.page
        if not blocks.size or not page.rows_of(_CELL).size:
            return blocks
        first = page.leaves.take(page.blocks.start.take(blocks))
        cells = page.nearest(_CELL.take(page.tag), first)
        tables = page.nearest(_TABLE.take(page.tag), first).tolist()
        is_first = (cells >= 0) & (page.nth_child.take(cells) == 1)
        is_entry = [
            cell and self._lists_dates(table)
            for cell, table in zip(is_first.tolist(), tables, strict=True)
        ]
        return blocks[~np.array(is_entry, np.bool_)]

    @cached_lookup
    def _lists_dates(self, table: int) -> bool:
        """Return whether most rows of a table begin with a cell that holds a date alone."""
        page = self.page
        cells = page.rows_of(_CELL)
        cells = cells[(cells > table) & (cells < page.end[table]) & (page.nth_child[cells] == 1)]
        texts = [page.text_of(cell) for cell in cells[:MAX_MARKED].tolist()]
        dates = [text for text in texts if len(text.split()) <= MAX_DATE_WORDS and find_date(text)]
        return len(dates) >= MIN_DATED_ROWS and 2 * len(dates) > len(texts)

    def _short_lines(
        self, blocks: npt.NDArray[np.integer], *, unrelated: bool = False
    ) -> Iterator[str]:
        page = self.page
        if not blocks.size:
            return
        first, stop = page.blocks.start.take(blocks), page.blocks.start.take(blocks + 1)
        is_wanted = self._unrelated.take(page.leaves.take(first)) == unrelated
        is_wanted &= stop - first <= MAX_LEAVES
        blocks, first, stop = blocks[is_wanted], first[is_wanted], stop[is_wanted]
        starts = page.text_offset.take(page.leaves.take(first)).tolist()
        stops = page.text_offset.take(page.leaf_stop.take(first)).tolist()
        is_alone, whole = (stop - first == 1).tolist(), page.text
        gaps = None if all(is_alone) else page.gaps_in(blocks)
        for block, start, end, alone in zip(blocks.tolist(), starts, stops, is_alone, strict=True):
            text = whole[start:end] if alone else page.block_text(block, every=gaps)
            if is_plain(text):
                text = text.strip()
            elif len(text := collapse(text) if alone else text) <= MAX_RAW_LINE_CHARS:
                text = plain_text(text)
            if text and len(text) <= MAX_LINE_CHARS:
                yield text

    # -- the rest ----------------------------------------------------------------------------------

    def tag_links(self) -> list[str]:
        """Return the texts of links with rel=tag."""
        rows = self.near(self.rows_with("rel", "tag"))
        return [text for row in sorted(rows) if (text := self.short_text(row))]

    def code_text(self) -> str:
        """Return the text of the page's code."""
        page = self.page
        if not page.rows_of(_CODE).size:
            return ""
        is_code = page.within(_CODE.take(page.tag)).take(page.leaves)
        return "".join(page.leaf_texts(is_code.nonzero()[0]))

    def body_text(self, max_chars: int) -> str:
        """Return the text of the page's leaves without code, up to about ``max_chars``."""
        page = self.page
        rows = page.leaves[page.tag.take(page.leaves) == TEXT]
        if page.rows_of(_CODE).size:
            prose = rows[~page.within(_CODE.take(page.tag))[rows]]
            rows = prose if prose.size else rows
        starts, stops = page.text_offset.take(rows), page.text_offset.take(rows + 1)
        enough = int((stops - starts).cumsum().searchsorted(max_chars)) + 1
        text, spans = page.text, zip(starts[:enough].tolist(), stops[:enough].tolist(), strict=True)
        return " ".join([text[start:stop] for start, stop in spans])
