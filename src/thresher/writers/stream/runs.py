"""The run that is being read: texts, inline elements that are open, and what they become."""

from __future__ import annotations

from typing import Final, NamedTuple

from thresher.deadline import check_deadline
from thresher.page.references import unescape
from thresher.writers.inline.plain import SOFT_HYPHEN
from thresher.writers.math.formulas import TEX
from thresher.writers.math.tex import drop_tex_links
from thresher.writers.shared.note_marks import has_notes, read_reference
from thresher.writers.stream.addresses import clean_image_url, clean_link_url
from thresher.writers.stream.events import (
    Attributes,
    Box,
    Break,
    FormulaText,
    InlineImage,
    LinkStart,
    Reference,
    RunStart,
    Token,
)
from thresher.writers.stream.inline import (
    ROOM,
    close_code,
    close_emphasis,
    close_enclosed,
    close_link,
    close_script,
)
from thresher.writers.stream.marks import DOLLAR, EMPHASIS, HIGHLIGHTED, STRONG, STRUCK
from thresher.writers.stream.markup import read_attributes

__all__ = ["EMPTY", "SPANS", "RunReader"]

_HREF: Final = 'href="'
_EMPHASIS: Final = {
    "b": STRONG,
    "strong": STRONG,
    "em": EMPHASIS,
    "i": EMPHASIS,
    "del": STRUCK,
    "s": STRUCK,
    "mark": HIGHLIGHTED,
}
_CODE: Final = frozenset(("code", "kbd", "samp"))
_SCRIPTS: Final = frozenset(("sub", "sup"))
_ENCLOSED: Final = frozenset(("q", "rt"))
SPANS: Final = _EMPHASIS.keys() | _CODE | _SCRIPTS | _ENCLOSED | {"a", "math", "annotation"}
"""Inline elements that end."""
EMPTY: Final = frozenset(("br", "img", "input"))
"""Inline elements without content."""
_MAX_SPANS: Final = 64
"""Elements around one that gets marks; of those further in only the content is read."""
_DEEP: Final = "\0"
_LINKS: Final = ("a", "link", "reference")
"""Kinds of links that an `a` can be."""


class _Span(NamedTuple):
    """An open inline element."""

    tag: str
    start: int
    """Index of its first token."""
    value: str


class RunReader:
    """The tokens of a run so far, and the inline elements that are open."""

    def __init__(self, markup: str, base: str | None, *, tracking: bool, mark: str) -> None:
        self.base, self.tracking, self.mark = base, tracking, mark
        self.has_hyphens, self.has_dollars = SOFT_HYPHEN in markup, "$" in markup
        self.is_plain = not (mark or self.has_hyphens or self.has_dollars)
        """Whether texts can be taken as they are."""
        self.has_notes = has_notes(markup)
        self.tokens: list[Token] = []
        self.spans: list[_Span] = []
        self.n_code = 0
        """Open code spans."""
        self.n_link = 0
        """Open links."""
        self.tex = ""
        """The formula that was read in the open `math` element."""

    def take(self) -> list[Token]:
        """End all elements, and return the tokens; a new run begins."""
        tokens, self.tokens = self.tokens, []
        if self.spans:
            for span in reversed(self.spans):
                self._finish(span, tokens)
            self.spans.clear()
            self.n_code = 0
        return tokens

    def add_text(self, text: str) -> None:
        """Add a text, without soft hyphens, its dollar signs marked."""
        run = self.tokens
        if self.is_plain and text[0] != "]":
            run.append(text)
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

    def add_empty(self, tag: str, attributes: str) -> None:
        """Add a break, an image or a checkbox."""
        if tag == "br":
            self.tokens.append(" " if self.n_code else Break(is_soft=False))
        elif tag == "input":
            self.tokens.append(Box("checked" in attributes))
        elif not self.n_code:
            self.tokens.append(self._read_image(read_attributes(attributes)))

    def _read_image(self, given: Attributes) -> InlineImage:
        alt, title = (_collapse(given.get(name, "")) for name in ("alt", "title"))
        return InlineImage(clean_image_url(given.get("src", ""), self.base) or "", alt, title)

    def open(self, tag: str, attributes: str) -> None:
        """Begin an inline element."""
        run, value = self.tokens, ""
        if tag == "a":
            has_id = self.has_notes and "id=" in attributes
            value = read_reference(read_attributes(attributes).get("id", "")) if has_id else ""
            if self.n_link:
                self.close("a")  # links do not nest
            if not value and (url := self._read_link(attributes)):
                title = read_attributes(attributes).get("title") if "title=" in attributes else None
                self.spans.append(_Span("link", len(run), ""))
                self.n_link += 1
                run.append(LinkStart(url, _collapse(title) if title else ""))
                return
            tag = "reference" if value else "a"
        elif tag == "math":
            self.tex = ""
            value = "block" if 'display="block"' in attributes else ""
        elif tag == "annotation":
            value = read_attributes(attributes).get("encoding", "")
        elif tag in _CODE:
            self.n_code += 1
        self.spans.append(_Span(tag, len(run), value))
        is_marked = tag in _EMPHASIS or tag in _SCRIPTS or tag in _ENCLOSED
        if is_marked and len(self.spans) > _MAX_SPANS:
            self.spans[-1] = _Span(tag, len(run), _DEEP)
        elif is_marked:
            run += ROOM

    def _read_link(self, attributes: str) -> str | None:
        if attributes.startswith(_HREF):  # as in most links
            url = attributes[len(_HREF) : attributes.index('"', len(_HREF))]
            url = unescape(url) if "&" in url else url
        else:
            url = read_attributes(attributes).get("href", "")
        return clean_link_url(url, self.base, tracking=self.tracking) if url.strip() else None

    def close(self, tag: str) -> None:
        """End an inline element, and those in it that are still open."""
        names = _LINKS if tag == "a" else (tag,)
        spans = self.spans
        if spans and spans[-1].tag in names:
            self._finish(spans.pop(), self.tokens)
        elif any(span.tag in names for span in spans):
            while (span := spans.pop()).tag not in names:
                self._finish(span, self.tokens)
            self._finish(span, self.tokens)

    def _finish(self, span: _Span, run: list[Token]) -> None:
        check_deadline()
        if span.value != _DEEP:
            self._complete(*span, run)

    def _complete(self, tag: str, start: int, value: str, run: list[Token]) -> None:
        if tag == "link":
            self.n_link -= 1
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


def _collapse(value: str) -> str:
    """Collapse the white space of an attribute that is shown."""
    return " ".join(value.replace(SOFT_HYPHEN, "").split())
