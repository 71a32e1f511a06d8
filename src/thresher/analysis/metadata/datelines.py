"""When a page was written and changed, as it shows it: `<time>`, classes, lines by the headline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.dates import find_date
from thresher.analysis.metadata.visible import VisibleEvidence
from thresher.page.tags import CODE_OF, flags_of

__all__ = [
    "Dateline",
    "find_datelines",
    "find_item_dates",
    "find_lone_dates",
    "find_near_dates",
    "find_near_times",
    "find_script_dates",
    "find_times",
]

_UPDATED: Final = re.compile(
    r"modif|updat|aktualis|mise?[ -]?à[ -]?jour|actualiz|aggiorn|atualiz", re.I
)
"""Words that say a date is not the first."""
MAX_SCRIPT_DATES: Final = 1
"""Dates read of scripts by each of their names: of several, the first is the page's own."""
_DIGITS: Final = re.compile(r"\d\d")
_QUOTE: Final = r"""(?:\\?["']|&quot;|&\#34;)?"""
_SCRIPT_DATE: Final = re.compile(
    rf":(?=\s*{_QUOTE}(\d{{4}}-\d\d-\d\d[\w:.+ -]{{0,25}}|\d{{10,13}}\b))"
)
"""A date behind a name in the data that programs write into pages.

In scripts, and in attributes that scripts read, where quotes are escaped.
"""
_SCRIPT_NAMES: Final = tuple(
    re.compile(rf"(?:{names}){_QUOTE}\s*\Z")
    for names in (
        r"datePublished|date_?[pP]ublished|published_?[aA]t|(?:first_?)?[pP]ublish(?:ed)?_?[dD]ate"
        r"|pub_?[dD]ate|publication_?[dD]ate|published_?[tT]ime|firstPublish(?:ed|Date)?|(?<!un)published",
        r"date_?[cC]reated|created_?[aA]t|creation_?[dD]ate|upload_?[dD]ate|uploaded_?[aA]t",
    )
)
"""What programs call these dates: looked for before a date, for much else begins like a name."""
_MAX_NAME_CHARS: Final = 100
"""Text before the colon in which the name is, in characters."""
_EDITS: Final = flags_of("del ins")
_HINT_CHARS: Final = 40
"""Text before a time that can say what it is the time of, in characters."""


class Dateline(NamedTuple):
    """A date as found, and whether what is around it says it is of a change."""

    text: str
    is_update: bool


def find_item_dates(visible: VisibleEvidence, name: str) -> Iterator[str]:
    """Yield the values of elements with this itemprop, also where there is no item around."""
    for row in visible.near(visible.rows_with("itemprop", name)):
        attrs = visible.page.attrs(row)
        yield attrs.get("content") or attrs.get("datetime") or visible.short_text(row)


def find_times(visible: VisibleEvidence, *, anywhere: bool = False) -> Iterator[Dateline]:
    """Yield the values of elements that tell a time, nearest to the headline first.

    These are `<time>` and whatever else has a `datetime`, such as `<relative-time>`. Those in
    parts that are about something else count only if ``anywhere``.
    """
    rows = visible.near(_time_rows(visible), anywhere=anywhere)
    yield from (_read_time(visible, row) for row in rows)


def find_near_times(visible: VisibleEvidence) -> Iterator[Dateline]:
    """Yield those of `find_times` that stand around the headline."""
    near = (row for row in visible.near(_time_rows(visible)) if visible.is_near_headline(row))
    yield from (_read_time(visible, row) for row in near)


def _time_rows(visible: VisibleEvidence) -> npt.NDArray[np.intp]:
    page = visible.page
    # `<ins>` and `<del>` tell with it when the text was changed (HTML Living Standard, 4.7).
    stated = page.attributes.row[page.attributes.named("datetime")]
    rows = np.union1d(np.flatnonzero(page.tag == CODE_OF["time"]), stated)
    return rows[~_EDITS[page.tag[rows]]]


def _read_time(visible: VisibleEvidence, row: int) -> Dateline:
    page = visible.page
    attrs, text = page.attrs(row), visible.short_text(row)
    holder = int(page.parent[row])
    around = visible.short_text(holder)
    before = around.partition(text)[0] if text else around
    hints = (
        attrs.get("class", ""),
        attrs.get("itemprop", ""),
        text,
        page.attr(holder, "class") or "",
        before[-_HINT_CHARS:],
    )
    return Dateline(attrs.get("datetime") or text, bool(_UPDATED.search(" ".join(hints))))


def find_datelines(visible: VisibleEvidence, language: str | None) -> Iterator[Dateline]:
    """Yield dates in elements whose class or id says so, nearest to the headline first."""
    for row in visible.near(visible.datelines):
        attrs, text = visible.page.attrs(row), visible.short_text(row)
        # Where the text is "2 hours ago", a tooltip tells the date.
        if found := find_date(text, language) or find_date(attrs.get("title", ""), language):
            hints = f"{attrs.get('class', '')} {text}"
            yield Dateline(found, bool(_UPDATED.search(hints)))


def find_near_dates(visible: VisibleEvidence, language: str | None) -> Iterator[Dateline]:
    """Yield dates in short lines around the headline."""
    yield from _dates_in(visible.lines_near_headline, language)


def find_lone_dates(visible: VisibleEvidence, language: str | None) -> Iterator[Dateline]:
    """Yield dates in short lines anywhere, those behind the headline first."""
    yield from _dates_in(visible.short_lines(), language)


def find_script_dates(visible: VisibleEvidence) -> Iterator[str]:
    """Yield dates that scripts hold under a name that says published or created."""
    source = visible.page.source
    dates = [(found.start(), found[1]) for found in _SCRIPT_DATE.finditer(source)]
    for names in _SCRIPT_NAMES:
        named = (
            date
            for colon, date in dates
            if names.search(source, max(0, colon - _MAX_NAME_CHARS), colon)
        )
        yield from islice(named, MAX_SCRIPT_DATES)


def _dates_in(lines: Iterable[str], language: str | None) -> Iterator[Dateline]:
    for text in lines:
        if _DIGITS.search(text) and (found := find_date(text, language)):
            yield Dateline(found, _says_update(text, language))


def _says_update(text: str, language: str | None) -> bool:
    """Say whether the first date of a line is of a change: not in "3 May, updated 4 May"."""
    word = _UPDATED.search(text)
    if word is None:
        return False
    first, second = text[: word.start()], text[word.end() :]
    return not (find_date(first, language) and find_date(second, language))
