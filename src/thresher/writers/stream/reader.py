"""Reads the markup of a fragment as events: known elements, safe addresses, texts unescaped.

Of elements without a meaning in Markdown only the content is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thresher.support.quoting import read_whole_number
from thresher.writers.shared.note_marks import has_notes
from thresher.writers.stream.events import (
    LISTS,
    SEPARATE,
    Attributes,
    Box,
    Break,
    Cell,
    Close,
    CodeSpan,
    Event,
    Grid,
    LinkEnd,
    Open,
    Preformatted,
    Rule,
    Run,
    RunStart,
    Token,
)
from thresher.writers.stream.markup import (
    read_align,
    read_attributes,
    read_language,
    read_markup,
    read_text_align,
)
from thresher.writers.stream.runs import EMPTY, SPANS, RunReader, has_content

# -- cells -------------------------------------------------------------------------------------

_MAX_SPAN: Final = 1000
"""Columns; the maximum `colspan` (HTML Living Standard, 4.9.11)."""
_CLOSING: Final = frozenset("\ufdd1\ufdd3\ufdd5")
"""Marks that end emphasis: they are not content of a line."""


def _read_cell(attributes: Attributes) -> Cell:
    return Cell(
        [],
        _read_span(attributes.get("colspan", "")),
        _read_span(attributes.get("rowspan", "")),
        read_text_align(attributes.get("style", "")) or read_align(attributes.get("align", "")),
    )


def _read_span(value: str) -> int:
    return min(read_whole_number(value) or 1, _MAX_SPAN)


def _join_lines(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a cell; if it holds blocks, with one break between lines."""
    if not any(isinstance(token, Break) and token.is_soft for token in tokens):
        return list(tokens)
    lines: list[Token] = []
    has_line = is_pending = False
    for token in tokens:
        if isinstance(token, Break):
            is_pending = has_line
            continue
        if isinstance(token, str) and not token.strip():
            # White space at the edge of a line is not shown.
            lines.append("" if is_pending or not has_line else token)
            continue
        if not isinstance(token, LinkEnd | RunStart) and token not in _CLOSING:
            if is_pending:
                lines.append(Break(is_soft=False))
            has_line, is_pending = True, False
        lines.append(token)
    return lines


# -- blocks ------------------------------------------------------------------------------------

_PLAIN_BLOCKS: Final = frozenset(("details", "div", "figure", "p"))
"""Blocks of which only the edges count, unless they are notes."""
_BLOCKS: Final = frozenset(
    "blockquote caption dd dl dt figcaption h1 h2 h3 h4 h5 h6 li ol summary ul".split()
)
_ATTRIBUTED: Final = frozenset(("ol", "li", "dd", "dt", "blockquote"))
"""Blocks whose attributes count: numbers, and the ids of notes."""
_LINES: Final = frozenset("p h1 h2 h3 h4 h5 h6 li dt dd figcaption summary".split())
"""Blocks that are on lines of their own in a cell."""
_TABLE: Final = frozenset(("table", "td", "th", "tr"))


def read_events(
    markup: str, base: str | None, *, tracking: bool = False, mark: str = ""
) -> list[Event]:
    """Read the events of a fragment; its links are resolved on ``base`` if that is known.

    With ``tracking`` links keep their tracking parameters. ``mark`` is a character that stands for
    the start of a run of the outline.
    """
    return _Reader(markup, base, tracking=tracking, mark=mark).read(markup)


class _Reader:
    """The events read so far, and what is open."""

    def __init__(self, markup: str, base: str | None, *, tracking: bool, mark: str) -> None:
        self.has_notes = has_notes(markup)
        self.run = RunReader(markup, base, tracking=tracking, mark=mark)
        self.noted: list[bool] = []
        """Of each open plain block, whether it is a note."""
        self.events: list[Event] = []
        self.opened: list[str] = []
        """The tags of open blocks."""
        self.code_block: list[str] | None = None
        self.language = ""
        self.rows: list[list[Cell]] | None = None
        self.cell: Cell | None = None
        self.n_inner_table = 0
        self.numbers: list[int | None] = []
        """The next number of each open list in a cell; None for one without numbers."""
        self.waiting: list[Token] = []
        """Checkboxes, and starts of runs, before the content that they belong to."""

    def read(self, markup: str) -> list[Event]:
        """Read all tokens."""
        for name, value in read_markup(markup):
            if not name:
                if self.code_block is None:
                    self.run.add_text(value)
                else:
                    self.code_block.append(value)
            elif name[0] == "/":
                self._close(name[1:])
            else:
                self._open(name, value)
        self._end_run()
        while self.opened:
            self.events.append(Close(self.opened.pop()))
        return self.events

    def _end_run(self) -> None:
        """End the run, if there is one; starts of runs without content wait for the next."""
        tokens = self.run.take()
        if has_content(tokens):
            if self.waiting:
                tokens[:0] = self.waiting
                self.waiting = []
            self.events.append(Run(tokens))
        elif tokens:
            self.waiting += [token for token in tokens if isinstance(token, Box | RunStart)]

    def _end_box(self) -> None:
        """Write a checkbox that no text follows."""
        if any(isinstance(token, Box) for token in self.waiting):
            self.events.append(Run(self.waiting))
            self.waiting = []

    # -- elements ---------------------------------------------------------------------------

    def _open(self, tag: str, attributes: str) -> None:
        if self.code_block is not None:
            if tag == "code" and not self.code_block and "class" in attributes:
                self.language = read_language(attributes)
        elif tag in SPANS:
            self.run.open(tag, attributes)
        elif tag in _PLAIN_BLOCKS:
            self._open_plain(tag, attributes)
        elif tag in _BLOCKS:
            self._open_block(tag, attributes)
        elif tag in EMPTY:
            self.run.add_empty(tag, attributes)
        elif tag in _TABLE:
            self._open_in_table(tag, attributes)
        elif tag == "hr":
            if self.cell is None:
                self._end_run()
                self.events.append(Rule())
        elif tag == "pre":
            self._end_block()
            self.code_block = []

    def _close(self, tag: str) -> None:
        if self.code_block is not None:
            if tag == "pre":
                self._add_code_block("".join(self.code_block))
        elif tag in SPANS:
            self.run.close(tag)
        elif tag in _PLAIN_BLOCKS:
            self._end_block(is_line=tag == "p")
            if self.has_notes and self.noted and self.noted.pop():
                self._end(tag)
        elif tag in _BLOCKS:
            self._end_block(is_line=tag in _LINES)
            if self.cell is None:
                if tag == "li":
                    self._end_box()
                self._end(tag)
            elif tag in LISTS and self.numbers:
                self.numbers.pop()
        elif tag in _TABLE:
            self._close_in_table(tag)

    def _start(self, tag: str, attributes: Attributes) -> None:
        self.events.append(Open(tag, attributes))
        self.opened.append(tag)

    def _end(self, tag: str) -> None:
        """Close a block, and those in it that are still open."""
        if self.opened and self.opened[-1] == tag:
            self.events.append(Close(self.opened.pop()))
        elif tag in self.opened:
            while (last := self.opened.pop()) != tag:
                self.events.append(Close(last))
            self.events.append(Close(tag))

    # -- blocks -----------------------------------------------------------------------------

    def _open_plain(self, tag: str, attributes: str) -> None:
        self._end_block(is_line=tag == "p")
        if self.has_notes:
            is_note = self.cell is None and 'id="' in attributes
            self.noted.append(is_note)
            if is_note:
                self._start(tag, read_attributes(attributes))

    def _open_block(self, tag: str, attributes: str) -> None:
        self._end_block(is_line=tag in _LINES)
        if self.cell is None:
            if tag in SEPARATE:
                self._end_box()
            given = read_attributes(attributes) if attributes and tag in _ATTRIBUTED else {}
            self._start(tag, given)
        elif tag == "li":
            self.run.tokens.append(self._number_in_cell())
        elif tag in LISTS:
            number = read_whole_number(read_attributes(attributes).get("start", ""))
            self.numbers.append((1 if number is None else number) if tag == "ol" else None)

    def _number_in_cell(self) -> str:
        """Return what an item of a list in a cell begins with."""
        number = self.numbers[-1] if self.numbers else None
        if number is None:
            return "- "
        self.numbers[-1] = number + 1
        return f"{number}. "

    def _end_block(self, *, is_line: bool = True) -> None:
        """End the run at the edge of a block; in a cell only its line."""
        if self.cell is None:
            if self.run.tokens or self.run.spans:
                self._end_run()
        elif is_line:
            self.run.tokens.append(Break(is_soft=True))

    def _add_code_block(self, text: str) -> None:
        self.code_block = None
        if self.cell is None:
            n_run = sum(isinstance(token, RunStart) for token in self.waiting)
            self.events.append(Preformatted(self.language, text, n_run))
            self.waiting = []
        else:
            for line in text.strip("\n").split("\n"):
                self.run.tokens += [CodeSpan(line), Break(is_soft=True)]
        self.language = ""

    # -- tables -----------------------------------------------------------------------------

    def _open_in_table(self, tag: str, attributes: str) -> None:
        if self.cell is not None:
            # A table in a cell: a line for each row.
            self.n_inner_table += tag == "table"
            if tag in ("table", "tr"):
                self.run.tokens.append(Break(is_soft=True))
            elif tag in ("td", "th"):
                self.run.tokens.append(" ")
            return
        self._end_run()
        if tag == "table":
            self.rows = []
        elif self.rows is None:
            self._start("div", {})
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = _read_cell(read_attributes(attributes))

    def _close_in_table(self, tag: str) -> None:
        if self.n_inner_table:
            self.n_inner_table -= tag == "table"
            if tag == "table":
                self.run.tokens.append(Break(is_soft=True))
        elif self.rows is None:
            self._end_run()
            self._end("div")
        elif tag in ("td", "th") and self.cell is not None:
            self._end_cell(self.cell, self.rows)
        elif tag == "table":
            self._end_run()
            self.events.append(Grid(self.rows))
            self.rows = None

    def _end_cell(self, cell: Cell, rows: list[list[Cell]]) -> None:
        cell.tokens = [*self.waiting, *_join_lines(self.run.take())]
        self.waiting = []
        if not rows:
            rows.append([])
        rows[-1].append(cell)
        self.cell = None
        self.numbers.clear()
