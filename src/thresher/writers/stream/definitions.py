r"""Description lists in Markdown: terms told apart from definitions, in one of three forms.

Hackle
: A board with steel pins.

PHP Markdown Extra introduced this syntax; Pandoc, kramdown, markdown-it, Hugo and MkDocs adopted
it. Readers that do not support it, such as GitHub's, show "Hackle : A board with steel pins.",
which means the same. A definition that begins with a paragraph may have further blocks, indented
by two spaces, as of an item: readers without support show these as blocks of their own. Lists that
cannot be written like this have bold terms and paragraphs: where a definition begins with a list or
code, and a list in a definition whose own definitions are longer, which readers without support
would take for code. A term without a definition of its own, as it shares that of the next, is bold.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from thresher.writers.stream.events import (
    Break,
    Close,
    Event,
    InlineImage,
    Open,
    Run,
    Token,
)
from thresher.writers.stream.inline import ROOM, close_emphasis
from thresher.writers.stream.marks import COLON, STRONG

__all__ = ["INDENTED", "join_definitions"]

INDENTED: Final = "indented-after"
"""An attribute of the definitions whose blocks are indented after a colon: the tag before it."""
_ONE_LINE: Final = frozenset(("dt", "summary", "figcaption", "caption"))
"""Elements that Markdown writes in one line."""
_PARTS: Final = frozenset(("dd", "dt"))
_STRONG: Final = frozenset(STRONG)


class _Part(NamedTuple):
    """A term or a definition of a list."""

    tag: str
    start: int
    """Index of its first event in the list."""
    content: list[Event]


def join_definitions(events: list[Event]) -> list[Event]:
    """Return the events with description lists in a form that Markdown has.

    A short list becomes a paragraph for each term, where its definitions follow after a placeholder
    for the line break and the colon. The definitions of others are marked as `INDENTED`, or their
    terms become bold.
    """
    if not any(type(event) is Open and event.tag == "dl" for event in events):
        return events
    joined: list[Event] = []
    opened: list[tuple[str, int]] = []
    """Open elements, and where each begins in the result."""
    n_line = n_definition = 0
    for event in events:
        if isinstance(event, Open):
            opened.append((event.tag, len(joined)))
            n_line += event.tag in _ONE_LINE
            n_definition += event.tag == "dd"
        joined.append(event)
        if isinstance(event, Close) and opened:
            tag, start = opened.pop()
            n_line -= tag in _ONE_LINE
            n_definition -= tag == "dd"
            if tag == "dl" and not n_line:
                joined[start:] = _write_list(joined[start + 1 : -1], is_inner=n_definition > 0)
    return joined


def _write_list(inside: list[Event], *, is_inner: bool) -> list[Event]:
    """Return the events of a list, given those in it; an inner one is in a definition."""
    parts = _read_parts(inside)
    if not parts or parts[0].tag != "dt":
        return inside
    is_short = all(_line_of(part) is not None for part in parts)
    uses_colons = is_short or (not is_inner and all(map(_can_indent, parts)))
    _embolden_terms(parts, lone_only=uses_colons)
    if is_short:
        return list(map(Run, _join_lines(parts)))
    if uses_colons:
        for before, part in pairwise(parts):
            if part.tag == "dd":
                inside[part.start] = Open("dd", {INDENTED: before.tag})
    return inside


def _read_parts(inside: list[Event]) -> list[_Part] | None:
    """Return the terms and definitions of a list; None if there is anything else in it."""
    parts: list[_Part] = []
    depth = 0
    for index, event in enumerate(inside):
        if isinstance(event, Close):
            depth -= 1
            if not depth:
                continue
        if not depth:
            if not isinstance(event, Open) or event.tag not in _PARTS:
                return None
            parts.append(_Part(event.tag, index, []))
        else:
            parts[-1].content.append(event)
        depth += isinstance(event, Open)
    return parts


def _join_lines(parts: list[_Part]) -> list[list[Token]]:
    """Return the tokens of each term with its definitions."""
    groups: list[list[Token]] = []
    for part in parts:
        tokens = _line_of(part) or []
        if part.tag == "dt":
            groups.append([*tokens])
        else:
            groups[-1] += [COLON, *tokens]
    return groups


def _can_indent(part: _Part) -> bool:
    """Return whether a part is a term on one line, or a definition that begins with a paragraph."""
    if part.tag == "dt":
        return _line_of(part) is not None
    return bool(part.content) and isinstance(part.content[0], Run)


def _embolden_terms(parts: list[_Part], *, lone_only: bool) -> None:
    """Make terms bold, or only those without a definition of their own."""
    for part, following in pairwise([*parts, None]):
        is_lone = following is None or following.tag == "dt"
        if part and part.tag == "dt" and (is_lone or not lone_only):
            for event in part.content:
                if isinstance(event, Run):
                    _embolden(event)


def _line_of(part: _Part) -> list[Token] | None:
    """Return the tokens of a part that is text on one line."""
    if len(part.content) != 1 or not isinstance(run := part.content[0], Run):
        return None
    is_line = not any(isinstance(token, Break | InlineImage) for token in run.tokens)
    return run.tokens if is_line else None


def _embolden(run: Run) -> None:
    if not any(type(token) is str and not _STRONG.isdisjoint(token) for token in run.tokens):
        run.tokens[:0] = ROOM
        close_emphasis(run.tokens, 0, STRONG)
