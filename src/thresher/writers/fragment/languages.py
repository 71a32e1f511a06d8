"""Languages and text directions that the page sets for parts of the content.

Elements that are written unchanged keep their `lang` and `dir`. Where the page sets them on an
element that is not written, a layout `div` or `span`, one is written just for them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple

from thresher.page import Page
from thresher.page.tags import BLOCK, CODE_OF, flags_of
from thresher.writers.fragment.start_tags import format_start_tag
from thresher.writers.outline.outline import Outline
from thresher.writers.outline.pieces import Pieces, Rank
from thresher.writers.outline.structure import LISTS, ONE_LINE

__all__ = ["set_languages"]

_SPAN: Final = CODE_OF["span"]
_NO_DIV_INSIDE: Final = LISTS | ONE_LINE | flags_of("dl p table tbody tfoot thead tr")
"""Structure that cannot have a `div` as a child."""
_NAMES: Final = ("lang", "dir")
_LEVELS_UP: Final = 64
"""Ancestors searched for an inherited value; beyond them it is set again."""


def set_languages(outline: Outline, pieces: Pieces) -> dict[int, str]:
    """Put a `div` around each block that sets a language or direction its ancestors do not.

    Returns the start tags of the spans that do.
    """
    page = outline.page
    settings = _find_settings(outline)
    if not settings:
        return {}
    container = page.nearest(outline.structure)
    first = list(outline.continued.values())
    gaps = _Gaps(first, page.end[first].tolist(), list(outline.continued))
    spans: dict[int, str] = {}
    for row, attrs in settings.items():
        above = int(container[page.parent[row]])
        if page.tag[row] == _SPAN:
            if not outline.crossing[row]:
                spans[row] = format_start_tag("span", attrs)
        elif (
            BLOCK[page.tag[row]]
            and not (above >= 0 and _NO_DIV_INSIDE[outline.tag[above]])
            and not gaps.are_cut_by(row, int(page.end[row]))
        ):
            place = page.open_start[[row]]
            pieces.put(place, Rank.SLICE, format_start_tag("div", attrs).encode())
            pieces.put(page.close_start[[row]], Rank.SLICE, b"</div>")
    return spans


class _Gaps(NamedTuple):
    """The rows between lists that are written as one; these do not overlap."""

    first: list[int]
    """The list before each."""
    start: list[int]
    stop: list[int]
    """The list behind it."""

    def are_cut_by(self, row: int, end: int) -> bool:
        """Return whether an element begins or ends in one, holding one of the two lists."""
        begun, ended = (bisect_right(self.start, place) - 1 for place in (row, end))
        return (begun >= 0 and row <= self.stop[begun]) or (
            ended >= 0 and end <= self.stop[ended] and row < self.first[ended]
        )


def _find_settings(outline: Outline) -> dict[int, dict[str, str]]:
    """Return row → attributes for rows that are not written and set a new value."""
    page = outline.page
    first, last = int(outline.first_row[0]), int(outline.last_row[-1])
    found: dict[int, dict[str, str]] = {}
    for name in _NAMES:
        rows = page.attributes.row[page.attributes.named(name)]
        inside = outline.holds[rows] & ~outline.structure[rows]
        inside &= (rows > first) | (page.end[rows] <= last)
        if not inside.any():
            continue
        values = page.attributes.values(name)
        for row in rows[inside].tolist():
            if values[row].strip().lower() != _inherited(page, values, row):
                found.setdefault(row, {})[name] = values[row]
    return dict(sorted(found.items()))


def _inherited(page: Page, values: dict[int, str], row: int) -> str:
    """Return the value a row would have without its own setting, "" for none."""
    for _ in range(_LEVELS_UP):
        row = int(page.parent[row])
        if row < 0:
            break
        if row in values:
            return values[row].strip().lower()
    return ""
