"""Plain text: for reading, and for corpora.

A paragraph is a line, paragraphs are an empty line apart. Items of lists begin with "- ", cells of
tables are a tab apart, preformatted text keeps its white space. Links and pictures leave nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.blocks import join_leaves
from thresher.document import Document, WriteOptions
from thresher.scan import IntArray
from thresher.tags import CODE_OF, REPLACED, TEXT, flags_of
from thresher.writers.code import preformatted_texts
from thresher.writers.formulas import tex_of
from thresher.writers.front_matter import write_front_matter
from thresher.writers.outline import LISTS, ONE_LINE, PREFORMATTED, Outline, outline_page
from thresher.writers.removed_links import list_as_text

__all__ = ["write"]

BoolArray = npt.NDArray[np.bool_]

_DL, _LI, _MATH, _TABLE = (CODE_OF[name] for name in ("dl", "li", "math", "table"))
_CELL: Final = flags_of("td th")
_INDENT: Final = "  "
_MAX_INDENTS: Final = 8
"""Levels of lists that are shown by indenting; deeper ones stand below the last."""


class _Place(NamedTuple):
    """Where a run is, as rows; −1 for outside of any."""

    container: int
    table: int
    table_row: int
    cell: int
    list: int
    """The outermost list or description list."""
    item: int
    column: int
    level: int
    """Lists it is in, at most `_MAX_INDENTS`."""


_NOWHERE: Final = _Place(-1, -1, -1, -1, -1, -1, 0, 0)


def write(document: Document, options: WriteOptions) -> str:
    """Write plain text; with ``options.metadata`` after YAML front matter."""
    front = write_front_matter(document) if options.metadata else ""
    page = document.page
    tag = page.tag[page.leaves]
    keep = document.selection.keep & (~REPLACED[tag] | (tag == _MATH))
    text = _join_runs(outline_page(page, keep)) if keep.any() else ""
    return front + text + (list_as_text(document) if options.removed_links else "")


def _join_runs(outline: Outline) -> str:
    tag = outline.page.tag
    parts: list[str] = []
    before = _NOWHERE
    begun: set[int] = set()
    for run, place in enumerate(_place_runs(outline)):
        around = tag[place.container] if place.container >= 0 else TEXT
        preformatted = bool(PREFORMATTED[around])
        if preformatted and place.container == before.container:
            continue  # the whole of it is written
        text = _pre_text(outline, place.container) if preformatted else _run_text(outline, run)
        if run:
            parts.append(_separate(before, place, one_line=bool(ONE_LINE[around])))
        if place.cell >= 0:
            # One row a line, one tab to each column.
            done = before.column if place.table_row == before.table_row else 0
            parts.append("\t" * (place.column - done))
            text = " ".join(text.split())
        elif place.level:
            parts.append(_INDENT * (place.level - 1))
            parts.append(_INDENT if place.item in begun else "- ")
            begun.add(place.item)
            text = text.replace("\n", "\n" + _INDENT * place.level)
        parts.append(text)
        before = place
    return "".join(parts)


def _separate(before: _Place, place: _Place, *, one_line: bool) -> str:
    """Return what stands between two runs, but for the tabs between cells."""
    if place.cell >= 0 and place.table_row == before.table_row:
        return " " if place.cell == before.cell else ""
    if place.container == before.container and one_line:
        return " "
    together = place.table >= 0 and place.table == before.table
    together |= place.list >= 0 and place.list == before.list
    return "\n" if together else "\n\n"


def _place_runs(outline: Outline) -> list[_Place]:
    page, structure = outline.page, outline.structure
    at = outline.first_row

    def around(flags: BoolArray) -> IntArray:
        """Find the innermost flagged structure around each run, −1 for none."""
        return page.nearest(structure & flags)[at]

    is_list = structure & (LISTS[page.tag] | (page.tag == _DL))
    cells = np.flatnonzero(structure & _CELL[page.tag])
    cell = around(_CELL[page.tag])
    table_row = np.where(cell >= 0, page.parent[cell], -1)
    item = around(page.tag == _LI)
    # Text that stands in a list outside of any item is an item.
    astray = (outline.container >= 0) & LISTS[page.tag[outline.container]]
    item = np.where(astray, -2 - np.arange(item.size), item)
    column = np.searchsorted(cells, cell) - np.searchsorted(cells, table_row)
    return [
        _Place(*place)
        for place in zip(
            outline.container.tolist(),
            around(page.tag == _TABLE).tolist(),
            table_row.tolist(),
            cell.tolist(),
            page.nearest(is_list & ~page.below(is_list))[at].tolist(),
            item.tolist(),
            column.tolist(),
            np.minimum(_count_levels(outline)[at], _MAX_INDENTS).tolist(),
            strict=True,
        )
    ]


def _count_levels(outline: Outline) -> npt.NDArray[np.int64]:
    """Count the lists that each row is in; int64[n_row]."""
    page = outline.page
    lists = outline.structure & LISTS[page.tag]
    opened = np.append(lists, False).astype(np.int64)
    return np.cumsum(opened - np.bincount(page.end[lists], minlength=opened.size))[:-1]


def _run_text(outline: Outline, run: int) -> str:
    first, stop = outline.runs.start[run : run + 2].tolist()
    leaves = outline.kept[first:stop].tolist()
    texts = [outline.page.leaf_text(leaf) for leaf in leaves]
    for i, row in enumerate(outline.page.leaves[leaves].tolist()):
        if outline.page.tag[row] == _MATH:
            texts[i] = tex_of(outline.page, row) or texts[i]
    return join_leaves(texts, outline.gaps[first:stop])


def _pre_text(outline: Outline, pre: int) -> str:
    page = outline.page
    parts: list[str] = []
    for row, line_ends in preformatted_texts(outline, pre):
        parts.append("\n" if line_ends else "")
        if page.tag[row] == TEXT:
            parts.append(page.text[page.text_offset[row] : page.text_offset[row + 1]])
    return "".join(parts).strip("\n")
