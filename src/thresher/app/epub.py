"""EPUB writer: an article as a book with one chapter, and several as a book with one for each.

EPUB 3.3 (https://www.w3.org/TR/epub-33/): a ZIP archive whose first file declares the type, a
package document that lists all other files, XHTML for the text, and a table of contents. By 5.3 and
6.1 the text is valid HTML in XML syntax, and every link within the book leads somewhere: what
validators refuse is repaired or left out. Elements in the wrong place become plain ones, so that no
text is lost.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from html.parser import HTMLParser
from typing import Final
from urllib.parse import quote, urlsplit
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from thresher.app.markup import (
    ALIGN,
    UNTITLED,
    VOID,
    Attributes,
    HeadingMark,
    MarkupWriter,
    Prepared,
    prepare,
)
from thresher.document import Document
from thresher.support.hosts import ascii_host
from thresher.support.xml import format_attribute, format_text

PlacePicture = Callable[[str], str | None]
"""Address of a picture → its file in the book; None if it is not there."""

_MATHML: Final = "http://www.w3.org/1998/Math/MathML"
_OBSOLETE: Final = frozenset(("rb", "rtc"))
"""Elements not in XHTML; their content is kept."""
_WITHIN: Final = {
    "rt": ("ruby", "span"),
    "rp": ("ruby", "span"),
    "annotation": ("semantics", "mtext"),
    "annotation-xml": ("semantics", "mtext"),
}
"""Element → the parent that it needs, and what it is written as without that."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_DATE: Final = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
    r"(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?"
)
"""A date, with or without a time (HTML Living Standard, 2.3.5)."""
_SPAN: Final = re.compile(r"[1-9]\d{0,2}")
_INTEGER: Final = re.compile(r"-?\d{1,9}")
_HOST: Final = re.compile(r"[a-z0-9_.-]+|\[[0-9a-f:.]+\]")
_BARE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_URL_CHARS: Final = "!$%&'()*+,/:;=?@~"
"""Characters of a URL that are not escaped (RFC 3986, 2.2); brackets are of hosts only."""
_ADDRESSES: Final = ("href", "cite")


def prepare_for_book(
    html: str, *, title: str, place_picture: PlacePicture | None = None
) -> Prepared:
    """Prepare safe HTML as the body of an XHTML document.

    Pictures that ``place_picture`` does not place are replaced by their descriptions.
    """
    ids = _Ids()
    ids.feed(html)
    ids.close()
    return prepare(html, _BookWriter(ids.found, place_picture), title)


def is_language(tag: str) -> bool:
    """Return whether a language tag is well formed (RFC 5646, 2.1, without its subtleties)."""
    return _LANGUAGE.fullmatch(tag) is not None


class _Ids(HTMLParser):
    """Collects the ids of elements, which links may lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the id of an element."""
        self.found.update(value for name, value in attrs if name == "id" and value)


class _BookWriter(MarkupWriter):
    """Writer for XHTML: every element is closed, and in a place where it may be."""

    def __init__(self, ids: set[str], place_picture: PlacePicture | None) -> None:
        self._ids = ids
        self._place_picture = place_picture
        self._written: set[str] = set()
        """Ids that are taken."""
        self._open: list[tuple[str, str]] = []
        """Open elements: the tag, and what it was written as."""
        self._terms: list[str] = []
        """Last item of each open description list: dt, dd or nothing."""

    def start(self, tag: str, attributes: Attributes) -> str:
        if tag in _OBSOLETE:
            return ""
        before = self._begin_item(tag)
        written = self._rename(tag, attributes)
        self._repair(written, attributes)
        text = "".join(format_attribute(*pair) for pair in attributes.items())
        if tag in VOID:
            return f"{before}<{tag}{text}/>"
        self._open.append((tag, written))
        return f"{before}<{written}{text}>"

    def end(self, tag: str) -> str:
        if tag in _OBSOLETE:
            return ""
        _, written = self._open.pop()
        return f"{self._end_list(tag)}</{written}>"

    def text(self, text: str) -> str:
        return format_text(text)

    def image(self, attributes: Attributes) -> str:
        file = self._place_picture(attributes.get("src", "")) if self._place_picture else None
        if file is None:
            return super().image(attributes)
        shown = {"src": file, "alt": attributes.get("alt", "")}
        return f"<img{''.join(format_attribute(*pair) for pair in shown.items())}/>"

    def _rename(self, tag: str, attributes: Attributes) -> str:
        """Return the element that is valid in this place."""
        if tag in _WITHIN:
            parent, instead = _WITHIN[tag]
            if not self._open or self._open[-1][1] != parent:
                attributes.pop("encoding", None)
                return instead
        if tag == "time" and not _DATE.fullmatch(attributes.get("datetime", "")):
            attributes.pop("datetime", None)  # without it, only a date is valid as content
            return "span"
        if tag == "bdo" and attributes.get("dir") not in ("ltr", "rtl"):
            attributes.pop("dir", None)
            return "span"
        return tag

    def _repair(self, tag: str, attributes: Attributes) -> None:
        """Remove attributes that are invalid here, and complete others."""
        if tag == "math":
            attributes["xmlns"] = _MATHML
        if "lang" in attributes and is_language(attributes["lang"]):
            attributes["xml:lang"] = attributes["lang"]
        else:
            attributes.pop("lang", None)
        for name in _ADDRESSES:
            if name in attributes:
                self._repair_address(name, attributes)
        if tag in ("del", "ins") and not _DATE.fullmatch(attributes.get("datetime", "")):
            attributes.pop("datetime", None)
        for name in ("colspan", "rowspan"):
            if not _SPAN.fullmatch(attributes.get(name, "")):
                attributes.pop(name, None)
        if "align" in attributes:
            attributes["style"] = ALIGN + attributes.pop("align")
        self._repair_numbers(tag, attributes)

    def _repair_numbers(self, tag: str, attributes: Attributes) -> None:
        """Remove numbers of items that are not numbered, and ids that are taken."""
        in_ordered = bool(self._open) and self._open[-1][1] == "ol"
        if "value" in attributes and not (
            tag == "li" and in_ordered and _INTEGER.fullmatch(attributes["value"])
        ):
            del attributes["value"]
        if "id" in attributes:
            if attributes["id"] in self._written or len(attributes["id"].split()) != 1:
                del attributes["id"]
            else:
                self._written.add(attributes["id"])

    def _repair_address(self, name: str, attributes: Attributes) -> None:
        address = attributes.pop(name)
        if address.startswith("#"):
            valid = address if name == "href" and address[1:] in self._ids else None
        else:
            valid = _escape_address(address)
        if valid:
            attributes[name] = valid

    def _begin_item(self, tag: str) -> str:
        """Note an item of a description list; return the term that a description lacks."""
        if tag == "dl":
            self._terms.append("")
        elif tag in ("dt", "dd") and self._terms:
            last, self._terms[-1] = self._terms[-1], tag
            return "<dt></dt>" if tag == "dd" and not last else ""
        return ""

    def _end_list(self, tag: str) -> str:
        """Return what a description list lacks at its end."""
        if tag != "dl" or not self._terms:
            return ""
        return {"": "<dt></dt><dd></dd>", "dt": "<dd></dd>"}.get(self._terms.pop(), "")


def _escape_address(address: str) -> str | None:
    """Return an address with all escaped that must be; None if it is not absolute or malformed."""
    try:
        parts = urlsplit(address)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    head = f"{parts.scheme}:"
    if parts.scheme in ("http", "https"):
        place = f"[{host}]" if ":" in host else host
        if not _HOST.fullmatch(place):
            return None
        head += f"//{place}" + (f":{port}" if port is not None else "")
    elif parts.scheme not in ("mailto", "tel") or not parts.path:
        return None
    tail = _escape(parts.path)
    tail += f"?{_escape(parts.query)}" if parts.query else ""
    return head + tail + (f"#{_escape(parts.fragment)}" if parts.fragment else "")


def _escape(part: str) -> str:
    return _BARE_PERCENT.sub("%25", quote(part, safe=_URL_CHARS, errors="replace"))


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
    return _pack_book(
        _describe(document, chapter),
        chapter.title,
        {"text": chapter},
        pictures={name: pictures[url].body for url, name in names.items()},
        items=[
            _format_item(name.partition(".")[0], name, pictures[url].media_type)
            for url, name in names.items()
        ],
    )


def write_collection(title: str, chapters: Sequence[Chapter], changed: datetime) -> bytes:
    """Write chapters as one EPUB file; ``changed`` is when the latest was added."""
    languages = {chapter.language for chapter in chapters}
    metadata = (
        _identify("\n".join((title, *(chapter.body for chapter in chapters)))),
        f"<dc:title>{format_text(title)}</dc:title>",
        *(f"<dc:language>{format_text(language)}</dc:language>" for language in sorted(languages)),
        _state_change(changed),
    )
    return _pack_book(
        metadata, title, {f"text-{number}": chapter for number, chapter in enumerate(chapters, 1)}
    )


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
    *,
    pictures: Mapping[str, bytes] | None = None,
    items: Sequence[str] = (),
) -> bytes:
    """Pack a book.

    ``metadata`` are the elements of the package document, ``chapters`` the text by its files
    without their suffix, ``pictures`` further files, and ``items`` their lines of the manifest.
    """
    settings = {name: _setting(chapter.language) for name, chapter in chapters.items()}
    first = next(iter(settings.values()))
    files = {
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _format_package(metadata, chapters, items),
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
        for name, body in (pictures or {}).items():
            archive.writestr(ZipInfo(f"EPUB/{name}", _EPOCH), body, ZIP_STORED)
        for name, content in files.items():
            data = content.encode("utf-8", "replace")
            archive.writestr(ZipInfo(name, _EPOCH), data, ZIP_DEFLATED)
    return buffer.getvalue()


def _format_item(id: str, name: str, media_type: str, properties: str = "") -> str:
    stated = {"id": id, "href": name, "media-type": media_type, "properties": properties}
    return f"<item{''.join(format_attribute(*pair) for pair in stated.items() if pair[1])}/>"


def _setting(language: str) -> str:
    return format_attribute("lang", language) + format_attribute("xml:lang", language)


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
    metadata: Iterable[str], chapters: Mapping[str, Chapter], items: Iterable[str]
) -> str:
    """Return the package document: metadata, manifest and reading order."""
    xhtml = "application/xhtml+xml"
    manifest = (
        _format_item("nav", "nav.xhtml", xhtml, "nav"),
        *(
            _format_item(name, f"{name}.xhtml", xhtml, "mathml" if chapter.has_math else "")
            for name, chapter in chapters.items()
        ),
        *items,
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
