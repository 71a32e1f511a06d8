"""Plain text: for reading, and for corpora.

A paragraph is a line, and paragraphs are separated by an empty line; so are quotes, which have no
sign of their own. List items begin with "- " or their number, definitions are indented below their
term, table cells are separated by a tab, preformatted text keeps its white space. Links and images
are omitted, formulas are written as their TeX. Footnotes come after everything else, as "[1] " and
their text.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.chunking import OutputLayout
from thresher.deadline import check_deadline, watch
from thresher.document import Document, WriteOptions
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import CELLS, CODE_OF, REPLACED, flags_of
from thresher.writers.code.lines import read_code
from thresher.writers.inline import format_leaves, write_runs
from thresher.writers.outline.content import (
    Content,
    content_of,
    find_note_runs,
    join_forms,
    order_runs,
)
from thresher.writers.outline.items import number_items
from thresher.writers.outline.layout import lay_out as lay_out_runs
from thresher.writers.outline.outline import Outline, outline_page
from thresher.writers.outline.structure import LISTS, ONE_LINE
from thresher.writers.shared.added import find_missing_title, list_as_text, write_front_matter
from thresher.writers.shared.limit import PLAIN, fit_to_limits, write_limited
from thresher.writers.shared.note_marks import strip_mark

_DL, _LI, _MATH, _TABLE = (CODE_OF[name] for name in ("dl", "li", "math", "table"))
_DEFINITION: Final = flags_of("dd")
_ARRANGED: Final = LISTS | CELLS | _DEFINITION | flags_of("dl li table")
"""Structure that determines where the lines of a run begin."""
_INDENT: Final = "  "
_MAX_INDENTS: Final = 8
"""Levels of lists that are shown by indentation; deeper ones are aligned with the last."""


class _Place(NamedTuple):
    """The rows around a run; −1 for outside any."""

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
    definitions: int
    """Definitions it is in, with the same maximum."""


_NOWHERE: Final = _Place(-1, -1, -1, -1, -1, -1, 0, 0, 0)


def write(document: Document, options: WriteOptions) -> str:
    """Write plain text; with ``options.metadata`` after YAML front matter."""
    if options.is_limited:
        return write_limited(partial(lay_out, document, options), options, PLAIN)
    return _write(document, options)[0]


def write_within(document: Document, options: WriteOptions) -> tuple[str, str]:
    """Return plain text within the limits of ``options``, and all of it, both without options."""
    if not options.is_limited:
        return document.text, document.text
    layout = lay_out(document, WriteOptions())
    return fit_to_limits(layout, options, PLAIN), layout.text


def lay_out(
    document: Document, options: WriteOptions, n_metadata: int | None = None
) -> OutputLayout:
    """Write plain text of any length, with the positions at which it can be cut.

    Metadata have about ``n_metadata`` characters, or are complete.
    """
    text, outline, offsets, n_link, has_title = _write(document, options, n_metadata)
    notes = content_of(document.selection).footnotes
    return lay_out_runs(text, outline, offsets, notes, n_link=n_link, has_title=has_title)


def _write(
    document: Document, options: WriteOptions, n_metadata: int | None = None
) -> tuple[str, Outline | None, list[int], int, bool]:
    """Return the text, its outline, offsets, how many links there are, and whether a title."""
    head = write_front_matter(document, n_metadata) if options.metadata else ""
    title = find_missing_title(document) if options.title else None
    begin = [len(head)] if title else []
    head += f"{title.text}\n\n" if title else ""
    page = document.page
    content = content_of(document.selection)
    tag = page.tag[page.leaves]
    keep = content.keep & (~REPLACED[tag] | (tag == _MATH))
    keep[page.leaf_offset[list(content.formulas)]] = True
    keep[list(content.silent)] = True
    keep[list(content.footnotes.ornaments)] = False
    inline = {note.first: note for note in content.footnotes.notes if note.is_inline}
    noted = np.zeros(keep.size, np.bool_)
    for note in inline.values():
        noted[note.first : note.stop] = True
    apart = content.footnotes.edges
    outline = outline_page(page, keep & ~noted, content.boxes, apart=apart) if keep.any() else None
    text, offsets = _join_runs(outline, content) if outline else ("", [])
    if inline:
        outline_of_notes = outline_page(page, keep & noted, apart=inline)
        join_forms(outline_of_notes, content)
        texts = write_runs(outline_of_notes, format_leaves(outline_of_notes, content))
        for note, text_of_note in zip(inline.values(), texts, strict=False):
            text += f"\n\n[{note.label}] {text_of_note}"
    places = begin + [len(head) + offset for offset in offsets]
    written = head + text
    links = list_as_text(document, tracking=options.tracking) if options.removed_links else ""
    n_run = len(places)
    for line in links.splitlines(keepends=True):
        if line.strip():
            places.append(len(written))
        written += line
    return written, outline, places, len(places) - n_run, bool(title)


def _join_runs(outline: Outline, content: Content) -> tuple[str, list[int]]:
    """Return the text, and the offset of each run except the later ones of a `pre`, as written."""
    join_forms(outline, content)
    texts = write_runs(outline, format_leaves(outline, content))
    check_deadline()
    numbers = number_items(outline)
    check_deadline()
    places = _place_runs(outline)
    note_of = find_note_runs(outline, content.footnotes)
    base_of = {index: places[run].level for run, index in reversed(note_of.items())}
    """The level of each note's first run: its list is not a list of the text."""
    parts: list[str] = []
    begins: list[int] = []
    before = _NOWHERE
    begun: set[int] = set()
    noted: set[int] = set()
    is_preformatted = outline.run_preformatted.tolist()
    is_one_line = ONE_LINE[outline.run_tag].tolist()
    for run in watch(order_runs(outline, note_of)):
        place, preformatted = places[run], is_preformatted[run]
        if preformatted and place.container == before.container:
            continue  # it is written as a whole
        text = texts[run]
        if preformatted:
            code = read_code(outline.page, outline.holds, outline.gutters, place.container)
            text = "".join(part.text for part in code).strip("\n")
        if not text and place.cell < 0:
            begins.append(len(parts))
            continue  # another representation of a formula
        if run in note_of:
            note = content.footnotes.notes[note_of[run]]
            begins_note = note_of[run] not in noted
            place = place._replace(level=place.level - base_of[note_of[run]], definitions=0)
            noted.add(note_of[run])
            if parts:
                parts.append("\n\n" if begins_note else "\n")
            text = f"[{note.label}] {strip_mark(text, note.mark)}" if begins_note else text
        elif parts:
            parts.append(_separate(before, place, one_line=is_one_line[run]))
        if place.cell >= 0:
            # One line per row, one tab between columns.
            done = before.column if place.table_row == before.table_row else 0
            parts.append("\t" * (place.column - done))
            text = " ".join(text.split())
        elif place.level or place.definitions:
            parts.append(_lead_in(place, numbers, begun))
            text = text.replace("\n", "\n" + _INDENT * (place.level + place.definitions))
        begins.append(len(parts))
        parts.append(text)
        before = place
    ends = list(accumulate(map(len, parts), initial=0))
    return "".join(parts), [ends[begin] for begin in begins]


def _lead_in(place: _Place, numbers: dict[int, str], begun: set[int]) -> str:
    """Return the text before the first line of a run in a list or definition."""
    inside = _INDENT * place.definitions
    if not place.level:
        return inside
    mark = f"{numbers[place.item]}. " if place.item in numbers else "- "
    lead = _INDENT if place.item in begun else mark
    begun.add(place.item)
    return inside + _INDENT * (place.level - 1) + lead


def _separate(before: _Place, place: _Place, *, one_line: bool) -> str:
    """Return the text between two runs, except for the tabs between cells."""
    if place.cell >= 0 and place.table_row == before.table_row:
        return " " if place.cell == before.cell else ""
    if place.container == before.container and one_line:
        return " "
    together = place.table >= 0 and place.table == before.table
    together |= place.list >= 0 and place.list == before.list
    return "\n" if together else "\n\n"


def _place_runs(outline: Outline) -> list[_Place]:
    page, structure = outline.page, outline.structure
    if not (structure & _ARRANGED[outline.tag]).any():
        _, *others = _NOWHERE
        return [_Place(row, *others) for row in watch(outline.container.tolist())]
    at = outline.first_row

    def around(flags: BoolArray) -> IntArray:
        """Find the innermost flagged structure around each run, −1 for none."""
        return page.nearest(structure & flags, at)

    is_list = structure & (LISTS[outline.tag] | (outline.tag == _DL))
    cells = np.flatnonzero(structure & CELLS[outline.tag])
    cell = around(CELLS[outline.tag])
    table_row = np.where(cell >= 0, page.parent[cell], -1)
    item = around(outline.tag == _LI)
    # Text in a list outside any item is an item.
    item = np.where(LISTS[outline.run_tag], -2 - np.arange(item.size), item)
    column = np.searchsorted(cells, cell) - np.searchsorted(cells, table_row)
    columns = (
        *(outline.container, around(outline.tag == _TABLE), table_row, cell),
        *(page.nearest(is_list & ~page.below(is_list), at), item, column),
        *(_count_around(outline, tags)[at] for tags in (LISTS, _DEFINITION)),
    )
    rows = zip(*(array.tolist() for array in columns), strict=True)
    places = list(map(_Place._make, watch(rows)))
    return _join_lists(outline, places) if outline.continued or outline.items else places


def _join_lists(outline: Outline, places: list[_Place]) -> list[_Place]:
    """Return the places with lists that are one, and those that the page has no elements for."""
    first: dict[int, int] = {}
    for row, before in outline.continued.items():
        first[row] = first.get(before, before)
    joined: list[_Place] = []
    for place in watch(places):
        whole, level = first.get(place.list, place.list), place.level
        if item := outline.items.get(place.item):
            whole = item.first if whole < 0 else whole
            level = min(level + item.level, _MAX_INDENTS)
        joined.append(place._replace(list=whole, level=level))
    return joined


def _count_around(outline: Outline, tags: BoolArray) -> npt.NDArray[np.int64]:
    """Count the structure with these tags around each row, at most `_MAX_INDENTS`; int64[n_row]."""
    page = outline.page
    rows = outline.structure & tags[outline.tag]
    opened = np.append(rows, False).astype(np.int64)
    count = np.cumsum(opened - np.bincount(page.end[rows], minlength=opened.size))[:-1]
    return np.minimum(count, _MAX_INDENTS)
