"""Connections that go to addresses already checked, and that another thread can break off.

A socket timeout starts anew with every byte, so a server that trickles can hold a thread for ever.
Whoever waits for that thread breaks the sockets off instead: the thread fails and ends.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any, cast
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import make_headers, parse_url

__all__ = ["Sockets", "find_proxy", "open_pool", "open_proxy"]

OnOpen = Callable[[socket.socket], None]


class Sockets:
    """The sockets of one fetch."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: list[socket.socket] = []
        self._is_broken = False

    def add(self, opened: socket.socket) -> None:
        """Take note of a socket; TimeoutError where all is broken off already."""
        with self._lock:
            if self._is_broken:
                opened.close()
                raise TimeoutError
            # TLS takes a socket over; a second handle to the same connection stays ours.
            self._open.append(opened.dup())

    def break_off(self) -> None:
        """End every connection, and let no other be made: reads and writes fail at once."""
        with self._lock:
            self._is_broken = True
            for opened in self._open:
                with suppress(OSError):  # it has ended by itself
                    opened.shutdown(socket.SHUT_RDWR)
        self.close()

    def close(self) -> None:
        """Forget the connections, which are not ended by this."""
        with self._lock:
            for opened in self._open:
                opened.close()
            self._open.clear()


class _Http(HTTPConnection):
    """A connection that reports its socket as soon as there is one."""

    def __init__(self, *args: Any, on_open: OnOpen, **options: Any) -> None:
        super().__init__(*args, **options)
        self._on_open = on_open

    def _new_conn(self) -> socket.socket:
        opened = super()._new_conn()
        self._on_open(opened)
        return opened


class _Https(_Http, HTTPSConnection):
    """The same over TLS: reported before the handshake, which can be slow too."""


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Https


def open_pool(url: str, address: str, sockets: Sockets) -> urllib3.HTTPConnectionPool:
    """Make the pool for one request to one address.

    Over TLS the host of the URL is the name that is asked for and that the certificate must have.
    """
    parts = urlsplit(url)
    if parts.scheme == "https":
        return _HttpsPool(
            address, parts.port or 443, server_hostname=parts.hostname, on_open=sockets.add
        )
    return _HttpPool(address, parts.port or 80, on_open=sockets.add)


def find_proxy(url: str) -> str | None:
    """Return the proxy that the environment names for a URL, None where it names none."""
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if not proxy or proxy_bypass(parts.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def open_proxy(proxy: str, sockets: Sockets) -> urllib3.ProxyManager:
    """Make the pool for one request through a proxy."""
    secret = parse_url(proxy).auth
    headers = make_headers(proxy_basic_auth=unquote(secret)) if secret else None
    manager = urllib3.ProxyManager(proxy, proxy_headers=headers)
    pools = {
        "http": partial(_HttpPool, on_open=sockets.add),
        "https": partial(_HttpsPool, on_open=sockets.add),
    }
    manager.pool_classes_by_scheme = cast("Any", pools)
    return manager
