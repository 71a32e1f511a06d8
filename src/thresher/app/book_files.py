"""Files of an EPUB book: the archive, the package document and the table of contents.

EPUB 3.3 (https://www.w3.org/TR/epub-33/): a ZIP archive whose first file declares the type, a
package document that lists all other files, XHTML for the text, and a table of contents.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from thresher.app.chapters import Chapter
from thresher.support.xml import format_attribute, format_text

__all__ = ["format_item", "pack_book"]

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


def pack_book(
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


def format_item(id: str, name: str, media_type: str, properties: str = "") -> str:
    """Format a file's line of the manifest."""
    stated = {"id": id, "href": name, "media-type": media_type, "properties": properties}
    return f"<item{''.join(format_attribute(*each) for each in stated.items() if each[1])}/>"


def _setting(language: str) -> str:
    return format_attribute("lang", language) + format_attribute("xml:lang", language)


def _format_page(title: str, body: str, setting: str) -> str:
    return _PAGE.format(title=format_text(title), body=body, setting=setting)


def _list_contents(chapters: Mapping[str, Chapter]) -> str:
    """Return the table of contents, as lists nested by level."""
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
        format_item("nav", "nav.xhtml", xhtml, "nav"),
        *(
            format_item(name, f"{name}.xhtml", xhtml, "mathml" if chapter.has_math else "")
            for name, chapter in chapters.items()
        ),
        *items,
        format_item("style", "style.css", "text/css"),
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
