"""Feed of saved pages."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.helpers.hostile_metadata import ATTACKS, is_active_address
from thresher.app.saved import SavedPage
from thresher.app.saved_files import write_feed

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


@pytest.mark.parametrize("attack", ATTACKS)
def test_feed_is_whole_whatever_was_saved(attack: str) -> None:
    """Title, excerpt, tags and address of a page make no element, and no address that runs."""

    def write(text: str) -> ElementTree.Element:
        page = SavedPage(7, text, text, "", text, (text,), 0.0)
        return ElementTree.fromstring(write_feed((page,), HOME))

    written = write(attack)
    links = [each for each in written.iter() if each.tag.endswith("link")]
    assert not any(is_active_address(each.get("href") or each.text or "") for each in links)
    assert [each.tag for each in write("plain").iter()] == [each.tag for each in written.iter()]
