"""Overview page."""

from __future__ import annotations

import pytest

from tests.proxy.pages.conftest import BY_PROXY, Pages
from thresher.proxy.statistics import PageRecord


def test_counts(pages: Pages) -> None:
    """Pages, removals, reasons, added time and the part of it in the queue are shown."""
    count = pages.state.statistics.count
    count(
        PageRecord(
            "mill.example",
            "inplace",
            "",
            5000,
            1000,
            0.0042,
            {"ads": 7, "tracking_pixels": 2},
            1234,
            queued_s=0.0013,
        )
    )
    count(PageRecord("weir.example", "left alone", "a portal or list of results", 10, 10))
    text = pages.admin.get("/").text
    for expected in (
        "1,234",
        "5.0 kB received",
        "1.0 kB sent",
        "4.2 ms",
        "1.3 ms",
        "tracking pixels",
        "a portal or list",
        "weir.example",
    ):
        assert expected in text
    assert ">9<" in text


def test_users_do_not_see_where_others_go(pages: Pages) -> None:
    """Users do not see hosts."""
    pages.state.statistics.count(PageRecord("secret.example", "inplace"))
    pages.add_users("anna")
    assert "secret.example" not in pages.by(BY_PROXY, "anna").get("/").text
    assert "secret.example" in pages.admin.get("/").text


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/lists", "/lists"), ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\e", "/")],
)
def test_colours(pages: Pages, path: str, expected: str) -> None:
    """The theme is saved, and the redirect is local."""
    client = pages.admin
    answer = pages.post(client, "/theme", theme="dark", next=path)
    assert (303, expected) == (answer.status_code, answer.headers["location"])
    assert 'data-theme="dark"' in client.get("/").text
