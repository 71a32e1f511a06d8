"""A feed that was written is read as it was."""

from __future__ import annotations

from thresher.feeds.reading import FeedItem, SourceFeed, read_feed
from thresher.feeds.writing import write_rss


def test_written_feed_is_read_again() -> None:
    """Every field comes back, markup and special characters in it too."""
    item = FeedItem(
        "Rye & <oats>", "https://e.example/1?a=1&b=2", "tag:1", "Mon, 02 Mar 2026 10:00:00 +0000",
        "Ada", '<p>All "of" it ]]> &amp; more</p>',
    )  # fmt: skip
    feed = SourceFeed("T <1>", "https://e.example/", "d", (item,))
    assert feed == read_feed(write_rss(feed).encode())
