"""Inline elements as parts of a run: marks around strings, code spans, formulas, references.

Each function completes an element whose tokens are ``run[start:]``, in place. Elements that may get
marks or a space before them begin with two empty strings as room for these.
"""

from __future__ import annotations

import re
from typing import Final

from thresher.writers.inline import choose_quotation_marks, format_script
from thresher.writers.stream.events import (
    CodeSpan,
    FormulaText,
    InlineImage,
    LinkEnd,
    LinkStart,
    Reference,
    RunStart,
    Token,
)
from thresher.writers.stream.marks import DOLLAR, SCRIPTS

__all__ = [
    "ROOM",
    "close_code",
    "close_emphasis",
    "close_enclosed",
    "close_link",
    "close_script",
    "has_content",
    "text_of",
]

ROOM: Final = ("", "")
"""Room for a space and a mark before an element."""
_MARKS: Final = re.compile(
    "[\ufdd0-\ufdef\U0003ffff\U0004fffe\U0004ffff\U0005fffe\U0006ffff\U0007fffe]+"
)
_PUNCTUATION: Final = re.compile(r"[\s,;\u2013-]*")
"""Text between several references that are raised together."""


def text_of(tokens: list[Token]) -> str:
    """Return the text of tokens, without marks."""
    parts = [
        token.text if isinstance(token, CodeSpan) else token
        for token in tokens
        if isinstance(token, CodeSpan | str)
    ]
    text = "".join(parts)
    return text if text.isascii() else _MARKS.sub("", text).replace(DOLLAR, "$")


def has_content(tokens: list[Token]) -> bool:
    """Return whether tokens show anything."""
    for token in tokens:  # noqa: SIM110  a generator would take most of the time
        if type(token) in _SHOWN or (type(token) is str and token.strip()):
            return True
    return False


_SHOWN: Final = frozenset((CodeSpan, FormulaText, InlineImage, Reference))


def close_emphasis(run: list[Token], start: int, marks: tuple[str, str]) -> None:
    """Put marks around an emphasised element."""
    space = _move_spaces_out(run, start)
    if has_content(run[start + len(ROOM) :]):
        run[start + 1] = marks[0]
        run.append(marks[1])
    if space:
        run.append(space)


def close_script(run: list[Token], start: int, tag: str, *, in_code: bool) -> None:
    """Put marks around a superscript or subscript unless it is only a link, or in code."""
    content = run[start + len(ROOM) :]
    if in_code:
        before = run[start - 1] if start else ""
        last = before[-1:] if isinstance(before, str) else ""
        text = format_script(text_of(content), raised=tag == "sup", before=last)
        run[start:] = [text]
        return
    space = _move_spaces_out(run, start)
    content = run[start + len(ROOM) :]
    text = text_of(content).strip()
    if text and text != _linked_text(content).strip() and not _is_only_references(content, text):
        run[start + 1], closing = SCRIPTS[tag]
        run.append(closing)
    if space:
        run.append(space)


def close_enclosed(run: list[Token], start: int, tag: str) -> None:
    """Put quotation marks around a `q`, and parentheses around the reading of a ruby text."""
    text = text_of(run[start + len(ROOM) :])
    if text.strip():
        run[start + 1], closing = choose_quotation_marks(text) if tag == "q" else ("(", ")")
        run.append(closing)


def close_code(run: list[Token], start: int) -> None:
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


def close_link(run: list[Token], start: int) -> None:
    """End a link, without a title that only repeats its text."""
    link = run[start]
    if isinstance(link, LinkStart) and link.title:
        text = text_of(run[start + 1 :])
        is_repeated = " ".join(text.split()) == link.title.strip()
        run[start] = LinkStart(link.url, "") if is_repeated else link
    run.append(LinkEnd())


def _move_spaces_out(run: list[Token], start: int) -> str:
    """Move white space from the start of an element before it; return that from its end.

    Also that of a link that begins or ends there.
    """
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
    return text_of(linked)


def _is_only_references(content: list[Token], text: str) -> bool:
    """Return whether Markdown readers raise this already."""
    referred = any(isinstance(token, Reference) for token in content)
    return referred and _PUNCTUATION.fullmatch(text) is not None
