"""Data of the reading page; computed in a worker process."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final
from urllib.parse import urlencode, urlsplit

from thresher.analysis.links import Link
from thresher.app.engine import Task, extract_task
from thresher.app.epub import write_epub
from thresher.app.markup import HeadingMark, PlaceImage, prepare_for_page
from thresher.document import Document, Verdict, WriteOptions
from thresher.writers import FORMATS

__all__ = ["DOWNLOADS", "Download", "View", "read", "sign_image", "write"]

_WORDS_A_MINUTE: Final = 238
"""Words of English non-fiction, read silently: Brysbaert, "How many words do we read per
minute?", Journal of Memory and Language 109, 2019."""
_CHARACTERS_A_MINUTE: Final = 255
"""Chinese characters: Trauzettel-Klosinski and Dietz, "Standardized assessment of reading
performance", Investigative Ophthalmology & Visual Science 53, 2012; of Japanese more."""
_IDEOGRAPH: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")

_VERDICT_NOTES: Final[Mapping[Verdict, str]] = {
    Verdict.LISTING: "This page is a list of links without a main text.",
    Verdict.NO_MAIN_CONTENT: "No main content was found on this page.",
    Verdict.BLOCKED: "The server sent another page instead, such as a login or error page.",
    Verdict.PARTIAL: "The page exceeds a limit; only its first part is shown.",
    Verdict.NEEDS_BROWSER: "The text of this page is loaded by scripts, which are not run here.",
}


@dataclass(frozen=True, slots=True)
class Download:
    """Download format of an article."""

    label: str
    suffix: str
    media_type: str


DOWNLOADS: Final[Mapping[str, Download]] = {
    **{
        name: Download(label, FORMATS[name].suffix, FORMATS[name].content_type)
        for name, label in (
            ("markdown", "Markdown"),
            ("text", "Text"),
            ("html", "HTML"),
            ("json", "JSON"),
        )
    },
    "epub": Download("EPUB", ".epub", "application/epub+zip"),
}
"""Download formats by name."""


@dataclass(frozen=True, slots=True)
class View:
    """Article prepared for display."""

    title: str
    authors: tuple[str, ...]
    published: str | None
    modified: str | None
    site_name: str | None
    host: str
    url: str | None
    language: str | None
    direction: str | None
    description: str | None
    method: str
    verdict: str
    verdict_note: str | None
    """Explanation of the verdict; None for content."""
    evidence: str | None
    page_type: str | None
    confidence: float | None
    markup: str
    headings: tuple[HeadingMark, ...]
    n_image: int
    n_word: int
    minutes: int
    removed_links: tuple[Link, ...]
    next_url: str | None


def read(task: Task, image_base: str | None, key: bytes) -> View:
    """Extract a page and prepare it for display.

    Images are loaded from ``image_base``, signed with ``key``; None omits them. Raises the
    errors of `thresher.extract`.
    """
    document = extract_task(task)
    known = document.metadata
    host = _host_of(document.page.url)
    title = known.title.value if known.title else host or task.source.name or "Untitled page"
    place = _place_images(image_base, key) if image_base else None
    prepared = prepare_for_page(document.html, title=title, place_image=place)
    n_word, minutes = _measure(document.text)
    fine = document.verdict is Verdict.CONTENT
    return View(
        title=" ".join(title.split()),
        authors=known.authors.value if known.authors else (),
        published=known.published.value if known.published else None,
        modified=known.modified.value if known.modified else None,
        site_name=known.site_name.value if known.site_name else None,
        host=host,
        url=document.page.url if _is_web(document.page.url or "") else None,
        language=known.language.value if known.language else None,
        direction=_direction_of(document.html),
        description=known.description.value if known.description else None,
        method=document.selection.method,
        verdict=document.verdict.value,
        verdict_note=None if fine else _VERDICT_NOTES.get(document.verdict, document.verdict.value),
        evidence=document.obstacle.evidence if document.obstacle else None,
        page_type=document.page_type.name if document.page_type else None,
        confidence=document.confidence,
        markup=prepared.markup,
        headings=prepared.headings,
        n_image=prepared.n_image,
        n_word=n_word,
        minutes=minutes,
        removed_links=_each_once(document),
        next_url=document.next_url,
    )


def write(task: Task, format: str) -> tuple[str, bytes]:
    """Extract a page and write it in a format of `DOWNLOADS`; return its title and the file."""
    document = extract_task(task)
    title = document.metadata.title.value if document.metadata.title else ""
    if format == "epub":
        return title, write_epub(document)
    options = WriteOptions(metadata=format != "text", title=True)
    return title, (document.write(format, options).rstrip("\n") + "\n").encode("utf-8", "replace")


def sign_image(url: str, key: bytes) -> str:
    """Return the signature of an image address, which proves that the app put it on a page."""
    return hmac.new(key, url.encode("utf-8", "replace"), sha256).hexdigest()


def _place_images(base: str, key: bytes) -> PlaceImage:
    def place(url: str) -> str | None:
        if not _is_web(url):
            return None
        return f"{base}?{urlencode({'url': url, 'proof': sign_image(url, key)}, errors='replace')}"

    return place


def _measure(text: str) -> tuple[int, int]:
    """Return the number of words, and the reading time in minutes, at least one."""
    n_ideograph = len(_IDEOGRAPH.findall(text))
    n_word = len(_WORD.findall(_IDEOGRAPH.sub(" ", text)))
    minutes = n_word / _WORDS_A_MINUTE + n_ideograph / _CHARACTERS_A_MINUTE
    return n_word + n_ideograph, max(1, round(minutes))


def _direction_of(html: str) -> str | None:
    """Return the writing direction stated in the outermost element."""
    match = re.match(r'<div[^>]* dir="(rtl|ltr)"', html)
    return match[1] if match else None


def _each_once(document: Document) -> tuple[Link, ...]:
    """Return the removed links, without duplicate addresses."""
    seen: dict[str, Link] = {}
    for link in document.removed_links:
        if _is_web(link.url):
            seen.setdefault(link.url, replace(link, text=" ".join(link.text.split())))
    return tuple(seen.values())


def _is_web(url: str) -> bool:
    """Return whether an address may be linked; others, such as javascript:, are unsafe."""
    return url.lower().startswith(("http://", "https://"))


def _host_of(url: str | None) -> str:
    try:
        return (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        return ""
