"""The proxy with real clients."""

from __future__ import annotations

import asyncio
import hashlib
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from tests.proxy.conftest import ANNA, BERT, BROWSER, HOST, USERS, Proxy, Reply, ask, first
from tests.proxy.site import ARTICLE, BIG, GRAIN, HEAD, PORTAL, STORY, Site
from thresher.filters import BlockList
from thresher.proxy.memory import TemporaryViews
from thresher.proxy.settings import Profile
from thresher.sites.rulebook import HostRules, Rules


def is_filtered(reply: Reply, encoding: str = "utf-8") -> bool:
    """Return whether a page was filtered; it must have its content in any case."""
    text = reply.body.decode(encoding)
    assert text.count(GRAIN) == 8
    return "doubleclick" not in text


def reasons(proxy: Proxy) -> dict[str, int]:
    """Return the counts of reasons so far."""
    return dict(proxy.state.statistics.reasons)


def link_of(reply: Reply, says: str) -> str:
    """Return the target of a link in the badge."""
    return first(rf'<a href="([^"]*)"[^>]*>{says}', reply.text)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_page_loses_its_chaff_and_keeps_its_look(proxy: Proxy, site: Site, scheme: str) -> None:
    """Filtered pages keep their content, head and style sheets."""
    reply = proxy.get(f"{getattr(site, scheme)}/article", *BROWSER)
    assert 200 == reply.status
    assert is_filtered(reply)
    assert reply.text.startswith(HEAD)
    assert '<body class="paper">' in reply.text
    assert "<thresher-mark>" in reply.text


def test_http2(proxy: Proxy, site: Site) -> None:
    """Pages over HTTP/2 are filtered, sent early or not."""
    for early in (True, False):
        proxy.set(early_head=early)
        reply = proxy.get(f"{site.http2}/article", *BROWSER, "--http2")
        assert "2" == reply.version
        assert is_filtered(reply)


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_pages_go_out_in_the_coding_in_which_they_came(
    proxy: Proxy, site: Site, coding: str, early: bool
) -> None:
    """Rewritten, sent early or passed on in parts: the coding is the server's, and smaller.

    To this machine, pages are sent decoded. A page passes if a rule is none, which is counted.
    """
    proxy.set(early_head=early)
    url = f"{site.http}/{coding}"
    decoded = proxy.get(url, *BROWSER, "--compressed")  # shows that this host's heads stay
    assert is_filtered(decoded)
    assert "content-encoding" not in decoded.headers
    proxy.set(compress="always")
    encoded = proxy.get(url, *BROWSER)
    assert coding == encoded.headers["content-encoding"]
    assert len(encoded.body) < len(ARTICLE) / 2
    assert early == ("content-length" not in encoded.headers)
    assert is_filtered(proxy.get(url, *BROWSER, "--compressed"))
    proxy.state.change_rules(HOST, lambda _: HostRules(Rules(drop=("p:[",))))
    passed = proxy.get(url, *BROWSER, "--compressed")
    assert (0, ARTICLE) == (passed.exit, passed.text)
    assert 0 < reasons(proxy)["invalid rule or worker failure"]
    assert coding == passed.headers["content-encoding"]


def test_reader_and_text(proxy: Proxy, site: Site) -> None:
    """The reader view is safe; the text view depends on Accept, which programs may ask for."""
    text = proxy.get(f"{site.http}/article", "-H", "Accept: text/plain")
    assert "text/plain; charset=utf-8" == text.headers["content-type"]
    assert is_filtered(text)
    assert "<" not in text.text
    for options in (("-A", "Mozilla/5.0"), ("-H", "Origin: http://a.example")):
        page = proxy.get(f"{site.http}/article", "-H", "Accept: text/plain", *options)
        assert ARTICLE == page.text
    proxy.set(view="reader")
    reader = proxy.get(f"{site.http}/policy", *BROWSER)
    assert is_filtered(reader)
    assert "/style.css" not in reader.text
    assert "default-src 'none'" in reader.headers["content-security-policy"]
    proxy.set(view="text")
    assert '<pre class="text">' in proxy.get(f"{site.http}/article", *BROWSER).text
    plain = proxy.get(f"{site.http}/article")
    assert "text/plain; charset=utf-8" == plain.headers["content-type"]
    assert "<p>" not in plain.text
    assert is_filtered(plain)


def test_headers_of_a_changed_page(proxy: Proxy, site: Site) -> None:
    """Validators and conditions are removed, the policy allows the badge's style; HEAD has all."""
    proxy.get(f"{site.http}/article", *BROWSER)
    for early in (True, False):
        proxy.set(early_head=early)
        headers = proxy.get(f"{site.http}/article", *BROWSER).headers
        assert not {"etag", "last-modified", "expires"} & headers.keys()
        assert "private, no-cache" == headers["cache-control"]
        assert ("content-length" in headers) is not early
        policy = proxy.get(f"{site.http}/policy", *BROWSER).headers["content-security-policy"]
        assert "script-src 'none'" in policy
        assert "style-src 'self' 'sha256-" in policy
    assert '"v1"' == proxy.get(f"{site.http}/article", *BROWSER, "-I").headers["etag"]
    condition = ("-H", 'If-None-Match: "v1"')
    proxy.get(f"{site.http}/article", *BROWSER, *condition)
    assert "If-None-Match" not in site.seen[-1][2]
    proxy.get(f"{site.http}/style.css", *condition, "-H", "Sec-Fetch-Dest: style")
    assert "If-None-Match" in site.seen[-1][2]


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/article", ("-H", "X-Requested-With: XMLHttpRequest")),
        ("/article", ("-H", "Sec-Fetch-Dest: empty", "-H", "Sec-Fetch-Mode: cors")),
        ("/article", ("-A", "Mozilla/5.0", "-H", "Referer: http://127.0.0.1/")),
        ("/article", ("-r", "10-99")),
        ("/attached", BROWSER),
        ("/guarded", BROWSER),
        ("/fragment", ()),
        ("/json", BROWSER),
        ("/style.css", BROWSER),
        ("/nothing", BROWSER),
        ("/empty", BROWSER),
        ("/not-modified", BROWSER),
        ("/broken", BROWSER),
    ],
)
def test_what_is_no_page_passes_untouched(
    proxy: Proxy, site: Site, path: str, options: tuple[str, ...]
) -> None:
    """Fragments, data and downloads pass unchanged."""
    direct = ask(site.http + path, *options, folder=proxy.folder)
    reply = proxy.get(site.http + path, *options)
    assert (direct.status, direct.body) == (reply.status, reply.body)
    unlike = {"date"}
    assert {n: v for n, v in direct.headers.items() if n not in unlike} == {
        n: v for n, v in reply.headers.items() if n not in unlike
    }


def test_big_downloads_uploads_and_ranges(proxy: Proxy, site: Site) -> None:
    """Downloads, uploads and ranges pass unchanged."""
    whole = proxy.get(f"{site.https}/big", *BROWSER)
    assert BIG == whole.body
    assert '"big"' == whole.headers["etag"]
    part = proxy.get(f"{site.http}/big", *BROWSER, "-r", "100-4099")
    assert (206, BIG[100:4100]) == (part.status, part.body)
    (proxy.folder / "upload").write_bytes(BIG)
    reply = proxy.get(f"{site.http}/upload", "-T", str(proxy.folder / "upload"))
    assert hashlib.sha256(BIG).hexdigest() == reply.text


def test_events_come_one_by_one(proxy: Proxy, site: Site) -> None:
    """Server-sent events are not buffered."""
    request = f"GET {site.http}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"
    with proxy.connect(request) as connection:
        received = b""
        while b"first" not in received:
            received += connection.recv(4096)
        assert b"second" not in received
        while b"second" not in received:
            received += connection.recv(4096)


def test_web_sockets(proxy: Proxy, site: Site) -> None:
    """A WebSocket works through the proxy, both ways."""
    target = urlsplit(site.http).netloc
    with proxy.connect(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n") as connection:
        assert b" 200 " in connection.recv(4096)
        connection.sendall(
            f"GET /socket HTTP/1.1\r\nHost: {target}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        assert b" 101 " in connection.recv(4096)
        for message in (b"one", b"two"):
            mask = b"abcd"
            masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(message))
            connection.sendall(struct.pack("!BB", 0x81, 0x80 | len(message)) + mask + masked)
            assert b"\x81\x03" + message == connection.recv(4096)


def test_the_head_comes_early(proxy: Proxy, site: Site) -> None:
    """The head arrives before the body."""

    def begin(early: bool) -> bytes:
        proxy.set(early_head=early)
        headers = "Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n"
        request = f"GET {site.http}/slow HTTP/1.1\r\nHost: {HOST}\r\n{headers}\r\n"
        with proxy.connect(request) as connection:
            received = b""
            while b"\r\n\r\n" not in received or received.endswith(b"\r\n\r\n"):
                received += connection.recv(65_536)
        return received

    early, late = begin(True), begin(False)
    assert b"/style.css" in early
    assert GRAIN.encode() not in early
    assert GRAIN.encode() in late
    proxy.set(early_head=True)
    assert is_filtered(proxy.get(f"{site.http}/slow", *BROWSER))


def test_an_early_head_stays_as_it_is(proxy: Proxy, site: Site) -> None:
    """The script of an advertiser in it is not cut out, but stopped; the rest is filtered."""
    early = proxy.get(f"{site.http}/advertised", *BROWSER)
    assert "doubleclick.net/banner.png" not in early.text
    assert "doubleclick.net/tag.js" in early.text
    stopped = proxy.get("http://ad.doubleclick.net/tag.js", "-H", "Sec-Fetch-Dest: script")
    assert "stopped" == stopped.headers["x-thresher"]
    proxy.set(stop_requests=False)
    held = proxy.get(f"{site.http}/advertised", *BROWSER)
    assert is_filtered(held)
    assert "tag.js" not in held.text


def test_a_head_that_the_rest_does_not_fit(proxy: Proxy, site: Site) -> None:
    """A page that can only be written anew passes unchanged once; then its host is buffered."""
    before = reasons(proxy).get("not HTML, or its head has changed", 0)
    passed = proxy.get(f"{site.http}/misplaced", *BROWSER)
    assert not is_filtered(passed)
    assert before + 1 == reasons(proxy)["not HTML, or its head has changed"]
    assert is_filtered(proxy.get(f"{site.http}/misplaced", *BROWSER))


@pytest.mark.parametrize("early", [True, False])
def test_a_server_that_dies_half_way(proxy: Proxy, site: Site, early: bool) -> None:
    """A truncated page is passed on as truncated."""
    proxy.set(early_head=early)
    reply = proxy.get(f"{site.http}/dying", *BROWSER)
    assert 0 != reply.exit
    assert ARTICLE.encode()[:2000] == reply.body
    assert 0 < reasons(proxy)["the server closed the connection early"]


@pytest.mark.parametrize("early", [True, False])
def test_a_huge_page_passes(proxy: Proxy, site: Site, early: bool) -> None:
    """A page of 50 MB passes completely."""
    proxy.set(early_head=early, max_bytes=2**20)
    before = reasons(proxy).get("too large", 0)
    reply = proxy.get(f"{site.http}/huge", *BROWSER)
    assert 50 * 2**20 < len(reply.body)
    story = STORY.encode()
    assert HEAD.encode() + b"<body>" + reply.body.count(story) * story == reply.body
    assert before + 1 == reasons(proxy)["too large"]


def test_a_slow_server(proxy: Proxy, site: Site) -> None:
    """Slow pages pass unchanged."""
    proxy.set(hold_s=0.3)
    for early in (True, False):
        proxy.set(early_head=early)
        assert ARTICLE == proxy.get(f"{site.http}/slow", *BROWSER).text
    assert 2 == reasons(proxy)["the server was too slow"]


def test_malformed_html(proxy: Proxy, site: Site) -> None:
    """Malformed pages are shown, and redirects followed."""
    assert is_filtered(proxy.get(f"{site.http}/malformed", *BROWSER))
    assert is_filtered(proxy.get(f"{site.http}/redirect", *BROWSER, "-L"))


def test_a_deadline(proxy: Proxy, site: Site) -> None:
    """Pages beyond the deadline pass unchanged."""
    proxy.set(deadline_s=0.01)
    reply = proxy.get(f"{site.http}/long", *BROWSER)
    assert ARTICLE.replace(STORY, STORY * 1500) == reply.text
    assert 0 < reasons(proxy)["time or memory limit exceeded"]


def test_pages_pass_when_no_worker_is_free(proxy: Proxy, site: Site) -> None:
    """Waiting for a worker counts: a page that would wait too long passes unchanged."""
    for early in (True, False):
        proxy.set(early_head=early, deadline_s=0.2)
        with _busy_workers(proxy):
            assert ARTICLE == proxy.get(f"{site.http}/article", *BROWSER).text
        seen = proxy.state.statistics.recent[0]
        assert ("passed", "too many pages at once") == (seen.outcome, seen.reason)
        assert 0 < seen.queued_s <= seen.added_s
    proxy.set(deadline_s=60.0)
    assert is_filtered(proxy.get(f"{site.http}/article", *BROWSER))


@contextmanager
def _busy_workers(proxy: Proxy) -> Iterator[None]:
    """Take the only worker of the proxy, as an endless page would."""
    from mitmproxy import ctx

    loop, taken, is_over = ctx.master.event_loop, threading.Event(), asyncio.Event()

    async def hold() -> None:
        async with proxy.addon("thresheraddon").pool.turn():
            taken.set()
            await is_over.wait()

    holding = asyncio.run_coroutine_threadsafe(hold(), loop)
    assert taken.wait(30)
    yield
    loop.call_soon_threadsafe(is_over.set)
    holding.result(30)


def test_portals_are_left_alone(proxy: Proxy, site: Site) -> None:
    """Portals pass with a badge, if there is to be one; a link forces the reader temporarily."""
    reply = proxy.get(f"{site.http}/portal", *BROWSER)
    assert reply.text.startswith(PORTAL)
    assert "Not filtered" in reply.text
    lead = proxy.get(link_of(reply, "Reader"), *BROWSER)
    assert (303, f"{site.http}/portal") == (lead.status, lead.headers["location"])
    reader = proxy.get(lead.headers["location"], *BROWSER)
    assert "Headline number 7" in reader.text
    assert "default-src 'none'" in reader.headers["content-security-policy"]
    back = proxy.get(link_of(reader, "Show original"), *BROWSER, "-L")
    assert back.text.startswith(PORTAL)
    proxy.set(mark=False)
    proxy.state.temporary_views = TemporaryViews()
    assert PORTAL == proxy.get(f"{site.http}/portal", *BROWSER).text
    proxy.set(mark=True, view="original")
    assert ARTICLE == proxy.get(f"{site.http}/article", *BROWSER).text


def test_rules_and_lists(proxy: Proxy, site: Site) -> None:
    """Rules and block lists apply from the next page on."""
    proxy.state.change_rules(HOST, lambda _: HostRules(Rules(keep=("footer",), drop=("h1",))))
    text = proxy.get(f"{site.http}/article", *BROWSER).text
    assert "Imprint and cookies" in text
    assert "<h1>" not in text
    proxy.state.change_rules(HOST, lambda _: HostRules(Rules(keep=(".promo",))))
    proxy.state.replace_blocklist(BlockList())
    assert "doubleclick" in proxy.get(f"{site.http}/article", *BROWSER).text
    proxy.state.replace_blocklist(BlockList.parse(["||doubleclick.net^"]))
    assert "banner.png" not in proxy.get(f"{site.http}/article", *BROWSER).text


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_users_and_their_profiles(proxy: Proxy, site: Site, scheme: str) -> None:
    """Users need a password, and have their own or the default profile."""
    proxy.set(users=USERS | {"anna": replace(USERS["anna"], profile=Profile(view="reader"))})
    url = f"{getattr(site, scheme)}/article"
    assert GRAIN not in (refused := proxy.get(url, *BROWSER)).body.decode()
    assert 407 in (refused.status, 407 if refused.exit else 0)
    wrong = proxy.get(url, *BROWSER, "--proxy-user", "anna:chaff")
    assert GRAIN not in wrong.body.decode()
    anna = proxy.get(url, *BROWSER, *ANNA)
    assert "default-src 'none'" in anna.headers["content-security-policy"]
    bert = proxy.get(url, *BROWSER, *BERT)
    assert '<body class="paper">' in bert.text


def test_clients(proxy: Proxy, site: Site) -> None:
    """Only clients on the allowlist are served."""
    proxy.set(clients=("10.1.0.0/16",))
    assert 0 != proxy.get(f"{site.http}/article", *BROWSER).exit
    proxy.set(clients=("10.1.0.0/16", "127.0.0.1"))
    assert is_filtered(proxy.get(f"{site.http}/article", *BROWSER))


def test_hosts_that_are_never_intercepted(proxy: Proxy, site: Site) -> None:
    """TLS of excluded hosts is not intercepted."""
    proxy.set(never_intercept=(HOST,))
    secure = proxy.get(f"{site.https}/article", *BROWSER, "--cacert", str(site.ca))
    assert (0, ARTICLE) == (secure.exit, secure.text)
    assert ARTICLE == proxy.get(f"{site.http}/article", *BROWSER).text


@pytest.mark.parametrize("early", [True, False])
def test_results_of_forms_keep_their_original(proxy: Proxy, site: Site, early: bool) -> None:
    """Other views of what a form gave are made from it, without asking the site again."""
    proxy.set(early_head=early)
    url = f"{site.http}/results"
    shown = proxy.get(url, *BROWSER, "--data", "q=mill")
    assert is_filtered(shown)
    assert "seen=1" == shown.headers["set-cookie"]
    n_asked = len(site.seen)
    original = proxy.get(link_of(shown, "Show original"), *BROWSER, "-L")
    assert "Results for q=mill" in original.text
    assert "doubleclick" in original.text
    assert "set-cookie" not in original.headers
    reader = proxy.get(link_of(original, "Reader view"), *BROWSER, "-L")
    assert "Results for q=mill" in reader.text
    assert "default-src 'none'" in reader.headers["content-security-policy"]
    again = proxy.get(link_of(reader, "Show filtered page"), *BROWSER, "-L")
    assert is_filtered(again)
    assert n_asked == len(site.seen)
    assert "Results" not in proxy.get(url, *BROWSER).text
    assert n_asked + 1 == len(site.seen)


def test_xhtml_stays_xml(proxy: Proxy, site: Site) -> None:
    """A page sent as XML is filtered, and is well-formed with what was added to it."""
    proxy.set(compress="always")
    for _ in range(2):  # for which heads are sent early, if at all
        reply = proxy.get(f"{site.http}/xhtml", *BROWSER)
        assert "application/xhtml+xml; charset=utf-8" == reply.headers["content-type"]
        assert is_filtered(reply)
        root = ElementTree.fromstring(reply.body)
        names = [each.tag.rpartition("}")[2] for each in root.iter()]
        assert 1 == names.count("thresher-mark") == names.count("br")
