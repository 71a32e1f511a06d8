"""Raw claims → the values of fields, made more precise by other evidence, and their agreement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from functools import wraps
from itertools import islice
from typing import Final, TypeAlias
from urllib.parse import urlsplit

from thresher.analysis.metadata.dates import date_in_url, day_of, read_date
from thresher.analysis.metadata.decide import BuiltValue, Claim, RefinedValue
from thresher.analysis.metadata.evidence import PageEvidence, text_of, type_of, values_of
from thresher.analysis.metadata.languages import is_language, shortest_code
from thresher.analysis.metadata.normalise import (
    key_of,
    licence_url,
    plain_text,
    shorten,
    split_address,
)
from thresher.analysis.metadata.people import AuthorStatement, read_names
from thresher.analysis.metadata.shown_facts import (
    find_dates_in,
    find_marked_bylines,
    find_near_times,
    find_signed_lines,
)
from thresher.analysis.metadata.titles import (
    HOME_NAMES,
    cut_site_name,
    find_shown_part,
    is_site_name,
    lists_keywords,
    split_title,
)
from thresher.analysis.structured import JsonValue, read_title
from thresher.support.cached import cached_lookup

MAX_TITLE_CHARS: Final = 300
MAX_RAW_TITLE_CHARS: Final = 2000
"""Characters of a title that are read, before the site's name is cut."""
MAX_SITE_NAME_CHARS: Final = 100
MAX_DESCRIPTION_CHARS: Final = 1000
MAX_TAG_CHARS: Final = 80
MAX_TAGS: Final = 50
"""Longest values kept, in characters, and the maximum of tags."""

HOST_LABEL: Final = "url:host"
"""Label of the host, used as the site's name if there is no better one."""
_ORGANISATIONS: Final = re.compile(r"Organization$|Corporation$|Business$|Company$|^Brand$")
"""schema.org types of organisations."""
_SINGLE_NAME_LABELS: Final = ("citation_author", "bepress_citation_author", "dc.creator")
"""Names of `<meta>` that hold one author each, often as "Last, First" (Google Scholar)."""
_TAG: Final = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|\d{3}))?(?:-.*)?",
    re.IGNORECASE,
)
"""Language, script and region of a BCP 47 tag (RFC 5646, 2.1); variants are left out."""
_TAG_END: Final = re.compile(r"[,;.\s@]")
_BETWEEN_TAGS: Final = re.compile(r"[,;，、；]")
_NO_LEAD_IMAGE: Final = re.compile(
    r"logo|favicon|placeholder|default[-_]?(?:image|share|og)|blank\.|spacer|1x1|pixel\.", re.I
)
"""Parts of the addresses of placeholder images."""


_Build: TypeAlias = Callable[[Claim, PageEvidence], BuiltValue[str] | None]
_BuildText: TypeAlias = Callable[[PageEvidence, str], BuiltValue[str] | None]


def _from_first(*names: str) -> Callable[[_BuildText], _Build]:
    """Let a builder of texts, None for what is no use, build the first usable value of a claim.

    Of an object, the text is its first property of these names. Each is read once, because most
    sources state the same.
    """

    def decorate(build_text: _BuildText) -> _Build:
        build_once = cached_lookup(build_text)

        @wraps(build_text)
        def build(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
            for value in claim.values:
                if (text := text_of(value, *names)) and (built := build_once(evidence, text)):
                    return built
            return None

        return build

    return decorate


@_from_first("name")
def build_title(evidence: PageEvidence, raw: str) -> BuiltValue[str] | None:
    """Cut the site's name; a title that is no more than it, "Home" or keywords is weak."""
    text = plain_text(raw[:MAX_RAW_TITLE_CHARS])
    if not text:
        return None
    path = split_address(evidence.page.url).path
    headings = evidence.visible.headline.headings
    title = cut_site_name(text, evidence.site_keys, headings, path)
    whole = key_of(text)
    if not any(key_of(heading) in whole for heading in headings):
        title = find_shown_part(evidence.page, text, title, evidence.site_keys) or title
    weak = (
        is_site_name(title, evidence.site_keys)
        or key_of(title) in HOME_NAMES
        or lists_keywords(split_title(text))
        or _is_behind_headline(title, evidence)
    )
    return BuiltValue(shorten(title, MAX_TITLE_CHARS), weak)


def _is_behind_headline(title: str, evidence: PageEvidence) -> bool:
    """Return whether a title ends that of the page, which begins with the h1."""
    parts = split_title(read_title(evidence.page) or "")
    if len(parts) < 2 or key_of(title) != key_of(parts[-1]):
        return False
    return key_of(evidence.visible.headline.text or "") == key_of(parts[0]) != key_of(title)


_UNFINISHED: Final = re.compile(
    r"[(\[][^()\[\]]*$|\s(?:an?|and|at|for|from|in|of|on|the|to|with)$", re.IGNORECASE
)
"""The end of a title that breaks off: an open bracket, or a word that has another behind it."""


def complete_title(value: str, evidence: PageEvidence) -> RefinedValue[str] | None:
    """Complete a title that breaks off by a longer one that begins with it."""
    if not _UNFINISHED.search(value):
        return None
    stated = {"opengraph:og:title": evidence.meta.get("og:title", [])[:1]}
    stated["page:title"] = [read_title(evidence.page) or ""]
    for label, texts in stated.items():
        built = build_title(Claim(label, [*texts]), evidence)
        if built and re.match(rf"{re.escape(value)}\s?\w", built.value):
            return RefinedValue(built.value, label)
    return None


_ACCOUNT: Final = re.compile(r"[a-z][a-z.-]*[0-9_][a-z0-9_.-]*", re.ASCII)
"""The name of an account, as it stands in metadata: "jroth42"."""


def build_authors(claim: Claim, evidence: PageEvidence) -> BuiltValue[tuple[str, ...]] | None:
    """Read names; those of organisations and of the site itself are weak."""
    label = claim.label.partition(":")[2]
    statements = (
        signed
        for value in claim.values
        for signed in _statements_of(value, evidence, is_single=label in _SINGLE_NAME_LABELS)
    )
    names, are_people = read_names(statements, evidence.known_names)
    people = tuple(name for name in names if key_of(name) not in evidence.site_keys)
    if people and are_people:
        return BuiltValue(people, is_weak=all(map(_ACCOUNT.fullmatch, people)))
    return BuiltValue(names, is_weak=True) if names else None


def _statements_of(
    value: JsonValue, evidence: PageEvidence, *, is_single: bool
) -> Iterator[AuthorStatement]:
    if isinstance(value, dict):
        is_organisation = bool(_ORGANISATIONS.search(type_of(value)))
        for name in values_of(value, "name"):
            if text := text_of(evidence.resolve(name), "name", "@value"):
                yield AuthorStatement(text, is_organisation, is_single)
        if "name" not in value:
            given, family = (text_of(value.get(k)) for k in ("givenName", "familyName"))
            if given and family:
                yield AuthorStatement(f"{given} {family}", is_single=True)
    elif text := text_of(value):
        # Nothing is cut off a site's own name, such as "Bread of Rye".
        is_site = key_of(text) in evidence.site_keys
        yield AuthorStatement(text, is_site, is_single)


@_from_first("@value", "name")
def build_date(evidence: PageEvidence, text: str) -> BuiltValue[str] | None:
    """Read a date in the language of the page."""
    iso = read_date(text, evidence.declared_language)
    return BuiltValue(iso) if iso else None


def build_site_name(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Return a short name; addresses are rejected, and the host is weak."""
    for value in claim.values:
        text = plain_text(text_of(value, "name", "legalName") or "")
        if text and len(text) <= MAX_SITE_NAME_CHARS and "://" not in text:
            return BuiltValue(text.removeprefix("@"), is_weak=claim.label == HOST_LABEL)
    return None


@_from_first("@value")
def build_description(evidence: PageEvidence, raw: str) -> BuiltValue[str] | None:
    """Return a text, shortened; one that only repeats the site's name is weak."""
    text = plain_text(raw)
    weak = is_site_name(text, evidence.site_keys)
    return BuiltValue(shorten(text, MAX_DESCRIPTION_CHARS), weak) if text else None


@_from_first("alternateName", "name")
def build_language(evidence: PageEvidence, text: str) -> BuiltValue[str] | None:
    """Read a BCP 47 tag, also in the forms of Open Graph (en_US) and POSIX (en_US.UTF-8)."""
    first = _TAG_END.split(text.strip(), maxsplit=1)[0].replace("_", "-")
    tag = _TAG.fullmatch(first)
    if not tag or not is_language(tag["language"].lower()):
        return None
    language, script, region = (part or "" for part in tag.groups())
    parts = (shortest_code(language.lower()), script.title(), region.upper())
    return BuiltValue("-".join(filter(None, parts)))


@_from_first("@id", "url")
def build_canonical_url(evidence: PageEvidence, text: str) -> BuiltValue[str] | None:
    """Return an absolute address; the home page stated for another page is weak."""
    url = evidence.absolute(text)
    own = split_address(evidence.page.url)
    inside = bool(own.path.strip("/") or own.query)
    return BuiltValue(url, inside and not urlsplit(url).path.strip("/")) if url else None


@_from_first("url", "contentUrl", "@id")
def build_image(evidence: PageEvidence, href: str) -> BuiltValue[str] | None:
    """Return the first picture's absolute address; one that looks like a placeholder is weak."""
    url = evidence.absolute(href)
    name = urlsplit(url).path.rpartition("/")[2] if url else ""
    return BuiltValue(url, bool(_NO_LEAD_IMAGE.search(name))) if url else None


def build_tags(claim: Claim, evidence: PageEvidence) -> BuiltValue[tuple[str, ...]] | None:
    """Split lists at commas or semicolons; each tag once, in order."""
    tags: dict[str, str] = {}
    for value in claim.values:
        text = plain_text(text_of(value, "name", "@value") or "")
        for part in _BETWEEN_TAGS.split(text):
            tag = part.strip(" #")
            if tag and len(tag) <= MAX_TAG_CHARS and "://" not in tag and len(tags) < MAX_TAGS:
                tags.setdefault(tag.casefold(), tag)
    return BuiltValue(tuple(tags.values())) if tags else None


def build_licence(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Return the address of the only licence stated; several apply to different things."""
    texts = (text_of(value, "url", "@id", "name") or "" for value in claim.values)
    urls = {url for text in texts if text and (url := licence_url(text, evidence.base_url))}
    return BuiltValue(urls.pop()) if len(urls) == 1 else None


# -- refinement and agreement ----------------------------------------------------------------------

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
    times = (shown for shown in _shown(evidence) if "T" in shown.value)
    if "T" not in value:
        return next((time for time in times if _is_on(time, value)), None)
    moment = datetime.fromisoformat(value)
    if moment.utcoffset() != timedelta():
        return None
    for shown in times:
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
    filed = date_in_url(evidence.page.url or "")
    days = [RefinedValue(filed, "url:date")] if filed else []
    days += [day for day in _shown(evidence) if "T" not in day.value]
    other = [day for day in days if not _is_on(day, moment.isoformat())]
    if not other:
        return None
    zones = Counter(match[1] for match in _OFFSET.finditer(evidence.page.source))
    for offset, _ in zones.most_common():
        refined = moment.astimezone(datetime.fromisoformat(f"2000-01-01T00:00{offset}").tzinfo)
        for day in other:
            if _is_on(day, refined.isoformat()):
                return RefinedValue(refined.isoformat(), day.label)
    return None


def narrow_authors(
    names: tuple[str, ...], evidence: PageEvidence
) -> RefinedValue[tuple[str, ...]] | None:
    """Narrow several stated authors to those in the byline near the headline.

    Some systems state everyone involved, including photographers and editors, as authors. Others
    state the name of an account, which a byline spells: "adaroth" for "Ada Roth".
    """
    if len(names) < 2:
        return _spell(names[0], evidence) if names[0].isalpha() and names[0].islower() else None
    line = islice(find_signed_lines(evidence.visible), 1)
    shown, _ = read_names(map(AuthorStatement, line), evidence.known_names)
    signed = {key_of(name) for name in shown}
    left = tuple(name for name in names if key_of(name) in signed)
    if not left or len(left) == len(names) or len(left) < len(signed):
        return None
    return RefinedValue(left, "page:near-h1")


def _spell(account: str, evidence: PageEvidence) -> RefinedValue[tuple[str, ...]] | None:
    """Return the name near the headline that has the letters of an account; None for none."""
    sources = ((find_marked_bylines, "page:byline"), (find_signed_lines, "page:near-h1"))
    for find, label in sources:
        shown, _ = read_names(map(AuthorStatement, find(evidence.visible)), evidence.known_names)
        for name in shown:
            if " " in name and key_of(name) == account:
                return RefinedValue((name,), label)
    return None


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
    visible, language = evidence.visible, evidence.declared_language
    near = (
        (find_near_times(visible), "page:time"),
        (find_dates_in(visible, visible.lines_near_headline, language), "page:near-h1"),
    )
    for datelines, label in near:
        for dateline in islice(datelines, MAX_SHOWN):
            if not dateline.is_update and (value := read_date(dateline.text, language)):
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
