"""Feed writer: the saved list for feed readers and other programs, as RSS 2.0.

https://www.rssboard.org/rss-specification
"""

from __future__ import annotations

from collections.abc import Iterable
from email.utils import formatdate

from thresher.app.saved import SavedPage
from thresher.support.hosts import is_web
from thresher.support.xml import format_attribute, format_text

__all__ = ["write_feed"]


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
<link>{format_text(page.url if page.url and is_web(page.url) else here)}</link>
<guid{format_attribute("isPermaLink", "false")}>{format_text(here)}</guid>
<pubDate>{formatdate(page.saved_at, usegmt=True)}</pubDate>
<description>{format_text(page.excerpt)}</description>
{tags}</item>
"""
