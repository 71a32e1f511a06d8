"""Parsing of dates on pages to ISO 8601, only where they are unambiguous.

Independent of the current time: the same text always gives the same date.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Final

from thresher.analysis.metadata.normalise import words_of
from thresher.deadline import find_all

_MONTHS: Final = (
    # English, German, French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish, Czech, Turkish,
    # Hungarian, Romanian, Russian, Ukrainian, Greek; with the usual short forms. Then Catalan,
    # Croatian (October is left out: Poland's November), Bulgarian, Indonesian, Arabic, Hindi,
    # Slovak, Estonian, Lithuanian. Then Galician, Albanian, Azerbaijani, Macedonian, Serbian,
    # Hebrew, Persian, Georgian, Latvian, Icelandic, Basque.
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro januari tammikuuta"
    " stycznia styczeń sty leden ledna ocak oca január ianuarie января янв січня ιανουαρίου"
    " gener siječnja януари يناير जनवरी januára jaanuar sausio ιανουάριος"
    " xaneiro janar yanvar јануари јануар ינואר בינואר ژانویه იანვარი janvāris janvārī"
    " janúar urtarrila",
    "february feb februar feber février févr fév febrero febbraio febb fevereiro fev februari"
    " helmikuuta lutego luty lut února únor şubat şub február februarie февраля фев февр лютого"
    " φεβρουαρίου"
    " febrer veljače февруари فبراير फरवरी फ़रवरी februára veebruar vasario φεβρουάριος"
    " febreiro shkurt fevral фебруари фебруар פברואר בפברואר فوریه თებერვალი februāris"
    " februārī febrúar otsaila",
    "march mar märz mrz mär mars marzo março maart mrt marts maaliskuuta marca marzec března březen"
    " mart március márc martie марта мар березня μαρτίου"
    " març ožujka maret март مارس मार्च märts kovo μάρτιος"
    " מרץ במרץ მარტი martā martxoa",
    "april apr avril avr abril abr aprile huhtikuuta kwietnia kwiecień kwi dubna duben nisan nis"
    " április ápr aprilie апреля апр квітня απριλίου"
    " travnja април أبريل إبريل ابريل अप्रैल apríla aprill balandžio"
    " prill aprel אפריל באפריל آوریل აპრილი aprīlis aprīlī apríl apirila",
    "may mai mayo maggio mag maio mei maj toukokuuta maja května květen mayıs május máj мая май"
    " травня μαΐου"
    " maig svibnja مايو mája gegužės"
    " мај מאי במאי მაისი maijs maijā maí maiatza",
    "june jun juni juin junio giugno giu junho kesäkuuta czerwca czerwiec cze června červen"
    " haziran haz június jún iunie июня июн червня ιουνίου"
    " juny lipnja юни يونيو يونيه जून juuni júna birželio"
    " xuño qershor iyun јуни јун יוני ביוני ژوئن ივნისი jūnijs jūnijā júní ekaina junij",
    "july jul juli juillet juil julio luglio lug julho heinäkuuta lipca lipiec lip července"
    " červenec temmuz tem július júl iulie июля июл липня ιουλίου"
    " juliol srpnja юли يوليو يوليه जुलाई juuli júla liepos"
    " xullo korrik iyul јули јул יולי ביולי ژوئیه ივლისი jūlijs jūlijā júlí uztaila julij",
    "august aug août aoû agosto ago augustus augusti elokuuta sierpnia sierpień sie srpna srpen"
    " ağustos ağu augusztus августа авг серпня αυγούστου"
    " agost kolovoza agustus август أغسطس اغسطس अगस्त augusta rugpjūčio"
    " gusht avqust אוגוסט באוגוסט اوت აგვისტო augusts augustā ágúst abuztua avgust",
    "september sep sept septembre septiembre settembre set sett setembro syyskuuta września"
    " wrzesień wrz září eylül eyl szeptember szept septembrie сентября сен сент вересня"
    " σεπτεμβρίου"
    " setembre rujna септември سبتمبر सितंबर सितम्बर septembra rugsėjo"
    " shtator sentyabr септембри септембар ספטמבר בספטמבר سپتامبر სექტემბერი septembris"
    " septembrī iraila septembar",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta października"
    " październik paź října říjen ekim eki október octombrie октября окт жовтня οκτωβρίου"
    " октомври أكتوبر اكتوبر अक्टूबर oktoober októbra spalio"
    " tetor oktyabr октобар אוקטובר באוקטובר اکتبر ოქტომბერი oktobris oktobrī urria oktobar",
    "november nov novembre noviembre novembro marraskuuta listopada listopad lis kasım kas"
    " noiembrie ноября ноя нояб листопада νοεμβρίου"
    " studenoga ноември نوفمبر नवंबर नवम्बर novembra lapkričio"
    " nëntor noyabr новембар נובמבר בנובמבר نوامبر ნოემბერი novembris novembrī nóvember"
    " azaroa novembar",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro desember des joulukuuta"
    " grudnia grudzień gru prosince prosinec aralık ara decembrie декабря дек грудня δεκεμβρίου"
    " desembre prosinca декември ديسمبر दिसंबर दिसम्बर detsember decembra gruodžio"
    " decembro dhjetor dekabr децембар דצמבר בדצמבר دسامبر დეკემბერი decembris decembrī"
    " abendua decembar",
)
"""Names of the months, wide and abbreviated, as written in dates (after Unicode CLDR 45)."""
MONTH_OF: Final = {
    name: month for month, names in enumerate(_MONTHS, start=1) for name in names.split()
}
"""Name in lower case → number of the month."""


FIRST_YEAR, LAST_YEAR = 1990, 2100
"""Range of years in which a page can have been written, inclusive: the web began in 1990."""
MAX_DATE_CHARS: Final = 300
"""Text searched for a date, in characters: a byline, not an article."""

_MAY_BE_DATE: Final = re.compile(r"\d(?:\d{3}|\d\.\d\d\.\d\d)")
"""In every date that is read or found; most short texts have none."""
_ISO: Final = re.compile(
    r"(?<!\d)(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)"
    r"(?:(?:[Tt]|\s+)(?P<H>\d\d?):(?P<M>\d\d)(?::(?P<S>\d\d)(?:[.,](?P<f>\d+))?)?"
    r"\s*(?P<z>[Zz]|UTC|GMT|(?:UTC|GMT)?[+-]\d\d:?(?:\d\d)?)?)?(?!\d)"
)
"""ISO 8601 as found in practice: with a space for the T, zone names, no leading zeros."""
_EXACT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"(?:T(?:[01][0-9]|2[0-3]):[0-9]{2}:[0-9]{2}(?:\.[0-9]{3}(?:[0-9]{3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
"""ISO 8601 as the standard library reads it, and most values in markup are written."""
_COMPACT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(Z)?)?")
_EPOCH: Final = re.compile(r"(\d{9,10})(\d{3})?")
"""Seconds since 1970, or milliseconds."""
_RFC_2822: Final = re.compile(r"\s*[A-Za-z]{3},\s+\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d")
_YEAR_FIRST: Final = re.compile(
    r"(?<!\d)(\d{4})(?:[./]\s?(\d\d?)[./]\s?(\d\d?)(?!\d)|\s*年\s*(\d\d?)\s*月\s*(\d\d?)\s*日"
    r"|\s*년\s*(\d\d?)\s*월\s*(\d\d?)\s*일)"
)
_VIETNAMESE: Final = re.compile(r"(?<!\d)(\d\d?)\s+tháng\s+(\d\d?),?\s+(?:năm\s+)?(\d{4})(?!\d)")
_YEAR_LAST: Final = re.compile(
    r"(?<![\d./-])(\d\d?)(?:(?P<dot>\.)\s?|(?P<sep>[/-]))(\d\d?)(?(dot)\.|(?P=sep))\s?(\d{4})(?!\d)"
)
_SHORT_YEAR: Final = re.compile(r"(?<![\d./-])(\d\d)\.(\d\d)\.(\d\d)(?![\d.])")
"""03.05.24, only with two digits each and dots: anything else may be a price or a version."""
_NAME: Final = r"(?P<name>[^\W\d_](?:[^\W\d_]|[\u0900-\u0dff]){2,11})"
"""A word; in Indic scripts, vowels are combining marks."""
_DAY_FIRST_WORD: Final = re.compile(
    r"(?<!\d)(?P<day>\d\d?)(?:st|nd|rd|th|er|º|ª|°|\.)?[\s-]*(?:(?:de |of |d['’])\s*)?"
    rf"{_NAME}\.?,?[\s-]*(?:(?:de |del )\s*)?(?P<year>\d{{4}})(?!\d)"
)
_MONTH_FIRST_WORD: Final = re.compile(
    rf"{_NAME}\.?\s+(?P<day>\d\d?)(?:st|nd|rd|th)?(?:,|\s)\s*(?P<year>\d{{4}})(?!\d)"
)
_YEAR_FIRST_WORD: Final = re.compile(
    rf"(?<!\d)(?P<year>\d{{4}})[.,]?[\s-]+{_NAME}\.?[\s-]+(?P<day>\d\d?)(?!\d)"
)
_TIME: Final = re.compile(
    r"\s*(?:(?:[,|•·/–—-]|\bat\b|\bum\b|\bà\b|\ba las\b|\bkl\.?|\balle\b|\bo\b|\bг\.|\bв\b)\s*)?"
    r"(?P<H>[01]?\d|2[0-3])(?P<mark>[:.h])(?P<M>[0-5]\d)(?::[0-5]\d)?(?!\d)"
    r"\s*(?P<half>[ap]\.?m\b\.?|[صم]\b)?\s*(?:uhr\b|hrs?\b)?\s*\(?(?P<z>[a-z]{3,4}\b(?:\s?[+-]\d\d?(?::?\d\d)?)?)?"
)
"""The time right after a date; its zone, if it is one of `_ZONES`."""
_HALVES: Final = {"a": "a", "p": "p", "ص": "a", "م": "p"}
_ZONES: Final = {
    "utc": 0,
    "gmt": 0,
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
    "cet": 1,
    "cest": 2,
    "mez": 1,
    "mesz": 2,
    "jst": 9,
    "kst": 9,
}
"""Zones of the Internet Message Format (RFC 5322, 4.3), and a few other unambiguous ones; hours
east of Greenwich. IST and BST are ambiguous."""
_URL_DATE: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?P<sep>[/_.-]?)(0[1-9]|1[0-2])(?P=sep)(0[1-9]|[12]\d|3[01])(?!\d)"
)
_MARKUP_DATE: Final = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)([-/])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)"
)
_URL_SHORT_DATE: Final = re.compile(
    r"/(?P<c>19|20)(?P<y>\d\d)/(?P<m>\d\d)/(?:[^/]*/)?(?P=y)-?(?P=m)-?(?P<d>\d\d)(?!\d)"
)
"""/2015/08/150803-…: the folder confirms the two-digit year."""

_DAY_FIRST: Final = words_of(
    "ar bg ca cs da de el es et fi fr gl he hi hr id is it lv ms nb nl nn no pl pt ro ru sk sl sr"
    " sv th tr uk vi"
)
"""Languages in which 3/4 is the third of April (Unicode CLDR 45, dateFormats)."""
_DAY_FIRST_ENGLISH: Final = words_of("au gb ie in nz za")
_MONTH_FIRST_REGIONS: Final = frozenset({"us", "ph"})


def read_date(text: str, language: str | None = None) -> str | None:
    """Parse a value that should be a date; None if it is not one or is ambiguous.

    ``language`` is the page's BCP 47 tag; it decides whether 3/4/2020 is in March or in April.
    """
    text = text.strip()[:MAX_DATE_CHARS]
    if _EXACT.fullmatch(text) and (exact := _read_exact(text)):
        return exact
    if not _MAY_BE_DATE.search(text):
        return None
    for pattern, read in ((_COMPACT, _read_compact), (_EPOCH, _read_epoch)):
        match = pattern.fullmatch(text)
        if match and (value := read(match)):
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
    if not _MAY_BE_DATE.search(text):
        return None
    match = _ISO.search(text)
    if match and (value := _read_iso(match)):
        return value
    for year, month, day, end in _dates_in(text, language):
        if value := _day(year, month, day):
            return _with_time(value, text, end)
    return None


def date_in_url(url: str) -> str | None:
    """Find a whole date in an address: /2024/05/03/, -2024-05-03, 20240503, /2024/05/240503."""
    for match in _URL_DATE.finditer(url):
        if value := _day(int(match[1]), int(match[3]), int(match[4])):
            return value
    short = _URL_SHORT_DATE.search(url)
    return _day(int(short["c"] + short["y"]), int(short["m"]), int(short["d"])) if short else None


def commonest_date(markup: str, code: str = "") -> str | None:
    """Find the most frequent date in addresses and attributes, the first of equals.

    Those in the text of code are not counted.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for text, add in ((markup, counts.update), (code, counts.subtract)):
        add(date.groups() for date in find_all(_MARKUP_DATE, text, longest=len("2026-11-28") + 1))
    counts = +counts
    days = (
        _day(int(year), int(month), int(day)) for (year, _, month, day), _ in counts.most_common()
    )
    return next((day for day in days if day), None)


def is_month(word: str) -> bool:
    """Return whether a word is the name of a month."""
    return word.strip(".").lower() in MONTH_OF


def day_of(value: str) -> str:
    """Return the day of an ISO 8601 value."""
    return value[: len("2024-05-03")]


def _dates_in(text: str, language: str | None) -> Iterator[tuple[int, int, int, int]]:
    """Yield year, month, day and end of each possible date, by format, then position."""
    for match in _YEAR_FIRST.finditer(text):
        year, month, day = (int(part) for part in match.groups() if part)
        yield year, month, day, match.end()
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text
    for pattern in (_MONTH_FIRST_WORD, _DAY_FIRST_WORD, _YEAR_FIRST_WORD):
        for match in pattern.finditer(lowered):
            if named := MONTH_OF.get(match["name"]):
                yield int(match["year"]), named, int(match["day"]), match.end()
    for match in _VIETNAMESE.finditer(lowered):
        yield int(match[3]), int(match[2]), int(match[1]), match.end()
    for match in _YEAR_LAST.finditer(text):
        first, second, year = int(match[1]), int(match[4]), int(match[5])
        is_day_first = _is_day_first(first, second, language, dotted=bool(match["dot"]))
        if is_day_first is not None:
            month, day = (second, first) if is_day_first else (first, second)
            yield year, month, day, match.end()
    for match in _SHORT_YEAR.finditer(text):
        first, second, short = (int(part) for part in match.groups())
        # Two-digit years are in the hundred years from `FIRST_YEAR`.
        year = short + FIRST_YEAR // 100 * 100 + 100 * (short < FIRST_YEAR % 100)
        if _is_day_first(first, second, language, dotted=True):
            yield year, second, first, match.end()


def _with_time(day: str, text: str, end: int) -> str:
    """Add the time right after a date, and its zone if stated."""
    time = _TIME.match(text.lower(), end) if len(text.lower()) == len(text) else None
    # With a dot or an h as separator, a time is recognised only with a unit such as Uhr or h.
    if time is None or (time["mark"] != ":" and not re.search(r"uhr|h", time[0])):
        return day
    hour, half = int(time["H"]), _HALVES.get((time["half"] or "")[:1], "")
    if half and not 1 <= hour <= 12:
        return day
    if half:
        hour = hour % 12 + 12 * (half == "p")
    name = (time["z"] or "")[:4].strip()
    zone = None
    if name in _ZONES and len(time["z"]) == len(name):
        zone = timezone(timedelta(hours=_ZONES[name]))
    return datetime.fromisoformat(f"{day}T{hour:02}:{time['M']}").replace(tzinfo=zone).isoformat()


def _is_day_first(first: int, second: int, language: str | None, *, dotted: bool) -> bool | None:
    """Return whether the first of two numbers is the day; None if undecidable."""
    if first > 12 or second > 12 or first == second:
        return second <= 12
    tag, *rest = (language or "").lower().split("-")
    region = rest[-1] if rest else ""
    if region in _MONTH_FIRST_REGIONS:
        return False
    if tag in _DAY_FIRST or (tag == "en" and region in _DAY_FIRST_ENGLISH):
        return True
    # With dots the day comes first in every country that uses them; English has no rule.
    return True if dotted and tag != "en" else None


def _read_iso(match: re.Match[str]) -> str | None:
    year, month, day = (int(part) for part in match.group("y", "m", "d"))
    iso = _day(year, month, day)
    if iso is None or match["H"] is None:
        return iso
    hour, minute, second = (int(part or 0) for part in match.group("H", "M", "S"))
    micros = int((match["f"] or "0")[:6].ljust(6, "0"))
    try:
        zone = _zone(match["z"])
        return datetime(year, month, day, hour, minute, second, micros, tzinfo=zone).isoformat()
    except ValueError:
        return iso


def _read_exact(text: str) -> str | None:
    """Read a value of the usual form; None if there is no such moment."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return _within_bounds(moment) if "T" in text else _day(moment.year, moment.month, moment.day)


def _zone(name: str | None) -> timezone | None:
    if name is None:
        return None
    offset = re.fullmatch(r"(?:UTC|GMT)?([+-])(\d\d):?(\d\d)?", name)
    if not offset:
        return UTC
    ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
    return timezone(ahead if offset[1] == "+" else -ahead)


def _read_compact(match: re.Match[str]) -> str | None:
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    if match[4] is None:
        return _day(year, month, day)
    zone = UTC if match[7] else None
    try:
        return _within_bounds(datetime(year, month, day, hour, minute, second, tzinfo=zone))
    except ValueError:
        return None


def _read_epoch(match: re.Match[str]) -> str | None:
    return _within_bounds(datetime.fromtimestamp(int(match[1]), UTC))


def _within_bounds(moment: datetime) -> str | None:
    return moment.isoformat() if FIRST_YEAR <= moment.year <= LAST_YEAR else None


def _day(year: int, month: int, day: int) -> str | None:
    """Return the day in ISO 8601; None if it does not exist or is out of bounds."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
