"""fetch() returns pages, and raises the right error for every failure of the network."""

from __future__ import annotations

import gzip
import random
import socket
import ssl
import threading
import tracemalloc
import zlib
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from urllib3 import HTTPConnectionPool

from tests.fetching.web import Web
from thresher.errors import FetchError, LimitError, UsageError
from thresher.fetching import connections, session
from thresher.fetching.fetch import fetch
from thresher.fetching.gunzip import Gunzip
from thresher.fetching.model import USER_AGENT, Fetched

get = partial(fetch, allow_private=True)
"""The server of the tests is on this machine."""
PAGE = b"<p>Rye is sown in autumn."
SHORT_S = 0.3
"""Seconds after which a server that dawdles in a test is given up."""


def test_fetch_of_a_page(web: Web) -> None:
    """A page has its address, charset, media type and status."""
    url = web.serve("/rye", PAGE, Content_Type="text/HTML; Charset=ISO-8859-1")

    assert Fetched(url, PAGE, "iso-8859-1", "text/html", 200, False) == get(url)
    assert USER_AGENT == web.requests[0][1]["user-agent"]


def test_fetch_with_a_condition(web: Web) -> None:
    """Additional headers are sent; entity tag and modification date are returned."""
    url = web.serve("/rye", PAGE, ETag='"2"', Last_Modified="Sun, 02 Nov 2025 00:00:00 GMT")
    fetched = get(url, headers={"If-None-Match": '"1"', "Accept": "text/plain"})

    assert ('"2"', "Sun, 02 Nov 2025 00:00:00 GMT") == (fetched.etag, fetched.last_modified)
    (_, sent) = web.requests[-1]
    assert ('"1"', "text/plain") == (sent["if-none-match"], sent["accept"])
    with pytest.raises(FetchError) as unchanged:
        get(web.serve("/same", status=304))
    assert 304 == unchanged.value.status


@pytest.mark.parametrize(
    ("header", "charset", "content_type"),
    [
        ("text/html; charset=utf-8", "utf-8", "text/html"),
        ('text/html;charset="Shift_JIS"', "shift_jis", "text/html"),
        ("text/html; boundary=x; charset=gbk; charset=utf-8", "gbk", "text/html"),
        ("application/pdf", None, "application/pdf"),
        ("text/html; charset", None, "text/html"),
        ("text/html; charset=", None, "text/html"),
        (";;charset", None, "text/plain"),
        ("", None, None),
        (None, None, None),
    ],
)
def test_fetch_reads_content_type(
    web: Web, header: str | None, charset: str | None, content_type: str | None
) -> None:
    """Charset and media type are parsed from Content-Type, or None."""
    fetched = get(web.serve("/", PAGE, Content_Type=header))

    assert (charset, content_type) == (fetched.http_charset, fetched.content_type)


def test_fetch_of_chunked_page(web: Web) -> None:
    """A chunked page is returned as a whole."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.protocol_version = "HTTP/1.1"
        request.send_response(200)
        request.send_header("Transfer-Encoding", "chunked")
        request.send_header("Connection", "close")
        request.end_headers()
        for byte in PAGE:
            request.wfile.write(b"1\r\n%c\r\n" % byte)
        request.wfile.write(b"0\r\n\r\n")

    assert PAGE == get(web.serve_by("/", answer)).body


@pytest.mark.parametrize("user_agent", ["a\r\nX-Injected: 1", "Dreschflegel/ä"])
def test_fetch_with_user_agent_no_header_carries(user_agent: str) -> None:
    """A user agent that is not printable ASCII raises UsageError."""
    with pytest.raises(UsageError, match="printable ASCII"):
        get("http://127.0.0.1/", user_agent=user_agent)


@pytest.mark.parametrize("status", [301, 308])
def test_fetch_follows_redirect(web: Web, status: int) -> None:
    """Each status of a redirect leads to the page, whose own address, in ASCII, is returned."""
    web.serve("/new/k%C3%B6rner", PAGE)
    location = "new/körner#top".encode().decode("latin-1")
    fetched = get(web.serve("/old", status=status, Location=location))
    assert (f"{web.url}/new/k%C3%B6rner", PAGE, 200) == (fetched.url, fetched.body, fetched.status)


def test_fetch_with_as_many_redirects_as_allowed(web: Web) -> None:
    """The last redirect allowed is followed, one more is not."""
    web.serve("/2", PAGE)
    web.serve("/1", status=302, Location="/2")
    url = web.serve("/0", status=302, Location="/1")

    assert PAGE == get(url, max_redirects=2).body
    with pytest.raises(FetchError, match="more than 1 redirects") as caught:
        get(url, max_redirects=1)
    assert (302, 5) == (caught.value.status, len(web.requests))


@pytest.mark.parametrize(("status", "words"), [(404, "HTTP 404 Not Found"), (503, "HTTP 503"),
                                               (304, "HTTP 304"), (300, "HTTP 300")])  # fmt: skip
def test_fetch_of_status_without_page(web: Web, status: int, words: str) -> None:
    """An unsuccessful status is an error with status and address."""
    url = web.serve("/gone", b"<p>Sorry", status=status)

    with pytest.raises(FetchError, match=words) as caught:
        get(url)

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


def trickle_gzip(request: BaseHTTPRequestHandler) -> None:
    # A file name without end, before anything that decompresses to a byte.
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
    request.wfile.write(b"\x1f\x8b\x08\x08\0\0\0\0\0\x03")
    trickle(request)


def trickle(request: BaseHTTPRequestHandler) -> None:
    while not web_of(request).over.wait(SHORT_S / 10):
        request.wfile.write(b"x")


def web_of(request: BaseHTTPRequestHandler) -> Web:
    assert isinstance(request.server, Web)
    return request.server


def test_fetch_over_slow_redirects(web: Web) -> None:
    """All redirects share one time limit."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        web.over.wait(SHORT_S / 5)
        request.send_response(302)
        request.send_header("Location", "/")
        request.end_headers()

    with pytest.raises(FetchError, match="no complete answer"):
        get(web.serve_by("/", answer), timeout_s=SHORT_S, max_redirects=1_000)


def test_fetch_of_page_at_the_limit(web: Web) -> None:
    """A page of the maximum size is fetched, one byte more is an error, announced or not."""
    url = web.serve("/", PAGE, Content_Length=None)
    assert PAGE == get(url, max_bytes=len(PAGE)).body
    url_of_large = web.serve("/large", b"", Content_Length="1000000")
    for asked, limit, value in ((url, len(PAGE) - 1, None), (url_of_large, 1_000, 1_000_000)):
        with pytest.raises(LimitError) as caught:
            get(asked, max_bytes=limit)
        assert (limit, value) == (caught.value.limit, caught.value.value)


def test_fetch_without_an_answer(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """No HTTP, a refused connection, a failed handshake and an unknown host are said as such."""
    url = web.serve_by("/", lambda request: (request.wfile.write(b"220 mail\r\n\r\n"), None)[1])
    with pytest.raises(FetchError, match="the answer is not HTTP"):
        get(url)
    with pytest.raises(FetchError, match="TLS failure"):
        get(web.url.replace("http:", "https:"), timeout_s=10)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound, but not listening
        with pytest.raises(FetchError, match="no connection: Connection refused"):
            get(f"http://127.0.0.1:{unused.getsockname()[1]}/")

    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(FetchError, match="host name cannot be resolved: Name not known"):
        get("http://nowhere.example/")


def test_fetch_through_proxy(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy of the environment is used, with its credentials."""
    monkeypatch.setenv("http_proxy", web.url.replace("//", "//user:p%40ss@"))
    web.serve("http://grain.example/rye", PAGE)  # a proxy is sent the whole address

    assert PAGE == get("http://grain.example/rye").body
    assert "Basic dXNlcjpwQHNz" == web.requests[0][1]["proxy-authorization"]


def test_fetch_through_proxy_that_is_away(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the proxy, in spite of which one that the caller names is used."""
    monkeypatch.setenv("http_proxy", "127.0.0.1:1")
    web.serve("http://grain.example/rye", PAGE)

    assert PAGE == get("http://grain.example/rye", via=web.url).body
    with pytest.raises(FetchError, match="the proxy cannot be reached: no connection"):
        get("http://grain.example/")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://example.org/", "only http and https"),
        ("example.org", "only http and https"),
        ("http://", "no host"),
        ("http://[::1", "malformed"),
        ("http://example.org:port/", "malformed"),
        ("http://ä..example/", "malformed"),
        (f"http://{'a' * 70}.example/", "malformed"),
        ("http://user:secret@example.org/", "user name"),
    ],
)
def test_fetch_of_invalid_address(url: str, words: str) -> None:
    """An invalid address is rejected with the reason."""
    with pytest.raises(FetchError, match=words):
        get(url)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "[::ffff:127.0.0.1]", "１２７.0.0.1"],
)
def test_fetch_from_private_address(web: Web, host: str) -> None:
    """By default non-public addresses are rejected, in any notation."""
    web.serve("/", PAGE)

    with pytest.raises(FetchError, match="is not public"):
        fetch(f"http://{host}:{web.server_port}/")
    assert not web.requests


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["192.0.2.1", "8.8.8.8"], ["8.8.8.8", "::1"]])
def test_fetch_from_name_of_private_address(addresses: list[str]) -> None:
    """A name is rejected if any of its addresses is not public."""
    with pytest.raises(FetchError, match=r"an address of grain\.example, is not public"):
        fetch("http://grain.example/", resolver=lambda *_: addresses)


def test_fetch_connects_to_the_address_that_was_checked(web: Web) -> None:
    """A name is resolved once; of its checked addresses, the first that answers is connected to."""
    web.serve("/", PAGE)
    answers = iter([["127.0.0.2", "127.0.0.1"]])
    fetched = get(f"http://grain.example:{web.server_port}/", resolver=lambda *_: next(answers))
    assert PAGE == fetched.body
    assert f"grain.example:{web.server_port}" == web.requests[0][1]["host"]


@pytest.fixture
def public_web(web: Web, monkeypatch: pytest.MonkeyPatch) -> Web:
    """Let the test server's address count as public."""
    monkeypatch.setattr(session, "is_public", lambda address: address == "127.0.0.1")
    assert get(web.serve("/own", PAGE)).is_public
    web.requests.clear()
    return web


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost", "private.example", "[::1]", "0x7f.2"])
@pytest.mark.parametrize("allow_private", [False, True])
def test_fetch_redirected_to_private_address(
    public_web: Web, host: str, allow_private: bool
) -> None:
    """A redirect from a public to a non-public page is rejected, even with allow_private."""
    url = public_web.serve("/", status=302, Location=f"http://{host}:{public_web.server_port}/in")

    with pytest.raises(FetchError, match=r"is not public \(redirected to"):
        fetch(url, allow_private=allow_private, resolver=lambda *_: ["127.0.0.9"])
    assert ["/"] == [path for path, _ in public_web.requests]


def test_fetch_of_private_pages_through_a_public_one(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Private pages may redirect to private or public ones, public ones not to private ones."""
    monkeypatch.setattr(session, "is_public", lambda address: address == "8.8.8.8")
    port = web.server_port
    web.serve("/2", status=302, Location="http://grain.example/")
    start = web.serve("/1", status=302, Location=f"http://localhost:{port}/2")
    addresses = {"localhost": "127.0.0.1", "grain.example": "8.8.8.8"}
    opened: list[str] = []

    def open_pool(
        url: str, address: str, sockets: connections.Sockets, ca_file: Path | None
    ) -> HTTPConnectionPool:
        opened.append(address)  # the public address is that of the test server in truth
        web.serve("/", status=302, Location="http://localhost/secret")
        return connections.open_pool(f"http://127.0.0.1:{port}/", "127.0.0.1", sockets)

    monkeypatch.setattr(session, "open_pool", open_pool)

    with pytest.raises(FetchError, match=r"127\.0\.0\.1, an address of localhost, is not"):
        get(start, resolver=lambda host, _: [addresses[host]])
    assert ["127.0.0.1", "127.0.0.1", "8.8.8.8"] == opened


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://grain.example/"])
def test_fetch_of_private_address_through_proxy(
    web: Web, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """Addresses are checked even if a proxy resolves the name."""
    monkeypatch.setenv("http_proxy", web.url)

    with pytest.raises(FetchError, match="is not public"):
        fetch(url, resolver=lambda *_: ["192.168.0.1"])
    assert not web.requests


def test_fetch_of_name_that_only_the_proxy_knows(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that does not resolve here is passed to the proxy."""
    monkeypatch.setenv("http_proxy", web.url)
    web.serve("http://grain.example/", PAGE)

    def fail(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name not known")

    assert PAGE == fetch("http://grain.example/", resolver=fail).body


CERTIFICATE = Path(__file__).parent / "grain.example.pem"


@pytest.fixture
def asked(web: Web) -> list[str | None]:
    """Serve a page over TLS; the names that are asked for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)
    web.socket = context.wrap_socket(web.socket, server_side=True)
    web.serve("/", PAGE)
    return asked


def test_fetch_with_another_authority(web: Web, asked: list[str | None]) -> None:
    """Certificates of a named authority are trusted, and only then."""
    here = partial(get, f"https://grain.example:{web.server_port}/", resolver=_here)
    assert PAGE == here(ca_file=CERTIFICATE).body
    with pytest.raises(FetchError, match="certificate"):
        here()
    with pytest.raises(FetchError):
        here(ca_file=Path("no/such/file"))


@pytest.mark.parametrize("host", ["grain.example", "chaff.example"])
def test_fetch_over_tls(
    web: Web, asked: list[str | None], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """TLS uses the host name for SNI and verification, though the connection is to its address."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    url = f"https://{host}:{web.server_port}/"
    if host == "grain.example":
        assert PAGE == get(url, resolver=_here).body
    else:
        with pytest.raises(FetchError, match="TLS failure"):
            get(url, resolver=_here)
    assert [host] == asked


def _here(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def pack_twice(page: bytes) -> bytes:
    return gzip.compress(gzip.compress(page))


def pack_brotli(page: bytes) -> bytes:
    packed: bytes = pytest.importorskip("brotli").compress(page, quality=3)
    return packed


def pack_zstd(page: bytes) -> bytes:
    packed: bytes = pytest.importorskip("backports.zstd").compress(page)
    return packed


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "gzip, gzip": pack_twice,
    "br": pack_brotli,
    "zstd": pack_zstd,
}


@pytest.mark.parametrize("encoding", PACKERS)
def test_fetch_of_compressed_page(web: Web, encoding: str) -> None:
    """A compressed page is decompressed, nested encodings and those of other libraries too."""
    page = PAGE * 10_000
    packed = PACKERS[encoding](page)

    assert page == get(web.serve("/", packed, Content_Encoding=encoding)).body


@pytest.mark.parametrize("encoding", PACKERS)
def test_fetch_of_compression_bomb(web: Web, encoding: str) -> None:
    """A compression bomb in any encoding is rejected without decompressing it into memory."""
    bomb = PACKERS[encoding](bytes(24 * 2**20))
    url = web.serve("/", bomb, Content_Encoding=encoding)
    tracemalloc.start()
    try:
        with pytest.raises(LimitError):
            get(url, max_bytes=2**20)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak_bytes < 8 * 2**20


@pytest.mark.parametrize(
    ("body", "headers", "words"),
    [
        (PAGE, {"Content_Length": "1000"}, "ended before the page did"),
        (PAGE, {"Content_Encoding": "gzip"}, "Content-Encoding"),
        (PAGE, {"Content_Encoding": ", ".join(["gzip"] * 50)}, "Content-Encoding"),
        *(
            (PAGE, {"Content_Encoding": encoding}, "which cannot be read here")
            for encoding in ("compress", "gzip, x-compress", "DCZ")
        ),
        *(
            (
                gzip.compress(PAGE * 20, mtime=0)[:left],
                {"Content_Encoding": "gzip"},
                "ends before what is",
            )
            for left in (5, 30, -1)
        ),
        (b"", {"status": 302, "Location": "file:///etc/hostname"}, "only http.*redirected to file"),
        *(
            (b"", {"status": 302, "Location": location}, "redirect")
            for location in ("http://[", "http://a..b/", "http://user:secret@b/", "//")
        ),
    ],
)
def test_fetch_of_broken_answer(web: Web, body: bytes, headers: Any, words: str) -> None:
    """An answer that is cut, not compressed as it says, or leads nowhere is an error."""
    with pytest.raises(FetchError, match=words):
        get(web.serve("/", body, **headers))


@pytest.mark.parametrize(
    ("headers", "n_byte"),
    [
        *(({"Content_Encoding": name}, len(PAGE)) for name in ("utf-8", "none", "identity", "")),
        *(({"Content_Length": length}, len(PAGE)) for length in ("-5", "many", "25, 25")),
        ({"Content_Length": "9"}, 9),
    ],
)
def test_fetch_of_answer_with_odd_headers(web: Web, headers: Any, n_byte: int) -> None:
    """Invalid headers are ignored, as by browsers, and so is what comes after the end."""
    assert PAGE[:n_byte] == get(web.serve("/", PAGE, **headers)).body


def test_fetch_of_endless_headers(web: Web) -> None:
    """Endless headers are an error before they exhaust memory."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100_000):
            request.wfile.write(b"X-%d: y\r\n" % number)

    with pytest.raises(FetchError):
        get(web.serve_by("/", answer), timeout_s=10)


@pytest.mark.parametrize(
    "answer", [say_nothing, trickle_headers, trickle_body, stall_in_body, trickle_gzip]
)
def test_fetch_from_a_slow_server(
    web: Web, answer: Callable[[BaseHTTPRequestHandler], None]
) -> None:
    """Whichever part of the answer is slow, the connection is aborted in time; its thread ends."""
    url = web.serve_by("/", answer)

    with pytest.raises(FetchError, match=r"no complete answer within 0\.3 s"):
        get(url, timeout_s=SHORT_S)

    for thread in threading.enumerate():
        if thread.name == "thresher-fetch":
            thread.join(10)
            assert not thread.is_alive()


TEXT = random.Random(3).randbytes(5000) + bytes(200_000)


def feed(packed: bytes, size: int, piece_bytes: int = 1000) -> tuple[bytes, bool]:
    gunzip, out = Gunzip(piece_bytes), b""
    for at in range(0, len(packed), size):
        for piece in gunzip.feed(packed[at : at + size]):
            assert 0 < len(piece) <= piece_bytes
            out += piece
    return out, gunzip.is_cut


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize("piece_bytes", [1, 1000, 205_000, 300_000])
def test_answer_is_whole_in_pieces(size: int, piece_bytes: int) -> None:
    """The output is complete for any split of the input and any piece size."""
    text = TEXT[:5300] if piece_bytes == 1 else TEXT
    assert (text, False) == feed(gzip.compress(text), size, piece_bytes)


@pytest.mark.parametrize("behind", [b"", b"\0", b"\0" * 100, b"some more"])
def test_members_are_concatenated(behind: bytes) -> None:
    """Several members are concatenated, and trailing data is ignored."""
    assert (b"ab" * 10, False) == feed(gzip.compress(b"ab" * 5) * 2 + behind, 3)


def test_nothing_is_not_cut_and_other_data_is_an_error() -> None:
    """An empty response is empty; data that is not gzip is an error."""
    assert (b"", False) == feed(b"", 1)
    with pytest.raises(zlib.error):
        feed(b"<html>no gzip", 3)
