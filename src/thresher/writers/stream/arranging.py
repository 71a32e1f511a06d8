"""Definitions, lists and notes in a shape that Markdown supports."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from thresher.writers.shared.note_marks import read_note, strip_mark
from thresher.writers.stream.events import (
    LISTS,
    Attributes,
    Break,
    Close,
    CodeSpan,
    Event,
    FormulaText,
    InlineImage,
    Open,
    Rule,
    Run,
    Token,
)
from thresher.writers.stream.markup import COLON, STRONG
from thresher.writers.stream.runs import ROOM, close_emphasis

# -- definitions -------------------------------------------------------------------------------
#
# Terms are told apart from definitions, in one of three forms:
#
#     Hackle
#     : A board with steel pins.
#
# PHP Markdown Extra introduced this syntax; Pandoc, kramdown, markdown-it, Hugo and MkDocs
# adopted it. Readers that do not support it, such as GitHub's, show "Hackle : A board with steel
# pins.", which means the same. A definition that begins with a paragraph may have further blocks,
# indented by two spaces, as of an item: readers without support show these as blocks of their
# own. Lists that cannot be written like this have bold terms and paragraphs: where a definition
# begins with a list or code, and a list in a definition whose own definitions are longer, which
# readers without support would take for code. A term without a definition of its own, as it
# shares that of the next, is bold.

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


# -- lists -------------------------------------------------------------------------------------

_NUMBER: Final = re.compile(r"\s*(-?\d{1,9})(?!\d)")
"""Integer in an attribute (HTML Living Standard, 2.3.4.1), as far as Markdown can count (CommonMark
0.31.2, 5.2)."""


def arrange_lists(events: list[Event]) -> list[Event]:
    """Return the events with lists that Markdown supports.

    A list whose numbers jump or count down becomes several lists that count up; one with numbers
    below zero becomes paragraphs that begin with these. A list directly inside a list, with no item
    before it, is merged into that.
    """
    if not any(map(_may_change, events, events[1:])):
        return events
    edits: dict[int, list[Event]] = {}
    """Index of an event → the events in its place."""
    opened: list[tuple[int, Open, list[tuple[int, int]], bool]] = []
    """The open elements: index, event, where their items begin and end, whether they are left out.
    """
    for index, event in enumerate(events):
        if isinstance(event, Open):
            around = opened[-1] if opened else None
            in_list = around is not None and around[1].tag in LISTS
            left_out = event.tag in LISTS and in_list and isinstance(events[index - 1], Open)
            if left_out:
                edits[index] = []
            opened.append((index, event, [], left_out))
        elif isinstance(event, Close) and opened:
            place, start, items, left_out = opened.pop()
            if left_out:
                edits[index] = []
            elif start.tag == "li" and opened and opened[-1][1].tag in LISTS:
                opened[-1][2].append((place, index))
            elif start.tag == "ol":
                _renumber(events, place, index, items, edits)
    if not edits:
        return events
    arranged: list[Event] = []
    for index, event in enumerate(events):
        arranged += edits.get(index, (event,))
    return arranged


def _may_change(event: Event, following: Event) -> bool:
    """Return whether an event has a number, or begins a list that begins with a list."""
    if type(event) is not Open:
        return False
    in_list = event.tag in LISTS and type(following) is Open and following.tag in LISTS
    given = event.attributes
    return in_list or "value" in given or "reversed" in given or given.get("start", "")[:1] == "-"


def _renumber(
    events: list[Event],
    start: int,
    stop: int,
    items: list[tuple[int, int]],
    edits: dict[int, list[Event]],
) -> None:
    """Split a list at the items whose numbers do not follow those before them."""
    given = _attributes(events[start])
    values = [_attributes(events[item]) for item, _ in items]
    down = "reversed" in given
    number = _read(given, "start", len(items) if down else 1)
    if not down and number >= 0 and not any("value" in attributes for attributes in values):
        return
    numbers = []
    for attributes in values:
        number = _read(attributes, "value", number)
        numbers.append(number)
        number += -1 if down else 1
    if min(numbers, default=0) < 0:
        edits[start], edits[stop] = [Open("div", {})], [Close("div")]
        for (item, end), number in zip(items, numbers, strict=True):
            edits[item], edits[end] = [Open("div", {})], [Close("div")]
            _put_number(events, item, f"{number}. ", edits)
        return
    for place, ((item, _), number) in enumerate(zip(items, numbers, strict=True)):
        begun = [Open("ol", {"start": str(number)})]
        if place == 0:
            edits[start] = [*begun]
        elif number != numbers[place - 1] + 1:
            edits[item] = [Close("ol"), *begun, events[item]]


def _put_number(events: list[Event], item: int, number: str, edits: dict[int, list[Event]]) -> None:
    """Put a number at the beginning of the first paragraph of an item."""
    first = events[item + 1]
    if isinstance(first, Run):
        edits[item + 1] = [Run([number, *first.tokens])]
    else:
        edits[item] += [Run([number])]


def _attributes(event: Event) -> Attributes:
    return event.attributes if isinstance(event, Open) else {}


def _read(attributes: Attributes, name: str, default: int) -> int:
    match = _NUMBER.match(attributes.get(name, ""))
    return int(match[1]) if match else default


# -- notes -------------------------------------------------------------------------------------

_MARKS: Final = re.compile("[\ufdd0-\ufdef]*")


def extract_notes(events: list[Event]) -> tuple[list[Event], dict[str, list[Event]]]:
    """Return the events without notes, and those of each note by its label, in order.

    Elements that contained nothing but notes are left out, and rules that nothing follows.
    """
    notes: dict[str, list[Event]] = {}
    if not any(type(event) is Open and "id" in event.attributes for event in events):
        return events, notes
    targets: list[list[Event]] = [[]]
    opened: list[tuple[Open, str | None]] = []
    emptied: set[int] = set()
    """Positions of open elements in the target that contained a note."""
    for event in events:
        target = targets[-1]
        if isinstance(event, Open):
            note = read_note(event.attributes.get("id", "")) if event.attributes else None
            opened.append((event, None if note is None else note[1]))
            if note is None:
                target.append(event)
            else:
                targets.append(notes.setdefault(note[0], []))
        elif isinstance(event, Close) and opened:
            element, mark = opened.pop()
            if mark is not None:
                _drop_mark(target, mark)
                targets.pop()
                emptied.add(len(targets[-1]) - 1)
            elif target[-1] is element and len(target) - 1 in emptied:
                emptied.discard(len(target) - 1)
                target.pop()
                emptied.add(len(target) - 1)
            else:
                target.append(event)
        else:
            target.append(event)
    kept = targets[0]
    while notes and kept and isinstance(kept[-1], Rule):
        kept.pop()
    return kept, notes


def _drop_mark(note: list[Event], mark: str) -> None:
    """Remove a note's own mark from the beginning of its text."""
    for event in note:
        if not isinstance(event, Run):
            continue
        for place, token in enumerate(event.tokens):
            if isinstance(token, (CodeSpan, FormulaText, InlineImage)):
                return
            if isinstance(token, str) and _MARKS.sub("", token).strip():
                event.tokens[place] = strip_mark(token, mark)
                return
