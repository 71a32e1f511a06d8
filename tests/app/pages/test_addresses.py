"""Addresses of pages that were fetched."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from thresher.app.engine import PageSource
from thresher.app.pages.opening import path_of


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (
            PageSource("", "https://e.org/a?b=c&d", is_fetched=True),
            "/read/x?url=https%3A%2F%2Fe.org%2Fa%3Fb%3Dc%26d",
        ),
        (PageSource("", "https://e.org/a"), "/read/x"),
        (PageSource("", None, is_fetched=True), "/read/x"),
    ],
)
def test_only_fetched_pages_have_their_address(source: PageSource, path: str) -> None:
    """The address of a fetched page is in its path, that of a pasted one is not."""
    assert path == path_of("read", "x", source)
