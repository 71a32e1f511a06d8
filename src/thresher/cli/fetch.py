"""Fetch one page over HTTP, within a time and a size, whatever the server does.

Retries are off: they multiply the timeout. Redirects are followed here, not in urllib3, so that
each hop is checked as the first address is, and the time is one budget for all. Name lookup, a
list of dead addresses or headers that trickle in cannot be bounded by a socket timeout, so the
work runs in a thread that is left behind when the time is up.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from email.message import Message
from threading import Thread
from typing import Final, TypeVar
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3 import exceptions as errors
from urllib3.util import Timeout, make_headers, parse_url

from thresher.cli.defaults import MAX_BYTES, MAX_REDIRECTS, TIMEOUT_S, USER_AGENT
from thresher.errors import FetchError, LimitError, ThresherError, UsageError

__all__ = ["Fetched", "fetch", "normalize_url"]

_CHUNK_BYTES: Final = 64 * 1024
"""Bytes decompressed at a time: all that a compression bomb gets beyond the limit."""
_ACCEPT: Final = "text/html,application/xhtml+xml,*/*;q=0.8"
_SCHEMES: Final = ("http", "https")
_MIN_WAIT_S: Final = 0.001
"""Seconds. A socket timeout of zero would mean something else."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Fetched:
    """The answer of a server."""

    url: str
    """Where the page came from after all redirects."""
    body: bytes
    """The page, decompressed."""
    http_charset: str | None
    """Charset of the Content-Type header, in lower case."""
    content_type: str | None
    """Media type of the Content-Type header, in lower case, without parameters."""
    status: int


def fetch(
    url: str,
    *,
    timeout_s: float = TIMEOUT_S,
    max_bytes: int = MAX_BYTES,
    max_redirects: int = MAX_REDIRECTS,
    user_agent: str = USER_AGENT,
) -> Fetched:
    """Fetch a page.

    Proxies are those of the environment: ``HTTP_PROXY``, ``HTTPS_PROXY``, ``NO_PROXY``.
    ``timeout_s`` is for all of it: name lookup, every redirect, the last byte. ``max_bytes`` counts
    decompressed bytes. Whether the answer is HTML is left to the reader of the bytes.

    Raises FetchError where there is no page to be had, with the status if a server answered;
    LimitError where it is too large; UsageError for a user agent no header can carry.
    """
    if not (user_agent.isascii() and user_agent.isprintable()):
        raise UsageError(f"the user agent must be printable ASCII, not {user_agent!r}")
    headers = {
        **make_headers(accept_encoding=True, user_agent=user_agent),
        "Accept": _ACCEPT,
    }
    journey = _Journey(url, headers, time.monotonic() + timeout_s, max_bytes, max_redirects)
    try:
        return _run_within(timeout_s, journey.travel)
    except ThresherError:
        raise
    except errors.NewConnectionError as error:  # which urllib3 counts as a timeout
        raise journey.failure(_explain(error)) from error
    except (TimeoutError, errors.TimeoutError) as error:
        raise journey.failure(f"no complete answer within {timeout_s:g} s") from error
    except (errors.HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        raise journey.failure(_explain(error)) from error


def normalize_url(url: str) -> str:
    """Spell an http or https URL in ASCII: percent-encoded, an IDN host as Punycode, no fragment.

    Raises FetchError for another scheme, for no or a malformed host or port, and for a URL with a
    user name or password, which would end up in the output.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        if parts.scheme not in _SCHEMES:
            raise FetchError("only http and https addresses can be fetched", url=url)
        if not host:
            raise FetchError("the address has no host", url=url)
        if parts.username is not None:
            raise FetchError("a user name in an address is not supported", url=url)
        if not host.isascii():
            host = host.encode("idna").decode("ascii")
        place = f"[{host}]" if ":" in host else host
        if port is not None:
            place += f":{port}"
        path = parts.path or "/"
        return parse_url(urlunsplit((parts.scheme, place, path, parts.query, ""))).url
    except (ValueError, errors.LocationParseError) as error:  # UnicodeError is a ValueError
        raise FetchError(f"the address is malformed: {error}", url=url) from error


@dataclass(slots=True)
class _Journey:
    """One fetch under way; ``at`` is the address it has reached."""

    at: str
    headers: dict[str, str]
    deadline_s: float
    max_bytes: int
    max_redirects: int
    redirects: int = 0

    def travel(self) -> Fetched:
        self.at = normalize_url(self.at)
        while True:
            with _open_pool(self.at) as pool, self._request(pool) as response:
                location = response.get_redirect_location()
                if not location:
                    return self._read(response)
            if self.redirects == self.max_redirects:
                raise self.failure(f"more than {self.max_redirects} redirects", response.status)
            self._turn(_undo_latin1(location))

    def _turn(self, location: str) -> None:
        """Go where a redirect leads."""
        self.redirects += 1
        try:
            self.at = urljoin(self.at, location)
            self.at = normalize_url(self.at)
        except FetchError as error:
            raise self.failure(str(error)) from error
        except ValueError as error:
            raise self.failure(f"the redirect to {location!r} is malformed") from error

    def failure(self, message: str, status: int | None = None) -> FetchError:
        where = f" (redirected to {self.at})" if self.redirects else ""
        return FetchError(message + where, url=self.at, status=status)

    def _request(self, pool: urllib3.PoolManager) -> urllib3.BaseHTTPResponse:
        left_s = max(self.deadline_s - time.monotonic(), _MIN_WAIT_S)
        return pool.request(
            "GET",
            self.at,
            headers=self.headers,
            redirect=False,
            retries=False,
            timeout=Timeout(total=left_s),
            preload_content=False,
        )

    def _read(self, response: urllib3.BaseHTTPResponse) -> Fetched:
        if not 200 <= response.status < 300:
            phrase = response.reason or http.client.responses.get(response.status, "")
            raise self.failure(f"HTTP {response.status} {phrase}".rstrip(), response.status)
        charset, media_type = _read_content_type(response.headers.get("content-type"))
        body = self._read_body(response)
        return Fetched(self.at, body, charset, media_type, response.status)

    def _read_body(self, response: urllib3.BaseHTTPResponse) -> bytes:
        announced = response.length_remaining
        if announced is not None and announced > self.max_bytes:
            raise LimitError("bytes of the page", limit=self.max_bytes, value=announced)
        body = bytearray()
        # read1 returns what is there: read and stream would wait until a chunk is full.
        while chunk := response.read1(_CHUNK_BYTES, decode_content=True):
            body += chunk
            if len(body) > self.max_bytes:
                raise LimitError("bytes of the page", limit=self.max_bytes)
            if time.monotonic() > self.deadline_s:
                raise TimeoutError
        return bytes(body)


def _run_within(seconds: float, work: Callable[[], _T]) -> _T:
    """Run work in a thread; TimeoutError, leaving it behind, when it takes too long."""
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # whatever it is, the caller's thread raises it
            future.set_exception(error)

    Thread(target=run, name="thresher-fetch", daemon=True).start()
    return future.result(timeout=seconds)


def _open_pool(url: str) -> urllib3.PoolManager:
    """Make the pool for one request: through the proxy that the environment names, if it does."""
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if not proxy or proxy_bypass(parts.netloc):
        return urllib3.PoolManager()
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    secret = parse_url(proxy).auth
    headers = make_headers(proxy_basic_auth=unquote(secret)) if secret else None
    return urllib3.ProxyManager(proxy, proxy_headers=headers)


def _undo_latin1(location: str) -> str:
    """Read a Location header as UTF-8 where it is: http.client decodes all headers as Latin-1."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location


def _read_content_type(header: str | None) -> tuple[str | None, str | None]:
    """Return charset and media type of a Content-Type header."""
    if not header:
        return None, None
    message = Message()
    message["Content-Type"] = header
    return message.get_content_charset() or None, message.get_content_type()


def _explain(error: Exception) -> str:
    """Say in a few words what a failure below HTTP was."""
    broken = error.args[-1] if isinstance(error, errors.ProtocolError) and error.args else error
    detail = getattr(error.__cause__ or broken, "strerror", None) or str(broken)
    match broken:
        case errors.LocationValueError():
            says = f"the address is malformed: {broken}"
        case errors.ProxyError(original_error=cause):
            says = f"the proxy cannot be reached: {_explain(cause)}"
        case errors.NameResolutionError():
            says = f"the host name cannot be resolved: {detail}"
        case errors.NewConnectionError():
            says = f"no connection: {detail}"
        case errors.SSLError():
            reason = error.args[0] if error.args else error
            says = f"TLS failure: {getattr(reason, 'verify_message', '') or reason}"
        case errors.DecodeError():
            says = "the answer is not compressed as its Content-Encoding says"
        case http.client.BadStatusLine() | http.client.UnknownProtocol():
            says = "the answer is not HTTP"
        case errors.IncompleteRead() | http.client.IncompleteRead():
            says = "the connection ended before the page did"
        case _:
            says = f"the connection broke: {detail or type(broken).__name__}"
    return says
