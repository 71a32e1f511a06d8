"""One fetch: its address normalised, the chain of redirects with each address checked, the body."""

from __future__ import annotations

import http.client
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit

import urllib3
from urllib3 import exceptions as errors
from urllib3.exceptions import LocationParseError
from urllib3.util import Timeout, parse_url

from thresher.errors import FetchError, LimitError
from thresher.fetching.addresses import Resolver, is_public, read_literal, resolve
from thresher.fetching.connections import Sockets, find_proxy, open_pool, open_proxy
from thresher.fetching.gunzip import Gunzip
from thresher.fetching.model import Fetched, read_content_type
from thresher.support.hosts import to_ascii
from thresher.support.quoting import quote

_CHUNK_BYTES: Final = 64 * 1024
"""Bytes decompressed at a time, by which a compression bomb can exceed the limit."""
_COMPRESSIONS: Final = frozenset(("br", "compress", "dcb", "dcz", "x-compress", "zstd"))
"""Content codings of the IANA registry that may be unsupported. Other names, such as a charset, are
mistakes that browsers ignore."""
_PORTS: Final = {"http": 80, "https": 443}
_GZIP_NAMES: Final = ("gzip", "x-gzip")
"""Names of the content coding (RFC 9110, 8.4.1.3)."""


@dataclass(slots=True)
class FetchSession:
    """The state of one fetch; ``at`` is the current address."""

    at: str
    headers: dict[str, str]
    deadline_s: float
    max_bytes: int
    max_redirects: int
    allow_private: bool
    resolver: Resolver
    via: str | None = None
    """Proxy to go through; None: that of the environment, if any."""
    ca_file: Path | None = None
    redirects: int = 0
    is_public: bool = True
    sockets: Sockets = field(default_factory=Sockets)

    def run(self) -> Fetched:
        """Follow redirects to the page and read it; exceptions of urllib3 pass through."""
        self.at = normalize_url(self.at)
        while True:
            with self._open_response() as response:
                location = response.get_redirect_location()
                if not location:
                    return self._read(response)
            if self.redirects == self.max_redirects:
                raise self.failure(f"more than {self.max_redirects} redirects", response.status)
            self._redirect(_undo_latin1(location))

    @contextmanager
    def _open_response(self) -> Iterator[urllib3.BaseHTTPResponse]:
        """Request the current address from the host or the proxy; the body is not read yet."""
        proxy = self.via or find_proxy(self.at)
        addresses = self._check(is_proxied=proxy is not None)
        if proxy is not None:
            with open_proxy(proxy, self.sockets, self.ca_file) as pool:
                yield pool.request(
                    "GET",
                    self.at,
                    headers=self.headers,
                    redirect=False,
                    retries=False,
                    timeout=self._timeout(1),
                    preload_content=False,
                )
            return
        for left in range(len(addresses), 0, -1):
            address = addresses[-left]
            with open_pool(self.at, address, self.sockets, self.ca_file) as pool:
                try:
                    response = self._request(pool, left)
                except (errors.NewConnectionError, errors.ConnectTimeoutError):
                    if left > 1:
                        continue
                    raise
                with response:
                    yield response
                return

    def _check(self, *, is_proxied: bool) -> list[str]:
        """Resolve the host, and reject it if any of its addresses is not public."""
        parts = urlsplit(self.at)
        host = parts.hostname or ""
        try:
            addresses = resolve(host, parts.port or _PORTS[parts.scheme], self.resolver)
        except OSError as error:
            if is_proxied:
                self.is_public, self.allow_private = True, False
                return []
            why = error.strerror or str(error)
            raise self.failure(f"the host name cannot be resolved: {why}") from error
        private = [address for address in addresses if not is_public(address)]
        if private and not self.allow_private:
            raise self.failure(f"{private[0]}, an address of {host}, is not public")
        self.is_public = not private
        # Public hosts must not redirect to private ones, which their authors cannot reach.
        self.allow_private = self.allow_private and bool(private)
        return addresses

    def _redirect(self, location: str) -> None:
        self.redirects += 1
        try:
            self.at = urljoin(self.at, location)
            self.at = normalize_url(self.at)
        except FetchError as error:
            raise self.failure(str(error)) from error
        except ValueError as error:
            raise self.failure(f"the redirect to {quote(location)} is malformed") from error

    def failure(self, message: str, status: int | None = None) -> FetchError:
        """Return the error with what happened, and at which address."""
        where = f" (redirected to {self.at})" if self.redirects else ""
        return FetchError(message + where, url=self.at, status=status)

    def _request(
        self, pool: urllib3.HTTPConnectionPool, n_address: int
    ) -> urllib3.BaseHTTPResponse:
        parts = urlsplit(self.at)
        return pool.urlopen(
            "GET",
            urlunsplit(("", "", parts.path, parts.query, "")),
            headers={"Host": parts.netloc, **self.headers},
            redirect=False,
            retries=False,
            assert_same_host=False,
            timeout=self._timeout(n_address),
            preload_content=False,
        )

    def _read(self, response: urllib3.BaseHTTPResponse) -> Fetched:
        if not 200 <= response.status < 300:
            phrase = response.reason or http.client.responses.get(response.status, "")
            raise self.failure(f"HTTP {response.status} {phrase}".rstrip(), response.status)
        charset, media_type = read_content_type(response.headers.get("content-type"))
        self._check_compression(response.headers.get("content-encoding", ""))
        body = self._read_body(response)
        return Fetched(
            self.at,
            body,
            charset,
            media_type,
            response.status,
            self.is_public,
            response.headers.get("etag"),
            response.headers.get("last-modified"),
            response.headers.get("access-control-allow-origin"),
        )

    def _check_compression(self, header: str) -> None:
        """Reject unsupported content codings, which servers may send without being asked."""
        codings = {coding.strip() for coding in header.lower().split(",")}
        unknown = sorted(codings & _COMPRESSIONS - set(urllib3.HTTPResponse.CONTENT_DECODERS))
        if unknown:
            raise self.failure(
                f"the answer is compressed as {unknown[0]}, which cannot be read here"
            )

    def _timeout(self, n_address: int) -> Timeout:
        """Return the time left, split for connecting among the remaining addresses."""
        left_s = self.deadline_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        return Timeout(total=left_s, connect=left_s / n_address)

    def _read_body(self, response: urllib3.BaseHTTPResponse) -> bytes:
        announced = response.length_remaining
        if announced is not None and announced > self.max_bytes:
            raise LimitError("bytes of the page", limit=self.max_bytes, value=announced)
        body = bytearray()
        for chunk in self._read_pieces(response):
            body += chunk
            if len(body) > self.max_bytes:
                raise LimitError("bytes of the page", limit=self.max_bytes)
            if time.monotonic() > self.deadline_s:
                raise TimeoutError
        return bytes(body)

    def _read_pieces(self, response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
        """Yield the body as it arrives, decompressed."""
        is_zipped = response.headers.get("content-encoding", "").strip().lower() in _GZIP_NAMES
        gunzip = Gunzip(_CHUNK_BYTES)
        # read1 returns available data; read and stream would wait for a full chunk.
        while chunk := response.read1(_CHUNK_BYTES, decode_content=not is_zipped):
            try:
                yield from gunzip.feed(chunk) if is_zipped else (chunk,)
            except zlib.error as error:
                raise errors.DecodeError(f"it is said to be gzip: {error}") from error
        if gunzip.is_cut:
            raise self.failure("the answer ends before what is compressed in it does")


def _undo_latin1(location: str) -> str:
    """Decode a Location header as UTF-8 if valid, as http.client decodes headers as Latin-1."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location


def normalize_url(url: str) -> str:
    """Normalise an http(s) URL to ASCII: percent-encoded, IDN host as Punycode, no fragment.

    Raises FetchError for another scheme, a missing or malformed host or port, and a URL with user
    name or password, which would appear in the output.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
        if parts.scheme not in _PORTS:
            raise FetchError("only http and https addresses can be fetched", url=url)
        if not host:
            raise FetchError("the address has no host", url=url)
        if parts.username is not None:
            raise FetchError("a user name in an address is not supported", url=url)
        if not read_literal(host):
            host = to_ascii(host)
        place = f"[{host}]" if ":" in host else host
        if port is not None:
            place += f":{port}"
        path = parts.path or "/"
        return parse_url(urlunsplit((parts.scheme, place, path, parts.query, ""))).url
    except (ValueError, LocationParseError) as error:  # UnicodeError is a ValueError
        raise FetchError(f"the address is malformed: {error}", url=url) from error
