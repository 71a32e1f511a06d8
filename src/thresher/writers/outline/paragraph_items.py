"""Paragraphs that are items of lists which the page has no elements for, as Word writes them."""

from __future__ import annotations

from typing import Final, NamedTuple

from thresher.analysis.word_exports import WordItem, find_items
from thresher.page import Page
from thresher.support.late import compile_late
from thresher.writers.outline.kept_runs import KeptRuns

__all__ = ["ParagraphItem", "read_paragraph_items"]

_COUNTED: Final = compile_late(r"[(\[（]?(?:\d{1,4}\.)*(\d{1,9})[.)\]）:、]*")
_LETTERED: Final = compile_late(r"[(\[（]?(\w{1,7})[.)\]）、]+")


class ParagraphItem(NamedTuple):
    """How an item is written."""

    level: int
    """Lists that it is in."""
    number: str
    """Its number as the page shows it, "" for a bullet."""
    first: int
    """The first item of all lists around."""
    start: str
    """What begins it in markup."""
    stop: str
    """What ends it, and the items and lists that end with it."""


def read_paragraph_items(page: Page, kept: KeptRuns) -> dict[int, ParagraphItem]:
    """Return row of a paragraph → how it is written as an item, in order."""
    items = [item for item in find_items(page) if kept.holds[item.row]]
    if not items:
        return {}
    rows = [item.row for item in items]
    begins = kept.leaves.searchsorted(page.leaf_offset[rows]).tolist()
    stops = kept.leaves.searchsorted(page.leaf_offset[page.end[rows]]).tolist()
    read: dict[int, ParagraphItem] = {}
    group: list[WordItem] = []
    for place, item in enumerate(items):
        group.append(item)
        is_last = place + 1 == len(items)
        if (
            is_last
            or begins[place + 1] != stops[place]
            or page.parent[rows[place + 1]] != page.parent[item.row]
        ):
            read |= _read_group(group)
            group = []
    return read


class _OpenList(NamedTuple):
    level: int
    tag: str
    number: int
    """Of the item that is open."""


def _read_group(items: list[WordItem]) -> dict[int, ParagraphItem]:
    """Read items with nothing between."""
    opened: list[_OpenList] = []
    starts: list[str] = []
    stops: list[str] = []
    read: list[tuple[int, str]] = []
    for item in items:
        number, shown = _read_marker(item.marker)
        tag = "ol" if shown else "ul"
        ended = ""
        while opened and opened[-1].level > item.level:
            ended += f"</li></{opened.pop().tag}>"
        if opened and opened[-1].level == item.level:
            ended += "</li>"
            if opened[-1].tag != tag:
                ended += f"</{opened.pop().tag}>"
        stops.append(ended)
        if opened and opened[-1].level == item.level:
            expected = opened.pop().number + 1
            number = number or expected
            starts.append("<li>" if number == expected or not shown else f'<li value="{number}">')
        else:
            number = 1 if number is None else number
            start = f' start="{number}"' if shown and number != 1 else ""
            starts.append(f"<{tag}{start}><li>")
        opened.append(_OpenList(item.level, tag, number))
        read.append((len(opened), shown))
    stops.append("".join(f"</li></{each.tag}>" for each in reversed(opened)))
    return {
        item.row: ParagraphItem(level, shown, items[0].row, start, stop)
        for item, (level, shown), start, stop in zip(items, read, starts, stops[1:], strict=True)
    }


def _read_marker(marker: str) -> tuple[int | None, str]:
    """Return the number of a marker, None if it is not in digits, and how it is shown."""
    if counted := _COUNTED.fullmatch(marker):
        return int(counted[1]), counted[1]
    lettered = _LETTERED.fullmatch(marker)
    return None, lettered[1] if lettered else ""
