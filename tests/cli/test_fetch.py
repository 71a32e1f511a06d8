"""What fetch() must bring back, and what it must make of everything a network does instead."""

from __future__ import annotations

import gzip
import socket
import tracemalloc
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import pytest

from tests.cli.conftest import Web
from thresher.cli.defaults import USER_AGENT
from thresher.cli.fetch import Fetched, fetch, normalize_url
from thresher.errors import FetchError, LimitError, UsageError

PAGE = b"<p>Rye is sown in autumn."
SHORT_S = 0.3
"""Seconds after which a server that dawdles in a test is given up."""


def test_fetch_of_a_page(web: Web) -> None:
    """A page comes back with its address, charset, media type and status."""
    url = web.serve("/rye", PAGE, Content_Type="text/HTML; Charset=ISO-8859-1")

    assert Fetched(url, PAGE, "iso-8859-1", "text/html", 200) == fetch(url)


@pytest.mark.parametrize(
    ("header", "charset", "content_type"),
    [
        ("text/html; charset=utf-8", "utf-8", "text/html"),
        ('text/html;charset="Shift_JIS"', "shift_jis", "text/html"),
        ("text/html; boundary=x; charset=gbk; charset=utf-8", "gbk", "text/html"),
        ("application/pdf", None, "application/pdf"),
        ("text/html; charset", None, "text/html"),
        (";;charset", None, "text/plain"),
        ("", None, None),
        (None, None, None),
    ],
)
def test_fetch_reads_content_type(
    web: Web, header: str | None, charset: str | None, content_type: str | None
) -> None:
    """Charset and media type are read from any Content-Type, and missing where it has none."""
    fetched = fetch(web.serve("/", PAGE, Content_Type=header))

    assert (charset, content_type) == (fetched.http_charset, fetched.content_type)


@pytest.mark.parametrize(
    ("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)]
)
def test_fetch_of_compressed_page(web: Web, encoding: str, pack: Callable[[bytes], bytes]) -> None:
    """A compressed page comes back decompressed."""
    page = PAGE * 10_000

    assert page == fetch(web.serve("/", pack(page), Content_Encoding=encoding)).body


def test_fetch_of_chunked_page(web: Web) -> None:
    """A page sent in chunks comes back whole."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("Transfer-Encoding", "chunked")
        request.send_header("Connection", "close")
        request.end_headers()
        for byte in PAGE:
            request.wfile.write(b"1\r\n%c\r\n" % byte)
        request.wfile.write(b"0\r\n\r\n")

    assert PAGE == fetch(web.serve_by("/", answer)).body


def test_fetch_says_who_asks(web: Web) -> None:
    """The request carries our name, or the one it is given."""
    url = web.serve("/", PAGE)
    fetch(url)
    fetch(url, user_agent="Reaper/2")

    assert [USER_AGENT, "Reaper/2"] == [headers["user-agent"] for _, headers in web.requests]


@pytest.mark.parametrize("user_agent", ["a\r\nX-Injected: 1", "Dreschflegel/ä"])
def test_fetch_with_user_agent_no_header_carries(user_agent: str) -> None:
    """A user agent that is not printable ASCII is a mistake of the caller."""
    with pytest.raises(UsageError, match="printable ASCII"):
        fetch("http://127.0.0.1/", user_agent=user_agent)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_fetch_follows_redirect(web: Web, status: int) -> None:
    """Each status of a redirect leads to the page, whose own address is the one returned."""
    web.serve("/new/rye", PAGE)
    start = web.serve("/old", status=status, Location="new/rye#top")

    fetched = fetch(start)

    assert (f"{web.url}/new/rye", PAGE, 200) == (fetched.url, fetched.body, fetched.status)


def test_fetch_follows_redirect_in_raw_utf8(web: Web) -> None:
    """A Location of raw UTF-8 bytes is percent-encoded as what it spells."""
    web.serve("/k%C3%B6rner", PAGE)
    start = web.serve("/", status=302, Location="/körner".encode().decode("latin-1"))

    assert f"{web.url}/k%C3%B6rner" == fetch(start).url


def test_fetch_in_a_redirect_loop(web: Web) -> None:
    """A loop ends after the redirects allowed, with the status of the last answer."""
    url = web.serve("/loop", status=302, Location="/loop")

    with pytest.raises(FetchError, match="more than 5 redirects") as caught:
        fetch(url, max_redirects=5)

    assert (302, 6) == (caught.value.status, len(web.requests))


def test_fetch_with_as_many_redirects_as_allowed(web: Web) -> None:
    """The last redirect allowed is followed, one more is not."""
    web.serve("/2", PAGE)
    web.serve("/1", status=302, Location="/2")
    url = web.serve("/0", status=302, Location="/1")

    assert PAGE == fetch(url, max_redirects=2).body
    with pytest.raises(FetchError, match="more than 1 redirects"):
        fetch(url, max_redirects=1)


def test_fetch_redirected_to_a_file(web: Web) -> None:
    """A redirect out of the web is refused, and the message says where it led."""
    url = web.serve("/", status=302, Location="file:///etc/hostname")

    with pytest.raises(FetchError, match=r"only http.*redirected to file:///etc/hostname"):
        fetch(url)


@pytest.mark.parametrize("location", ["http://[", "http://a..b/", "http://user:secret@b/", "//"])
def test_fetch_redirected_to_no_address(web: Web, location: str) -> None:
    """A redirect to what is no address is an error that says a redirect led there."""
    url = web.serve("/", status=302, Location=location)

    with pytest.raises(FetchError, match="redirect"):
        fetch(url)


@pytest.mark.parametrize(("status", "words"), [(404, "HTTP 404 Not Found"), (503, "HTTP 503"),
                                               (304, "HTTP 304"), (300, "HTTP 300")])  # fmt: skip
def test_fetch_of_status_without_page(web: Web, status: int, words: str) -> None:
    """A status that is no success is an error that carries it and the address."""
    url = web.serve("/gone", b"<p>Sorry", status=status)

    with pytest.raises(FetchError, match=words) as caught:
        fetch(url)

    assert (status, url) == (caught.value.status, caught.value.url)


def say_nothing(request: BaseHTTPRequestHandler) -> None:
    web_of(request).over.wait()


def trickle_headers(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    trickle(request)


def trickle_body(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    trickle(request)


def stall_in_body(request: BaseHTTPRequestHandler) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>")
    web_of(request).over.wait()


def trickle(request: BaseHTTPRequestHandler) -> None:
    while not web_of(request).over.wait(SHORT_S / 10):
        request.wfile.write(b"x")


def web_of(request: BaseHTTPRequestHandler) -> Web:
    assert isinstance(request.server, Web)
    return request.server


@pytest.mark.parametrize("answer", [say_nothing, trickle_headers, trickle_body, stall_in_body])
def test_fetch_from_a_slow_server(
    web: Web, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    """However an answer dawdles, the time for the whole of it runs out."""
    url = web.serve_by("/", answer)

    with pytest.raises(FetchError, match=r"no complete answer within 0\.3 s"):
        fetch(url, timeout_s=SHORT_S)


def test_fetch_over_slow_redirects(web: Web) -> None:
    """Redirects share one time: a loop of quick ones runs out of it."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        web.over.wait(SHORT_S / 5)
        request.send_response(302)
        request.send_header("Location", "/")
        request.end_headers()

    with pytest.raises(FetchError, match="no complete answer"):
        fetch(web.serve_by("/", answer), timeout_s=SHORT_S, max_redirects=1_000)


def test_fetch_of_page_at_the_limit(web: Web) -> None:
    """As many bytes as allowed are fetched, one more is beyond the limit."""
    url = web.serve("/", PAGE, Content_Length=None)

    assert PAGE == fetch(url, max_bytes=len(PAGE)).body
    with pytest.raises(LimitError) as caught:
        fetch(url, max_bytes=len(PAGE) - 1)
    assert (len(PAGE) - 1, None) == (caught.value.limit, caught.value.value)


def test_fetch_of_page_announced_too_large(web: Web) -> None:
    """A page announced as too large is refused with its size, before any of it is read."""
    url = web.serve("/", b"", Content_Length="1000000")

    with pytest.raises(LimitError) as caught:
        fetch(url, max_bytes=1_000)

    assert (1_000, 1_000_000) == (caught.value.limit, caught.value.value)


def test_fetch_of_compression_bomb(web: Web) -> None:
    """A page that decompresses beyond the limit is given up without holding it in memory."""
    url = web.serve("/", gzip.compress(bytes(64 * 2**20)), Content_Encoding="gzip")
    tracemalloc.start()
    try:
        with pytest.raises(LimitError):
            fetch(url, max_bytes=2**20)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak_bytes < 8 * 2**20


def test_fetch_of_page_cut_short(web: Web) -> None:
    """A page that ends before its announced length is no page."""
    with pytest.raises(FetchError, match="ended before the page did"):
        fetch(web.serve("/", PAGE, Content_Length="1000"))


def test_fetch_of_page_not_compressed_as_announced(web: Web) -> None:
    """A page that is not the gzip it is said to be is an error that says so."""
    with pytest.raises(FetchError, match="Content-Encoding"):
        fetch(web.serve("/", PAGE, Content_Encoding="gzip"))


def test_fetch_from_what_is_no_web_server(web: Web) -> None:
    """An answer that is not HTTP is an error, not an exception of a library."""
    url = web.serve_by("/", lambda request: void(request.wfile.write(b"220 mail ready\r\n\r\n")))

    with pytest.raises(FetchError, match="the answer is not HTTP"):
        fetch(url)


def void(_: object) -> None:
    """Return nothing."""


def test_fetch_from_closed_port(web: Web) -> None:
    """A refused connection is an error that says so."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, but not listening
        with pytest.raises(FetchError, match="no connection: Connection refused"):
            fetch(f"http://127.0.0.1:{unused.getsockname()[1]}/")


def test_fetch_from_unknown_host(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name nobody knows is an error that says so."""

    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)

    with pytest.raises(FetchError, match="host name cannot be resolved: Name not known"):
        fetch("http://nowhere.example/")


def test_fetch_over_tls_from_plain_server(web: Web) -> None:
    """A failed TLS handshake is an error that says so."""
    with pytest.raises(FetchError, match="TLS failure"):
        fetch(web.url.replace("http:", "https:"), timeout_s=10)


def test_fetch_through_proxy(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy of the environment is asked, with the password of its address."""
    monkeypatch.setenv("http_proxy", web.url.replace("//", "//user:p%40ss@"))
    web.serve("http://grain.example/rye", PAGE)  # a proxy is sent the whole address

    assert PAGE == fetch("http://grain.example/rye").body
    assert "Basic dXNlcjpwQHNz" == web.requests[0][1]["proxy-authorization"]


def test_fetch_through_proxy_that_is_away(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that cannot be reached is named as the culprit."""
    monkeypatch.setenv("http_proxy", "127.0.0.1:1")

    with pytest.raises(FetchError, match="the proxy cannot be reached: no connection"):
        fetch("http://grain.example/")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://example.org/", "only http and https"),
        ("file:///etc/hostname", "only http and https"),
        ("example.org", "only http and https"),
        ("", "only http and https"),
        ("http://", "no host"),
        ("http:///path", "no host"),
        ("http://[::1", "malformed"),
        ("http://example.org:port/", "malformed"),
        ("http://example.org:99999/", "malformed"),
        ("http://ä..example/", "malformed"),
        ("http://a..example/", "malformed"),
        (f"http://{'a' * 70}.example/", "malformed"),
        ("http://user:secret@example.org/", "user name"),
    ],
)
def test_fetch_of_address_that_is_none(web: Web, url: str, words: str) -> None:
    """What is no address of the web is refused, and the message says what is wrong."""
    with pytest.raises(FetchError, match=words):
        fetch(url)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        (" https://example.org ", "https://example.org/"),
        ("HTTP://Example.ORG/A b?q=ä&r=%20#top", "http://example.org/A%20b?q=%C3%A4&r=%20"),
        ("http://bücher.example/ß", "http://xn--bcher-kva.example/%C3%9F"),
        ("http://example.org:8080/a/../b", "http://example.org:8080/b"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]:80/"),
        ("http://example.org/a\nb", "http://example.org/ab"),
    ],
)
def test_normalize_url(url: str, normal: str) -> None:
    """A URL is spelled in ASCII, percent-encoded, without a fragment, and stays so."""
    assert normal == normalize_url(url)
    assert normal == normalize_url(normal)
