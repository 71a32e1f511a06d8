"""Opened pages."""

from __future__ import annotations

from thresher.app.engine import PageSource
from thresher.fetching.model import Fetched


def test_source_knows_where_it_is_from_when_fetched() -> None:
    """A source keeps the address, charset and origin of the fetched page."""
    fetched = Fetched("https://example.org/", b"<p>", "koi8-r", "text/html", 200, is_public=False)
    expected = PageSource(
        b"<p>", "https://example.org/", "koi8-r", is_public=False, is_fetched=True
    )
    assert expected == PageSource.of_fetched(fetched)


def test_the_size_of_a_source_is_never_0() -> None:
    """Empty pages count too, and text outside ASCII takes more than a byte per character."""
    empty, ascii, wide = (PageSource(body).n_bytes for body in ("", "abc", "äöü"))
    assert 0 < empty < ascii < wide
