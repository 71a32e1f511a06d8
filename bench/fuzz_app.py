"""Hostile requests to the app and to the API alone, in process, for `bench.fuzz`.

Pages are extracted in this process, so that an error in a worker is an error here; nothing is
fetched, and neither training nor a leaderboard is started.
"""

from __future__ import annotations

import asyncio
import atexit
import gzip
import json
import shutil
import tempfile
import urllib.parse
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar
from unittest import mock

import h11

from tests.helpers.token_soup import page_of
from thresher.errors import FetchError
from thresher.fetching.model import Fetched
from thresher.serving.pool import Pool

_T = TypeVar("_T")
_ODD: Final = (
    *(b"", b"\0", b" ", b"\t", b"\xff", b"\x80", b"\xed\xa0\x80", b"\xc3\xa4"),
    *b', ; = " % %zz %00 * -1 0 1e999 nan 99999999999999999999 ../.. http://[ //'.split(),
    *b"javascript:1 http://a@b:c/ xn-- ? # & < []".split(),
)
"""Values that parsers stumble over."""
_TOKEN: Final = b"a token of the fuzzer"
_PATHS: Final = b"""
/api/extract /api/batch /api/extract /api/batch /api/methods /api /api/openapi.json /healthz
/metrics / /read /inspect /compare /rules /rules/add /rules/preview /label /label/pages /label/who
/label/undo /label/add /label/export /label/1 /label/1/sheet /label/1/drawn /label/1/decide
/label/1/inspect /label/1/delete /saved /saved/feed.xml /saved/opds.xml /saved/book.epub
/saved/highlights.md /saved/1 /saved/1/tags /saved/1/delete /saved/1/restore /preferences
/saved/1/book.epub /feed /login /logout /static/base.css /train /leaderboard /sample/read
/sample/inspect /read/{} /read/{}/download /read/{}/image /read/{}/save /read/{}/highlights
/read/{}/highlights/1/delete /inspect/{} /inspect/{}/block/0 /compare/{} /train/{}
/train/{}/events /leaderboard/{} /train/{}/files/a.npz /read/{}/highlights/1/restore
""".split()
"""Paths; the name of an opened page comes in the place of ``{}``."""
_POSTED: Final = b"""
/api/extract /api/batch /read /inspect /compare /rules /rules/add /rules/preview /label/who
/label/undo /label/add /label/1 /label/1/decide /label/1/delete /label/1/restore /saved/1/tags
/login /saved/1/delete /saved/1/restore /preferences /logout /read/{}/save /read/{}/highlights
/read/{}/highlights/1/delete /read/{}/highlights/1/restore /train/{}/cancel /train/{}/use
/leaderboard/{}/cancel /healthz
""".split()
_NEVER: Final = frozenset(("/train", "/leaderboard", "/train/forget"))
"""Paths to which nothing is posted: they start processes."""
_METHODS: Final = ("GET", "POST", "POST", "HEAD", "PUT", "OPTIONS")
_HEADERS: Final[Sequence[tuple[bytes, Sequence[bytes]]]] = (
    (b"accept", (b"text/html", b"application/json", b"*/*")),
    (b"accept-encoding", (b"gzip", b"identity;q=0")),
    (b"authorization", (b"Bearer " + _TOKEN, b"Basic YTpi", b"Bearer")),
    (b"content-encoding", (b"gzip", b"identity", b"br")),
    (b"content-length", (b"0", b"5", b"99999999999")),
    (b"cookie", (b"thresher_csrf=t", b"thresher_view=a", b"thresher_session=a", b"theme=dark")),
    (b"if-none-match", (b'"a"', b"*")),
    (b"if-modified-since", (b"Thu, 01 Jan 1970 00:00:00 GMT",)),
    (b"origin", (b"http://localhost", b"null", b"http://[")),
    (b"range", (b"bytes=0-1", b"bytes=-1", b"bytes=9-1,2-3")),
    (b"sec-fetch-site", (b"same-origin", b"cross-site")),
    (b"transfer-encoding", (b"chunked",)),
    (b"x-csrf-token", (b"t",)),
    (b"x-forwarded-for", (b"192.0.2.1", b"a")),
)
_KINDS: Final = (
    b"application/json",
    b"application/jsonl",
    b"text/html",
    b"text/html; charset=shift_jis",
    b"application/x-www-form-urlencoded",
    b"multipart/form-data; boundary=b",
)
_FIELDS: Final = """
url html file method scope favor formats p page block url view csrf host keep drop rules tags q text
start stop before after note theme font size who label labels role roles password next options
max_chars max_tokens metadata title links id pages a b prune version selector kind position sort n
order page_view code at prefix suffix undo
""".split()
_VALUES: Final = (
    *("", "[1, 2]", "é\ud800", "x" * 3000, "\0"),
    *"1 -1 true learned keep_all article thread markdown html json markdown,json localhost".split(),
    *"https://site.example/a a.example p.rye link_ratio {} dark 0.5 2:3 NaN 1e400 auto".split(),
)
_JSON: Final = (
    *'null true 0 -1 1e999 "" [] {} "learned" ["markdown"] "json" "\\ud800" [[[]]] NaN'.split(),
    *('{"a": {}}', '"https://site.example/"', "123456789012345678901", '["text", "tei"]'),
    *('"<p>Rye and barley."', '"<h1>Rye</h1><p>The barn was full by night."'),
)
_PAGE: Final = b"<title>Rye</title><h1>Rye</h1><p>The barn was full by night, and the rain came."


class Choices:
    """Reader of an input; beyond its end all bytes are 0."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def number(self, count: int) -> int:
        """Return a number below ``count``, at most 256."""
        self._place += 1
        return self._data[self._place - 1] % count if self._place <= len(self._data) else 0

    def pick(self, choices: Sequence[_T]) -> _T:
        """Return one of some values."""
        return choices[self.number(len(choices))]

    def flag(self) -> bool:
        """Return whether a bit is set."""
        return bool(self.number(2))

    def take(self, max_bytes: int = 255) -> bytes:
        """Return some bytes of the input as they are."""
        n = self.number(max_bytes + 1) if max_bytes < 256 else self.number(256) * max_bytes // 256
        start, self._place = self._place, self._place + n
        return self._data[start : self._place]

    def value(self, known: Sequence[bytes]) -> bytes:
        """Return one of some values, an odd one, one of both, or bytes of the input."""
        match self.number(6):
            case 0 | 1:
                return self.pick(known)
            case 2:
                return self.pick(_ODD)
            case 3:
                return self.pick(known) + self.pick(_ODD)
            case 4:
                return self.pick(_ODD) + self.pick(known)
            case _:
                return self.take()

    def rest(self) -> bytes:
        """Return all bytes that are left."""
        start, self._place = self._place, len(self._data)
        return self._data[start:]

    def pieces(self, body: bytes) -> list[bytes]:
        """Cut a body into a few pieces, some of them empty."""
        pieces = []
        for _ in range(self.number(5)):
            cut = len(body) * self.number(256) // 255
            pieces.append(body[:cut])
            body = body[cut:]
        return [*pieces, body]


def run_app(data: bytes) -> None:
    """Send a request to the app; AssertionError for an answer that is an error of its own."""
    _run(data, only_api=False)


def run_serve(data: bytes) -> None:
    """Send a request to the API alone, as `run_app`."""
    _run(data, only_api=True)


def _run(data: bytes, *, only_api: bool) -> None:
    served = _serve(only_api)
    choices = Choices(data)
    scope, pieces = _spell(choices, served.page)
    with offline(choices):
        status, said = served.runner.run(ask(served.app, scope, pieces))
    if status == 500:
        raise AssertionError(f"{scope['method']} {scope['path']}: {said[:500]!r}")


@dataclass(frozen=True, slots=True)
class _Served:
    app: Any
    runner: asyncio.Runner
    page: bytes
    """Name of an opened page."""


@cache
def _serve(only_api: bool) -> _Served:
    """Return an app with a page that is opened and saved."""
    from thresher.app.engine import PageSource
    from thresher.app.server import build_app
    from thresher.app.settings import AppSettings

    folder = Path(tempfile.mkdtemp(prefix="fuzz-app-"))
    settings = AppSettings(
        n_worker=1,
        data_dir=folder,
        rules_path=folder / "rules.toml",
        only_api=only_api,
        max_bytes=2**16,
    )
    app = build_app(settings)
    app.state.context.page_cache.put(PageSource(_PAGE, url="https://site.example/a"), "opened")
    runner = asyncio.Runner()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return _Served(app, runner, b"opened")


def _spell(choices: Choices, page: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Return the scope of a request, and its body in pieces."""
    method = choices.pick(_METHODS)
    raw_path = choices.pick(_POSTED if method == "POST" else _PATHS).replace(
        b"{}", choices.value((page, b"1"))
    )
    if choices.number(16) == 15:
        raw_path += choices.take()
    raw_path = _as_sent(raw_path)
    path = urllib.parse.unquote_to_bytes(raw_path).decode("utf-8", "replace")
    if path in _NEVER and method == "POST":
        method = "GET"
    query = b"&".join(
        b"%b=%b" % (choices.pick(_FIELDS).encode(), _quote(choices))
        for _ in range(choices.number(4))
    )
    kind = choices.pick(_KINDS)
    headers = [(b"host", b"localhost"), (b"content-type", kind)]
    if choices.number(8) == 7:
        headers[1] = (b"content-type", choices.value(_KINDS))
    if choices.number(4):
        headers += [(b"cookie", b"thresher_csrf=t"), (b"x-csrf-token", b"t")]
    for _ in range(choices.number(4)):
        name, values = choices.pick(_HEADERS)
        headers.append((name, choices.value(values)))
    body = b"" if method in ("GET", "HEAD", "OPTIONS") else _spell_body(choices, kind)
    if (b"content-encoding", b"gzip") in headers and choices.flag():
        body = gzip.compress(body, 1)
    scope = {
        **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method},
        **{"scheme": "http", "path": path, "raw_path": raw_path, "query_string": _as_sent(query)},
        **{"root_path": "", "headers": headers, "client": ("127.0.0.1", 1), "state": {}},
        "server": ("127.0.0.1", 80),
    }
    return scope, choices.pieces(body)


def _spell_body(choices: Choices, kind: bytes) -> bytes:
    if choices.number(16) == 15 or kind.startswith(b"text/html"):
        return page_of(choices.rest())
    if kind.startswith(b"application/json"):
        separator = b"\n" if kind.endswith(b"l") else b", "
        lines = [_spell_object(choices) for _ in range(1 + choices.number(3))]
        if separator == b"\n":
            return separator.join(lines)
        return b'{"pages": [%b]}' % separator.join(lines) if choices.flag() else lines[0]
    names = [choices.pick(_FIELDS) for _ in range(choices.number(8))]
    if kind.startswith(b"multipart"):
        return b"".join(_spell_part(choices, name) for name in names) + b"--b--\r\n"
    return b"&".join(b"%b=%b" % (name.encode(), _quote(choices)) for name in names)


def _spell_object(choices: Choices) -> bytes:
    pairs = [(choices.pick(_FIELDS), choices.pick(_JSON)) for _ in range(choices.number(6))]
    said = ", ".join(f"{json.dumps(name)}: {value}" for name, value in pairs)
    if choices.flag():
        page = page_of(choices.take(2000)).decode("utf-8", "replace")
        said = f'"html": {json.dumps(page)}' + (f", {said}" if said else "")
    return f"{{{said}}}".encode()


def _spell_part(choices: Choices, name: str) -> bytes:
    file = b'; filename="a.html"' if choices.flag() else b""
    kind = b"Content-Type: text/html\r\n" if choices.flag() else b""
    value = _spell_value(choices)
    return b'--b\r\nContent-Disposition: form-data; name="%b"%b\r\n%b\r\n%b\r\n' % (
        name.encode(),
        file,
        kind,
        value,
    )


def _as_sent(target: bytes) -> bytes:
    """Encode what h11 lets nobody send in a target: all but visible ASCII."""
    return b"".join(b"%c" % byte if 0x20 < byte < 0x7F else b"%%%02x" % byte for byte in target)


def _quote(choices: Choices) -> bytes:
    value = _spell_value(choices)
    return value if choices.number(8) == 7 else urllib.parse.quote_from_bytes(value).encode()


def _spell_value(choices: Choices) -> bytes:
    values = [value.encode("utf-8", "surrogatepass") for value in _VALUES]
    return choices.value(values)


@contextmanager
def offline(choices: Choices) -> Iterator[None]:
    """Let nothing be fetched but bytes of the input, and work in this process."""

    def fetch(url: str, **_: object) -> Fetched:
        if choices.flag():
            raise FetchError("nothing is fetched here", url=url)
        kind = choices.pick(("text/html", "image/png", "application/rss+xml", None))
        body = page_of(choices.rest())
        return Fetched(url, body, choices.pick((None, "utf-8", "x")), kind, 200, is_public=True)

    async def work(pool: Pool, function: Callable[..., Any], *args: object) -> Any:
        return function(*args)

    with mock.patch("thresher.fetching.fetch.fetch", fetch), mock.patch.object(Pool, "run", work):
        yield


async def ask(
    app: Any, scope: MutableMapping[str, Any], pieces: Sequence[bytes]
) -> tuple[int, bytes]:
    """Send a request to an ASGI application; return the status and the body of the answer."""
    waiting = [
        {"type": "http.request", "body": piece, "more_body": number < len(pieces) - 1}
        for number, piece in enumerate(pieces)
    ]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":  # LocalProtocolError for what cannot be sent
            h11.Response(status_code=message["status"], headers=list(message.get("headers", ())))
        sent.append(message)

    await app(scope, receive, send)
    status = next((message["status"] for message in sent if "status" in message), 0)
    return status, b"".join(message.get("body", b"") for message in sent)
