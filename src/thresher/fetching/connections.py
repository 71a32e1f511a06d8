"""Connections to addresses that were checked already, which another thread can abort.

A socket timeout restarts with every byte, so a slowly sending server can block a thread forever.
The waiting thread aborts the sockets instead, and the blocked thread fails and ends.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from ssl import VERIFY_X509_STRICT, SSLContext
from threading import Lock
from typing import Any, cast
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import make_headers, parse_url
from urllib3.util.ssl_ import create_urllib3_context

OnOpen = Callable[[socket.socket], None]


class Sockets:
    """The sockets of one fetch."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: list[socket.socket] = []
        self._is_broken = False

    def add(self, opened: socket.socket) -> None:
        """Register a socket; TimeoutError if the fetch is aborted already."""
        with self._lock:
            if self._is_broken:
                opened.close()
                raise TimeoutError
            # TLS takes over the socket; a duplicate handle stays under our control.
            self._open.append(opened.dup())

    def break_off(self) -> None:
        """Shut down all connections and prevent new ones: reads and writes fail at once."""
        with self._lock:
            self._is_broken = True
            for opened in self._open:
                with suppress(OSError):  # already closed by the peer
                    opened.shutdown(socket.SHUT_RDWR)
        self.close()

    def close(self) -> None:
        """Close our handles, without shutting the connections down."""
        with self._lock:
            for opened in self._open:
                opened.close()
            self._open.clear()


class _Http(HTTPConnection):
    """A connection that reports its socket as soon as it is open."""

    def __init__(self, *args: Any, on_open: OnOpen, **options: Any) -> None:
        super().__init__(*args, **options)
        self._on_open = on_open

    def _new_conn(self) -> socket.socket:
        opened = super()._new_conn()
        self._on_open(opened)
        return opened


class _Https(_Http, HTTPSConnection):
    """The same over TLS; reported before the handshake, which can be slow too."""


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Https


def open_pool(
    url: str, address: str, sockets: Sockets, ca_file: Path | None = None
) -> urllib3.HTTPConnectionPool:
    """Create the pool for one request to one address.

    Over TLS, SNI and certificate verification use the host of the URL. ``ca_file`` has further
    certificate authorities to trust; OSError if it cannot be read.
    """
    parts = urlsplit(url)
    if parts.scheme == "https":
        return _HttpsPool(
            address,
            parts.port or 443,
            server_hostname=parts.hostname,
            on_open=sockets.add,
            ssl_context=_trust(ca_file),
        )
    return _HttpPool(address, parts.port or 80, on_open=sockets.add)


def find_proxy(url: str) -> str | None:
    """Return the proxy configured in the environment for a URL, or None."""
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if not proxy or proxy_bypass(parts.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def open_proxy(proxy: str, sockets: Sockets, ca_file: Path | None = None) -> urllib3.ProxyManager:
    """Create the pool for one request through a proxy; ``ca_file`` as above, for both."""
    secret = parse_url(proxy).auth
    headers = make_headers(proxy_basic_auth=unquote(secret)) if secret else None
    trusted = _trust(ca_file)
    manager = urllib3.ProxyManager(
        proxy, proxy_headers=headers, ssl_context=trusted, proxy_ssl_context=trusted
    )
    pools = {
        "http": partial(_HttpPool, on_open=sockets.add),
        "https": partial(_HttpsPool, on_open=sockets.add),
    }
    manager.pool_classes_by_scheme = cast("Any", pools)
    return manager


def _trust(ca_file: Path | None) -> SSLContext | None:
    """Return the system's authorities with those of a file; None for the system's alone."""
    if ca_file is None:
        return None
    context = create_urllib3_context()
    # Python 3.13 refuses certificates without all extensions of RFC 5280. Those of companies and
    # homes often lack some, and browsers and mitmproxy accept them.
    context.verify_flags &= ~VERIFY_X509_STRICT
    context.load_default_certs()
    context.load_verify_locations(ca_file)
    return context
