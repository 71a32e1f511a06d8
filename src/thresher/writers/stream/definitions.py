r"""Description lists in Markdown: terms told apart from definitions, in one of three forms.

Hackle
: A board with steel pins.

PHP Markdown Extra introduced this syntax; Pandoc, kramdown, markdown-it, Hugo and MkDocs adopted
it. Readers that do not support it, such as GitHub's, show "Hackle : A board with steel pins.",
which means the same. A definition that begins with a paragraph may have further blocks, indented
by two spaces, as of an item: readers without support show these as blocks of their own. Lists that
cannot be written like this have bold terms and paragraphs: where a definition begins with a list or
code, where terms share a definition, and a list in a definition whose own definitions are longer,
which readers without support would take for code.
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
    if parts is None:
        return inside
    if groups := _join_lines(parts):
        return list(map(Run, groups))
    if not is_inner and _can_indent(parts):
        for before, part in pairwise(parts):
            if part.tag == "dd":
                inside[part.start] = Open("dd", {INDENTED: before.tag})
        return inside
    for part in parts:
        if part.tag == "dt":
            for event in part.content:
                if isinstance(event, Run):
                    _embolden(event)
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


def _join_lines(parts: list[_Part]) -> list[list[Token]] | None:
    """Return the tokens of each term with its definitions; None unless all of them are lines."""
    groups: list[list[Token]] = []
    has_definition = False
    for part in parts:
        tokens = _line_of(part)
        if tokens is None:
            return None
        if part.tag == "dt":
            groups.append([*tokens])
        elif groups:
            groups[-1] += [COLON, *tokens]
            has_definition = True
        else:
            return None
    return groups if has_definition and _alternate(parts) else None


def _can_indent(parts: list[_Part]) -> bool:
    """Return whether terms are lines, and all definitions begin with paragraphs."""
    return _alternate(parts) and all(
        _line_of(part) is not None
        if part.tag == "dt"
        else bool(part.content) and isinstance(part.content[0], Run)
        for part in parts
    )


def _alternate(parts: list[_Part]) -> bool:
    """Return whether every term has a definition of its own."""
    tags = [part.tag for part in parts]
    return tags[:1] == ["dt"] and tags[-1] == "dd" and ("dt", "dt") not in pairwise(tags)


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
