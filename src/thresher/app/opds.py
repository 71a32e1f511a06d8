"""OPDS writer: the saved list as a catalog of books for e-book readers.

OPDS 1.2 (https://specs.opds.io/opds-1.2), an Atom feed (RFC 4287) whose entries lead to EPUB files.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from thresher.app.saved import SavedPage
from thresher.support.hosts import is_web
from thresher.support.xml import format_attribute, format_text

__all__ = ["CATALOG_TYPE", "write_catalog"]

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
    if page.url and is_web(page.url):
        links += _link("alternate", page.url, "text/html")
    return f"""\
<entry>
<id>{format_text(here)}</id>
<title>{format_text(page.title)}</title>
<updated>{_moment(page.saved_at)}</updated>
<summary>{format_text(page.excerpt)}</summary>
{links}{tags}</entry>
"""


def _link(rel: str, href: str, type: str) -> str:
    parts = {"rel": rel, "href": href, "type": type}
    return f"<link{''.join(format_attribute(*part) for part in parts.items())}/>\n"


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
