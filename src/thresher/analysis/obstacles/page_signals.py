"""Counts and texts of a page with little text, for the detectors of obstacles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from itertools import islice, pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.obstacles import Obstacle, ObstacleKind
from thresher.deadline import check_deadline
from thresher.page import Page
from thresher.page.hidden import Hidden
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_lookup, cached_property

_IMG, _SCRIPT = CODE_OF["img"], CODE_OF["script"]
_HEADINGS: Final = flags_of("h1 h2 h3")
_SPARE: Final = np.uint8(Hidden.NOSCRIPT | Hidden.TEMPLATE | Hidden.FALLBACK)
_LOWER: Final = bytes(0 if chr(i).isspace() and i < 128 else i for i in range(256)).lower()
"""Translation of white space to NUL and of ASCII letters to lower case."""
MAX_HEADINGS: Final = 8
MAX_LINE_CHARS: Final = 300
"""Text read of a title, a heading or a line; status messages are shorter."""
MAX_LINES: Final = 20
MAX_MATCHES: Final = 200
"""Attributes of a kind that are examined; more add nothing new."""
MAX_QUOTED_CHARS: Final = 60


class Mark(NamedTuple):
    """An attribute value that identifies a kind of page."""

    attribute: str
    pattern: bytes
    """Regular expression for `PageSignals.matches`."""
    what: str
    """Condition that it indicates, as part of a sentence."""


class FoundMark(NamedTuple):
    """A mark found on a page, and the matched part of the value."""

    mark: Mark
    value: str

    def __str__(self) -> str:
        return f"{self.mark.what} (`{self.mark.attribute}` with `{self.value[:MAX_QUOTED_CHARS]}`)"


class _Column(NamedTuple):
    """All values of an attribute: rows, the values, and one text of them in which to search."""

    row: IntArray
    values: list[bytes]
    text: bytes

    def find_rows(self, places: Sequence[int]) -> list[int]:
        """Return the rows whose values are at some places in the text."""
        stops = np.cumsum([len(value) + 1 for value in self.values], dtype=np.int64)
        rows: list[int] = self.row[stops.searchsorted(places, side="right")].tolist()
        return rows


_compile: Final = cache(re.compile)
"""Finds a compiled pattern in a fraction of the time that `re.search` takes."""
_NO_COLUMN: Final = _Column(np.zeros(0, np.int32), [], b"")


@dataclass(frozen=True)
class PageSignals:
    """A page with the counts and texts by which obstacles are detected, computed on demand.

    Spare text is not shown by browsers with scripts: that in noscript, in templates (including
    declarative shadow roots), inside video and object.
    """

    page: Page

    def blocked(self, what: str, confidence: float) -> Obstacle:
        """State that another page was sent: what was found begins a sentence."""
        return self._state(ObstacleKind.BLOCKED, what, self.plain_words, confidence)

    def needs_browser(self, what: str, confidence: float, words: int | None = None) -> Obstacle:
        """State that the content is elsewhere; ``words`` are those outside links, if fewer."""
        words = self.plain_words if words is None else words
        return self._state(ObstacleKind.NEEDS_BROWSER, what, words, confidence)

    @staticmethod
    def _state(kind: ObstacleKind, what: str, words: int, confidence: float) -> Obstacle:
        sentence = f"{what[0].upper()}{what[1:]}; {format_count(words, 'word')} outside links."
        return Obstacle(kind, sentence, confidence)

    # -- words -----------------------------------------------------------------------------------

    @cached_property
    def _is_spare(self) -> npt.NDArray[np.bool_]:
        page = self.page
        spare: npt.NDArray[np.bool_] = (page.hidden[page.leaves] & _SPARE) != 0
        return spare

    @cached_property
    def shown_words(self) -> int:
        """Words outside spare text, including those hidden by a style or an attribute."""
        return int(self.page.leaf_words[~self._is_spare].sum())

    @cached_property
    def _plain(self) -> IntArray:
        """Shown words of each leaf outside links; int32[n_leaf]."""
        page = self.page
        return (page.leaf_words - page.leaf_link_words) * ~self._is_spare

    @cached_property
    def plain_words(self) -> int:
        """Shown words outside links."""
        return int(self._plain.sum())

    @cached_property
    def spare_words(self) -> int:
        """Words of spare text outside links."""
        page = self.page
        return int((page.leaf_words - page.leaf_link_words)[self._is_spare].sum())

    @cached_property
    def noscript_words(self) -> int:
        """Words addressed to browsers without scripts."""
        page = self.page
        inside = (page.hidden[page.leaves] & np.uint8(Hidden.NOSCRIPT)) != 0
        return int(page.leaf_words[inside].sum())

    @cached_property
    def longest_block_words(self) -> int:
        """Words outside links of the block that has most."""
        page = self.page
        if not len(page.blocks):
            return 0
        return int(np.add.reduceat(self._plain, page.blocks.start[:-1]).max())

    def plain_words_within(self, rows: npt.NDArray[np.bool_]) -> int:
        """Count the shown words outside links in the flagged rows."""
        return int(self._plain[self.page.within(rows)[self.page.leaves]].sum())

    def words_of(self, row: int) -> int:
        """Count the shown words of a row's subtree."""
        page = self.page
        leaves = slice(page.leaf_offset[row], page.leaf_offset[page.end[row]])
        return int(page.leaf_words[leaves][~self._is_spare[leaves]].sum())

    def pictures_of(self, row: int) -> int:
        """Count the leaves of a row's subtree that are not text: pictures, videos, frames."""
        page = self.page
        leaves = page.leaves[page.leaf_offset[row] : page.leaf_offset[page.end[row]]]
        return int((page.tag[leaves] != 0).sum())

    @cached_property
    def pictures(self) -> int:
        """Images outside spare text."""
        page = self.page
        return int(((page.tag[page.leaves] == _IMG) & ~self._is_spare).sum())

    @cached_property
    def scripts(self) -> int:
        """Script elements, including those that hold data."""
        return int((self.page.tag == _SCRIPT).sum())

    # -- texts -----------------------------------------------------------------------------------

    @cached_property
    def title(self) -> str:
        """The text of the page's title on one line; empty if it has no title."""
        row = self.page.title_row
        return self._line(row) if row >= 0 else ""

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The texts of the first headings of the upper levels."""
        rows = self.page.rows_of(_HEADINGS)[:MAX_HEADINGS]
        return tuple(text for row in rows.tolist() if (text := self._line(row)))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The first lines of the page; what only browsers without scripts show is apart."""
        page = self.page
        in_noscript = page.hidden[page.leaves] & np.uint8(Hidden.NOSCRIPT)
        apart = np.diff(in_noscript).nonzero()[0] + 1
        edges = np.union1d(page.lines.start, apart)[: MAX_LINES + 1].tolist()
        texts = (
            " ".join(page.leaf_text(leaf) for leaf in range(first, min(stop, first + MAX_LINES)))
            for first, stop in pairwise(edges)
        )
        return tuple(" ".join(text[:MAX_LINE_CHARS].split()) for text in texts)

    def _line(self, row: int) -> str:
        page = self.page
        start, stop = page.text_offset[row], page.text_offset[page.end[row]]
        return " ".join(page.text[start : min(stop, start + MAX_LINE_CHARS)].split())

    # -- attributes ------------------------------------------------------------------------------

    def matches(self, attribute: str, pattern: bytes) -> Iterator[tuple[int, str]]:
        """Yield row and match of a pattern in the values of an attribute, up to `MAX_MATCHES`.

        Values are matched escaped and in lower case, with NUL in place of white space and around
        each value; `word` makes a pattern of whole words between two NULs. A pattern must not match
        NUL elsewhere.
        """
        column = self._column(attribute)
        if not column.row.size:
            return
        check_deadline()
        matches = list(islice(re.finditer(pattern, column.text), MAX_MATCHES))
        if matches:
            rows = column.find_rows([match.start() for match in matches])
            yield from zip(rows, map(_read_value, matches), strict=True)

    def find_mark(self, marks: Sequence[Mark]) -> FoundMark | None:
        """Find the first mark of a table that the page has."""
        texts = {name: self._column(name).text for name in {mark.attribute for mark in marks}}
        for mark in marks:
            if not texts[mark.attribute]:
                continue
            check_deadline()  # each pattern searches all the values
            if match := _compile(mark.pattern).search(texts[mark.attribute]):
                return FoundMark(mark, _read_value(match))
        return None

    @cached_lookup
    def marked(self, marks: tuple[Mark, ...]) -> npt.NDArray[np.bool_]:
        """Flag the rows with any mark of a table; bool[n_row]."""
        flags = np.zeros(len(self.page), np.bool_)
        matches_by_mark = (self.matches(mark.attribute, mark.pattern) for mark in marks)
        flags[[row for matches in matches_by_mark for row, _ in matches]] = True
        flags.setflags(write=False)
        return flags

    @cached_lookup
    def _column(self, attribute: str) -> _Column:
        attributes = self.page.attributes
        entries = attributes.named(attribute)
        if not entries.size:
            return _NO_COLUMN
        start, stop = attributes.start[entries].tolist(), attributes.stop[entries].tolist()
        values = [attributes.buffer[a:b] for a, b in zip(start, stop, strict=True)]
        text = b"\0".join((b"", *values, b"")).translate(_LOWER)
        return _Column(attributes.row[entries], values, text)


def _read_value(match: re.Match[bytes]) -> str:
    """Return what was matched of a value, unescaped."""
    return unescape(match.group().strip(b"\0").decode(errors="replace"))


def word(pattern: bytes) -> bytes:
    """Return a pattern that matches a whole word of a value: an id, one class of several."""
    return rb"\0(?:" + pattern + rb")(?=\0)"


def format_count(number: int, noun: str) -> str:
    """Format a number with its noun: ``1 word``, ``2 words``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
