"""Blocks of a stream as Markdown: lines, what each begins with, and the blank lines between."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from thresher.deadline import check_deadline, watch
from thresher.output_room import count_bytes, room_left, take_room
from thresher.writers.commonmark.inline import BREAK, render_run
from thresher.writers.commonmark.signs import SPACES
from thresher.writers.stream.arranging import (
    INDENTED,
    arrange_lists,
    extract_notes,
    join_definitions,
)
from thresher.writers.stream.events import (
    HEADING_LEVELS,
    LISTS,
    Attributes,
    Cell,
    Close,
    Event,
    Grid,
    Open,
    Preformatted,
    Run,
    Token,
)
from thresher.writers.stream.markup import STRONG
from thresher.writers.stream.reader import read_events
from thresher.writers.stream.runs import ROOM, close_emphasis

# -- code --------------------------------------------------------------------------------------

_BACKTICKS: Final = re.compile("`+")
_MIN_FENCE: Final = 3


def format_code(code: Preformatted, mark: str = "") -> list[str]:
    """Return the lines of a block of code; ``mark`` stands for starts of runs."""
    text = code.text.removesuffix("\n")
    runs = _BACKTICKS.findall(text)
    fence = "`" * max(_MIN_FENCE, max(map(len, runs), default=0) + 1)
    lines = [f"{mark * code.n_run}{fence}{code.language}", *text.split("\n"), fence]
    if not text:
        del lines[1]
    return lines


# -- tables ------------------------------------------------------------------------------------

_RULES: Final = {"left": ":--", "center": ":-:", "right": "--:", "": "---"}
_MAX_FILLING: Final = 20
"""Empty cells for each cell of the table. With more, the table is less useful than its cells
alone."""


def render_table(rows: list[list[Cell]], mark: str = "") -> list[str] | None:
    """Return the lines of a table; None if it is far too ragged.

    Cells that span columns or rows are followed by empty ones. ``mark`` stands for starts of runs.
    """
    grid = _lay_out(rows, _MAX_FILLING * sum(map(len, rows)))
    if not grid or not grid[0]:
        return None if grid is None else []
    lines = [
        [render_run(cell.tokens, mark=mark, in_cell=True) if cell else "" for cell in places]
        for places in grid
    ]
    lines.insert(1, [_RULES[_align(column)] for column in zip(*grid, strict=True)])
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _align(column: tuple[Cell | None, ...]) -> str:
    """Return the alignment that all cells have that state one, but the first; "" for none."""
    head, *body = (cell.alignment if cell else "" for cell in column)
    stated = [alignment for alignment in body if alignment] or [head]
    return stated[0] if stated.count(stated[0]) == len(stated) else ""


def _lay_out(rows: list[list[Cell]], most: int) -> list[list[Cell | None]] | None:
    """Return the cells of each row, with None for empty positions; None for over ``most``."""
    grid: list[list[Cell | None]] = []
    covered: dict[int, int] = {}
    """Column → number of rows below that a cell further up spans."""
    count = 0
    for cells in rows:
        places: list[Cell | None] = []
        below = {column: left - 1 for column, left in covered.items() if left > 1}
        for cell in cells:
            while len(places) in covered:
                places.append(None)
            if cell.n_row > 1:
                spanned = range(len(places), len(places) + cell.n_column)
                below.update(dict.fromkeys(spanned, cell.n_row - 1))
            places.append(cell)
            places.extend([None] * (cell.n_column - 1))
            if count + len(places) + len(below) > most:
                return None
        covered = below
        count += len(places) + len(below)
        grid.append(places)
    # An empty last column is a span too wide.
    width = max((place + 1 for row in grid for place, cell in enumerate(row) if cell), default=0)
    if width * len(grid) > most:
        return None
    return [places[:width] + [None] * (width - len(places)) for places in grid]


# -- items -------------------------------------------------------------------------------------

_GOING_ON: Final = {*LISTS, "blockquote"}
"""Blocks that a text on the next line would go on with (CommonMark 0.31.2, 5.1), beside tables."""


class _ListItems(NamedTuple):
    """Indices of events in a stream."""

    loose: set[int]
    """Lists with an item of several paragraphs, or a text between items, or behind a list, a quote
    or a table, which would go on with it: blank lines separate all their items."""
    leading: set[int]
    """Items that begin with text, or with a list that does, written directly behind their marker.

    A marker alone below a line of text would make that a heading (CommonMark 0.31.2, 4.3).
    """


class _Item(NamedTuple):
    """An open item."""

    place: int
    n_list: int
    """Lists around it."""
    n_paragraph: int = 0
    """Paragraphs so far."""


def _read_items(events: list[Event]) -> _ListItems:
    items = _ListItems(set(), set())
    if not any(type(event) is Open and event.tag == "li" for event in events):
        return items
    lists: list[int] = []
    counts: list[_Item] = []
    """The open items."""
    waiting: list[int] = []
    """The places of items that have begun, and nothing but lists followed."""
    in_heading = False
    for index, event in enumerate(events):
        if type(event) is Open:
            tag = event.tag
            in_heading = tag in HEADING_LEVELS
            if tag == "li":
                counts.append(_Item(index, len(lists)))
                waiting.append(index)
                continue
            if tag in LISTS:
                lists.append(index)
            if in_heading or tag == "blockquote":
                items.leading.update(waiting if in_heading else ())
                waiting.clear()
        elif type(event) is Close:
            in_heading = False
            if event.tag == "li":
                waiting.clear()
                counts.pop()
            elif event.tag in LISTS:
                lists.pop()
        else:
            if type(event) is Run and not in_heading:
                _count_paragraph(items, counts, lists)
                items.leading.update(waiting)
            waiting.clear()
        if type(event) is Grid or (type(event) is Close and event.tag in _GOING_ON):
            counts[-1:] = [item._replace(n_paragraph=1) for item in counts[-1:]]
    return items


def _count_paragraph(items: _ListItems, counts: list[_Item], lists: list[int]) -> None:
    """Note a paragraph, and count it for its item."""
    item = counts[-1] if counts else None
    if lists and (item is None or item.n_paragraph or item.n_list < len(lists)):
        items.loose.add(lists[-1])
    if item:
        counts[-1] = item._replace(n_paragraph=item.n_paragraph + 1)


# -- blocks ------------------------------------------------------------------------------------

_CLOSING_SIGNS: Final = re.compile(r"(^| )(#+)$")
"""Signs that Markdown would read as the end of a heading (CommonMark 0.31.2, 4.2)."""
_MAX_PREFIX: Final = 128
"""Characters before a line. What is nested deeper is written at this level: readers stop at some
level too (markdown-it at 100), and lose the text below it. The compiled step has the same limit."""
_QUOTE: Final = "> "
_NUMBER: Final = re.compile(r"[0-9]+")
_EMPHASISED: Final = frozenset(STRONG)


@dataclass(slots=True)
class _List:
    """An open list."""

    is_ordered: bool
    is_loose: bool
    is_other: bool
    """Whether it uses the other delimiter, to be told from the list before it."""
    number: int = 1
    """The number of the next item."""
    width: int = 0
    """Characters of the last item's marker."""


def render_events(events: list[Event], mark: str = "") -> str:
    """Render a stream; ``mark``, if any, is put where runs of the outline start."""
    text = render_blocks(events, mark)
    if not mark:
        return text.strip(SPACES)
    # The spaces at the ends go as they would without marks, which stay.
    edge = f"{SPACES}{mark}"
    begun = text.lstrip(edge)
    inside = begun.rstrip(edge)
    before, after = text[: len(text) - len(begun)], begun[len(inside) :]
    return f"{mark * before.count(mark)}{inside}{mark * after.count(mark)}"


def render_blocks(events: list[Event], mark: str = "") -> str:
    """Render a part of a stream, with the spaces at its ends, as far as there is room for it."""
    renderer = _Renderer(events, mark)
    parts = renderer.parts
    for index, event in watch(enumerate(events)):
        n_part = len(parts)
        renderer.add(index, event)
        if not take_room(sum(map(count_bytes, parts[n_part:]))):
            del parts[n_part:]
            break
        if renderer.is_full:
            break
    return "".join(parts)


class _Renderer:
    """The lines so far, and the blocks that are open."""

    def __init__(self, events: list[Event], mark: str) -> None:
        self.items, self.mark = _read_items(events), mark
        self.parts: list[str] = []
        self.prefix = ""
        """Start of each line: indentation of lists, signs of quotes."""
        self.prefixes: list[str] = []
        self.lists: list[_List] = []
        self.definitions: list[bool] = []
        """Of each open definition, whether it is indented."""
        self.opened: list[tuple[str, bool]] = [("", False)]
        """The tags of open blocks, and whether each continues an item of a list around it."""
        self.tight: list[bool] = [False]
        self.wants_blank = False
        """Whether the block before wants a blank line behind it."""
        self.is_begun = False
        self.is_attached = False
        """Whether the next block goes on the line of an item's marker."""
        self.is_item_start = False
        self.level = 0
        self.in_summary = self.is_title = False
        """Whether the next run is a summary, or the title of a callout."""
        self.last_list: _List | None = None
        """The list that ended directly before."""
        self.is_full = False
        """Whether lines were left out, as the output has no room for them."""

    def add(self, index: int, event: Event) -> None:
        """Add an event."""
        if type(event) is Run:
            self._add_run(event.tokens)
        elif type(event) is Open:
            self._open(index, event)
        elif type(event) is Close:
            self._close(event.tag)
        elif type(event) is Preformatted:
            self._add_code(event)
        elif type(event) is Grid:
            self._add_table(event)
        else:
            self._begin_block(wants_blank=True)
            self.parts.append("---")

    def _begin_block(self, *, wants_blank: bool) -> None:
        """Begin a line, after a blank one if this block or the one before wants that."""
        self.last_list = None
        if not self.is_begun:
            self.is_begun = True
            self.parts.append(self.prefix)
        elif self.is_attached:
            self.is_attached = False
        else:
            self.parts.append("\n")
            is_apart = (self.wants_blank or wants_blank) and not self.tight[-1]
            if is_apart and not self.is_item_start:
                self.parts.append(f"{self.prefix.rstrip(' ')}\n")
            self.parts.append(self.prefix)
        self.wants_blank, self.is_item_start = wants_blank, False

    def _add_run(self, tokens: list[Token]) -> None:
        if self.lists and self.opened[-1][0] in LISTS and self.lists[-1].width:
            self._continue_item("p")
            self._add_run(tokens)
            self._close("p")
            return
        self._begin_block(wants_blank=self.level > 0 or not self.tight[-1])
        is_bold, self.is_title = self.in_summary or self.is_title, False
        if is_bold and not self.level and not any(map(_EMPHASISED.__contains__, tokens)):
            tokens = [*ROOM, *tokens]
            close_emphasis(tokens, 0, STRONG)
        text = render_run(tokens, mark=self.mark, in_heading=self.level > 0)
        if self.level:
            text = _CLOSING_SIGNS.sub(r"\1\\\2", text)
            self.parts.append(f"{'#' * self.level} ")
        self._put_lines(text.split(BREAK))

    def _open(self, index: int, event: Open) -> None:
        tag = event.tag
        self._continue_item(tag)
        if tag == "li":
            self._open_item(index)
        elif tag in LISTS:
            self._open_list(index, event)
        elif tag in HEADING_LEVELS:
            self.level = HEADING_LEVELS[tag]
        elif tag == "blockquote":
            self._open_quote(event.attributes)
        elif tag == "summary":
            self.in_summary = True
        elif tag == "dd":
            after = event.attributes.get(INDENTED, "")
            self.definitions.append(bool(after))
            if after:
                self._open_definition(is_first=after == "dt")

    def _continue_item(self, tag: str) -> None:
        """Begin what stands in a list, but not in an item: it continues the last item."""
        continues = False
        if self.lists and tag != "li" and self.opened[-1][0] in LISTS:
            around = self.lists[-1]
            continues = around.width > 0
            if continues:
                self._enter(" " * around.width, is_tight=tag in LISTS or not around.is_loose)
        self.opened.append((tag, continues))

    def _close(self, tag: str) -> None:
        if tag in ("li", "blockquote") or (tag == "dd" and self.definitions.pop()):
            self._leave()
            self.is_title = False
        elif tag in LISTS:
            self.last_list = self.lists.pop()
        elif tag in HEADING_LEVELS:
            self.level = 0
        elif tag == "summary":
            self.in_summary = False
        if self.opened.pop()[1]:
            self._leave()

    def _enter(self, indent: str, *, is_tight: bool) -> None:
        """Begin the inside of a block, whose lines begin with an indent."""
        self.prefixes.append(self.prefix)
        if self._has_level_for(indent):
            self.prefix += indent
        self.tight.append(is_tight)

    def _has_level_for(self, indent: str) -> bool:
        return len(self.prefix) + len(indent) <= _MAX_PREFIX

    def _leave(self) -> None:
        self.prefix = self.prefixes.pop()
        self.tight.pop()
        self.is_attached = False

    def _open_quote(self, given: Attributes) -> None:
        is_shown = self._has_level_for(_QUOTE)
        # The blank line before it is not part of it.
        if self.is_begun:
            self.wants_blank = True
            self.is_attached = False
        if self.is_begun and is_shown:
            self._begin_block(wants_blank=True)
            self.parts.append(_QUOTE)
            self.is_attached = True
        self._enter(_QUOTE, is_tight=False)
        if is_shown and (kind := given.get("data-callout")):
            self._begin_block(wants_blank=False)
            self.parts.append(f"[!{kind.upper()}]")
            self.wants_blank, self.is_item_start = False, True
            self.is_title = "data-titled" in given

    def _open_definition(self, *, is_first: bool) -> None:
        """Begin a definition; the first is on the line below its term."""
        self.wants_blank &= not is_first
        self._begin_block(wants_blank=False)
        self.parts.append(": ")
        self.is_attached = True
        self._enter("  ", is_tight=False)

    def _open_list(self, index: int, event: Open) -> None:
        is_ordered = event.tag == "ol"
        before = self.last_list
        follows = before is not None and before.is_ordered == is_ordered
        start = _NUMBER.match(event.attributes.get("start", ""))
        number = int(start[0]) if start else 1
        is_other = follows and before is not None and not before.is_other
        self.lists.append(_List(is_ordered, index in self.items.loose, is_other, number))
        # Only a list that begins with 1 can follow a text directly.
        self.wants_blank |= is_ordered and number != 1
        self.last_list = None

    def _open_item(self, index: int) -> None:
        around = self.lists[-1] if self.lists else _List(False, False, False)
        self.is_attached &= self._has_level_for("- ")
        self._begin_block(wants_blank=around.is_loose)
        if around.is_ordered:
            marker = f"{around.number}{')' if around.is_other else '.'} "
            around.number += 1
        else:
            marker = "* " if around.is_other else "- "
        self.parts.append(marker)
        around.width = len(marker)
        self._enter(" " * around.width, is_tight=not around.is_loose)
        self.is_attached = index in self.items.leading
        # A blank line here would end the item.
        self.wants_blank, self.is_item_start = False, True

    def _add_code(self, code: Preformatted) -> None:
        self._begin_block(wants_blank=True)
        *lines, fence = format_code(code, self.mark)
        self._put_lines(lines)
        self.parts.append(f"\n{self.prefix}{fence}")

    def _add_table(self, table: Grid) -> None:
        lines = render_table(table.rows, self.mark)
        if lines is None:
            for cell in (cell for row in table.rows for cell in row):
                if cell.tokens:
                    self._add_run(cell.tokens)
        elif lines:
            self._begin_block(wants_blank=True)
            self._put_lines(lines)

    def _put_lines(self, lines: list[str]) -> None:
        """Add the lines of one block; some of them if the output may end early and has to."""
        check_deadline()
        n_prefix = len(self.prefix)
        if n_prefix * len(lines) > room_left():
            take_room(n_prefix * len(lines))  # raises unless the output may end early
            n_most = n_prefix + max(map(count_bytes, lines))
            lines = lines[: room_left() // (2 * n_most)]
            self.is_full = True
        self.parts.append(f"\n{self.prefix}".join(lines))


# -- a whole fragment --------------------------------------------------------------------------

_NOTE_INDENT: Final = "    "
_SCRIPT: Final = re.compile(r"\A([^!-~]*)(?=(?:javascript|vbscript|data):)", re.IGNORECASE)
"""The beginning of a note that would be an address for readers without notes, who take the note for
the definition of a link (CommonMark 0.31.2, 4.7). The word joiner, which is not shown, makes it no
address of a script."""


def render_by_events(text: str, base: str | None, *, tracking: bool, mark: str) -> str:
    """Render the markup of a fragment as Markdown; parameters as of `render_markup`."""
    content, notes = extract_notes(read_events(text, base, tracking=tracking, mark=mark))
    parts = [
        _render(content, mark),
        *(_define(label, _render(note, mark)) for label, note in notes.items()),
    ]
    return "\n\n".join(filter(None, parts))


def _render(events: list[Event], mark: str) -> str:
    return render_events(join_definitions(arrange_lists(events)), mark)


def _define(label: str, note: str) -> str:
    """Return the definition of a note; empty if the output may end early and has no room for it."""
    lines = _SCRIPT.sub(r"\1&#8288;", note, count=1).split("\n")
    if not take_room(len(_NOTE_INDENT) * len(lines)):
        return ""
    indented = [f"{_NOTE_INDENT}{line}" if line else "" for line in lines[1:]]
    return "\n".join([f"[^{label}]: {lines[0]}", *indented])
