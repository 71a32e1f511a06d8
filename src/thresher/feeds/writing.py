"""Writing of feeds: RSS 2.0 with full texts.

https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/modules/content/
"""

from __future__ import annotations

from thresher.feeds.reading import FeedItem, SourceFeed
from thresher.support.xml import format_attribute, format_text

__all__ = ["write_rss"]


def write_rss(feed: SourceFeed) -> str:
    """Write a feed as RSS 2.0, the contents of its items as ``content:encoded``."""
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"\
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
{_element("title", feed.title)}{_element("link", feed.url or "")}\
{_element("description", feed.description)}{"".join(map(_item, feed.items))}</channel></rss>
"""


def _item(item: FeedItem) -> str:
    kind = format_attribute("isPermaLink", "true" if item.id == item.url else "false")
    parts = (
        ("title", item.title),
        ("link", item.url),
        ("pubDate", item.published),
        ("dc:creator", item.author),
        ("content:encoded", item.content),
    )
    written = "".join(_element(name, text) for name, text in parts if text)
    return f"<item>\n{written}<guid{kind}>{format_text(item.id)}</guid>\n</item>\n"


def _element(name: str, text: str) -> str:
    return f"<{name}>{format_text(text)}</{name}>\n"
