"""Numbers of ordered lists, as browsers count (HTML Living Standard, 4.4.5 and 4.4.8)."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.page.tags import CODE_OF
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.structure import LISTS

__all__ = ["format_number", "number_items"]

_LI, _OL = CODE_OF["li"], CODE_OF["ol"]
_ROMAN: Final = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MAX_ROMAN: Final = 3999
_MAX_DIGITS: Final = 9
"""Maximum digits of a list's first number, as in CommonMark."""


def number_items(outline: Outline) -> dict[int, str]:
    """Return row → number for the items of ordered lists; only written items count."""
    page = outline.page
    numbers = {row: item.number for row, item in outline.items.items() if item.number}
    ordered = outline.structure & (outline.tag == _OL)
    if not ordered.any():
        return numbers
    items = np.flatnonzero(outline.structure & (outline.tag == _LI))
    around = page.nearest(outline.structure & LISTS[outline.tag])[items]
    values = page.attributes.values("value")
    count = np.bincount(around[around >= 0], minlength=len(page))
    following: dict[int, tuple[int, int, str]] = {}
    """Row of a list → the number of its next item, the step, the kind."""
    for item, row in zip(items.tolist(), around.tolist(), strict=True):
        if row < 0 or not ordered[row]:
            continue
        if row not in following:
            attrs = page.attrs(row)
            is_reversed = "reversed" in attrs
            first = _read_number(attrs.get("start"))
            if first is None:
                first = int(count[row]) if is_reversed else 1
            following[row] = (first, -1 if is_reversed else 1, attrs.get("type", "1"))
        number, step, kind = following[row]
        stated = _read_number(values.get(item))
        number = number if stated is None else stated
        numbers[item] = format_number(number, kind)
        following[row] = (number + step, step, kind)
    return numbers


def format_number(number: int, kind: str = "1") -> str:
    """Format a number as a list of this `type` shows it: 1, a, A, i or I."""
    if kind in ("a", "A") and number > 0:
        letters = ""
        while number:
            number, place = divmod(number - 1, 26)
            letters = chr(ord(kind) + place) + letters
        return letters
    if kind in ("i", "I") and 0 < number <= _MAX_ROMAN:
        numeral = ""
        for value, sign in _ROMAN:
            times, number = divmod(number, value)
            numeral += sign * times
        return numeral if kind == "i" else numeral.upper()
    return str(number)


def _read_number(value: str | None) -> int | None:
    digits = (value or "").strip()
    unsigned = digits.removeprefix("-")
    if not (unsigned.isascii() and unsigned.isdigit()) or len(unsigned) > _MAX_DIGITS:
        return None
    return int(digits)
