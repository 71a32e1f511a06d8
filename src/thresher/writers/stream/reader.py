"""Reads the markup of a fragment as events: known elements, safe addresses, texts unescaped.

The markup is our own (`thresher.writers.fragment`): tags and texts in document order, attributes in
double quotes, `<` escaped in texts. So no parser is needed, only a loop over its tokens. Of elements
without a meaning in the output only the content is read.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final, NamedTuple

from thresher.deadline import watch
from thresher.writers.inline.plain import SOFT_HYPHEN
from thresher.writers.math.formulas import TEX
from thresher.writers.math.tex_links import drop_tex_links
from thresher.writers.shared.note_marks import has_notes, read_reference
from thresher.writers.stream.addresses import clean_image_url, clean_link_url
from thresher.writers.stream.cells import join_lines, read_cell
from thresher.writers.stream.events import (
    Attributes,
    Box,
    Break,
    Cell,
    Close,
    Code,
    Event,
    FormulaText,
    Image,
    LinkStart,
    Open,
    Preformatted,
    Reference,
    Rule,
    Run,
    RunStart,
    Table,
    Token,
)
from thresher.writers.stream.inline import (
    ROOM,
    close_code,
    close_emphasis,
    close_enclosed,
    close_link,
    close_script,
    has_content,
)
from thresher.writers.stream.marks import DOLLAR, EMPHASIS, STRONG, STRUCK

__all__ = ["read_events"]

_TAG: Final = re.compile(r'<([^">]*(?:"[^"]*"[^">]*)*)>')
"""A tag; between two there is a text, or nothing."""
_ATTRIBUTE: Final = re.compile(r'([^\s="]+)(?:="([^"]*)")?')
_HREF, _ID, _TITLE = (re.compile(rf'(?:^| ){name}="([^"]*)"') for name in ("href", "id", "title"))
_PLAIN_BLOCKS: Final = frozenset(("details", "div", "figure", "p"))
"""Blocks of which only the edges count, unless they are notes."""
_BLOCKS: Final = frozenset(
    "blockquote caption dd dl dt figcaption h1 h2 h3 h4 h5 h6 li ol summary ul".split()
)
_ATTRIBUTED: Final = frozenset(("ol", "li", "dd", "dt", "blockquote"))
"""Blocks whose attributes count: numbers, and the ids of notes."""
_SEPARATE: Final = frozenset(("blockquote", "ol", "ul"))
"""Blocks that begin on a line of their own in an item."""
_LINES: Final = frozenset("p h1 h2 h3 h4 h5 h6 li dt dd figcaption summary".split())
"""Blocks that are on lines of their own in a cell."""
_EMPHASIS: Final = {
    "b": STRONG,
    "strong": STRONG,
    "em": EMPHASIS,
    "i": EMPHASIS,
    "del": STRUCK,
    "s": STRUCK,
    "strike": STRUCK,
}
_CODE: Final = frozenset(("code", "kbd", "samp", "tt"))
_SCRIPTS: Final = frozenset(("sub", "sup"))
_ENCLOSED: Final = frozenset(("q", "rt"))
_LISTS: Final = {"dir": "ul", "menu": "ul"}
_SPANS: Final = _EMPHASIS.keys() | _CODE | _SCRIPTS | _ENCLOSED | {"a", "math", "annotation"}
"""Inline elements that end."""
_LINKS: Final = ("a", "link", "reference")
"""What an `a` can be."""
_REMOVED: Final = frozenset(("annotation-xml", "script", "style", "svg", "title"))
"""Elements whose content is not text of the page, should they get this far."""
_LANGUAGE: Final = re.compile(r"language-([a-z0-9+#.-]+)")


def read_events(
    markup: str, base: str | None, *, tracking: bool = False, mark: str = ""
) -> list[Event]:
    """Read the events of a fragment; its links are resolved on ``base`` if that is known.

    With ``tracking`` links keep their tracking parameters. ``mark`` is a character that stands for
    the start of a run of the outline.
    """
    return _Reader(markup, base, tracking=tracking, mark=mark).read(markup)


class _Span(NamedTuple):
    """An open inline element."""

    tag: str
    start: int
    """Index of its first token."""
    value: str


class _Reader:
    """The events read so far, and what is open."""

    def __init__(self, markup: str, base: str | None, *, tracking: bool, mark: str) -> None:
        self.base, self.tracking, self.mark = base, tracking, mark
        self.has_hyphens, self.has_dollars = SOFT_HYPHEN in markup, "$" in markup
        self.is_plain = not (mark or self.has_hyphens or self.has_dollars)
        """Whether texts can be taken as they are."""
        self.has_notes = has_notes(markup)
        self.is_flow = not self.has_notes
        """Whether the edges of paragraphs are all that counts: outside of cells, without notes."""
        self.noted: list[bool] = []
        """Of each open plain block, whether it is a note."""
        self.events: list[Event] = []
        self.run: list[Token] = []
        self.spans: list[_Span] = []
        self.n_code = 0
        self.code_block: list[str] | None = None
        self.language = ""
        self.rows: list[list[Cell]] | None = None
        self.cell: Cell | None = None
        self.n_inner_table = 0
        self.removed: list[str] = []
        self.tex = ""
        self.waiting: list[Token] = []
        """Checkboxes, and starts of runs, before the content that they belong to."""

    def read(self, markup: str) -> list[Event]:
        """Read all tokens."""
        is_text = False
        for part in watch(_TAG.split(markup)):
            is_text = not is_text
            if self.removed:
                if not is_text:
                    self._skip(part)
            elif is_text:
                if part:
                    self._add_text(unescape(part) if "&" in part else part)
            elif part[0] == "/":
                self._close(part[1:])
            else:
                tag, _, attributes = part.partition(" ")
                self._open(tag, attributes)
        self._end_run()
        return self.events

    def _skip(self, tag: str) -> None:
        """Pass over a tag in an element whose content is removed."""
        if tag == f"/{self.removed[-1]}":
            self.removed.pop()
        elif tag.partition(" ")[0] in _REMOVED:
            self.removed.append(tag.partition(" ")[0])

    # -- texts ------------------------------------------------------------------------------

    def _add_text(self, text: str) -> None:
        run = self.run
        if self.is_plain and self.code_block is None and text[0] != "]":
            run.append(text)
            return
        if self.code_block is not None:
            self.code_block.append(text)
            return
        if self.mark and self.mark in text:
            run += [RunStart()] * text.count(self.mark)
            text = text.replace(self.mark, "")
        if not self.n_code:
            if self.has_hyphens:
                text = text.replace(SOFT_HYPHEN, "")
            if self.has_dollars and not (self.spans and self.spans[-1].tag == "annotation"):
                text = text.replace("$", DOLLAR)
            if text[:1] == "]" and len(run) > 1 and isinstance(run[-1], Reference):
                before = run[-2]
                if isinstance(before, str) and before.endswith("["):
                    # The reference gets brackets of its own.
                    run[-2], text = before[:-1], text[1:]
        run.append(text)

    def _end_run(self) -> None:
        """End the run, if there is one; starts of runs without content wait for the next."""
        run, self.run = self.run, []
        if self.spans:
            for span in reversed(self.spans):
                self._finish(span, run)
            self.spans.clear()
            self.n_code = 0
        if has_content(run):
            if self.waiting:
                run[:0] = self.waiting
                self.waiting = []
            self.events.append(Run(run))
        elif run:
            self.waiting += [token for token in run if isinstance(token, Box | RunStart)]

    def _end_box(self) -> None:
        """Write a checkbox that no text follows."""
        if any(isinstance(token, Box) for token in self.waiting):
            self.events.append(Run(self.waiting))
            self.waiting = []

    # -- elements ---------------------------------------------------------------------------

    def _open(self, tag: str, attributes: str) -> None:
        if tag == "p" and self.is_flow and self.code_block is None:
            if self.run or self.spans:
                self._end_run()
            return
        tag = _LISTS.get(tag, tag)
        if self.code_block is not None:
            if tag == "code" and not self.code_block and "class" in attributes:
                found = _LANGUAGE.fullmatch(_read_attributes(attributes).get("class", ""))
                self.language = found[1] if found else ""
        elif tag in _SPANS:
            self._open_span(tag, attributes)
        elif tag in _PLAIN_BLOCKS:
            self._open_plain(tag, attributes)
        elif tag in _BLOCKS:
            self._open_block(tag, attributes)
        elif tag in _EMPTY:
            self._add_empty(tag, attributes)
        elif tag == "pre":
            self._end_block()
            self.code_block = []
        elif tag in _TABLE:
            self._open_in_table(tag, attributes)
        elif tag in _REMOVED:
            self.removed.append(tag)

    def _close(self, tag: str) -> None:
        if tag == "p" and self.is_flow and self.code_block is None:
            if self.run or self.spans:
                self._end_run()
            return
        tag = _LISTS.get(tag, tag)
        if self.code_block is not None:
            if tag == "pre":
                self._add_code_block("".join(self.code_block))
        elif tag in _SPANS:
            self._close_span(tag)
        elif tag in _PLAIN_BLOCKS:
            self._end_block(is_line=tag == "p")
            if self.has_notes and self.noted and self.noted.pop():
                self.events.append(Close(tag))
        elif tag in _BLOCKS:
            self._end_block(is_line=tag in _LINES)
            if self.cell is None:
                if tag == "li":
                    self._end_box()
                self.events.append(Close(tag))
        elif tag in _TABLE:
            self._close_in_table(tag)

    # -- blocks -----------------------------------------------------------------------------

    def _open_plain(self, tag: str, attributes: str) -> None:
        self._end_block(is_line=tag == "p")
        if self.has_notes:
            is_note = self.cell is None and 'id="' in attributes
            self.noted.append(is_note)
            if is_note:
                self.events.append(Open(tag, _read_attributes(attributes)))

    def _open_block(self, tag: str, attributes: str) -> None:
        self._end_block(is_line=tag in _LINES)
        if self.cell is None:
            if tag in _SEPARATE:
                self._end_box()
            given = _read_attributes(attributes) if attributes and tag in _ATTRIBUTED else {}
            self.events.append(Open(tag, given))
        elif tag == "li":
            self.run.append("- ")

    def _end_block(self, *, is_line: bool = True) -> None:
        """End the run at the edge of a block; in a cell only its line."""
        if self.cell is None:
            if self.run or self.spans:
                self._end_run()
        elif is_line:
            self.run.append(Break(is_soft=True))

    def _add_code_block(self, text: str) -> None:
        self.code_block = None
        if self.cell is None:
            n_run = sum(isinstance(token, RunStart) for token in self.waiting)
            self.events.append(Preformatted(self.language, text, n_run))
            self.waiting = []
        else:
            self.run += [Code(text), Break(is_soft=True)]
        self.language = ""

    def _add_empty(self, tag: str, attributes: str) -> None:
        if tag == "br":
            self.run.append(" " if self.n_code else Break(is_soft=False))
        elif tag == "img" and not self.n_code:
            self.run.append(self._read_image(_read_attributes(attributes)))
        elif tag == "input":
            self.run.append(Box("checked" in attributes))
        elif tag == "hr" and self.cell is None:
            self._end_run()
            self.events.append(Rule())

    def _read_image(self, given: Attributes) -> Image:
        alt, title = (_collapse(given.get(name, "")) for name in ("alt", "title"))
        return Image(clean_image_url(given.get("src", ""), self.base) or "", alt, title)

    # -- tables -----------------------------------------------------------------------------

    def _open_in_table(self, tag: str, attributes: str) -> None:
        if self.cell is not None:
            # A table in a cell: a line for each row.
            self.n_inner_table += tag == "table"
            if tag in ("table", "tr"):
                self.run.append(Break(is_soft=True))
            elif tag in ("td", "th"):
                self.run.append(" ")
            return
        self._end_run()
        if tag == "table":
            self.rows = []
        elif self.rows is None:
            self.events.append(Open("div", {}))
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = read_cell(_read_attributes(attributes))
            self.is_flow = False

    def _close_in_table(self, tag: str) -> None:
        if self.n_inner_table:
            self.n_inner_table -= tag == "table"
            if tag == "table":
                self.run.append(Break(is_soft=True))
        elif self.rows is None:
            self._end_run()
            self.events.append(Close("div"))
        elif tag in ("td", "th") and self.cell is not None:
            self._end_cell(self.cell, self.rows)
        elif tag == "table":
            self._end_run()
            self.events.append(Table(self.rows))
            self.rows = None

    def _end_cell(self, cell: Cell, rows: list[list[Cell]]) -> None:
        for span in reversed(self.spans):
            self._finish(span, self.run)
        self.spans.clear()
        self.n_code = 0
        cell.tokens = [*self.waiting, *join_lines(self.run)]
        self.waiting = []
        if not rows:
            rows.append([])
        rows[-1].append(cell)
        self.run, self.cell = [], None
        self.is_flow = not self.has_notes

    # -- inline elements --------------------------------------------------------------------

    def _open_span(self, tag: str, attributes: str) -> None:
        run, value = self.run, ""
        if tag == "a":
            found = _ID.search(attributes) if self.has_notes else None
            value = read_reference(unescape(found[1])) if found else ""
            if not value and (url := self._read_link(attributes)):
                title = _TITLE.search(attributes) if "title=" in attributes else None
                self.spans.append(_Span("link", len(run), ""))
                run.append(LinkStart(url, _collapse(unescape(title[1])) if title else ""))
                return
            tag = "reference" if value else "a"
        elif tag == "math":
            self.tex = ""
            value = "block" if 'display="block"' in attributes else ""
        elif tag == "annotation":
            value = _read_attributes(attributes).get("encoding", "")
        elif tag in _CODE:
            self.n_code += 1
        self.spans.append(_Span(tag, len(run), value))
        if tag in _EMPHASIS or tag in _SCRIPTS or tag in _ENCLOSED:
            run += ROOM

    def _read_link(self, attributes: str) -> str | None:
        found = _HREF.search(attributes)
        if not found or not found[1].strip():
            return None
        url = unescape(found[1]) if "&" in found[1] else found[1]
        return clean_link_url(url, self.base, tracking=self.tracking)

    def _close_span(self, tag: str) -> None:
        names = _LINKS if tag == "a" else (tag,)
        spans = self.spans
        if spans and spans[-1].tag in names:
            self._finish(spans.pop(), self.run)
        elif any(span.tag in names for span in spans):
            while (span := spans.pop()).tag not in names:
                self._finish(span, self.run)
            self._finish(span, self.run)

    def _finish(self, span: _Span, run: list[Token]) -> None:
        tag, start, value = span
        if tag == "link":
            close_link(run, start)
        elif tag in _EMPHASIS:
            if not self.n_code:
                close_emphasis(run, start, _EMPHASIS[tag])
        elif tag in _CODE:
            self.n_code -= 1
            if not self.n_code:
                close_code(run, start)
        elif tag in _SCRIPTS:
            close_script(run, start, tag, in_code=self.n_code > 0)
        elif tag in _ENCLOSED:
            if not self.n_code:
                close_enclosed(run, start, tag)
        elif tag == "reference":
            starts = [token for token in run[start:] if isinstance(token, RunStart)]
            run[start:] = [*starts, Reference(value)]
        elif tag == "annotation":
            text = "".join(token for token in run[start:] if isinstance(token, str))
            del run[start:]
            if value == TEX and text.strip():
                self.tex = drop_tex_links(text) if "\\" in text else text
        elif tag == "math" and self.tex:
            starts = [token for token in run[start:] if isinstance(token, RunStart)]
            run[start:] = [*starts, FormulaText(self.tex, value == "block")]
            self.tex = ""


_EMPTY: Final = frozenset(("br", "hr", "img", "input"))
_TABLE: Final = frozenset(("table", "td", "th", "tr"))


def _read_attributes(markup: str) -> Attributes:
    """Read the attributes of a tag."""
    return {name: unescape(value) for name, value in _ATTRIBUTE.findall(markup)}


def _collapse(value: str) -> str:
    """Collapse the white space of an attribute that is shown."""
    return " ".join(value.replace(SOFT_HYPHEN, "").split())
