"""Log page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.proxy.pages.conftest import BY_PROXY, Pages
from thresher.filters import Filters

if TYPE_CHECKING:
    from tests.proxy.conftest import Proxy
    from tests.proxy.site import Site


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


def test_the_log_is_the_administrators(pages: Pages) -> None:
    """What others visit is nothing for users."""
    pages.add_users("anna")
    assert 403 == pages.by(BY_PROXY, "anna").get("/log").status_code


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
