r"""Description lists in Markdown: a term, and below it its definitions, each after a colon.

Hackle
: A board with steel pins.

PHP Markdown Extra introduced this syntax; Pandoc, kramdown, markdown-it, Hugo and MkDocs adopted
it. Readers that do not support it, such as GitHub's, show "Hackle : A board with steel pins.",
which means the same. So a list is written like this if each definition is one paragraph. Longer
definitions, as in an API reference, would have to be indented, which readers without support would
take for code: there terms and definitions become paragraphs.
"""

from __future__ import annotations

from typing import Final

from thresher.writers.stream.events import Break, Close, Event, InlineImage, Open, Run, Token
from thresher.writers.stream.marks import COLON

__all__ = ["join_definitions"]

_AROUND: Final = frozenset(("dd", "dt", "summary", "figcaption", "caption"))
"""Elements that Markdown writes in one line, and definitions."""


def join_definitions(events: list[Event]) -> list[Event]:
    """Return the events with a paragraph for each term of the lists that can be written as such.

    Its definitions follow after a placeholder for the line break and the colon.
    """
    if not any(type(event) is Open and event.tag == "dl" for event in events):
        return events
    joined: list[Event] = []
    opened: list[tuple[str, int]] = []
    """Open elements, and where each begins in the result."""
    n_around = 0
    for event in events:
        if isinstance(event, Open):
            opened.append((event.tag, len(joined)))
            n_around += event.tag in _AROUND
        joined.append(event)
        if isinstance(event, Close) and opened:
            tag, start = opened.pop()
            n_around -= tag in _AROUND
            if tag == "dl" and not n_around and (groups := _read(joined[start + 1 : -1])):
                joined[start:] = map(Run, groups)
    return joined


def _read(inside: list[Event]) -> list[list[Token]] | None:
    """Return the tokens of each term with its definitions; None if the list is not that simple."""
    groups: list[list[Token]] = []
    part = ""
    content: list[list[Token]] = []
    has_definition = False
    depth = 0
    for event in inside:
        if isinstance(event, Open):
            depth += 1
            if depth == 1:
                part, content = event.tag, []
            else:
                return None
        elif isinstance(event, Close):
            depth -= 1
            if len(content) != 1 or not _is_line(content[0]):
                return None
            if part == "dt":
                groups.append([*content[0]])
            elif part == "dd" and groups:
                groups[-1] += [COLON, *content[0]]
                has_definition = True
            else:
                return None
        elif isinstance(event, Run) and depth:
            content.append(event.tokens)
        else:
            return None
    return groups if has_definition else None


def _is_line(tokens: list[Token]) -> bool:
    """Return whether a part is text on one line."""
    return not any(isinstance(token, Break | InlineImage) for token in tokens)
