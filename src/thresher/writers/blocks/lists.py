"""Adaptation of lists to Markdown, where numbers only count up and only items contain lists."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Text

__all__ = ["adapt_lists"]

_LISTS: Final = ("ol", "ul")
_NUMBER: Final = re.compile(r"\s*(-?\d{1,9})(?!\d)")
"""Integer in an attribute (HTML Living Standard, 2.3.4.1), as far as Markdown can count (CommonMark
0.31.2, 5.2)."""


def adapt_lists(tree: Element) -> None:
    """Give all lists of a tree a shape that Markdown supports, in place.

    A list whose numbers jump or count down becomes several lists that count up; negative numbers
    become the beginnings of items in an unordered list. A list directly inside a list, with no item
    before it, is merged into that.
    """
    for each in list(tree.iter_elements(_LISTS)):
        parent = each.parent
        if isinstance(parent, Element) and parent.tag in _LISTS and _is_first(each):
            each.unwrap()
        elif each.tag == "ol":
            _adapt_numbers(each)


def _is_first(element: Element) -> bool:
    before = element.previous_sibling
    while before is not None and not isinstance(before, Element):
        before = before.previous_sibling
    return before is None


def _adapt_numbers(numbered: Element) -> None:
    items = [child for child in numbered.children if isinstance(child, Element)]
    items = [item for item in items if item.tag == "li"]
    down = "reversed" in numbered.attrs
    if not down and not any("value" in item.attrs for item in items):
        return
    number = _read(numbered, "start", len(items) if down else 1)
    numbers = []
    for item in items:
        number = _read(item, "value", number)
        numbers.append(number)
        number += -1 if down else 1
        item.attrs.pop("value", None)
    numbered.attrs.pop("reversed", None)
    numbered.attrs.pop("start", None)
    if min(numbers, default=0) >= 0:
        _split(numbered, items, numbers)
        return
    numbered.tag = "ul"
    for item, each in zip(items, numbers, strict=True):
        begin = item
        while isinstance(child := next(iter(begin.children), None), Element) and child.tag == "p":
            begin = child
        begin.insert(0, Text(f"{each}. "))


def _split(numbered: Element, items: list[Element], numbers: list[int]) -> None:
    """Split a list into one for each run of numbers that count up."""
    last = numbered
    for place, (item, number) in enumerate(zip(items, numbers, strict=True)):
        if place == 0:
            numbered.attrs["start"] = str(number)
        elif number != numbers[place - 1] + 1:
            run = Element("ol", {"start": str(number)})
            last.insert_after(run)
            last = run
        if last is not numbered:
            last.append(item.extract())


def _read(element: Element, name: str, default: int) -> int:
    found = _NUMBER.match(element.attr(name) or "")
    return int(found[1]) if found else default
