"""Page: an HTML document as one immutable table with lazily computed views.

Views are computed at most once, on first access: text and word counts, links, attributes, why rows
are hidden, and the leaves, blocks and lines that algorithms decide on.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline, watch
from thresher.page import blocks as runs
from thresher.page.abutting import find_joined
from thresher.page.attribute_places import find_attributes
from thresher.page.attributes import Attributes
from thresher.page.blocks import Blocks, Runs
from thresher.page.boxed import find_boxed
from thresher.page.characters import Codes, classify_utf8
from thresher.page.fields import find_fields
from thresher.page.hidden import find_concealed, find_hidden, find_parted
from thresher.page.leaves import GapMark, continue_text
from thresher.page.rows import BoolArray, freeze
from thresher.page.scan import IntArray
from thresher.page.source_positions import find_ends, locate, locate_ends, read_raw_utf8
from thresher.page.table import Attached, Origin, Span, Table
from thresher.page.tags import flags_of
from thresher.page.text import PageText, read_texts
from thresher.support.cached import cached_property

__all__ = ["Attached", "Origin", "Page", "Span"]

_NO_GAPS: Final = np.zeros(0, np.uint8)
_TITLES, _DRAWN = flags_of("title"), flags_of("math svg")
_SHOWN_BLOCKS: Final = 200
"""Blocks that Jupyter shows; a notebook keeps its output."""
_SHOWN_CHARS: Final = 120
"""Characters of a block that it shows."""


class Page(Table):
    """A parsed page: its rows and columns (`Table`) and its views.

    Arrays of views are read-only too. Offsets have one entry more than there are rows: ``o[i]``
    counts what comes before row i, so a row's own range is ``o[i]:o[i + 1]``, its subtree's
    ``o[i]:o[end[i]]``.
    """

    # -- text, words, links ----------------------------------------------------------------------

    @cached_property
    def _texts(self) -> PageText:
        check_deadline()
        texts = read_texts(self.buffer, self.tag, self.open_start, self.open_stop)
        for array in texts:
            freeze(array)
        return texts

    @cached_property
    def text(self) -> str:
        """All text of the page, unescaped, in document order."""
        return str(self._texts.utf8.data, "utf-8")

    @cached_property
    def text_utf8(self) -> npt.NDArray[np.uint8]:
        """The same in UTF-8."""
        return self._texts.utf8

    @cached_property
    def text_offset(self) -> IntArray:
        """Start of each row's text in ``text``; int32[n_row + 1].

        ``o[i]:o[i + 1]`` is the row's own text, ``o[i]:o[end[i]]`` that of its subtree.
        """
        return self._texts.offset

    def text_of(self, row: int) -> str:
        """Return the text of a row's subtree, white space as in the source."""
        return self.text[self.text_offset[row] : self.text_offset[self.end[row]]]

    @property
    def character_codes(self) -> Codes:
        """The code of each character of ``text``, see `thresher.page.characters`; uint16[n_char].

        Recomputed on every access: few callers need it, and it takes as much memory as the text.
        """
        check_deadline()
        return freeze(classify_utf8(self._texts.utf8.data, int(self.text_offset[-1])))

    @cached_property
    def words_before(self) -> IntArray:
        """Words before each row; int32[n_row + 1], indexed like ``text_offset``."""
        return self._texts.words

    @cached_property
    def subtree_words(self) -> IntArray:
        """Words inside each row; int32[n_row]."""
        return freeze(self.words_before.take(self.end) - self.words_before[:-1])

    @cached_property
    def chars_before(self) -> IntArray:
        """Characters that are not white space before each row; int32[n_row + 1]."""
        return self._texts.chars

    @cached_property
    def in_link(self) -> BoolArray:
        """Flags `a` elements and their descendants; bool[n_row]."""
        return self._blocks.in_link

    @cached_property
    def link_words_before(self) -> IntArray:
        """Words inside links before each row; int32[n_row + 1]."""
        return self._blocks.link_words_before

    @cached_property
    def title_row(self) -> int:
        """The row of the page's title, the first `title` outside SVG and MathML; −1 for none."""
        titles, drawn = self.rows_of(_TITLES), self.rows_of(_DRAWN)
        if titles.size and drawn.size and drawn[0] < titles[0]:
            titles = titles[~self.within(_DRAWN.take(self.tag)).take(titles)]
        return int(titles[0]) if titles.size and titles[0] < self.n_own_row else -1

    # -- positions in the source --------------------------------------------------------------

    def source_span(self, row: int) -> Span | None:
        """Return the span of the source that a row's subtree came from.

        None for rows that are not in the source, such as an implied `<body>`.
        """
        return self.find_source_spans(np.array([row]))[0]

    def find_source_spans(
        self, rows: npt.NDArray[np.integer], last: npt.NDArray[np.integer] | None = None
    ) -> list[Span | None]:
        """Return the source spans of several rows, each as by `source_span`.

        With ``last`` each extends to the end of another row's; None if either has none.
        """
        ends = find_ends(self.source_spans, self.end, rows, last)
        check_deadline()
        starts, stops = ends.tolist()
        return [
            Span(start, stop) if start >= 0 else None
            for start, stop in watch(zip(starts, stops, strict=True))
        ]

    def find_source_ends(
        self, rows: npt.NDArray[np.integer], last: npt.NDArray[np.integer]
    ) -> IntArray:
        """Return the starts and stops of `find_source_spans`; int32[2, n], starts −1 for None.

        Computed at less cost than ``source_spans``, but every time.
        """
        ends = locate_ends(self, rows, last)
        return find_ends(self.source_spans, self.end, rows, last) if ends is None else ends

    @cached_property
    def source_spans(self) -> IntArray:
        """Source position of each row in characters; int32[n_row, 4], −1 if not in the source.

        Columns: start and stop of the start tag, start and stop of the end tag. A text has only the
        first two.
        """
        return freeze(locate(self))

    def raw_text(self, row: int) -> str:
        """Return the content of a script or style, which is no text of the page.

        Empty without a source. In a drawing such elements contain ordinary text.
        """
        text = self.raw_utf8(row).decode()
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")

    def raw_utf8(self, row: int) -> bytes:
        """Return the same as it is in the source, in UTF-8."""
        is_text = self.end[row] > row + 1
        return self.text_of(row).encode() if is_text else read_raw_utf8(self, row)

    def has_text(self, rows: npt.NDArray[np.integer]) -> BoolArray:
        """Tell of each of some rows whether it has more text than white space; bool[n]."""
        chars = self.chars_before
        shows: BoolArray = chars.take(self.end.take(rows)) > chars.take(rows)
        return shows

    # -- attributes and hiding -------------------------------------------------------------------

    @cached_property
    def attributes(self) -> Attributes:
        """Positions of all attributes of the page."""
        check_deadline()
        return find_attributes(self.buffer, self.tag, self.open_start, self.open_stop)

    @cached_property
    def hidden(self) -> npt.NDArray[np.uint8]:
        """Reasons why rows or their ancestors are hidden: `Hidden` flags; uint8[n_row]."""
        check_deadline()
        return freeze(find_hidden(self))

    # -- leaves, blocks, lines -------------------------------------------------------------------

    @cached_property
    def _blocks(self) -> Blocks:
        blocks, parted = self._read_blocks()
        boxed = find_boxed(self)
        if boxed.size:
            # What floats aside, or is a block by its style, is apart from the words around it.
            edges = blocks.leaf_offset[np.concatenate((boxed, self.end.take(boxed)))]
            edges = edges[edges < blocks.leaves.size]
            follows = continue_text(self.buffer, self.open_start.take(blocks.leaves.take(edges)))
            parted = np.concatenate((parted, edges[~follows]))
        fields = find_fields(self, blocks)
        if fields.size:
            parted = np.concatenate((parted, fields))
        if not parted.size:
            return blocks
        marks = blocks.marks.copy()
        marks[parted] |= np.uint8(GapMark.WHITE)
        return blocks._replace(marks=freeze(marks))

    def _read_blocks(self) -> tuple[Blocks, IntArray]:
        """Return the blocks, and the leaves that hidden words part from the one before."""
        columns = (self.tag, self.parent, self.end, self.open_start)
        given = (self.buffer, *columns, self.words_before, self.chars_before)
        concealed = find_concealed(self)
        if not concealed.any():
            return runs.read_blocks(*given, concealed), np.zeros(0, np.int32)
        # What is hidden in a line is no part of the line; blocks of nothing else stay blocks.
        blocks = runs.read_blocks(*given, np.zeros_like(concealed))
        shown = blocks.runs.any(~concealed.take(blocks.leaves))
        alone = blocks.leaves[~shown.take(blocks.runs.of_leaf)]
        concealed[alone] = False
        blocks = runs.read_blocks(*given, concealed)
        return blocks, find_parted(self, concealed, blocks.leaves)

    @cached_property
    def leaves(self) -> IntArray:
        """Rows of the leaves: texts that show something, and replaced elements; int32[n_leaf]."""
        return self._blocks.leaves

    @cached_property
    def leaf_offset(self) -> IntArray:
        """Leaves before each row; int32[n_row + 1]."""
        return self._blocks.leaf_offset

    @cached_property
    def leaf_stop(self) -> IntArray:
        """One past the last row of each leaf's text; int32[n_leaf]."""
        return self._blocks.measures.stop

    @cached_property
    def leaf_words(self) -> IntArray:
        """Words of each leaf, for a formula those of its subtree; int32[n_leaf]."""
        return self._blocks.measures.words

    @cached_property
    def leaf_chars(self) -> IntArray:
        """Characters that are not white space of each leaf; int32[n_leaf]."""
        return self._blocks.measures.chars

    def leaf_span(self, row: int) -> tuple[int, int]:
        """Return the first leaf of a row's subtree, and one past its last."""
        return self.leaf_offset.item(row), self.leaf_offset.item(self.end.item(row))

    def leaf_text(self, leaf: int) -> str:
        """Return the text of a leaf, white space as in the source; empty for a picture."""
        start, stop = self.leaves[leaf], self.leaf_stop[leaf]
        return self.text[self.text_offset[start] : self.text_offset[stop]]

    def leaf_texts(self, leaves: npt.NDArray[np.integer] | slice) -> list[str]:
        """Return the texts of several leaves, each as `leaf_text` does."""
        starts = self.text_offset.take(self.leaves[leaves]).tolist()
        stops = self.text_offset.take(self.leaf_stop[leaves]).tolist()
        text = self.text
        return [text[start:stop] for start, stop in zip(starts, stops, strict=True)]

    @cached_property
    def leaf_link_words(self) -> IntArray:
        """Words of each leaf that are inside a link; int32[n_leaf]."""
        return self._blocks.measures.link_words

    @cached_property
    def blocks(self) -> Runs:
        """Leaves grouped into blocks."""
        return self._blocks.runs

    @cached_property
    def lines(self) -> Runs:
        """Leaves grouped into lines: blocks, cut at each line break."""
        return runs.group_leaves(self._blocks.marks, GapMark.EDGE | GapMark.BROKEN)

    @cached_property
    def block_leaf(self) -> IntArray:
        """The row of each block's first leaf; int32[n_block]."""
        return self._blocks.leaf

    @property
    def block_last_leaf(self) -> IntArray:
        """The row of each block's last leaf; int32[n_block], recomputed on every access."""
        return self.leaves.take(self.blocks.start[1:] - 1)

    @cached_property
    def block_offset(self) -> IntArray:
        """Blocks that begin before each row; int32[n_row + 1], indexed like ``text_offset``."""
        return self._blocks.block_offset

    @cached_property
    def block_row(self) -> IntArray:
        """The innermost block-level element around each block; int32[n_block]."""
        return self._blocks.row

    @cached_property
    def gaps(self) -> npt.NDArray[np.uint8]:
        """Gap before each leaf: nothing, a space or a line break; uint8[n_leaf]."""
        return self.gaps_before(np.ones(self.leaves.size, np.bool_))

    def gaps_before(self, keep: BoolArray) -> npt.NDArray[np.uint8]:
        """Return the gaps of ``gaps`` before the kept leaves, bool[n_leaf]; others may be wider."""
        gaps = runs.find_gaps(self._blocks.marks)
        abutting = runs.find_abutting(self._blocks.marks)
        abutting = abutting[keep[abutting]]
        if abutting.size:
            gaps[find_joined(self, self.leaves, abutting, self.leaf_texts)] = runs.GLUE
        return freeze(gaps)

    def gaps_in(self, blocks: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
        """Return the gaps of ``gaps`` before the leaves of some blocks; others may be wider.

        Those of the whole page take much longer.
        """
        flags = np.zeros(len(self.blocks), np.bool_)
        flags[blocks] = True
        return self.gaps_before(flags.take(self.blocks.of_leaf))

    def gaps_of(
        self, leaves: IntArray, every: npt.NDArray[np.uint8] | None = None
    ) -> npt.NDArray[np.uint8]:
        """Return the gap before each of some leaves when the others are left out; uint8[n].

        If leaves in between are left out, the words on either side must not merge. ``every`` is
        the gap before each leaf of the page, if the caller has it.
        """
        if every is None:
            every = self.gaps
        gaps = every[leaves]
        jumps = (leaves[1:] - leaves[:-1] > 1).nonzero()[0]
        if not jumps.size:
            return gaps
        before, after = leaves[jumps], leaves[jumps + 1]
        # The gap is the widest one between the two leaves.
        edges = np.stack((before + 1, after + 1), axis=1).ravel()
        widest = np.maximum.reduceat(np.append(every, runs.GLUE), edges)[::2]
        dropped = ~continue_text(self.buffer, self.open_start[self.leaves[after]])
        gaps[jumps + 1] = np.maximum(widest, np.where(dropped, runs.SPACE, runs.GLUE))
        return gaps

    def block_texts(self) -> Iterator[str]:
        """Yield the text of each block, as `block_text` returns it."""
        texts, gaps = self.leaf_texts(slice(None)), self.gaps
        for first, last in pairwise(self.blocks.start.tolist()):
            yield runs.join_leaves(texts[first:last], gaps[first:last])

    def block_text(
        self,
        block: int,
        keep: BoolArray | None = None,
        every: npt.NDArray[np.uint8] | None = None,
    ) -> str:
        """Return the text of a block as a reader sees it; only of its kept leaves, if given.

        ``every`` is the gap before each leaf, if the caller has it; only those of the block count.
        """
        first, last = self.blocks.start[block : block + 2].tolist()
        if keep is None:
            # A text alone needs no gaps, whose computation reads the whole page.
            gaps = self.gaps if every is None and last - first > 1 else every
            texts = self.leaf_texts(slice(first, last))
            return runs.join_leaves(texts, _NO_GAPS if gaps is None else gaps[first:last])
        leaves = np.arange(first, last)[keep[first:last]]
        gaps = self.gaps_of(leaves, every) if leaves.size > 1 else _NO_GAPS
        return runs.join_leaves(self.leaf_texts(leaves), gaps)

    def _repr_html_(self) -> str:
        shown = self.block_row[:_SHOWN_BLOCKS]
        rows = zip(self.names(shown), self.paths(shown), self.block_texts(), strict=False)
        lines = [
            f"<tr><td>{index}</td><td>{escape(tag)}</td><td>{escape(path.css if path else '')}</td>"
            f'<td style="text-align:left">{escape(_cut(text))}</td></tr>'
            for index, (tag, path, text) in enumerate(rows)
        ]
        total = len(self.blocks)
        more = f", the first {_SHOWN_BLOCKS} of them" if total > _SHOWN_BLOCKS else ""
        head = "<tr><th></th><th>element</th><th>path</th><th>text</th></tr>"
        return (
            f"<table><caption>{total:,} blocks{more}</caption><thead>{head}</thead>"
            f"<tbody>{''.join(lines)}</tbody></table>"
        )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[: _SHOWN_CHARS - 1]}…"
