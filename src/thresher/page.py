"""Page: an HTML document as one immutable table, one row a DOM node, in document order.

The subtree of row i is the slice ``i:end[i]``, so whatever is summed up to each row gives every
subtree's total as one difference, and nothing recurses. A row is an element or a text; comments
have none. Markup and text are spans of one canonical buffer; what else a page knows is a view,
computed at most once, when first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from thresher import blocks as runs
from thresher.attributes import Attributes, find_attributes, read_attributes
from thresher.blocks import Runs
from thresher.hidden import Hidden, rows_hidden_by_attribute
from thresher.paths import MAX_DEPTH, Path, Step, join_steps, nth_of_type
from thresher.scan import IntArray
from thresher.tags import (
    ATOMIC,
    BLOCK,
    CODE_OF,
    FALLBACK,
    FORMATTING,
    NAMES,
    OTHER,
    REPLACED,
    TEXT,
    UNRENDERED,
)
from thresher.text import count_at, count_words, join_text

__all__ = ["Page", "Span"]

BoolArray = npt.NDArray[np.bool_]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])

_A, _BR, _MATH = (CODE_OF[name] for name in ("a", "br", "math"))


class Span(NamedTuple):
    """A half-open range of characters in the source."""

    start: int
    stop: int


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """A parsed page. Arrays are read-only; row-wise ones have shape [n_row].

    ``tag`` int16 is a code of `thresher.tags`; ``parent`` int32 (−1 at the root), ``end`` int32
    (one past the subtree) and ``depth`` int32 are rows and levels. ``open_start:open_stop`` is the
    span in ``buffer`` of the start tag or the escaped text, ``close_start:close_stop`` of the end
    tag. ``buffer`` is UTF-8, canonical HTML (HTML Living Standard, 13.3) without comments and
    without the content of scripts and styles.
    """

    source: str
    """The HTML as it was given, decoded."""
    url: str | None
    """Where the page came from: the base of its links where it names no other."""
    encoding: str | None
    """The encoding the source was decoded from; None where it was given as a str."""
    buffer: bytes
    tag: npt.NDArray[np.int16]
    parent: IntArray
    end: IntArray
    depth: IntArray
    open_start: IntArray
    open_stop: IntArray
    close_start: IntArray
    close_stop: IntArray
    locate: Callable[[Page], IntArray]
    """Finds every row's place in the source: page → int32[n_row, 4]; set by the parser."""

    def __len__(self) -> int:
        return self.tag.size

    def __repr__(self) -> str:
        return f"<Page {self.url or ''} {len(self)} rows, {len(self.source):,} characters>"

    def __getstate__(self) -> dict[str, Any]:
        # Views are recomputed on the other side: a pickle holds source, buffer and columns.
        return {column.name: getattr(self, column.name) for column in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    # -- rows ----------------------------------------------------------------------------------

    def name(self, row: int) -> str:
        """Return the tag name of an element, ``#text`` of a text."""
        code = int(self.tag[row])
        if code != OTHER:
            return NAMES[code]
        start_tag = self.buffer[self.open_start[row] + 1 : self.open_stop[row] - 1]
        return start_tag.split(b" ", 1)[0].decode()

    def attrs(self, row: int) -> dict[str, str]:
        """Return all attributes of an element, in order; empty for a text."""
        if self.tag[row] == TEXT:
            return {}
        return read_attributes(self.buffer[self.open_start[row] : self.open_stop[row]])

    def attr(self, row: int, name: str) -> str | None:
        """Return one attribute of an element, None where it has none of that name."""
        return self.attrs(row).get(name)

    def markup(self, row: int) -> bytes:
        """Return the canonical HTML of a row with all it holds."""
        return self.buffer[self.open_start[row] : self.close_stop[row]]

    def text_of(self, row: int) -> str:
        """Return the text of a row with all it holds, white space as in the source."""
        return self.text[self.text_offset[row] : self.text_offset[self.end[row]]]

    def path(self, row: int) -> Path | None:
        """Return where a row is as CSS selector and XPath; a text's path is its parent's.

        None below `thresher.paths.MAX_DEPTH`, where a path would be longer than any use of it.
        Inside a `<template>` it spells where the markup is; selectors do not look in there.
        """
        if self.depth[row] > MAX_DEPTH:
            return None
        steps: list[Step] = []
        at = int(self.parent[row] if self.tag[row] == TEXT else row)
        while at >= 0:
            steps.append(Step(self.name(at), int(self.nth_of_type[at]), int(self.nth_child[at])))
            at = int(self.parent[at])
        return join_steps(steps[::-1])

    def source_span(self, row: int) -> Span | None:
        """Return the characters of the source that a row and all it holds came from.

        None for what is not in the source, such as an implied `<body>`.
        """
        start, start_stop, _, stop = self.source_spans[row].tolist()
        if start < 0:
            return None
        if stop < 0:
            inside = self.source_spans[row : self.end[row]]
            stop = max(start_stop, int(inside.max()))
        return Span(start, stop)

    def tagged(self, names: Iterable[str]) -> BoolArray:
        """Flag the elements with one of these tag names; bool[n_row]."""
        wanted = set(names)
        codes = np.zeros(len(NAMES), np.bool_)
        codes[[CODE_OF[name] for name in wanted if name in CODE_OF]] = True
        flags = codes[self.tag]
        if not wanted <= CODE_OF.keys():
            others = np.flatnonzero(self.tag == OTHER)
            flags[others] = [self.name(row) in wanted for row in others.tolist()]
        return flags

    # -- reaching over rows --------------------------------------------------------------------

    def within(self, rows: BoolArray) -> BoolArray:
        """Flag every row that is, or is inside, a flagged row; bool[n_row]."""
        level = self._flag_level(rows)
        return level > 0

    def below(self, rows: BoolArray) -> BoolArray:
        """Flag every row that is inside a flagged row; bool[n_row]."""
        return self._flag_level(rows) > rows

    def _flag_level(self, rows: BoolArray) -> npt.NDArray[np.int64]:
        """Count the flagged rows that each row is or is inside of; int64[n_row]."""
        level = np.zeros(len(self) + 1, np.int64)
        level[:-1] = rows
        level -= np.bincount(self.end[rows], minlength=len(self) + 1)
        return np.cumsum(level[:-1])

    def nearest(self, rows: BoolArray) -> IntArray:
        """Find for every row itself or its nearest ancestor that is flagged, else −1; int32[n_row].

        Counting only flagged rows, it is the last flagged row before at the same depth.
        """
        marked = np.flatnonzero(rows)
        if not marked.size:
            return np.full(len(self), -1, np.int32)
        level = self._flag_level(rows)
        span = np.int64(len(self))
        keys = np.sort(level[marked] * span + marked)
        wanted = level * span + np.arange(len(self))
        found = keys[np.searchsorted(keys, wanted, side="right") - 1] % span
        return np.where(level > 0, found, -1).astype(np.int32)

    def subtree_sums(self, row_values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
        """Add up one value a row over each row's subtree; int64[n_row]."""
        total = np.zeros(len(self) + 1, np.int64)
        np.cumsum(row_values, out=total[1:])
        return total[self.end] - total[:-1]

    # -- text, words, links ----------------------------------------------------------------------

    @cached_property
    def _text(self) -> tuple[str, IntArray]:
        rows = np.flatnonzero(self.tag == TEXT)
        text, offsets = join_text(self.buffer, self.open_start[rows], self.open_stop[rows])
        return text, _frozen(offsets[count_at(self.tag == TEXT, np.arange(len(self) + 1))])

    @property
    def text(self) -> str:
        """All text of the page, unescaped, in document order."""
        return self._text[0]

    @property
    def text_offset(self) -> IntArray:
        """Where each row's text begins in ``text``; int32[n_row + 1].

        ``o[i]:o[i + 1]`` is the row's own text, ``o[i]:o[end[i]]`` that of its subtree.
        """
        return self._text[1]

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        words, chars = count_words(self.text, self.text_offset)
        return _frozen(words), _frozen(chars)

    @property
    def word_offset(self) -> IntArray:
        """Words before each row; int32[n_row + 1], to be used like ``text_offset``."""
        return self._counts[0]

    @property
    def char_offset(self) -> IntArray:
        """Characters that are not white space before each row; int32[n_row + 1]."""
        return self._counts[1]

    @cached_property
    def in_link(self) -> BoolArray:
        """Flags rows that are, or are inside, an `a` element; bool[n_row]."""
        return _frozen(self.within(self.tag == _A))

    @cached_property
    def link_word_offset(self) -> IntArray:
        """Words inside links before each row; int32[n_row + 1]."""
        words = np.zeros(len(self) + 1, np.int32)
        np.cumsum(np.diff(self.word_offset) * self.in_link, out=words[1:])
        return _frozen(words)

    # -- attributes and hiding -------------------------------------------------------------------

    @cached_property
    def attributes(self) -> Attributes:
        """Where every attribute of the page is."""
        rows = np.flatnonzero(self.tag != TEXT).astype(np.int32)
        return find_attributes(self.buffer, rows, self.open_start[rows], self.open_stop[rows])

    @cached_property
    def hidden(self) -> npt.NDArray[np.uint8]:
        """Why each row is hidden, itself or by an ancestor: `Hidden` flags; uint8[n_row]."""
        own = rows_hidden_by_attribute(self.attributes, len(self))
        own[self.tag == CODE_OF["noscript"]] |= np.uint8(Hidden.NOSCRIPT)
        own[self.tag == CODE_OF["template"]] |= np.uint8(Hidden.TEMPLATE)
        flags = np.zeros(len(self), np.uint8)
        for flag in Hidden:
            if flag is Hidden.FALLBACK:
                inside = self.below(FALLBACK[self.tag])
            else:
                inside = self.within((own & np.uint8(flag)) != 0)
            flags |= inside * np.uint8(flag)
        return _frozen(flags)

    # -- leaves, blocks, lines -------------------------------------------------------------------

    @cached_property
    def leaves(self) -> IntArray:
        """Rows of the leaves: texts that show something, and replaced elements; int32[n_leaf]."""
        shows = np.diff(self.char_offset) > 0
        shows |= REPLACED[self.tag]
        return _frozen(np.flatnonzero(shows & ~self._leafless).astype(np.int32))

    @cached_property
    def _leafless(self) -> BoolArray:
        """Rows that hold no leaf: the parts of a drawing or formula, and what is never rendered."""
        return _frozen(self.below(ATOMIC[self.tag]) | self.within(UNRENDERED[self.tag]))

    @cached_property
    def leaf_offset(self) -> IntArray:
        """Leaves before each row; int32[n_row + 1]."""
        flags = np.zeros(len(self), np.bool_)
        flags[self.leaves] = True
        return _frozen(count_at(flags, np.arange(len(self) + 1)))

    @cached_property
    def _leaf_stop(self) -> IntArray:
        """One past the rows whose text is a leaf's: itself, or the whole of a formula."""
        formula = self.tag[self.leaves] == _MATH
        stop = np.where(formula, self.end[self.leaves], self.leaves + 1)
        return _frozen(stop.astype(np.int32))

    @cached_property
    def leaf_words(self) -> IntArray:
        """Words of each leaf; a formula has those of its parts; int32[n_leaf]."""
        return _frozen(self.word_offset[self._leaf_stop] - self.word_offset[self.leaves])

    @cached_property
    def leaf_chars(self) -> IntArray:
        """Characters that are not white space of each leaf; int32[n_leaf]."""
        return _frozen(self.char_offset[self._leaf_stop] - self.char_offset[self.leaves])

    def leaf_text(self, leaf: int) -> str:
        """Return the text of a leaf, white space as in the source; a picture has none."""
        start, stop = self.leaves[leaf], self._leaf_stop[leaf]
        return self.text[self.text_offset[start] : self.text_offset[stop]]

    @cached_property
    def leaf_link_words(self) -> IntArray:
        """Words of each leaf that are inside a link; int32[n_leaf]."""
        return _frozen(self.leaf_words * self.in_link[self.leaves])

    @cached_property
    def _block_edges(self) -> IntArray:
        """Gaps between leaves with a block-level edge, a rule or two line breaks in them."""
        level = np.flatnonzero(BLOCK[self.tag] & ~self._leafless)
        breaks = self.leaf_offset[np.flatnonzero(self.tag == _BR)]
        doubled = breaks[1:][breaks[1:] == breaks[:-1]]
        around = (self.leaf_offset[level], self.leaf_offset[self.end[level]])
        return _frozen(np.concatenate((*around, doubled)))

    @cached_property
    def blocks(self) -> Runs:
        """Leaves grouped into blocks."""
        return runs.group(self.leaves.size, self._block_edges)

    @cached_property
    def lines(self) -> Runs:
        """Leaves grouped into lines: blocks, cut at each line break."""
        breaks = self.leaf_offset[np.flatnonzero(self.tag == _BR)]
        return runs.group(self.leaves.size, np.concatenate((self._block_edges, breaks)))

    @cached_property
    def block_row(self) -> IntArray:
        """The innermost block-level element around each block; int32[n_block]."""
        return _frozen(self.nearest(BLOCK[self.tag])[self.leaves[self.blocks.start[:-1]]])

    @cached_property
    def gaps(self) -> npt.NDArray[np.uint8]:
        """What stands before each leaf: nothing, a space or a line break; uint8[n_leaf]."""
        inline = ~BLOCK[self.tag] & ~FORMATTING[self.tag] & (self.tag != TEXT) & (self.tag != _BR)
        inline = np.flatnonzero(inline & ~self._leafless)
        white = (self.tag == TEXT) & (np.diff(self.char_offset) == 0)
        opened = self.leaf_offset[inline]
        opened = opened[opened < self.leaves.size]
        gaps = runs.gaps_between(
            self.leaves.size,
            white=self.leaf_offset[np.flatnonzero(white)],
            closed=self.leaf_offset[self.end[inline]],
            opened=opened[~self._continues(opened)],
            broken=self.leaf_offset[np.flatnonzero(self.tag == _BR)],
        )
        return _frozen(gaps)

    def gaps_of(self, leaves: IntArray) -> npt.NDArray[np.uint8]:
        """Say what stands before each of some leaves, with the others left out; uint8[n].

        Where something between was left out, the words at its edges must not grow together.
        """
        gaps = self.gaps[leaves].copy()
        before, after = leaves[:-1], leaves[1:]
        dropped = (after - before > 1) & ~self._continues(after)
        for gap in (runs.SPACE, runs.NEWLINE):
            seen = np.cumsum(self.gaps == gap)
            there = seen[after] > seen[before]
            gaps[1:][there | dropped if gap == runs.SPACE else there] = gap
        return gaps

    def _continues(self, leaves: IntArray) -> BoolArray:
        """Say which leaves begin with what continues the text before, such as a comma."""
        first_byte = np.frombuffer(self.buffer, np.uint8)[self.open_start[self.leaves[leaves]]]
        return runs.CLOSING[first_byte]

    def block_text(self, block: int, keep: BoolArray | None = None) -> str:
        """Return the text of a block as a reader sees it; of its kept leaves only, if given."""
        first, last = self.blocks.start[block : block + 2].tolist()
        leaves = np.arange(first, last)
        gaps = self.gaps[leaves]
        if keep is not None:
            leaves = leaves[keep[first:last]]
            gaps = self.gaps_of(leaves)
        return runs.join_leaves([self.leaf_text(leaf) for leaf in leaves.tolist()], gaps)

    @cached_property
    def nth_of_type(self) -> IntArray:
        """Each row's place among its siblings of the same name, from 1; int32[n_row]."""
        name_id = self.tag.astype(np.int32)
        others = np.flatnonzero(self.tag == OTHER)
        ids: dict[str, int] = {}
        name_id[others] = [
            len(NAMES) + ids.setdefault(self.name(row), len(ids)) for row in others.tolist()
        ]
        return _frozen(nth_of_type(self.parent, name_id))

    @cached_property
    def nth_child(self) -> IntArray:
        """Each element's place among its sibling elements, from 1; int32[n_row]."""
        return _frozen(nth_of_type(self.parent, (self.tag == TEXT).astype(np.int32)))

    @cached_property
    def source_spans(self) -> IntArray:
        """Where each row is in the source, characters; int32[n_row, 4], −1 for what is not there.

        Columns: start tag from, to; end tag from, to. A text has only the first two.
        """
        return _frozen(self.locate(self))


def _frozen(array: _Array) -> _Array:
    array.setflags(write=False)
    return array
