"""Background updates of block lists, and what the proxy fetches for itself."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.conftest import Proxy
from tests.proxy.site import ARTICLE, Site
from thresher.errors import FetchError, UsageError
from thresher.fetching.model import Fetched
from thresher.filters.blocklist import own_blocklist
from thresher.filters.public_lists import PUBLIC_LISTS, RECOMMENDED
from thresher.proxy.list_updates import ListUpdates, fetch_as_proxy
from thresher.proxy.settings import ProxySettings
from thresher.proxy.state import ProxyState, load_list

URL, OTHER = "http://lists.example/a", "http://lists.example/b"
LISTS = {URL: "||chaff.example^\n/path[0-9]/\n", OTHER: "0.0.0.0 straw.example\n"}


def get(url: str, headers: dict[str, str]) -> Fetched:
    """Answer as a server of lists."""
    if url not in LISTS:
        raise FetchError("there is nothing", url=url, status=404)
    if headers.get("If-None-Match") == "v1":
        raise FetchError("nothing is new", url=url, status=304)
    return Fetched(url, LISTS[url].encode(), None, "text/plain", 200, True, etag="v1")


async def wait(until: Callable[[], object]) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(10):
        while not until():
            await asyncio.sleep(0.01)


def make_state(folder: Path | None, *urls: str) -> ProxyState:
    """Make the state of a proxy with some lists."""
    return ProxyState(ProxySettings(list_urls=urls), data_dir=folder)


def updating(
    state: ProxyState,
    use: Callable[[ListUpdates], Awaitable[None]],
    get: Callable[[str, dict[str, str]], Fetched] = get,
) -> None:
    """Run a function while lists are updated."""

    async def run() -> None:
        lists = ListUpdates(state, get=get)
        lists.apply()
        await use(lists)
        lists.stop()

    asyncio.run(run())


def blocks(state: ProxyState, host: str) -> bool:
    """Return whether a host is blocked, here and in workers."""
    found = state.blocklist.blocks_host(host)
    assert found == load_list(state.list_file).blocks_host(host)
    return found


def test_the_word_stands_for_the_recommended_lists(tmp_path: Path) -> None:
    """The setting may name the recommended lists by one word; each is fetched from its address."""
    state = make_state(tmp_path, RECOMMENDED)
    urls = [each.url for each in PUBLIC_LISTS]

    def get_any(url: str, headers: dict[str, str]) -> Fetched:
        rule = f"||list{urls.index(url)}.example^\n"
        return Fetched(url, rule.encode(), None, "text/plain", 200, True)

    async def use(lists: ListUpdates) -> None:
        for number in range(len(urls)):
            await wait(lambda n=number: blocks(state, f"list{n}.example"))  # type: ignore[misc]
        assert urls == [each.url for each in lists.states]

    updating(state, use, get_any)


def test_lists_come_beside_our_own(tmp_path: Path) -> None:
    """Loaded lists are added to the built-in one; changed addresses replace them."""
    state = make_state(tmp_path, URL)
    own = next(iter(own_blocklist().blocked))
    assert not blocks(state, "chaff.example")

    def change(lists: ListUpdates, *urls: str) -> None:
        state.settings.replace(replace(state.settings.current, list_urls=urls))
        lists.apply()

    async def use(lists: ListUpdates) -> None:
        await wait(lambda: blocks(state, "ad.chaff.example"))
        assert blocks(state, own)
        (found,) = lists.states
        assert (1, 1, "") == (found.n_rule, found.n_skipped, found.message)
        change(lists, OTHER)
        await wait(lambda: blocks(state, "straw.example"))
        assert not blocks(state, "chaff.example")
        assert [OTHER] == [each.url for each in lists.states]
        change(lists)
        await wait(lambda: not blocks(state, "straw.example"))
        assert own_blocklist() == state.blocklist

    updating(state, use)


def test_the_last_good_one_is_kept(tmp_path: Path) -> None:
    """If a server is down, the last good version is used and the error reported."""

    def fail(url: str, headers: dict[str, str]) -> Fetched:
        raise FetchError("nobody answers", url=url, status=None)

    for fetch in (get, fail):
        state = make_state(tmp_path, URL)

        async def use(lists: ListUpdates, state: ProxyState = state, fetch: object = fetch) -> None:
            await wait(lambda: blocks(state, "chaff.example"))
            await wait(lambda: lists.states[0].checked_s)
            assert (fetch is fail) == bool(lists.states[0].message)

        updating(state, use, fetch)


def test_update_now() -> None:
    """A requested update is pending until every list has been checked."""
    is_open = threading.Event()
    is_open.set()

    def get_if_open(url: str, headers: dict[str, str]) -> Fetched:
        assert is_open.wait(timeout=10)
        return get(url, headers)

    async def use(lists: ListUpdates) -> None:
        await wait(lambda: all(each.checked_s for each in lists.states))
        await wait(lambda: not lists.is_updating)
        before = [each.checked_s for each in lists.states]
        is_open.clear()
        lists.update_now()
        assert lists.is_updating
        is_open.set()
        await wait(lambda: not lists.is_updating)
        assert all(each.checked_s != was for each, was in zip(lists.states, before, strict=True))
        assert ["", "there is nothing"] == [each.message.split(":")[0] for each in lists.states]

    state = make_state(None, URL, "http://lists.example/none")
    assert not ListUpdates(state, get=get).is_updating
    updating(state, use, get_if_open)


LIMITS = {"timeout_s": 20.0, "max_bytes": 2**20, "allow_private": True, "headers": {}}


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


def test_authorities_are_added(site: Site) -> None:
    """The user's authority is trusted besides the usual ones, while the proxy runs."""
    certifi = pytest.importorskip("certifi", reason="certifi comes with mitmproxy")
    from thresher.proxy.serve import bundle_authorities

    with bundle_authorities(site.ca) as options:
        path = Path(options["ssl_verify_upstream_trusted_ca"])
        trusted = ssl.create_default_context(cafile=str(path)).get_ca_certs()
        usual = ssl.create_default_context(cafile=certifi.where()).get_ca_certs()
        assert len(usual) + 1 == len(trusted)
    assert not path.exists()
    with bundle_authorities(None) as options:
        assert {} == options


@pytest.mark.parametrize("content", [None, b"", b"no certificate", b"\xff"])
def test_files_without_an_authority(tmp_path: Path, content: bytes | None) -> None:
    """A file that is missing or has no certificate is named."""
    pytest.importorskip("certifi", reason="certifi comes with mitmproxy")
    from thresher.proxy.serve import bundle_authorities

    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"ca\.pem"), bundle_authorities(path):
        pass
