"""Feed of saved pages."""

from __future__ import annotations

from xml.etree import ElementTree

from thresher.app.feed import write_feed
from thresher.app.saved import SavedPage

HOME = "http://127.0.0.1:8765/saved"


def test_feed_is_read_back() -> None:
    """Signs of XML do no harm, and pages without a web address lead to the list."""
    pages = (
        SavedPage(7, "https://farm.example/?a=1&b=2", "Rye < oats", "", "R\x00ye", ("a & b",), 0.0),
        SavedPage(8, "javascript:x()", "Pasted", "", "", (), 86400.0),
    )
    channel = ElementTree.fromstring(write_feed(pages, HOME))[0]
    first, second = channel.findall("item")
    assert {
        "title": "Rye < oats",
        "link": "https://farm.example/?a=1&b=2",
        "guid": f"{HOME}/7",
        "pubDate": "Thu, 01 Jan 1970 00:00:00 GMT",
        "description": "Rye",
        "category": "a & b",
    } == {each.tag: each.text for each in first}
    assert f"{HOME}/8" == second.findtext("link") == second.findtext("guid")
