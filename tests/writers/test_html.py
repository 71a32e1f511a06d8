"""HTML fragments and whole pages."""

from __future__ import annotations

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions


def test_a_page_is_written_when_metadata_is_on() -> None:
    """With metadata the HTML must be a page with a head that declares it, safely escaped."""
    document = document_keeping("<html lang=en><title>a &amp; c</title><h1>a &amp; c</h1><p>d")
    written = document.write("html", WriteOptions(metadata=True))
    assert written.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert "<title>a &amp; c</title>" in written
    assert written.endswith("<p>d</p>\n</body>\n</html>")


def test_nothing_is_written_when_nothing_is_kept() -> None:
    """Without kept leaves there must be no markup, not even the div for a direction."""
    assert "" == document_keeping("<html dir=rtl><p>a", []).html
