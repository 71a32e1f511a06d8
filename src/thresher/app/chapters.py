"""Chapters of books: an article as the body of an XHTML document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from thresher.app.book_markup import PlacePicture, is_language, prepare_for_book
from thresher.app.markup import UNTITLED, HeadingMark
from thresher.document import Document
from thresher.support.xml import format_text

__all__ = ["Chapter", "make_chapter", "say_missing"]

_UNDETERMINED: Final = "und"
"""Language tag of texts in an unknown language (ISO 639-2)."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """An article as it stands in a book."""

    title: str
    language: str
    body: str
    headings: tuple[HeadingMark, ...] = ()
    has_math: bool = False


def make_chapter(document: Document, place_picture: PlacePicture | None = None) -> Chapter:
    """Make the chapter of a document; pictures that are not placed are described."""
    known = document.metadata
    title = " ".join(known.title.value.split()) if known.title else document.page.url or "Untitled"
    language = known.language.value if known.language else ""
    prepared = prepare_for_book(
        document.write("html", UNTITLED), title=title, place_picture=place_picture
    )
    byline = " · ".join(format_text(part) for part in _byline(document))
    return Chapter(
        title,
        language if is_language(language) else _UNDETERMINED,
        _format_section(title, byline, prepared.markup),
        prepared.headings,
        prepared.has_math,
    )


def say_missing(title: str, reason: str) -> Chapter:
    """Make a chapter that says why an article is not there."""
    text = f"<p>This page could not be read: {format_text(reason)}.</p>"
    return Chapter(title, _UNDETERMINED, _format_section(title, "", text))


def _format_section(title: str, byline: str, markup: str) -> str:
    text = f"<section>\n<h1>{format_text(title)}</h1>\n"
    text += f'<p class="byline">{byline}</p>\n' if byline else ""
    return f"{text}{markup}\n</section>"


def _byline(document: Document) -> Iterable[str]:
    known = document.metadata
    if known.authors:
        yield ", ".join(known.authors.value)
    if known.published:
        yield known.published.value[:10]
    if known.site_name:
        yield known.site_name.value
