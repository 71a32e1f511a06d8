"""Positions of a document's runs in its output.

An output whose layout is asked for is written with a mark before each run, a character that does
not occur in the page. Renderers pass it on without regard to it, and here it is taken out again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.footnotes import Footnotes
from thresher.chunking import Join, OutputLayout, Piece
from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.writers.outline.content import find_note_runs, order_runs
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.outline.structure import LISTS

_MARKS: Final = tuple(map(chr, range(0xFDDD, 0xFDF0)))
"""Noncharacters that `thresher.writers.stream.markup` does not use."""
_BELOW_HEAD: Final = re.compile(r"\n[ >]*\|(?: :?-+:? \|)+\Z")
"""The delimiter row of a Markdown table."""
_RULES: Final = ("", "---", "<hr>")
"""Content of a line between two pieces."""

_TITLE_LEVEL: Final = 1
_LEVELS: Final = np.sum([level * flags_of(f"h{level}") for level in range(1, 7)], axis=0)
"""Level of a heading by tag, 0 for others; int64[n_code]."""
_WHOLES: Final = LISTS | flags_of("blockquote details dl figure table")
_TABLE, _TH, _TR = (CODE_OF[name] for name in ("table", "th", "tr"))
_PARTS: Final = flags_of("dd dt figure li summary tr")
"""Structure that is a unit, and parts of it that are not separated from their neighbours without
need."""


class _Row(NamedTuple):
    """The table row in which a run begins."""

    table: int
    """−1 for none."""
    is_head: bool
    """Whether all its cells are headings."""


_NO_ROW: Final = _Row(-1, is_head=False)


def choose_mark(page: Page) -> str | None:
    """Return a character that is not in the page; None if all are."""
    return next((mark for mark in _MARKS if mark.encode() not in page.buffer), None)


def _flag_piece_starts(outline: Outline) -> BoolArray:
    """Flag the runs at which the output can be cut: all but the later ones of a `pre`; bool[n]."""
    container, begun = outline.container, ~outline.run_preformatted
    begun[1:] |= container[1:] != container[:-1]
    begun[:1] = True
    return begun


def mark_runs(outline: Outline, pieces: Pieces, mark: str, elsewhere: Sequence[int]) -> None:
    """Put a mark before each run that starts a piece, before anything else is put there.

    The caller puts those of the runs ``elsewhere``.
    """
    page, begun = outline.page, _flag_piece_starts(outline)
    begun[list(elsewhere)] = False
    container, in_pre = outline.container[begun], outline.run_preformatted[begun]
    places = page.open_start[outline.first_row[begun]]
    pieces.put(places[~in_pre], Rank.SLICE, mark.encode())
    pieces.put(page.open_start[container[in_pre]], Rank.GAP, mark.encode())


def split_at_marks(marked: str, mark: str) -> tuple[str, list[int]]:
    """Return an output without its marks, and the offset of each in it."""
    first, *parts = marked.split(mark)
    ends = accumulate(map(len, parts[:-1]), initial=len(first))
    return "".join((first, *parts)), list(ends) if parts else []


def lay_out(
    text: str,
    outline: Outline | None,
    offsets: Sequence[int] | None,
    footnotes: Footnotes,
    *,
    n_link: int = 0,
    has_title: bool = False,
) -> OutputLayout:
    """Make the layout of an output from the offsets of the runs that start a piece.

    The first offset is of an added title, the last ``n_link`` are of removed links; the runs of
    ``footnotes`` come after all others. A piece begins where its line does. The output is a single
    piece if its parts are unknown: without offsets, or with more or fewer than there are runs and
    links, so that they cannot be matched.
    """
    if outline is None:
        return _lay_out_whole(text, ())
    blocks = outline.page.blocks.of_leaf[outline.kept[outline.runs.start[:-1]]]
    begun = _flag_piece_starts(outline)
    if offsets is None or len(offsets) != has_title + np.count_nonzero(begun) + n_link:
        return _lay_out_whole(text, tuple(blocks.tolist()))
    check_deadline()
    order = np.array(order_runs(outline, find_note_runs(outline, footnotes)), np.intp)
    begun = begun[order]
    runs = order[begun]
    joins = _find_joins(outline, order)[begun].tolist()
    if has_title:
        joins = [_TITLE_LEVEL, Join.HEADED if joins[0] == Join.BLOCK else joins[0], *joins[1:]]
    joins += [Join.BLOCK, *[Join.PART] * n_link]
    groups = np.cumsum(begun) - 1 + has_title
    blocks_of: list[list[int]] = [[] for _ in offsets]
    for group, block in watch(zip(groups.tolist(), blocks[order].tolist(), strict=True)):
        blocks_of[group].append(block)

    check_deadline()
    rows_of = [_NO_ROW] * has_title + _find_rows(outline, runs)
    rows_of += [_NO_ROW] * (len(offsets) - len(rows_of))
    lines: list[tuple[int, list[int], int, _Row]] = []
    """Where a piece begins, its blocks, join and table row."""
    for offset, own, join, row in watch(zip(offsets, blocks_of, joins, rows_of, strict=False)):
        start = text.rfind("\n", 0, offset) + 1
        if lines and start <= lines[-1][0]:
            lines[-1][1].extend(own)
        else:
            lines.append((start, own, join, row))
    pieces: list[Piece] = []
    ends = [*(start for start, *_ in lines[1:]), len(text)]
    heads: dict[int, tuple[int, int] | None] = {}
    for (start, own, join, row), end in watch(zip(lines, ends, strict=True)):
        stop = _trim(text, start, end)
        head = heads.get(row.table)
        if row.table >= 0 and row.table not in heads:
            is_head = row.is_head or _BELOW_HEAD.search(text, start, stop)
            heads[row.table] = (start, stop) if is_head else None
        pieces.append(Piece(start, stop, tuple(own), join, head))
    return OutputLayout(text, tuple(pieces))


def _lay_out_whole(text: str, blocks: tuple[int, ...]) -> OutputLayout:
    stop = len(text.rstrip())
    return OutputLayout(text, (Piece(0, stop, blocks, Join.BLOCK),) if stop else ())


def _find_rows(outline: Outline, runs: npt.NDArray[np.intp]) -> list[_Row]:
    """Find the table row in which each of some runs begins."""
    page, structure = outline.page, outline.structure
    at = outline.first_row[runs]
    table = page.nearest(structure & (outline.tag == _TABLE))[at]
    row = page.nearest(structure & (outline.tag == _TR))[at]
    cells = structure & (outline.tag[page.parent] == _TR)
    n_cell = np.bincount(page.parent[cells], minlength=len(page))
    n_head = np.bincount(page.parent[cells & (outline.tag == _TH)], minlength=len(page))
    is_head = n_cell[row] == n_head[row]
    rows = [_NO_ROW] * at.size
    for place in watch(np.flatnonzero(row >= 0).tolist()):  # a caption is not a row
        rows[place] = _Row(int(table[place]), bool(is_head[place]))
    return rows


def _trim(text: str, start: int, stop: int) -> int:
    """Return the end of a piece, before trailing white space, quote signs and rules."""
    while stop > start:
        begin = max(text.rfind("\n", start, stop), start)
        if text[begin:stop].strip(" >\n") not in _RULES:
            break
        stop = begin
    return start + len(text[start:stop].rstrip())


def _find_joins(outline: Outline, order: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Return how closely each run joins the previous one, in the order written; int64[n_run]."""
    page, structure, at = outline.page, outline.structure, outline.first_row[order]
    wholes = structure & _WHOLES[outline.tag]
    whole = page.nearest(wholes & ~page.below(wholes))[at]
    parts = structure & _PARTS[outline.tag]
    part = page.nearest(parts & ~page.below(parts))[at]
    level = _LEVELS[outline.run_tag[order]]

    joins = np.full(at.size, int(Join.BLOCK), np.int64)
    same_whole = (whole[1:] == whole[:-1]) & (whole[1:] >= 0)
    same_part = same_whole & (part[1:] == part[:-1]) & (part[1:] >= 0)
    joins[1:][same_whole] = Join.PART
    joins[1:][same_part] = Join.INSIDE
    joins[level > 0] = level[level > 0]
    headed = (level[:-1] > 0) & ((level[1:] == 0) | (level[1:] > level[:-1]))
    joins[1:][headed] = Join.HEADED
    return joins
