"""When a page was written and changed, as it shows it: `<time>`, classes, lines by the headline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from thresher.metadata.dates import find_date
from thresher.metadata.signs import DATELINE, Signs
from thresher.tags import CODE_OF

__all__ = ["Dateline", "find_datelines", "find_item_dates", "find_near_dates", "find_times"]

_UPDATED: Final = re.compile(
    r"modif|updat|aktualis|mise?[ -]?à[ -]?jour|actualiz|aggiorn|atualiz", re.I
)
"""Words that say a date is not the first."""
_HINT_CHARS: Final = 40
"""Text before a time that can say what it is the time of, in characters."""


class Dateline(NamedTuple):
    """A date as found, and whether what is around it says it is of a change."""

    text: str
    is_update: bool


def find_item_dates(signs: Signs, name: str) -> Iterator[str]:
    """Yield the values of elements with this itemprop, also where there is no item around."""
    for row in signs.near(signs.rows_with("itemprop", name)):
        attrs = signs.page.attrs(row)
        yield attrs.get("content") or attrs.get("datetime") or signs.short_text(row)


def find_times(signs: Signs) -> Iterator[Dateline]:
    """Yield the `<time>` elements' values, nearest to the headline first."""
    page = signs.page
    for row in signs.near(np.flatnonzero(page.tag == CODE_OF["time"])):
        attrs, text = page.attrs(row), signs.short_text(row)
        holder = int(page.parent[row])
        around = signs.short_text(holder)
        before = around.partition(text)[0] if text else around
        hints = (
            attrs.get("class", ""),
            attrs.get("itemprop", ""),
            text,
            page.attr(holder, "class") or "",
            before[-_HINT_CHARS:],
        )
        yield Dateline(attrs.get("datetime") or text, bool(_UPDATED.search(" ".join(hints))))


def find_datelines(signs: Signs, language: str | None) -> Iterator[Dateline]:
    """Yield dates in elements whose class or id says so, nearest to the headline first."""
    for row in signs.near(signs.rows_marked(DATELINE)):
        text = signs.short_text(row)
        if found := find_date(text, language):
            hints = f"{signs.page.attr(row, 'class') or ''} {text}"
            yield Dateline(found, bool(_UPDATED.search(hints)))


def find_near_dates(signs: Signs, language: str | None) -> Iterator[Dateline]:
    """Yield dates in short lines around the headline."""
    for text in signs.lines_near_headline():
        if found := find_date(text, language):
            yield Dateline(found, bool(_UPDATED.search(text)))
