"""EPUB writer: an article as a book with one chapter, and several as a book with one for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final
from uuid import UUID

from thresher.app.book_files import format_item, pack_book
from thresher.app.chapters import Chapter, make_chapter
from thresher.document import Document
from thresher.support.xml import format_text

__all__ = ["PICTURE_SUFFIXES", "Picture", "write_collection", "write_epub"]

PICTURE_SUFFIXES: Final = {
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
}
"""Media type → suffix of the pictures that every reader shows (EPUB 3.3, 3.2), without SVG, which
can contain scripts."""

_UNDATED: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Modification date, required by EPUB 3.3, 5.5.3.1, of articles without a date."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page, of one of `PICTURE_SUFFIXES`."""

    media_type: str
    body: bytes


def write_epub(document: Document, pictures: Mapping[str, Picture] | None = None) -> bytes:
    """Write a document as an EPUB file.

    ``pictures`` are those of the page by their addresses; others are replaced by descriptions.
    """
    pictures = pictures or {}
    names = {
        url: f"picture-{number}{PICTURE_SUFFIXES[picture.media_type]}"
        for number, (url, picture) in enumerate(pictures.items(), 1)
    }
    chapter = make_chapter(document, names.get)
    return pack_book(
        _describe(document, chapter),
        chapter.title,
        {"text": chapter},
        pictures={name: pictures[url].body for url, name in names.items()},
        items=[
            format_item(name.partition(".")[0], name, pictures[url].media_type)
            for url, name in names.items()
        ],
    )


def write_collection(title: str, chapters: Sequence[Chapter], changed: datetime) -> bytes:
    """Write chapters as one EPUB file; ``changed`` is when the latest was added."""
    languages = {chapter.language for chapter in chapters}
    metadata = (
        _identify("\n".join((title, *(chapter.body for chapter in chapters)))),
        f"<dc:title>{format_text(title)}</dc:title>",
        *(f"<dc:language>{format_text(each)}</dc:language>" for each in sorted(languages)),
        _state_change(changed),
    )
    return pack_book(
        metadata, title, {f"text-{number}": each for number, each in enumerate(chapters, 1)}
    )


def _describe(document: Document, chapter: Chapter) -> list[str]:
    """Return the metadata of a book with one article."""
    known = document.metadata
    address = document.page.url or (known.canonical_url.value if known.canonical_url else None)
    lines = [
        _identify(f"{address}\n{chapter.title}\n{document.text}"),
        f"<dc:title>{format_text(chapter.title)}</dc:title>",
        f"<dc:language>{format_text(chapter.language)}</dc:language>",
    ]
    names = known.authors.value if known.authors else ()
    lines += [f"<dc:creator>{format_text(name)}</dc:creator>" for name in names]
    for tag, field in (
        ("dc:publisher", known.site_name),
        ("dc:description", known.description),
        ("dc:date", known.published),
    ):
        if field:
            lines.append(f"<{tag}>{format_text(field.value)}</{tag}>")
    if address:
        lines.append(f"<dc:source>{format_text(address)}</dc:source>")
    stated = known.modified or known.published
    return [*lines, _state_change(_parse_date(stated.value if stated else ""))]


def _identify(content: str) -> str:
    digest = blake2b(content.encode("utf-8", "replace"), digest_size=16)
    return f'<dc:identifier id="id">{UUID(bytes=digest.digest(), version=4).urn}</dc:identifier>'


def _state_change(changed: datetime) -> str:
    return f'<meta property="dcterms:modified">{changed:%Y-%m-%dT%H:%M:%SZ}</meta>'


def _parse_date(stated: str) -> datetime:
    """Parse an ISO date; return a fixed date if it is invalid."""
    try:
        found = datetime.fromisoformat(stated)
    except ValueError:
        return _UNDATED
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
