"""Matching of titles, authors and dates: the same rules for all, labels included.

Each field of a page earns a credit from 0 to 1, or none if the page has no label for it:

- title: 1 if letters and digits are the same, ignoring case;
- authors: the F1 of the set of names, each compared likewise;
- date: 1 for the same calendar day as it is written, zone aside, as htmldate's own evaluation has
  it (A. Barbaresi, "htmldate: A Python package to extract publication dates from web pages",
  JOSS 5(51), 2020);
- moment: 1 for the same minute, if the label has a time and a time zone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

__all__ = ["FIELDS", "Values", "credit", "is_found", "read_values"]

FIELDS: Final = ("title", "authors", "date", "moment")

_LIST_MARK: Final = re.compile(
    r"(?:(?<!\s)\s+)?[;,|、，；\n]\s*|(?<!\s)\s+(?:and|und|et|y|e|en|och|og|&)\s+", re.IGNORECASE
)
"""Separators of names in labels and answers."""
_SIGNS: Final = re.compile(
    r"^(?:(?:written )?by\b|von\b|par\b|著者|作者|文)\s*[:：]?\s*", re.IGNORECASE
)
"""Text before a name in some labels and some answers, which is not part of it."""
_NO_WORD: Final = re.compile(r"[\W_]+")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a label or an extractor for a page, in normalised form."""

    title: str | None = None
    authors: frozenset[str] = frozenset()
    date: str | None = None
    """The day, `2024-05-03`."""
    moment: datetime | None = None
    """To the minute, in UTC; None without a time zone."""


def read_values(title: str | None, authors: Iterable[str], date: str | None) -> Values:
    """Normalise the values for a page; ``date`` is ISO 8601, with a space or a T."""
    day = _DAY.match((date or "").strip())
    return Values(
        title=_key(title or "") or None,
        authors=frozenset(_names_in(authors)),
        date=day[0] if day else None,
        moment=_read_moment(date or ""),
    )


def is_found(values: Values, field: str) -> bool:
    """Return whether a field has a value."""
    return bool(getattr(values, field))


def credit(found: Values, label: Values, field: str) -> float:
    """Return how well the found value matches the label, 0 to 1; 0 if nothing was found."""
    if field == "authors":
        both = len(found.authors) + len(label.authors)
        return 2 * len(found.authors & label.authors) / both if both else 0.0
    value = getattr(found, field)
    return float(value is not None and value == getattr(label, field))


def _names_in(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        for part in _LIST_MARK.split(text):
            if key := _key(_SIGNS.sub("", part.strip())):
                yield key


def _key(text: str) -> str:
    return _NO_WORD.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _read_moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    try:
        return moment.astimezone(UTC).replace(second=0, microsecond=0)
    except OverflowError:  # the first or the last possible day
        return None
