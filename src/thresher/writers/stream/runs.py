"""The run that is being read: texts, inline elements that are open, and what they become."""

from __future__ import annotations

import re
from collections.abc import Set
from string import ascii_lowercase, ascii_uppercase
from typing import Final, NamedTuple

from thresher.deadline import check_deadline
from thresher.page.text import unescape
from thresher.writers.inline import (
    INVISIBLE,
    choose_quotation_marks,
    drop_invisible,
    format_script,
)
from thresher.writers.math.formulas import TEX
from thresher.writers.math.tex import drop_tex_links
from thresher.writers.shared.note_marks import has_notes, read_reference
from thresher.writers.stream.events import (
    Box,
    Break,
    CodeSpan,
    FormulaText,
    InlineImage,
    LinkEnd,
    LinkStart,
    Reference,
    RunStart,
    Token,
)
from thresher.writers.stream.markup import (
    DOLLAR,
    EMPHASIS,
    HIGHLIGHTED,
    SCRIPTS,
    STRONG,
    STRUCK,
    clean_link_url,
    clean_url,
    read_attributes,
)

# -- inline elements that end ------------------------------------------------------------------
#
# Each function completes an element whose tokens are ``run[start:]``, in place. Elements that may
# get marks or a space before them begin with two empty strings as room for these.

ROOM: Final = ("", "")
"""Room for a space and a mark before an element."""
_MARKS: Final = re.compile(
    "[\ufdd0-\ufdef\U0003ffff\U0004fffe\U0004ffff\U0005fffe\U0006ffff\U0007fffe]+"
)
_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
_PUNCTUATION: Final = re.compile(r"[\s,;\u2013-]*")
"""Text between several references that are raised together."""


def _text_of(tokens: list[Token]) -> str:
    """Return the text of tokens, without marks."""
    text = "".join(map(_text_at, tokens))
    return text if text.isascii() else _MARKS.sub("", text).replace(DOLLAR, "$")


_WORDED: Final = frozenset((CodeSpan, FormulaText, Reference))
_SHOWN: Final = _WORDED | {InlineImage}


def has_content(tokens: list[Token], kinds: Set[type[Token]] = _SHOWN) -> bool:
    """Return whether tokens show words, or something of some kinds."""
    return any(
        token.strip() != "" if isinstance(token, str) else type(token) in kinds for token in tokens
    )


def close_emphasis(run: list[Token], start: int, marks: tuple[str, str]) -> None:
    """Put marks around an emphasised element, unless it only has pictures."""
    space = _move_spaces_out(run, start)
    if has_content(run[start + len(ROOM) :], _WORDED):
        run[start + 1] = marks[0]
        run.append(marks[1])
    if space:
        run.append(space)


def _close_script(run: list[Token], start: int, tag: str, *, in_code: bool) -> None:
    """Put marks around a superscript or subscript unless it is only a link, or in code."""
    content = run[start + len(ROOM) :]
    if in_code:
        before = run[start - 1] if start else ""
        last = before[-1:] if isinstance(before, str) else ""
        text = format_script(_text_of(content), raised=tag == "sup", before=last)
        run[start:] = [text]
        return
    space = _move_spaces_out(run, start)
    content = run[start + len(ROOM) :]
    text = _text_of(content).strip()
    if text and text != _linked_text(content).strip() and not _is_only_references(content, text):
        run[start + 1], closing = SCRIPTS[tag]
        run.append(closing)
    if space:
        run.append(space)


def _close_enclosed(run: list[Token], start: int, tag: str, *, is_inner: bool) -> None:
    """Put quotation marks around a `q`, and parentheses around the reading of a ruby text."""
    text = _text_of(run[start + len(ROOM) :])
    if text.strip():
        marks = choose_quotation_marks(text, is_inner=is_inner) if tag == "q" else ("(", ")")
        run[start + 1], closing = marks
        run.append(closing)


def _close_code(run: list[Token], start: int) -> None:
    """Make code spans of the texts of code: before, in and after each link.

    CodeSpan directly after code is joined with it: backticks could not separate the two.
    """
    content = run[start:]
    del run[start:]
    pieces: list[Token] = []
    for token in content:
        if isinstance(token, str):
            if pieces and isinstance(pieces[-1], CodeSpan):
                pieces[-1] = CodeSpan(pieces[-1].text + token)
            elif token:
                pieces.append(CodeSpan(token))
        elif isinstance(token, LinkStart | LinkEnd | RunStart):
            pieces.append(token)
    if run and pieces and isinstance(run[-1], CodeSpan) and isinstance(pieces[0], CodeSpan):
        pieces[0] = CodeSpan(run.pop().text + pieces[0].text)  # type: ignore[union-attr]
    run += pieces


def _close_link(run: list[Token], start: int) -> None:
    """End a link, without a title that only repeats its text, but for the case of a to z.

    Or that of its pictures.
    """
    link = run[start]
    if isinstance(link, LinkStart) and link.title:
        inside = run[start + 1 :]
        alts = "".join(token.alt for token in inside if isinstance(token, InlineImage))
        shown = [" ".join(text.split()).translate(_LOWER) for text in (_text_of(inside), alts)]
        is_repeated = link.title.strip().translate(_LOWER) in shown
        run[start] = LinkStart(link.url, "") if is_repeated else link
    run.append(LinkEnd())


def _move_spaces_out(run: list[Token], start: int) -> str:
    """Move white space from the start of an element before it; return that from its end."""
    places = [
        place
        for place in range(start + len(ROOM), len(run))
        if run[place] != "" and not isinstance(run[place], RunStart | LinkStart | LinkEnd)
    ]
    if not places:
        return ""
    text = _text_at(run[places[0]])
    if text[:1].isspace():
        run[places[0]] = _with_text(run[places[0]], text.lstrip())
        run[start] = " "
    text = _text_at(run[places[-1]])
    if text[-1:].isspace():
        run[places[-1]] = _with_text(run[places[-1]], text.rstrip())
        return " "
    return ""


def _text_at(token: Token) -> str:
    if isinstance(token, CodeSpan):
        return token.text
    return token if isinstance(token, str) else ""


def _with_text(token: Token, text: str) -> Token:
    return CodeSpan(text) if isinstance(token, CodeSpan) else text


def _linked_text(content: list[Token]) -> str:
    linked: list[Token] = []
    depth = 0
    for token in content:
        depth += isinstance(token, LinkStart) - isinstance(token, LinkEnd)
        if depth > 0:
            linked.append(token)
    return _text_of(linked)


def _is_only_references(content: list[Token], text: str) -> bool:
    """Return whether Markdown readers raise this already."""
    referred = any(isinstance(token, Reference) for token in content)
    return referred and _PUNCTUATION.fullmatch(text) is not None


# -- the run that is read ----------------------------------------------------------------------

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
        self.has_invisible = any(sign in markup for sign in INVISIBLE)
        self.has_dollars = "$" in markup
        self.is_plain = not (mark or self.has_invisible or self.has_dollars)
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
        """Add a text, without what is invisible, its dollar signs marked."""
        run = self.tokens
        if self.is_plain and text[0] != "]":
            run.append(text)
            return
        if self.mark and self.mark in text:
            run += [RunStart()] * text.count(self.mark)
            text = text.replace(self.mark, "")
        if not self.n_code:
            if self.has_invisible:
                text = drop_invisible(text)
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
            given = read_attributes(attributes)
            alt, title = (_collapse(given.get(name, "")) for name in ("alt", "title"))
            url = clean_url(given.get("src", ""), self.base) or ""
            self.tokens.append(InlineImage(url, alt, title))

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
            _close_link(run, start)
        elif tag in _EMPHASIS:
            if not self.n_code:
                close_emphasis(run, start, _EMPHASIS[tag])
        elif tag in _CODE:
            self.n_code -= 1
            if not self.n_code:
                _close_code(run, start)
        elif tag in _SCRIPTS:
            _close_script(run, start, tag, in_code=self.n_code > 0)
        elif tag in _ENCLOSED:
            if not self.n_code:
                is_inner = any(span.tag == "q" for span in self.spans)
                _close_enclosed(run, start, tag, is_inner=is_inner)
        elif tag == "reference":
            _replace(run, start, Reference(value))
        elif tag == "annotation":
            text = "".join(token for token in run[start:] if isinstance(token, str))
            del run[start:]
            if value == TEX and text.strip():
                self.tex = drop_tex_links(text) if "\\" in text else text
        elif tag == "math" and self.tex:
            _replace(run, start, FormulaText(self.tex, value == "block"))
            self.tex = ""


def _replace(run: list[Token], start: int, token: Token) -> None:
    """Put a token in place of those of an element; the starts of runs stay before it."""
    run[start:] = [*(before for before in run[start:] if isinstance(before, RunStart)), token]


def _collapse(value: str) -> str:
    """Collapse the white space of an attribute that is shown."""
    return " ".join(drop_invisible(value).split())
