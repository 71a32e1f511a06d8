"""Dates as pages write them → ISO 8601, only where there is one way to read them.

Nothing here looks at the clock: the same text always gives the same date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Final

from thresher.metadata.wording import words_of

__all__ = ["date_in_url", "day_of", "find_date", "is_month", "read_date"]

FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Years between which a page can have been written, both included: the web began in 1990."""
MAX_DATE_CHARS: Final = 300
"""Text looked at for a date, in characters: a byline, not an article."""

_ISO: Final = re.compile(
    r"(?<!\d)(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)"
    r"(?:(?:[Tt]|\s+)(?P<H>\d\d?):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,](?P<f>\d+))?)?"
    r"\s*(?P<z>[Zz]|UTC|GMT|(?:UTC|GMT)?[+-]\d\d:?(?:\d\d)?)?)?(?!\d)"
)
"""ISO 8601 as it is written in the wild: spaces for the T, names of the zone, no leading zeros."""
_COMPACT: Final = re.compile(r"\s*(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(Z)?)?\s*")
_EPOCH: Final = re.compile(r"\s*(\d{9,10})(\d{3})?\s*")
"""Seconds since 1970, or milliseconds."""
_RFC_2822: Final = re.compile(r"\s*[A-Za-z]{3},\s+\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d")
_YEAR_FIRST: Final = re.compile(
    r"(?<!\d)(\d{4})(?:[./]\s?(\d\d?)[./]\s?(\d\d?)|\s*年\s*(\d\d?)\s*月\s*(\d\d?)\s*日"
    r"|\s*년\s*(\d\d?)\s*월\s*(\d\d?)\s*일)(?!\d)"
)
_YEAR_LAST: Final = re.compile(
    r"(?<![\d./-])(\d\d?)(?:(?P<dot>\.)\s?|(?P<sep>[/-]))(\d\d?)(?(dot)\.|(?P=sep))\s?(\d{4})(?!\d)"
)
_DAY_FIRST_WORD: Final = re.compile(
    r"(?<!\d)(?P<day>\d\d?)(?:st|nd|rd|th|er|º|ª|°|\.)?[\s-]*(?:de |of )?\s*"
    r"(?P<name>[^\W\d_]{3,12})\.?,?[\s-]*(?:de |del )?\s*(?P<year>\d{4})(?!\d)"
)
_MONTH_FIRST_WORD: Final = re.compile(
    r"(?P<name>[^\W\d_]{3,12})\.?\s+(?P<day>\d\d?)(?:st|nd|rd|th)?(?:,|\s)\s*"
    r"(?P<year>\d{4})(?!\d)"
)
_YEAR_FIRST_WORD: Final = re.compile(
    r"(?<!\d)(?P<year>\d{4})[.,]?[\s-]+(?P<name>[^\W\d_]{3,12})\.?[\s-]+(?P<day>\d\d?)(?!\d)"
)
_URL_DATE: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?P<sep>[/_.-]?)(0[1-9]|1[0-2])(?P=sep)(0[1-9]|[12]\d|3[01])(?!\d)"
)

_MONTHS: Final = (
    # English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish, Czech, Turkish,
    # Hungarian, Romanian, Russian, Ukrainian, Greek; with the usual short forms.
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari tammikuuta"
    " stycznia styczeń sty leden ledna ocak oca január ianuarie января янв січня ιανουαρίου",
    "february feb februar feber février févr fév febrero febbraio febb fevereiro fev februari"
    " helmikuuta lutego luty lut února únor şubat şub február februarie февраля фев февр лютого"
    " φεβρουαρίου",
    "march mar märz mrz mär mars marzo março maart mrt marts maaliskuuta marca marzec března březen"
    " mart március márc martie марта мар березня μαρτίου",
    "april apr avril avr abril abr aprile huhtikuuta kwietnia kwiecień kwi dubna duben nisan nis"
    " április ápr aprilie апреля апр квітня απριλίου",
    "may mai mayo maggio mag maio mei maj toukokuuta maja května květen mayıs május máj мая май"
    " травня μαΐου",
    "june jun juni juin junio giugno giu junho kesäkuuta czerwca czerwiec cze června červen"
    " haziran haz június jún iunie июня июн червня ιουνίου",
    "july jul juli juillet juil julio luglio lug julho heinäkuuta lipca lipiec lip července"
    " červenec temmuz tem július júl iulie июля июл липня ιουλίου",
    "august aug août aoû agosto ago augustus augusti elokuuta sierpnia sierpień sie srpna srpen"
    " ağustos ağu augusztus августа авг серпня αυγούστου",
    "september sep sept septembre septiembre settembre set sett setembro syyskuuta września"
    " wrzesień wrz září eylül eyl szeptember szept septembrie сентября сен сент вересня"
    " σεπτεμβρίου",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta października"
    " październik paź října říjen ekim eki október octombrie октября окт жовтня οκτωβρίου",
    "november nov novembre noviembre novembro marraskuuta listopada listopad lis kasım kas"
    " noiembrie ноября ноя нояб листопада νοεμβρίου",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des joulukuuta"
    " grudnia grudzień gru prosince prosinec aralık ara decembrie декабря дек грудня δεκεμβρίου",
)
"""Names of the months, wide and abbreviated, as written in dates (after Unicode CLDR 45)."""
_MONTH_OF: Final = {
    name: month for month, names in enumerate(_MONTHS, start=1) for name in names.split()
}

_DAY_FIRST: Final = words_of(
    "ar bg ca cs da de el es et fi fr gl he hi hr id is it lv ms nb nl nn no pl pt ro ru sk sl sr"
    " sv th tr uk vi"
)
"""Languages whose countries write 3/4 for the third of April (Unicode CLDR 45, dateFormats)."""
_DAY_FIRST_ENGLISH: Final = words_of("au gb ie in nz za")
_MONTH_FIRST_REGIONS: Final = frozenset({"us", "ph"})


def read_date(text: str, language: str | None = None) -> str | None:
    """Read a value that should be a date; None where it is none or could be two.

    ``language`` is the page's BCP 47 tag: it settles whether 3/4/2020 is in March or in April.
    """
    text = text.strip()[:MAX_DATE_CHARS]
    for pattern, read in ((_COMPACT, _read_compact), (_EPOCH, _read_epoch)):
        found = pattern.fullmatch(text)
        if found and (value := read(found)):
            return value
    if _RFC_2822.match(text):
        try:
            return _within_bounds(parsedate_to_datetime(text))
        except (ValueError, IndexError, OverflowError):
            pass
    return find_date(text, language)


def find_date(text: str, language: str | None = None) -> str | None:
    """Find the first date in a short text, such as a byline."""
    text = text[:MAX_DATE_CHARS]
    found = _ISO.search(text)
    if found and (value := _read_iso(found)):
        return value
    for year, month, day in _dates_in(text, language):
        if value := _day(year, month, day):
            return value
    return None


def date_in_url(url: str) -> str | None:
    """Find a whole date in an address: /2024/05/03/, -2024-05-03, 20240503."""
    for found in _URL_DATE.finditer(url):
        if value := _day(int(found[1]), int(found[3]), int(found[4])):
            return value
    return None


def is_month(word: str) -> bool:
    """Say whether a word is the name of a month."""
    return word.strip(".").lower() in _MONTH_OF


def day_of(value: str) -> str:
    """Return the day of an ISO 8601 value."""
    return value[: len("2024-05-03")]


def _dates_in(text: str, language: str | None) -> Iterator[tuple[int, int, int]]:
    """Yield year, month, day of everything that is written like a date, by form then place."""
    for found in _YEAR_FIRST.finditer(text):
        year, month, day = (int(part) for part in found.groups() if part)
        yield year, month, day
    lowered = text.lower()
    for pattern in (_MONTH_FIRST_WORD, _DAY_FIRST_WORD, _YEAR_FIRST_WORD):
        for found in pattern.finditer(lowered):
            if named := _MONTH_OF.get(found["name"]):
                yield int(found["year"]), named, int(found["day"])
    for found in _YEAR_LAST.finditer(text):
        first, second, year = int(found[1]), int(found[4]), int(found[5])
        order = _is_day_first(first, second, language, dotted=bool(found["dot"]))
        if order is not None:
            yield (year, second, first) if order else (year, first, second)


def _is_day_first(first: int, second: int, language: str | None, *, dotted: bool) -> bool | None:
    """Say whether the first of two numbers is the day; None where nobody can know."""
    if first > 12 or second > 12 or first == second:
        return second <= 12
    tag, *rest = (language or "").lower().split("-")
    region = rest[-1] if rest else ""
    if region in _MONTH_FIRST_REGIONS:
        return False
    if tag in _DAY_FIRST or (tag == "en" and region in _DAY_FIRST_ENGLISH):
        return True
    # With points the day comes first in every country that writes them so; English has no rule.
    return True if dotted and tag != "en" else None


def _read_iso(found: re.Match[str]) -> str | None:
    day = _day(int(found["y"]), int(found["m"]), int(found["d"]))
    if day is None or found["H"] is None:
        return day
    parts = date.fromisoformat(day)
    second, fraction = int(found["S"] or 0), (found["f"] or "0")[:6].ljust(6, "0")
    try:
        moment = datetime(
            parts.year,
            parts.month,
            parts.day,
            int(found["H"]),
            int(found["M"]),
            second,
            int(fraction),
            tzinfo=_zone(found["z"]),
        )
    except ValueError:
        return day
    return moment.isoformat()


def _zone(name: str | None) -> timezone | None:
    if name is None:
        return None
    offset = re.fullmatch(r"(?:UTC|GMT)?([+-])(\d\d):?(\d\d)?", name)
    if not offset:
        return UTC
    ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
    return timezone(ahead if offset[1] == "+" else -ahead)


def _read_compact(found: re.Match[str]) -> str | None:
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    if found[4] is None:
        return _day(year, month, day)
    zone = UTC if found[7] else None
    try:
        return _within_bounds(datetime(year, month, day, hour, minute, second, tzinfo=zone))
    except ValueError:
        return None


def _read_epoch(found: re.Match[str]) -> str | None:
    return _within_bounds(datetime.fromtimestamp(int(found[1]), UTC))


def _within_bounds(moment: datetime) -> str | None:
    return moment.isoformat() if FIRST_YEAR <= moment.year <= LAST_YEAR else None


def _day(year: int, month: int, day: int) -> str | None:
    """Return the day in ISO 8601; None where there is no such day, or it is out of bounds."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
