"""EPUB writer: an article as a book with one chapter, and several as a book with one for each.

EPUB 3.3 (https://www.w3.org/TR/epub-33/): a ZIP archive whose first file declares the type, a
package document that lists all other files, XHTML for the text, and a table of contents.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from thresher.app.epub_markup import is_language, prepare_for_book
from thresher.app.markup import UNTITLED, HeadingMark, PlaceImage
from thresher.document import Document
from thresher.support.xml import format_attribute, format_attributes, format_text

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


def make_chapter(document: Document, place_picture: PlaceImage | None = None) -> Chapter:
    """Make the chapter of a document; pictures that are not placed are described."""
    metadata = document.metadata
    title = (
        " ".join(metadata.title.value.split())
        if metadata.title
        else document.page.url or "Untitled"
    )
    language = metadata.language.value if metadata.language else ""
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
    metadata = document.metadata
    if metadata.authors:
        yield ", ".join(metadata.authors.value)
    if metadata.published:
        yield metadata.published.value[:10]
    if metadata.site_name:
        yield metadata.site_name.value


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
    by_file = {name: pictures[url] for url, name in names.items()}
    return _pack_book(_describe(document, chapter), chapter.title, {"text": chapter}, by_file)


def write_collection(title: str, chapters: Sequence[Chapter], changed: datetime) -> bytes:
    """Write chapters as one EPUB file; ``changed`` is when the latest was added."""
    languages = {chapter.language for chapter in chapters}
    metadata = (
        _identify("\n".join((title, *(chapter.body for chapter in chapters)))),
        f"<dc:title>{format_text(title)}</dc:title>",
        *(f"<dc:language>{format_text(language)}</dc:language>" for language in sorted(languages)),
        _state_change(changed),
    )
    by_file = {f"text-{number}": chapter for number, chapter in enumerate(chapters, 1)}
    return _pack_book(metadata, title, by_file, {})


def _describe(document: Document, chapter: Chapter) -> list[str]:
    metadata = document.metadata
    address = document.page.url or (
        metadata.canonical_url.value if metadata.canonical_url else None
    )
    lines = [
        _identify(f"{address}\n{chapter.title}\n{document.text}"),
        f"<dc:title>{format_text(chapter.title)}</dc:title>",
        f"<dc:language>{format_text(chapter.language)}</dc:language>",
    ]
    names = metadata.authors.value if metadata.authors else ()
    lines += [f"<dc:creator>{format_text(name)}</dc:creator>" for name in names]
    for tag, field in (
        ("dc:publisher", metadata.site_name),
        ("dc:description", metadata.description),
        ("dc:date", metadata.published),
    ):
        if field:
            lines.append(f"<{tag}>{format_text(field.value)}</{tag}>")
    if address:
        lines.append(f"<dc:source>{format_text(address)}</dc:source>")
    stated = metadata.modified or metadata.published
    return [*lines, _state_change(_parse_date(stated.value if stated else ""))]


def _identify(content: str) -> str:
    digest = blake2b(content.encode("utf-8", "replace"), digest_size=16)
    return f'<dc:identifier id="id">{UUID(bytes=digest.digest(), version=4).urn}</dc:identifier>'


def _state_change(changed: datetime) -> str:
    return f'<meta property="dcterms:modified">{changed:%Y-%m-%dT%H:%M:%SZ}</meta>'


def _parse_date(stated: str) -> datetime:
    try:
        moment = datetime.fromisoformat(stated)
    except ValueError:
        return _UNDATED
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Timestamp of every file, the earliest in ZIP, so that output is reproducible."""
_CONTAINER: Final = """\
<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" \
media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_STYLE: Final = """\
body { margin: 5%; line-height: 1.5; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; text-align: left; hyphens: none; }
pre { white-space: pre-wrap; font-size: 0.85em; }
blockquote { margin: 1em 1.5em; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; }
.byline { font-style: italic; margin-bottom: 2em; }
.picture { font-style: italic; }
"""
_PAGE: Final = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"{setting}>
<head><title>{title}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
{body}
</body>
</html>
"""


def _pack_book(
    metadata: Iterable[str],
    title: str,
    chapters: Mapping[str, Chapter],
    pictures: Mapping[str, Picture],
) -> bytes:
    """Pack a book.

    ``metadata`` are the elements of the package document, ``chapters`` the text by its files
    without their suffix, ``pictures`` further files.
    """
    settings = {name: _setting(chapter.language) for name, chapter in chapters.items()}
    first = next(iter(settings.values()))
    files = {
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _format_package(metadata, chapters, pictures),
        "EPUB/nav.xhtml": _format_page(title, _list_contents(chapters), first),
        **{
            f"EPUB/{name}.xhtml": _format_page(chapter.title, chapter.body, settings[name])
            for name, chapter in chapters.items()
        },
        "EPUB/style.css": _STYLE,
    }
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        # First and uncompressed, so that its bytes are at a fixed offset (4.2).
        archive.writestr(ZipInfo("mimetype", _EPOCH), "application/epub+zip", ZIP_STORED)
        for name, picture in pictures.items():
            archive.writestr(ZipInfo(f"EPUB/{name}", _EPOCH), picture.body, ZIP_STORED)
        for name, content in files.items():
            data = content.encode("utf-8", "replace")
            archive.writestr(ZipInfo(name, _EPOCH), data, ZIP_DEFLATED)
    return buffer.getvalue()


def _format_item(id: str, name: str, media_type: str, properties: str = "") -> str:
    stated = {"id": id, "href": name, "media-type": media_type}
    stated |= {"properties": properties} if properties else {}
    return f"<item{format_attributes(stated)}/>"


def _setting(language: str) -> str:
    return format_attributes({"lang": language, "xml:lang": language})


def _format_page(title: str, body: str, setting: str) -> str:
    return _PAGE.format(title=format_text(title), body=body, setting=setting)


def _list_contents(chapters: Mapping[str, Chapter]) -> str:
    lines = ['<nav epub:type="toc"><h2>Contents</h2><ol>']
    for name, chapter in chapters.items():
        lines.append(f"<li>{_link(name, '', chapter.title)}")
        levels = [0]  # of the open items
        for heading in chapter.headings:
            is_nested = levels[-1] < heading.level
            while levels[-1] >= heading.level:
                levels.pop()
                lines.append("</li></ol>" if levels[-1] >= heading.level else "</li>")
            if is_nested:
                lines.append("<ol>")
            levels.append(heading.level)
            lines.append(f"<li>{_link(name, heading.id, heading.title)}")
        lines.append("</li></ol>" * (len(levels) - 1) + "</li>")
    return "\n".join((*lines, "</ol></nav>"))


def _link(name: str, id: str, title: str) -> str:
    target = f"{name}.xhtml#{id}" if id else f"{name}.xhtml"
    return f"<a{format_attribute('href', target)}>{format_text(title)}</a>"


def _format_package(
    metadata: Iterable[str], chapters: Mapping[str, Chapter], pictures: Mapping[str, Picture]
) -> str:
    """Return the package document: metadata, manifest and reading order."""
    xhtml = "application/xhtml+xml"
    manifest = (
        _format_item("nav", "nav.xhtml", xhtml, "nav"),
        *(
            _format_item(name, f"{name}.xhtml", xhtml, "mathml" if chapter.has_math else "")
            for name, chapter in chapters.items()
        ),
        *(
            _format_item(name.partition(".")[0], name, picture.media_type)
            for name, picture in pictures.items()
        ),
        _format_item("style", "style.css", "text/css"),
    )
    order = "".join(f"<itemref{format_attribute('idref', name)}/>" for name in chapters)
    lines = "\n".join
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
{lines(metadata)}
</metadata>
<manifest>
{lines(manifest)}
</manifest>
<spine>{order}</spine>
</package>
"""
