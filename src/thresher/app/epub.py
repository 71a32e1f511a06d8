"""EPUB writer: an article as a book with one chapter.

EPUB 3.3 (https://www.w3.org/TR/epub-33/): a ZIP archive whose first file declares the type, a
package document that lists all other files, XHTML for the text, and a table of contents.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from thresher.app.book_markup import is_language, prepare_for_book
from thresher.app.markup import UNTITLED, HeadingMark, Prepared
from thresher.document import Document
from thresher.support.xml import format_attribute, format_text

__all__ = ["PICTURE_SUFFIXES", "Picture", "write_epub"]

PICTURE_SUFFIXES: Final = {
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
}
"""Media type → suffix of the pictures that every reader shows (EPUB 3.3, 3.2), without SVG, which
can contain scripts."""

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Timestamp of every file, the earliest in ZIP, so that output is reproducible."""
_UNDATED: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""Modification date, required by EPUB 3.3, 5.5.3.1, of articles without a date."""
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
    known = document.metadata
    title = " ".join(known.title.value.split()) if known.title else document.page.url or "Untitled"
    language = known.language.value if known.language else ""
    language = language if is_language(language) else "und"
    content = document.write("html", UNTITLED)
    prepared = prepare_for_book(content, title=title, place_picture=names.get)
    setting = format_attribute("lang", language) + format_attribute("xml:lang", language)
    byline = " · ".join(format_text(part) for part in _byline(document))
    text = f"<section>\n<h1>{format_text(title)}</h1>\n"
    text += f'<p class="byline">{byline}</p>\n' if byline else ""
    text += f"{prepared.markup}\n</section>"
    contents = _contents(title, prepared.headings)
    items = _list_items(prepared, names, pictures)
    files = {
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _package(document, title, language, items),
        "EPUB/nav.xhtml": _page(title, contents, setting),
        "EPUB/text.xhtml": _page(title, text, setting),
        "EPUB/style.css": _STYLE,
    }
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        # First and uncompressed, so that its bytes are at a fixed offset (4.2).
        archive.writestr(ZipInfo("mimetype", _EPOCH), "application/epub+zip", ZIP_STORED)
        for url, name in names.items():
            archive.writestr(ZipInfo(f"EPUB/{name}", _EPOCH), pictures[url].body, ZIP_STORED)
        for name, content in files.items():
            data = content.encode("utf-8", "replace")
            archive.writestr(ZipInfo(name, _EPOCH), data, ZIP_DEFLATED)
    return buffer.getvalue()


def _page(title: str, body: str, setting: str) -> str:
    return _PAGE.format(title=format_text(title), body=body, setting=setting)


def _byline(document: Document) -> Iterable[str]:
    known = document.metadata
    if known.authors:
        yield ", ".join(known.authors.value)
    if known.published:
        yield known.published.value[:10]
    if known.site_name:
        yield known.site_name.value


def _contents(title: str, headings: tuple[HeadingMark, ...]) -> str:
    """Return the table of contents, as lists nested by level."""
    lines = ['<nav epub:type="toc"><h2>Contents</h2><ol>', f"<li>{_link('', title)}"]
    levels = [0]  # of the open items
    for heading in headings:
        is_nested = levels[-1] < heading.level
        while levels[-1] >= heading.level:
            levels.pop()
            lines.append("</li></ol>" if levels[-1] >= heading.level else "</li>")
        if is_nested:
            lines.append("<ol>")
        levels.append(heading.level)
        lines.append(f"<li>{_link(heading.id, heading.title)}")
    return "\n".join((*lines, "</li></ol>" * len(levels), "</nav>"))


def _link(id: str, title: str) -> str:
    target = f"text.xhtml#{id}" if id else "text.xhtml"
    return f"<a{format_attribute('href', target)}>{format_text(title)}</a>"


def _list_items(
    prepared: Prepared, names: Mapping[str, str], pictures: Mapping[str, Picture]
) -> str:
    """Return the manifest's items of the text and its pictures."""
    math = ' properties="mathml"' if prepared.has_math else ""
    lines = [f'<item id="text" href="text.xhtml" media-type="application/xhtml+xml"{math}/>']
    lines += [
        f'<item id="{name.partition(".")[0]}" href="{name}"'
        f' media-type="{pictures[url].media_type}"/>'
        for url, name in names.items()
    ]
    return "\n".join(lines)


def _package(document: Document, title: str, language: str, items: str) -> str:
    """Return the package document: metadata, manifest and reading order."""
    known = document.metadata
    address = document.page.url or (known.canonical_url.value if known.canonical_url else None)
    content = f"{address}\n{title}\n{document.text}".encode("utf-8", "replace")
    digest = blake2b(content, digest_size=16)
    lines = [
        f'<dc:identifier id="id">{UUID(bytes=digest.digest(), version=4).urn}</dc:identifier>',
        f"<dc:title>{format_text(title)}</dc:title>",
        f"<dc:language>{format_text(language)}</dc:language>",
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
    changed = _parse_date(stated.value if stated else "")
    lines.append(f'<meta property="dcterms:modified">{changed:%Y-%m-%dT%H:%M:%SZ}</meta>')
    metadata = "\n".join(lines)
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
{metadata}
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{items}
<item id="style" href="style.css" media-type="text/css"/>
</manifest>
<spine><itemref idref="text"/></spine>
</package>
"""


def _parse_date(stated: str) -> datetime:
    """Parse an ISO date; return a fixed date if it is invalid."""
    try:
        found = datetime.fromisoformat(stated)
    except ValueError:
        return _UNDATED
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
