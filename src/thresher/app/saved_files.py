"""The saved list as files for other programs, and pages of other lists added to it.

The archive is a ZIP file: `saved.json` lists the pages with all that the list knows of them, the
pages and pictures are files beside it. Browsers and other programs read the list of bookmarks.
Feed readers get RSS 2.0 (https://www.rssboard.org/rss-specification), e-book readers a catalog by
OPDS 1.2 (https://specs.opds.io/opds-1.2): an Atom feed whose entries lead to EPUB files.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from email.utils import formatdate
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from thresher.app.engine import PageSource
from thresher.app.imports import LIST_FILE, ImportedPage
from thresher.app.saved import (
    SavedList,
    SavedPage,
    check_room,
    find_row,
    insert_page,
    row_of,
    tags_of,
    update_page,
)
from thresher.app.saved_changes import add_highlight, note_highlight
from thresher.errors import LimitError, UsageError
from thresher.support.databases import open_database, storable
from thresher.support.hosts import host_of
from thresher.support.xml import format_attribute, format_attributes, format_text

_KEPT: Final = tuple(
    "url name title text is_decoded http_charset is_public is_fetched saved_at progress"
    " is_archived is_favourite".split()
)
"""Columns of a page in the archive."""
_FLAGS: Final = ("is_decoded", "is_public", "is_fetched", "is_archived", "is_favourite")


def write_archive(saved: SavedList, file: IO[bytes]) -> None:
    """Write all pages with their tags, highlights and pictures."""
    with open_database(saved.path) as db, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        db.execute("BEGIN")  # one state of the list, whatever is changed meanwhile
        rows = db.execute("SELECT * FROM page WHERE deleted_at IS NULL ORDER BY id")
        listed = [_write_page(db, row, archive) for row in rows]
        archive.writestr(LIST_FILE, json.dumps({"version": 1, "pages": listed}, indent=1))


def _write_page(db: sqlite3.Connection, row: sqlite3.Row, archive: ZipFile) -> dict[str, Any]:
    page = row["id"]
    file = None if row["is_link"] else f"pages/{page}.html"
    if file:
        archive.writestr(file, zlib.decompress(row["body"]))
    pictures = {}
    for n, (url, body) in enumerate(
        db.execute("SELECT url, body FROM picture WHERE page = ?", (page,)), 1
    ):
        pictures[url] = f"pictures/{page}-{n}"
        archive.writestr(pictures[url], body, ZIP_STORED)
    highlights = db.execute(
        "SELECT quote, before, after, start, note FROM highlight"
        " WHERE page = ? AND deleted_at IS NULL ORDER BY start, id",
        (page,),
    )
    return {
        **{name: row[name] for name in _KEPT},
        **{name: bool(row[name]) for name in _FLAGS},
        "tags": tags_of(db, page),
        "file": file,
        "pictures": pictures,
        "highlights": [dict(highlight) for highlight in highlights],
    }


def write_bookmarks(pages: Iterable[SavedPage]) -> Iterator[str]:
    """Write the pages that have a web address as browsers write their bookmarks."""
    yield "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n"
    yield '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">\n'
    yield "<title>Bookmarks</title>\n<h1>Bookmarks</h1>\n<dl><p>\n"
    for page in pages:
        if page.web_url:
            attributes = {
                "href": page.web_url,
                "add_date": str(int(page.saved_at)),
                "tags": ",".join(page.tags),
            }
            yield f"<dt><a{format_attributes(attributes)}>{format_text(page.title)}</a>\n"
    yield "</dl><p>\n"


def add_pages(
    saved: SavedList, pages: Sequence[ImportedPage], *, is_wanted: bool = False
) -> tuple[int, int]:
    """Add pages; return how many are new, and how many were in the list, which stay as they are.

    With ``is_wanted``, those of which there is only the address will be fetched. Raises LimitError
    if the list is full; then none is added.
    """
    numbers: dict[int, ImportedPage] = {}
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        for page in reversed(pages):  # the first in a list is the latest
            source = page.source or PageSource(b"", page.url, is_fetched=True)
            title = page.title or host_of(page.url) or "Untitled page"
            values = row_of(source, title, page.text) | {
                "progress": page.progress,
                "is_archived": page.is_archived,
                "is_favourite": page.is_favourite,
            }
            values["is_wanted"] = is_wanted and values["is_link"]
            if page.saved_at is not None:
                values["saved_at"] = page.saved_at
            row = find_row(db, values["identity"])
            if row is not None and row["deleted_at"] is None:
                continue
            if row is None:
                number = insert_page(db, values)
            else:
                number = int(row["id"])
                update_page(db, number, values)
            numbers[number] = page
            db.executemany(
                "INSERT OR IGNORE INTO tag VALUES (?, ?)",
                [(number, storable(tag)) for tag in page.tags],
            )
            db.executemany(
                "INSERT OR IGNORE INTO picture VALUES (?, ?, ?)",
                [(number, storable(url), body) for url, body in page.pictures.items()],
            )
        check_room(db)
    for number, page in numbers.items():
        for highlight, note in page.highlights:
            try:
                note_highlight(saved, add_highlight(saved, number, highlight), note)
            except (UsageError, LimitError):
                continue  # empty, or longer than any that is made here
    return len(numbers), len(pages) - len(numbers)


def write_feed(pages: Iterable[SavedPage], home: str) -> str:
    """Write saved pages as a feed.

    ``home`` is the address of the list, to which pages without a web address lead.
    """
    items = "".join(_item(page, home) for page in pages)
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel>
<title>Saved pages</title>
<link>{format_text(home)}</link>
<description>Pages saved in Thresher</description>
{items}</channel></rss>
"""


def _item(page: SavedPage, home: str) -> str:
    here = f"{home}/{page.id}"
    tags = "".join(f"<category>{format_text(tag)}</category>\n" for tag in page.tags)
    return f"""\
<item>
<title>{format_text(page.title)}</title>
<link>{format_text(page.web_url or here)}</link>
<guid{format_attribute("isPermaLink", "false")}>{format_text(here)}</guid>
<pubDate>{formatdate(page.saved_at, usegmt=True)}</pubDate>
<description>{format_text(page.excerpt)}</description>
{tags}</item>
"""


CATALOG_TYPE: Final = "application/atom+xml;profile=opds-catalog;kind=acquisition"
_BOOK: Final = "application/epub+zip"
_ACQUISITION: Final = "http://opds-spec.org/acquisition/open-access"
_AUTHOR: Final = "<author><name>Thresher</name></author>"


def write_catalog(
    pages: Iterable[SavedPage], home: str, here: str, further: str | None = None
) -> str:
    """Write saved pages as a catalog.

    ``home`` is the address of the list, ``here`` of this catalog and ``further`` of its next part.
    """
    listed = tuple(pages)
    changed = max((page.saved_at for page in listed), default=0.0)
    links = _link("self", here, CATALOG_TYPE) + _link("start", f"{home}/opds.xml", CATALOG_TYPE)
    if further is not None:
        links += _link("next", further, CATALOG_TYPE)
    entries = "".join(_entry(page, home) for page in listed)
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>{format_text(here)}</id>
<title>Saved pages</title>
<updated>{_moment(changed)}</updated>
{_AUTHOR}
{links}{entries}</feed>
"""


def _entry(page: SavedPage, home: str) -> str:
    here = f"{home}/{page.id}"
    tags = "".join(f"<category{format_attribute('term', tag)}/>\n" for tag in page.tags)
    links = _link(_ACQUISITION, f"{here}/book.epub", _BOOK)
    if page.web_url:
        links += _link("alternate", page.web_url, "text/html")
    return f"""\
<entry>
<id>{format_text(here)}</id>
<title>{format_text(page.title)}</title>
<updated>{_moment(page.saved_at)}</updated>
<summary>{format_text(page.excerpt)}</summary>
{links}{tags}</entry>
"""


def _link(rel: str, href: str, type: str) -> str:
    return f"<link{format_attributes({'rel': rel, 'href': href, 'type': type})}/>\n"


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
