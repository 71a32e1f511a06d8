"""What the proxy fetches for itself."""

from __future__ import annotations

import pytest

from tests.proxy.conftest import Proxy
from tests.proxy.site import ARTICLE, Site
from thresher.errors import FetchError
from thresher.proxy.list_updates import fetch_as_proxy
from thresher.proxy.settings import ProxySettings
from thresher.proxy.state import ProxyState

LIMITS = {"timeout_s": 20.0, "max_bytes": 2**20, "allow_private": True}


def test_lists_and_previews_go_upstream(proxy: Proxy, site: Site) -> None:
    """Through the upstream proxy, whose authority is trusted for what it sends."""
    # What one proxy has as upstream is another, here the one of all tests.
    settings = ProxySettings(upstream=proxy.url)
    state = ProxyState(settings, upstream_ca=proxy.ca)
    before = proxy.state.statistics.pages
    for url in (f"{site.http}/article", f"{site.https}/article"):
        body = fetch_as_proxy(state, url, **LIMITS).body  # type: ignore[arg-type]
        assert b"<thresher-mark>" in body
    assert before + 2 == proxy.state.statistics.pages
    with pytest.raises(FetchError, match="certificate"):
        untrusting = ProxyState(settings)
        fetch_as_proxy(untrusting, f"{site.https}/article", **LIMITS)  # type: ignore[arg-type]


def test_without_upstream(site: Site) -> None:
    """Directly, with the authority of the option for servers."""
    state = ProxyState(ProxySettings(), upstream_ca=site.ca)
    url = f"{site.https}/article"
    assert ARTICLE.encode() == fetch_as_proxy(state, url, **LIMITS).body  # type: ignore[arg-type]
