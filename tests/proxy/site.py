"""A small web site on this machine, for the proxy's tests: HTTP, and HTTPS with its own CA.

Each path is a function of a table; what is sent is seen in the test that asks for it.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import socket
import ssl
import struct
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tests.helpers.data import read_data
from tests.proxy.scripted_pages import FILES

ARTICLE: Final = read_data("mill/article.html")
HEAD: Final = ARTICLE.partition("<body")[0]
MENU: Final = ARTICLE.partition("<ul>")[2].partition("</ul>")[0]
STORY: Final = ARTICLE.partition("</h1>")[2].partition("</article>")[0]
XHTML: Final = read_data("mill/article.xhtml")
CHAFF: Final = read_data("mill/chaff.html")
"""One thing for each kind of filter, within the content."""
PORTAL: Final = read_data("mill/portal.html")
GRAIN: Final = "the mill stood by the weir for two hundred years"
"""What each paragraph of the story says."""
BIG: Final = hashlib.sha256(b"grain").digest() * 2**18
"""8 MiB that are not text."""
_STRICT: Final = "default-src 'self'; script-src 'none'; require-trusted-types-for 'script'"
_GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_HTML: Final = "text/html; charset=utf-8"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.server.seen.append((self.command, self.path, dict(self.headers)))  # type: ignore[attr-defined]
        route = _ROUTES.get(path)
        if route is None:
            self.send(b"nothing", "text/plain", status=404)
        else:
            route(self)

    do_POST = do_HEAD = do_PUT = do_GET  # noqa: N815

    def send(
        self, body: bytes, kind: str = _HTML, *, status: int = 200, **headers: str | None
    ) -> None:
        """Send a response; headers are spelled with _ for -; None leaves one out."""
        self.send_response(status)
        known = {"Content-Type": kind, "Content-Length": str(len(body))}
        for name, value in headers.items():
            known[name.replace("_", "-")] = value  # type: ignore[assignment]
        for name, value in known.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def begin_chunks(self, kind: str = _HTML) -> None:
        """Send the head of a chunked response."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def chunk(self, piece: bytes) -> None:
        """Send a chunk of a chunked body."""
        self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log."""


def _compressed(coding: str) -> Callable[[_Handler], None]:
    def route(handler: _Handler) -> None:
        handler.send(_compress(ARTICLE.encode(), coding), Content_Encoding=coding)

    return route


def _compress(body: bytes, coding: str) -> bytes:
    if coding == "gzip":
        return gzip.compress(body)
    if coding == "deflate":
        return zlib.compress(body)
    if coding == "br":
        import brotli

        return bytes(brotli.compress(body))
    import zstandard

    return zstandard.ZstdCompressor().compress(body)


def _chunked(handler: _Handler) -> None:
    handler.begin_chunks()
    body = ARTICLE.encode()
    for start in range(0, len(body), 700):
        handler.chunk(body[start : start + 700])
    handler.chunk(b"")


def _slow(handler: _Handler) -> None:
    handler.begin_chunks()
    head, _, rest = ARTICLE.partition("<body")
    handler.chunk(head.encode())
    handler.chunk(b"<body" + rest[:200].encode())
    time.sleep(1.0)
    handler.chunk(rest[200:].encode())
    handler.chunk(b"")


def _dying(handler: _Handler) -> None:
    body = ARTICLE.encode()
    handler.send_response(200)
    handler.send_header("Content-Type", _HTML)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[:2000])
    handler.wfile.flush()
    handler.close_connection = True


def _huge(handler: _Handler) -> None:
    handler.begin_chunks()
    handler.chunk(HEAD.encode() + b"<body>")
    piece = STORY.encode() * 30
    for _ in range(50 * 2**20 // len(piece) + 1):
        handler.chunk(piece)
    handler.chunk(b"")


def _big(handler: _Handler) -> None:
    kind, wanted = "application/octet-stream", handler.headers.get("Range", "")
    if wanted.startswith("bytes="):
        start, _, stop = wanted[6:].partition("-")
        place = f"bytes {start}-{stop}/{len(BIG)}"
        handler.send(BIG[int(start) : int(stop) + 1], kind, status=206, Content_Range=place)
        return
    handler.send(BIG, kind, Accept_Ranges="bytes", ETag='"big"')


def _events(handler: _Handler) -> None:
    handler.begin_chunks("text/event-stream")
    handler.chunk(b"data: first\n\n")
    time.sleep(0.7)
    handler.chunk(b"data: second\n\n")
    handler.chunk(b"")


def _upload(handler: _Handler) -> None:
    handler.send(hashlib.sha256(_body_of(handler)).hexdigest().encode(), "text/plain")


def _body_of(handler: _Handler) -> bytes:
    return handler.rfile.read(int(handler.headers.get("Content-Length", 0)))


def _results(handler: _Handler) -> None:
    sought = _body_of(handler).decode()
    body = ARTICLE.replace("Paragraph 0", f"Results for {sought}") if sought else HEAD
    handler.send(body.encode(), Set_Cookie="seen=1")


def _web_socket(handler: _Handler) -> None:
    """Echo text messages of less than 126 bytes (RFC 6455)."""
    key = handler.headers["Sec-WebSocket-Key"].encode()
    accept = base64.b64encode(hashlib.sha1(key + _GUID).digest()).decode()
    handler.send_response(101)
    for name, value in (
        ("Upgrade", "websocket"),
        ("Connection", "Upgrade"),
        ("Sec-WebSocket-Accept", accept),
    ):
        handler.send_header(name, value)
    handler.end_headers()
    handler.close_connection = True
    while len(head := handler.rfile.read(2)) == 2:
        opcode, length = head[0] & 15, head[1] & 127
        mask = handler.rfile.read(4)
        data = bytes(b ^ mask[i % 4] for i, b in enumerate(handler.rfile.read(length)))
        handler.wfile.write(struct.pack("!BB", 0x80 | opcode, len(data)) + data)
        if opcode == 8:
            return


def _page(html: str, kind: str = _HTML, **headers: str) -> Callable[[_Handler], None]:
    return lambda handler: handler.send(html.encode(), kind, status=200, **headers)


_ROUTES: Final[dict[str, Callable[[_Handler], None]]] = {
    "/article": _page(ARTICLE, ETag='"v1"', Last_Modified="Mon, 02 Mar 2026 10:00:00 GMT"),
    "/hosts.txt": _page("||paper.example^\n/path[0-9]/\n", "text/plain"),
    "/xhtml": _page(XHTML, "application/xhtml+xml"),
    "/chaff": _page(CHAFF),
    "/portal": _page(PORTAL),
    "/fragment": _page("<li>one</li><li>two</li>"),
    "/json": _page('{"a": 1}', "application/json"),
    "/style.css": _page("body{color:#123}", "text/css"),
    "/empty": lambda handler: handler.send(b"", status=204, Content_Type=None, Content_Length=None),
    "/attached": _page(ARTICLE, Content_Disposition='attachment; filename="mill.html"'),
    "/guarded": _page(ARTICLE, Cache_Control="no-transform"),
    "/broken": lambda handler: handler.send(b"\x1f\x8bnot gzip", Content_Encoding="gzip"),
    "/advertised": _page(
        ARTICLE.replace(
            "</head>", '<script src="https://ad.doubleclick.net/tag.js"></script></head>'
        )
    ),
    "/misplaced": _page(
        ARTICLE.replace("</head>", "</head><table><tr><b><div><a href=/a>Field 1</a></b>")
    ),
    "/long": _page(ARTICLE.replace(STORY, STORY * 1500)),
    "/malformed": _page(ARTICLE.replace("</p>", "").replace("</article>", "</b></td></p><i><b")),
    "/redirect": lambda handler: handler.send(b"", status=302, Location="/article"),
    "/not-modified": lambda handler: handler.send(
        b"", status=304, ETag='"v1"', Content_Length=None, Content_Type=None
    ),
    **{f"/{coding}": _compressed(coding) for coding in ("gzip", "deflate", "br", "zstd")},
    "/chunked": _chunked,
    "/slow": _slow,
    "/dying": _dying,
    "/huge": _huge,
    "/big": _big,
    "/events": _events,
    "/upload": _upload,
    "/results": _results,
    "/policy": _page(ARTICLE, Content_Security_Policy=_STRICT),
    "/socket": _web_socket,
    **{path: _page(text, kind) for path, (kind, text) in FILES.items()},
}
"""What is at each path."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of disconnected clients."""


class _Http2Server:
    """Answers every request over HTTP/2 with the article, its body in two pieces."""

    def __init__(self, context: ssl.SSLContext) -> None:
        context.set_alpn_protocols(["h2"])
        self._context = context
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, plain: socket.socket) -> None:
        from h2.config import H2Configuration
        from h2.connection import H2Connection
        from h2.events import RequestReceived

        with suppress(OSError), self._context.wrap_socket(plain, server_side=True) as secure:
            h2 = H2Connection(H2Configuration(client_side=False))
            h2.initiate_connection()
            secure.sendall(h2.data_to_send())
            while data := secure.recv(65_536):
                for event in h2.receive_data(data):
                    if isinstance(event, RequestReceived):
                        body = ARTICLE.encode()
                        h2.send_headers(
                            event.stream_id, [(":status", "200"), ("content-type", _HTML)]
                        )
                        h2.send_data(event.stream_id, body[:3000])
                        h2.send_data(event.stream_id, body[3000:], end_stream=True)
                secure.sendall(h2.data_to_send())


@dataclass(frozen=True, slots=True)
class Site:
    """The running site."""

    http: str
    https: str
    http2: str
    """HTTPS that speaks HTTP/2 only."""
    untrusted: str
    """HTTPS with a certificate that nobody vouches for."""
    ca: Path
    seen: list[tuple[str, str, dict[str, str]]]
    """Method, path and headers of each request over HTTP."""
    close: Callable[[], None]


def start_site(folder: Path) -> Site:
    """Start the site; its CA's certificate goes to a folder."""
    trusted, untrusted = _make_certificates(folder)
    servers = [_Server(), _Server(), _Server()]
    for server, chain in zip(servers[1:], (trusted, untrusted), strict=True):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*chain)
        # The handshake is the handler's: it must not hold up who accepts.
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    threads = [threading.Thread(target=server.serve_forever, args=(0.05,)) for server in servers]
    for thread in threads:
        thread.start()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*trusted)
    http2 = _Http2Server(context)

    def close() -> None:
        http2.close()
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            thread.join()
            with suppress(OSError):
                server.server_close()

    http, https, other = (server.server_address[1] for server in servers)
    return Site(
        f"http://127.0.0.1:{http}",
        f"https://127.0.0.1:{https}",
        f"https://127.0.0.1:{http2.port}",
        f"https://127.0.0.1:{other}",
        folder / "trusted" / "test-ca-cert.pem",
        servers[0].seen,
        close,
    )


def _make_certificates(folder: Path) -> list[tuple[Path, Path]]:
    """Return a certificate and its key, signed by the CA of a folder each."""
    from cryptography import x509
    from mitmproxy.certs import CertStore

    chains = []
    for name in ("trusted", "untrusted"):
        store = CertStore.from_store(folder / name, "test", 2048)
        made = store.get_cert("127.0.0.1", [x509.IPAddress(ip_address("127.0.0.1"))])
        path = folder / f"{name}.pem"
        path.write_bytes(made.cert.to_pem())
        chains.append((path, folder / name / "test-ca.pem"))  # the key is the CA's own
    return chains
