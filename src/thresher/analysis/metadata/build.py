"""Conversion of raw claims to field values: one function per field; None if a claim is unusable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from thresher.analysis.json_ld import JsonValue
from thresher.analysis.metadata.dates import read_date
from thresher.analysis.metadata.decide import BuiltValue
from thresher.analysis.metadata.evidence import PageEvidence, text_of, type_of, values_of
from thresher.analysis.metadata.normalise import key_of, plain_text, shorten
from thresher.analysis.metadata.people import AuthorStatement, read_names
from thresher.analysis.metadata.sources import Claim
from thresher.analysis.metadata.titles import cut_site_name, is_site_name
from thresher.analysis.metadata.urls import absolute_url, licence_url, split_address
from thresher.support.cached import cached_lookup

__all__ = [
    "HOST_LABEL",
    "build_authors",
    "build_canonical_url",
    "build_date",
    "build_description",
    "build_image",
    "build_language",
    "build_licence",
    "build_site_name",
    "build_tags",
    "build_title",
]

MAX_TITLE_CHARS: Final = 300
MAX_RAW_TITLE_CHARS: Final = 2000
"""Characters of a title that are read, before the site's name is cut."""
MAX_SITE_NAME_CHARS: Final = 100
MAX_DESCRIPTION_CHARS: Final = 1000
MAX_TAG_CHARS: Final = 80
MAX_TAGS: Final = 50
"""Longest values kept, in characters, and most tags."""

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
_NO_LANGUAGE: Final = frozenset({"und", "mul", "zxx", "mis"})
_PICTURE_URL_NAMES: Final = ("url", "contentUrl", "@id")
_NO_LEAD_IMAGE: Final = re.compile(
    r"logo|favicon|placeholder|default[-_]?(?:image|share|og)|blank\.|spacer|1x1|pixel\.", re.I
)
"""Parts of the addresses of placeholder images."""


def build_title(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Cut the site's name; a title that is only the site's name is weak."""
    for value in claim.values:
        if (raw := text_of(value, "name")) and (title := _build_title(evidence, raw)):
            return title
    return None


@cached_lookup  # most sources state the same
def _build_title(evidence: PageEvidence, raw: str) -> BuiltValue[str] | None:
    text = plain_text(raw[:MAX_RAW_TITLE_CHARS])
    if not text:
        return None
    path = split_address(evidence.page.url).path
    headings = evidence.visible.headline.headings
    title = cut_site_name(text, evidence.site_keys, headings, path)
    weak = is_site_name(title, evidence.site_keys)
    return BuiltValue(shorten(title, MAX_TITLE_CHARS), weak)


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
        return BuiltValue(people)
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
        yield AuthorStatement(text, is_single=is_single)


def build_date(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Read the first value that is a date."""
    for value in claim.values:
        text = text_of(value, "@value", "name")
        if text and (found := read_date(text, evidence.declared_language)):
            return BuiltValue(found)
    return None


def build_site_name(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Return a short name; addresses are rejected, and the host is weak."""
    for value in claim.values:
        text = plain_text(text_of(value, "name", "legalName") or "")
        if text and len(text) <= MAX_SITE_NAME_CHARS and "://" not in text:
            return BuiltValue(text.removeprefix("@"), is_weak=claim.label == HOST_LABEL)
    return None


def build_description(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Return a text, shortened; one that only repeats the site's name is weak."""
    for value in claim.values:
        if (raw := text_of(value, "@value")) and (text := _build_description(evidence, raw)):
            return text
    return None


@cached_lookup
def _build_description(evidence: PageEvidence, raw: str) -> BuiltValue[str] | None:
    text = plain_text(raw)
    weak = is_site_name(text, evidence.site_keys)
    return BuiltValue(shorten(text, MAX_DESCRIPTION_CHARS), weak) if text else None


def build_language(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Read a BCP 47 tag, also in the forms of Open Graph (en_US) and POSIX (en_US.UTF-8)."""
    for value in claim.values:
        text = text_of(value, "alternateName", "name") or ""
        first = _TAG_END.split(text.strip(), maxsplit=1)[0].replace("_", "-")
        found = _TAG.fullmatch(first)
        if found and found["language"].lower() not in _NO_LANGUAGE:
            parts = (found["language"].lower(), found["script"], found["region"])
            script = parts[1].title() if parts[1] else None
            region = parts[2].upper() if parts[2] else None
            return BuiltValue("-".join(part for part in (parts[0], script, region) if part))
    return None


def build_canonical_url(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Return an absolute address; the home page stated for another page is weak."""
    for value in claim.values:
        url = evidence.absolute(text_of(value, "@id", "url") or "")
        if url:
            own = split_address(evidence.page.url)
            inside = bool(own.path.strip("/") or own.query)
            return BuiltValue(url, is_weak=inside and not urlsplit(url).path.strip("/"))
    return None


def build_image(claim: Claim, evidence: PageEvidence) -> BuiltValue[str] | None:
    """Return the first picture's absolute address; one that looks like a placeholder is weak."""
    for value in claim.values:
        href = text_of(value, *_PICTURE_URL_NAMES)
        if href and (image := _build_image(evidence, href)):
            return image
    return None


@cached_lookup
def _build_image(evidence: PageEvidence, href: str) -> BuiltValue[str] | None:
    url = absolute_url(href, evidence.base_url)
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
