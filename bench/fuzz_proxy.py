"""Hostile requests and responses through the proxy's addons, in process, for `bench.fuzz`.

The hooks are called as mitmproxy calls them for one flow, and the body arrives in pieces. Pages are
rewritten in this process, so that an error in a worker is an error here. Needs the extra proxy.
"""

from __future__ import annotations

import asyncio
import atexit
import gzip
import logging
import shutil
import tempfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest import mock

from bench.fuzz_app import Choices, offline
from tests.helpers.token_soup import page_of
from thresher.errors import FetchError, ThresherError
from thresher.fetching.model import Fetched
from thresher.proxy.rewrite_model import Rewritten

_HOSTS: Final = (
    b"site.example thresher.internal thresher.internal doubleclick.net [::1] xn--mhle-0ra.example"
    b" SITE.example."
).split()
_PATHS: Final = b"""
/a / /filters /preview /sites /lists /proxy /proxy/user /log /files /files/rules.toml
/files/settings.toml /setup /theme /certificate /proxy.pac /filters/reset /filters/profile.toml
/preview/page/1 /-/view /-/remember /-/pick /-/removed /-/hide /-/never /setup/code.svg
/.well-known/thresher/view /.well-known/thresher/pick /static/base.css
""".split()
_QUERY: Final = b"""
url=https://site.example/a view=reader view=text view=original token=t result=1 name=a user=a
host=site.example theme=dark page=1 selector=p method=learned html=<p>Rye list_urls=http://[
scope=all csrf=t drop=p mode=transparent n_worker=0 keep=p%20b rules=version=1 password=a
""".split()
_REQUEST_HEADERS: Final[Sequence[tuple[bytes, Sequence[bytes]]]] = (
    (b"accept", (b"text/html", b"*/*")),
    (b"accept-encoding", (b"gzip, br, zstd",)),
    (b"content-type", (b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=b")),
    (b"cookie", (b"a=b", b"theme=dark")),
    (b"host", _HOSTS),
    (b"if-modified-since", (b"a",)),
    (b"origin", (b"http://thresher.internal", b"null")),
    (b"proxy-authorization", (b"Basic YTpi", b"Basic", b"Basic YQ==", b"Bearer a")),
    (b"range", (b"bytes=0-1",)),
    (b"referer", (b"https://site.example/b",)),
    (b"sec-fetch-dest", (b"document", b"iframe", b"image", b"script")),
    (b"sec-fetch-mode", (b"navigate", b"cors")),
    (b"sec-fetch-site", (b"cross-site", b"same-origin")),
    (b"sec-gpc", (b"1",)),
    (b"user-agent", (b"Mozilla/5.0",)),
    (b"x-forwarded-host", (b"site.example, a",)),
    (b"x-requested-with", (b"XMLHttpRequest",)),
)
_TYPES: Final = (
    *(b"text/html", b"text/html;charset", b"application/xhtml+xml", b"image/png"),
    b"TEXT/HTML; charset='utf-16'",
    *(
        b"text/html; charset=" + name
        for name in b"utf-8 shift_jis idna unicode_escape undefined hex".split()
    ),
)
_CODINGS: Final = (b"gzip", b"br", b"zstd", b"deflate", b"identity", b"gzip, br", b"x-gzip", b"a")
_RESPONSE_HEADERS: Final[Sequence[tuple[bytes, Sequence[bytes]]]] = (
    (b"alt-svc", (b'h3=":443"',)),
    (b"cache-control", (b"no-transform", b"max-age=1")),
    (b"content-disposition", (b"attachment", b"inline; filename=a")),
    (b"content-encoding", _CODINGS),
    (b"content-length", (b"0", b"5", b"-1")),
    (b"content-security-policy", (b"default-src 'none'", b"style-src 'self' 'nonce-a'; a", b"; ;")),
    (b"content-type", _TYPES),
    (b"etag", (b'"a"',)),
    (b"link", (b"<a.css>; rel=preload; as=style",)),
    (b"location", (b"/a", b"https://site.example/b", b"//[")),
    (b"refresh", (b"0; url=/a",)),
    (b"set-cookie", (b"a=b; Path=/", b"=", b"a=b; Expires=a")),
    (b"strict-transport-security", (b"max-age=1",)),
    (b"transfer-encoding", (b"chunked",)),
    (b"x-a", (b"x" * 70_000,)),
)
_METHODS: Final = (b"GET", b"GET", b"POST", b"HEAD", b"OPTIONS", b"\xff")
_STATUSES: Final = (200, 200, 200, 200, 204, 206, 301, 304, 404, 500, 101, 999, 0)


def run_proxy(data: bytes) -> None:
    """Send a flow through the addons; AssertionError for an answer that is an error of its own."""
    proxy = _serve()
    choices = Choices(data)
    if proxy.state.settings.current != proxy.settings:
        proxy.state.settings.replace(proxy.settings)
    proxy.errors.clear()
    with offline(choices):
        proxy.runner.run(_flow(proxy, choices))
    if proxy.errors:
        raise AssertionError(proxy.errors[0])


@dataclass(frozen=True, slots=True)
class _Proxy:
    state: Any
    settings: Any
    addons: tuple[Any, ...]
    """In the order of `thresher.proxy.serve`."""
    runner: asyncio.Runner
    errors: list[str]
    """What mitmproxy has logged of the settings application's errors."""


def _fetch_nothing(url: str, headers: dict[str, str]) -> Fetched:
    raise FetchError("this proxy fetches no lists", url=url)


@cache
def _serve() -> _Proxy:
    from thresher.proxy.access import Access, Fences
    from thresher.proxy.addon import ThresherAddon
    from thresher.proxy.list_updates import ListUpdates
    from thresher.proxy.own_answers import Failures, OwnAnswers
    from thresher.proxy.pages import build_pages
    from thresher.proxy.settings import ProxySettings
    from thresher.proxy.state import ProxyState
    from thresher.serving.pool import Pool

    folder = Path(tempfile.mkdtemp(prefix="fuzz-proxy-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    settings = ProxySettings(compress="always", max_bytes=2**20)
    state = ProxyState(
        settings,
        settings_path=folder / "proxy.toml",
        rules_path=folder / "rules.toml",
        data_dir=folder,
    )
    state.is_token = lambda *_: True  # type: ignore[method-assign]
    pool, lists = Pool(1, 10.0, None), ListUpdates(state, get=_fetch_nothing)
    addons = (
        Access(state),
        Fences(state, resolver=lambda host, port: ["192.0.2.1"]),
        ThresherAddon(state, pool),
        OwnAnswers(state, pool, build_pages(state, pool, lists, folder)),
        Failures(state),
    )
    errors: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(self.format(record))

    logger = logging.getLogger("mitmproxy.addons.asgiapp")
    logger.addHandler(Collect(logging.ERROR))
    logger.propagate = False
    return _Proxy(state, settings, addons, asyncio.Runner(), errors)


async def _flow(proxy: _Proxy, choices: Choices) -> None:
    from mitmproxy import flow as base_flow
    from mitmproxy.http import HTTPFlow
    from mitmproxy.test.tflow import tclient_conn, tserver_conn

    flow = HTTPFlow(tclient_conn(), tserver_conn())
    # Modes differ in who answers for the proxy's own name.
    from mitmproxy.proxy.mode_specs import ProxyMode

    modes = ("regular", "reverse:https://site.example", "transparent", "upstream:http://a.example")
    flow.client_conn.proxy_mode = ProxyMode.parse(choices.pick(modes))
    flow.request = _spell_request(choices)
    with mock.patch("mitmproxy.ctx.master", SimpleNamespace(), create=True):
        await _call(proxy, "http_connect" if choices.number(16) == 15 else "requestheaders", flow)
        if not flow.response or choices.flag():
            await _call(proxy, "request", flow)
        if flow.response is None and choices.number(16) == 15:
            message = choices.pick(("connection closed", "[Errno 113] a", "TLS: certificate", ""))
            flow.error = base_flow.Error(message + choices.take().decode("latin-1"))
            await _call(proxy, "error", flow)
        elif flow.response is None:
            await _respond(proxy, choices, flow)
    if flow.response is not None:
        _ = (flow.response.headers.fields, flow.response.raw_content)


async def _respond(proxy: _Proxy, choices: Choices, flow: Any) -> None:
    """Let a server respond, as the stream of `thresher.proxy.stream` would."""
    from thresher.proxy.stream import PAGE, _PageStream

    flow.response, body = _spell_response(choices)
    await _call(proxy, "responseheaders", flow)
    page = flow.metadata.get(PAGE)
    if page is None:
        return
    sent: list[bytes] = []
    for piece in choices.pieces(body):
        sent += _PageStream._take(page, piece)
    if not page.is_given_up and choices.number(16) == 15:
        sent += page.give_up("the server closed the connection early")
    if not page.is_given_up:
        await proxy.addons[2].thresher_page(flow)
        sent += page.buffered.give_up() if page.rest is None else (page.rest,)
    sent.append(page.buffered.finish())
    if not all(isinstance(chunk, bytes) for chunk in sent):
        raise AssertionError("what is sent is not bytes")


async def _call(proxy: _Proxy, hook: str, flow: Any) -> None:
    with mock.patch("thresher.proxy.addon._reason_of", _reveal):
        for addon in proxy.addons:
            if method := getattr(addon, hook, None):
                done = method(flow)
                if asyncio.iscoroutine(done):
                    await done


def _reveal(error: Exception) -> str:
    """Raise an error of a worker, which the proxy would only count, unless it is our own."""
    if not isinstance(error, ThresherError):
        raise error
    return Rewritten("passed", reason="expected").reason or ""


def _spell_request(choices: Choices) -> Any:
    from mitmproxy.http import Headers, Request

    host = choices.pick(_HOSTS)
    path = choices.pick(_PATHS)
    if choices.number(16) == 15:
        path += choices.take()
    query = [choices.value(_QUERY) for _ in range(choices.number(6))]
    method = choices.pick(_METHODS)
    fields = [(b"Host", host), (b"Accept", b"text/html"), (b"User-Agent", b"Mozilla/5.0")]
    if choices.number(4):
        fields += [(b"Sec-Fetch-Dest", b"document"), (b"Sec-Fetch-Mode", b"navigate")]
    body = b""
    if method == b"POST":
        fields.append((b"Content-Type", b"application/x-www-form-urlencoded"))
        body = b"&".join(choices.value(_QUERY) for _ in range(choices.number(8)))
    if query:
        path += b"?" + b"&".join(query)
    fields += _spell_headers(choices, _REQUEST_HEADERS)
    return Request(
        *(host.decode("latin-1"), choices.pick((80, 443, 8080)), method),
        *(choices.pick((b"http", b"https")), b"", path),
        *(choices.pick((b"HTTP/1.1", b"HTTP/2.0", b"HTTP/1.0")), Headers(fields), body),
        *(None, 0.0, 0.0),
    )


def _spell_response(choices: Choices) -> tuple[Any, bytes]:
    from mitmproxy.http import Headers, Response

    coding = choices.pick((b"", b"", *_CODINGS))
    fields = [(b"Content-Type", choices.pick(_TYPES) if choices.flag() else b"text/html")]
    if coding:
        fields.append((b"Content-Encoding", coding))
    fields += _spell_headers(choices, _RESPONSE_HEADERS)
    response = Response(
        *(b"HTTP/1.1", choices.pick(_STATUSES), choices.take(8)),
        *(Headers(fields), None, None, 0.0, None),
    )
    harm = choices.number(8)
    body = page_of(choices.rest())
    body = _CODERS.get(coding, bytes)(body) if harm != 6 else body
    return response, body[: len(body) // 2] + b"\xff\0" * (harm == 5) + (
        body[len(body) // 2 :] if harm != 7 else b""
    )


def _spell_headers(
    choices: Choices, known: Sequence[tuple[bytes, Sequence[bytes]]]
) -> list[tuple[bytes, bytes]]:
    headers = []
    for _ in range(choices.number(5)):
        name, values = choices.pick(known)
        headers.append((name, choices.value(values).translate(None, b"\r\n\0")))
    return headers


_CODERS: dict[bytes, Callable[[bytes], bytes]] = {
    b"gzip": gzip.compress,
    b"x-gzip": gzip.compress,
    b"deflate": lambda body: zlib.compress(body),
}
with suppress(ImportError):
    import brotli

    _CODERS[b"br"] = brotli.compress
with suppress(ImportError):
    import zstandard

    _CODERS[b"zstd"] = lambda body: zstandard.ZstdCompressor().compress(body)
