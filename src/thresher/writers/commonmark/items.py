"""Properties of lists that are needed to write them: whether they are loose, how items begin."""

from __future__ import annotations

from typing import Final, NamedTuple

from thresher.writers.stream.events import HEADING_LEVELS, LISTS, Close, Event, Open, Run

__all__ = ["Items", "read_items"]

_SEPARATE: Final = ("blockquote", *LISTS)


class Items(NamedTuple):
    """Indices of events in a stream."""

    loose: set[int]
    """Lists with an item of several paragraphs: blank lines separate all their items."""
    leading: set[int]
    """Items that begin with text, which is written directly behind their marker."""


def read_items(events: list[Event]) -> Items:
    """Read the lists of a stream."""
    items = Items(set(), set())
    if not any(type(event) is Open and event.tag == "li" for event in events):
        return items
    lists: list[int] = []
    counts: list[tuple[int, int]] = []
    """The open items: index, and paragraphs so far."""
    waiting = False
    """Whether an item has begun and nothing followed."""
    in_heading = False
    for index, event in enumerate(events):
        if type(event) is Open:
            tag = event.tag
            in_heading = tag in HEADING_LEVELS
            if tag == "li":
                counts.append((index, 0))
                waiting = True
                continue
            if tag in LISTS:
                lists.append(index)
            if waiting and in_heading:
                items.leading.add(counts[-1][0])
            waiting &= not (in_heading or tag in _SEPARATE)
        elif type(event) is Close:
            waiting &= event.tag != "li"
            in_heading = False
            if event.tag == "li":
                counts.pop()
            elif event.tag in LISTS:
                lists.pop()
        else:
            if type(event) is Run and counts and not in_heading:
                counts[-1] = _count_paragraph(items, counts[-1], lists, waiting=waiting)
            waiting = False
    return items


def _count_paragraph(
    items: Items, item: tuple[int, int], lists: list[int], *, waiting: bool
) -> tuple[int, int]:
    """Note a paragraph of an item, and return the item with the paragraph counted."""
    index, n_paragraph = item
    if n_paragraph and lists:
        items.loose.add(lists[-1])
    if waiting:
        items.leading.add(index)
    return index, n_paragraph + 1
