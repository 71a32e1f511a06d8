"""Catalog of saved pages."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.helpers.hostile_metadata import ATTACKS, is_active_address
from thresher.app.saved import SavedPage
from thresher.app.saved_files import write_catalog

HOME = "http://127.0.0.1:8765/saved"
ATOM = "{http://www.w3.org/2005/Atom}"


def test_catalog_is_read_back() -> None:
    """It has what Atom and OPDS demand, and each entry leads to its book."""
    pages = (
        SavedPage(7, "https://farm.example/?a=1&b=2", "Rye < oats", "", "R\x00ye", ("a & b",), 0.0),
        SavedPage(8, "javascript:x()", "Pasted", "", "", (), 86400.0),
    )
    text = write_catalog(pages, HOME, f"{HOME}/opds.xml?q=<", f"{HOME}/opds.xml?start=500")
    feed = ElementTree.fromstring(text)
    assert {"id", "title", "updated", "author"} <= {each.tag.removeprefix(ATOM) for each in feed}
    assert "1970-01-02T00:00:00Z" == feed.findtext(f"{ATOM}updated")
    assert ["self", "start", "next"] == [each.get("rel") for each in feed.findall(f"{ATOM}link")]
    first, second = feed.findall(f"{ATOM}entry")
    assert ("Rye < oats", "Rye") == (
        first.findtext(f"{ATOM}title"),
        first.findtext(f"{ATOM}summary"),
    )
    assert [(f"{HOME}/8/book.epub", "application/epub+zip")] == [
        (each.get("href"), each.get("type")) for each in second.findall(f"{ATOM}link")
    ]


@pytest.mark.parametrize("attack", ATTACKS)
def test_catalog_is_whole_whatever_was_saved(attack: str) -> None:
    """Title, excerpt, tags and address of a page make no element, and no address that runs."""

    def write(text: str) -> ElementTree.Element:
        page = SavedPage(7, text, text, "", text, (text,), 0.0)
        return ElementTree.fromstring(write_catalog((page,), HOME, f"{HOME}/opds.xml"))

    written = write(attack)
    links = [each for each in written.iter() if each.tag.endswith("link")]
    assert not any(is_active_address(each.get("href") or each.text or "") for each in links)
    assert [each.tag for each in write("plain").iter()] == [each.tag for each in written.iter()]
