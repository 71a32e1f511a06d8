"""Refinement of values with other evidence of the page, and agreement of values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import islice
from typing import Final

from thresher.analysis.metadata.bylines import find_signed_lines
from thresher.analysis.metadata.datelines import find_near_dates, find_near_times
from thresher.analysis.metadata.dates import date_in_url, day_of, read_date
from thresher.analysis.metadata.decide import RefinedValue
from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.metadata.people import AuthorStatement, read_names

__all__ = ["narrow_authors", "refine_date", "same_day", "some_in_common"]

MAX_OFFSET: Final = timedelta(hours=14)
OFFSET_STEP: Final = timedelta(minutes=30)
"""Offsets of zones: at most 14 hours, in whole or half hours except three small ones (tz 2024a).

An update shown in place of the publication time matches such a step by chance once in thirty.
"""
_OFFSET: Final = re.compile(
    r"\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?([+-](?:0\d|1[0-4]):?[0-5]\d)(?!\d)"
)
"""The offset of a time in ISO 8601."""
MAX_SHOWN: Final = 6
"""Times near the headline that are compared."""


def refine_date(value: str, evidence: PageEvidence) -> RefinedValue[str] | None:
    """Add the time to a day, or the zone to a time in UTC, if shown near the headline.

    A Z means that the local time is unknown (RFC 9557, 2.2): 2024-05-04T03:20Z is the evening of
    the third if the page shows 11:20 pm. The instant stays the same.
    """
    if "T" not in value:
        exact = (each for each in _shown(evidence) if "T" in each.value and _is_on(each, value))
        return next(exact, None)
    moment = datetime.fromisoformat(value)
    if moment.utcoffset() != timedelta():
        return None
    for shown in _shown(evidence):
        if "T" not in shown.value:
            continue
        local = datetime.fromisoformat(shown.value)
        if (zone := local.tzinfo or _zone_between(local, moment)) is None:
            continue
        refined = moment.astimezone(zone)
        same = abs(refined.replace(tzinfo=None) - local.replace(tzinfo=None)) < timedelta(minutes=1)
        if same and refined.utcoffset() != timedelta():
            return RefinedValue(refined.isoformat(), shown.label)
    return _in_zone_of_day(moment, evidence)


def _in_zone_of_day(moment: datetime, evidence: PageEvidence) -> RefinedValue[str] | None:
    """Convert an instant to the zone of other times on the page, if required to match the day."""
    days = [RefinedValue(day, "url:date") for day in _filed_days(evidence)]
    days += [each for each in _shown(evidence) if "T" not in each.value]
    other = [each for each in days if not _is_on(each, moment.isoformat())]
    if not other:
        return None
    zones = Counter(found[1] for found in _OFFSET.finditer(evidence.page.source))
    for offset, _ in zones.most_common():
        refined = moment.astimezone(datetime.fromisoformat(f"2000-01-01T00:00{offset}").tzinfo)
        for each in other:
            if _is_on(each, refined.isoformat()):
                return RefinedValue(refined.isoformat(), each.label)
    return None


def _filed_days(evidence: PageEvidence) -> list[str]:
    day = date_in_url(evidence.page.url or "")
    return [day] if day else []


def narrow_authors(
    names: tuple[str, ...], evidence: PageEvidence
) -> RefinedValue[tuple[str, ...]] | None:
    """Narrow several stated authors to those in the byline near the headline.

    Some systems state everyone involved, including photographers and editors, as authors.
    """
    if len(names) < 2:
        return None
    line = islice(find_signed_lines(evidence.visible), 1)
    shown, _ = read_names(map(AuthorStatement, line), evidence.known_names)
    signed = {key_of(name) for name in shown}
    left = tuple(name for name in names if key_of(name) in signed)
    if not left or len(left) == len(names) or len(left) < len(signed):
        return None
    return RefinedValue(left, "page:near-h1")


def same_day(one: str, other: str) -> bool:
    """Return whether two dates may be the same day; a time in UTC may be a day off."""
    if day_of(one) == day_of(other):
        return True
    in_utc = any("T" in value and value.endswith("+00:00") for value in (one, other))
    days = abs(date.fromisoformat(day_of(one)) - date.fromisoformat(day_of(other)))
    return in_utc and days == timedelta(days=1)


def some_in_common(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Return whether two lists share a name."""
    return not {key_of(name) for name in some}.isdisjoint(map(key_of, others))


def _shown(evidence: PageEvidence) -> Iterator[RefinedValue[str]]:
    """Yield the dates near the headline that are not updates, each with its source."""
    language = evidence.declared_language
    times = islice(find_near_times(evidence.visible), MAX_SHOWN)
    lines = islice(find_near_dates(evidence.visible, language), MAX_SHOWN)
    for found, label in ((times, "page:time"), (lines, "page:near-h1")):
        for each in found:
            if not each.is_update and (value := read_date(each.text, language)):
                yield RefinedValue(value, label)


def _is_on(shown: RefinedValue[str], value: str) -> bool:
    return day_of(shown.value) == day_of(value)


def _zone_between(local: datetime, moment: datetime) -> timezone | None:
    """Return the zone in which an instant has a local time, if there is one."""
    ahead = local - moment.astimezone(UTC).replace(tzinfo=None, second=0, microsecond=0)
    ahead -= timedelta(seconds=local.second)
    if abs(ahead) > MAX_OFFSET or ahead % OFFSET_STEP:
        return None
    return timezone(ahead)
