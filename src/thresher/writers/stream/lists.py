"""Lists in a shape that Markdown supports: numbers only count up, and only items contain lists."""

from __future__ import annotations

import re
from typing import Final

from thresher.writers.stream.events import LISTS, Attributes, Close, Event, Open, Run

__all__ = ["arrange_lists"]

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
    if not down and number >= 0 and not any("value" in each for each in values):
        return
    numbers = []
    for each in values:
        number = _read(each, "value", number)
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
    found = _NUMBER.match(attributes.get(name, ""))
    return int(found[1]) if found else default
