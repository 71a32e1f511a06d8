"""Overview and log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.proxy.pages.conftest import BY_PROXY, Pages
from thresher.filters import Filters
from thresher.proxy.state import PageRecord

if TYPE_CHECKING:
    from tests.proxy.conftest import Proxy
    from tests.proxy.site import Site


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


def test_the_log_is_searched(pages: Pages) -> None:
    """Words are found in every field, and addresses are shown as text."""
    pages.state.log.add(None, "http://mill.example/<b>", "left alone", "a portal")
    pages.state.log.add("anna", "http://ads.example/x", "stopped", "||ads.example^ in the lists")
    text = pages.admin.get("/log").text
    assert "http://mill.example/&lt;b&gt;" in text
    assert text.index("ads.example") < text.index("mill.example")
    found = pages.admin.get("/log?words=STOPPED+anna").text
    assert "ads.example/x" in found
    assert "mill.example" not in found
    assert "No request contains this." in pages.admin.get("/log?words=barn").text


@pytest.mark.slow
def test_requests_are_logged_with_reasons(proxy: Proxy, site: Site) -> None:
    """A page and a stopped request of it are in the log, with the rule that stopped it."""
    proxy.set(filters=Filters(ad_rules=("/banners/*",)))
    page = f"{site.http}/article"
    proxy.get(page, "-H", "Accept: text/html", "-H", "User-Agent: Mozilla/5.0")
    proxy.get(f"{site.http}/banners/1", "-H", "Sec-Fetch-Dest: script", "-e", page)
    log = proxy.get("http://thresher.internal/log").text
    rows = [re.sub(r"<[^>]*>", "|", row) for row in re.findall(r"<tr>(.*?)</tr>", log)]
    stopped, shown = rows[1:3]
    assert "/banners/1||stopped||/banners/* in your rules" in stopped
    assert f"{page}||inplace||" in shown
