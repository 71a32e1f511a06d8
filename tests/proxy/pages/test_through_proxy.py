"""Settings pages of a running proxy, by name and by port."""

from __future__ import annotations

import re
import time

from tests.proxy.conftest import BROWSER, Proxy, ask
from tests.proxy.pages.conftest import PASSWORD
from tests.proxy.site import Site
from thresher.filters.blocklist import own_blocklist
from thresher.proxy.settings import User

SETTINGS = "http://thresher.internal"


def test_by_name_and_by_port(proxy: Proxy) -> None:
    """Pages are served by name over HTTP and HTTPS, and on the port, not through the proxy."""
    port = proxy.state.settings.current.settings_port
    assert "administrator" in proxy.get(f"{SETTINGS}/").text
    assert "The certificate works" in proxy.get("https://thresher.internal/certificate").text
    assert "administrator" in ask(f"http://127.0.0.1:{port}/", folder=proxy.folder).text
    for host in ("127.0.0.1", "localhost"):
        assert 403 == proxy.get(f"http://{host}:{port}/").status
        assert 403 == proxy.get(f"http://{host}:{port}/", "-p").status
    pem = proxy.get(f"{SETTINGS}/certificate/thresher-ca.pem")
    assert proxy.ca.read_bytes() == pem.body
    assert b"PRIVATE" not in pem.body


def test_lists_from_addresses(proxy: Proxy, site: Site) -> None:
    """Lists are fetched in the background and applied to the next page; removal too."""
    proxy.set(method="keep_all")
    token, n_own = proxy.state.token(None, "settings"), len(own_blocklist())

    form = ("-d", f"csrf={token}&list_hours=24&stop_requests=yes", "--data-urlencode")

    def use(urls: str, says: str) -> str:
        assert 303 == proxy.get(f"{SETTINGS}/lists", *form, f"list_urls={urls}").status
        until_s = time.monotonic() + 20
        while says not in (text := proxy.get(f"{SETTINGS}/lists").text):
            assert time.monotonic() < until_s
            time.sleep(0.05)
        return text

    text = use(
        f"{site.http}/hosts.txt\n{site.http}/huge\n{site.http}/portal",
        f"{n_own + 1} rules against ads and trackers",
    )
    assert "paper.example" not in proxy.get(f"{site.http}/chaff", *BROWSER).text
    assert 3 == text.count("<tr><td><code>")
    use("", f"{n_own} rules against ads and trackers")
    assert "paper.example" in proxy.get(f"{site.http}/chaff", *BROWSER).text


def test_a_user_and_the_administrator(proxy: Proxy, site: Site) -> None:
    """A user changes her own filters through the proxy; the port changes the rest."""
    proxy.set(users={"anna": User(PASSWORD), "bert": User(PASSWORD)})
    anna, bert = ("-U", "anna:grain"), ("-U", "bert:grain")
    assert 407 == proxy.get(f"{SETTINGS}/filters").status
    text = proxy.get(f"{SETTINGS}/filters", *anna).text
    found = re.search(r'name="csrf" value="(\w+)"', text)
    assert found
    form = ("-d", f"csrf={found[1]}", "-d", "view=reader", "-d", "method=keep_all")
    assert 403 == proxy.get(f"{SETTINGS}/filters", *form, *bert).status
    origin = ("-H", "Origin: http://evil.example")
    assert 403 == proxy.get(f"{SETTINGS}/filters", *form, *anna, *origin).status
    assert 303 == proxy.get(f"{SETTINGS}/filters", *form, *anna).status
    assert "<article>" in proxy.get(f"{site.http}/chaff", *BROWSER, *anna).text
    assert '<body class="paper">' in proxy.get(f"{site.http}/chaff", *BROWSER, *bert).text
    assert 403 == proxy.get(f"{SETTINGS}/proxy", *anna).status
    port = proxy.state.settings.current.settings_port
    assert 403 == proxy.get(f"http://127.0.0.1:{port}/files/proxy.toml", *anna).status
    exported = ask(f"http://127.0.0.1:{port}/files/proxy.toml", folder=proxy.folder)
    assert '[user."anna".filters]' in exported.text
