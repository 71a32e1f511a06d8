"""Slow clients of the proxy, with real sockets."""

from __future__ import annotations

import socket
import time
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from tests.helpers.slow_clients import dribbling
from tests.proxy.conftest import BROWSER, HOST, Proxy
from tests.proxy.site import Site

WAIT_S: Final = 30.0


@pytest.fixture
def limit(proxy: Proxy) -> Any:
    """Return a function that sets limits until the end of the test."""
    addon = proxy.addon("slowclients")
    table, before = addon._table, addon._table._limits

    def change(**limits: Any) -> Any:
        table._limits = replace(before, **limits)
        return addon

    yield change
    table._limits = before


def open_slow(proxy: Proxy, sent: bytes) -> socket.socket:
    """Open a connection to the proxy and send something."""
    slow = socket.create_connection((HOST, proxy.port), timeout=WAIT_S)
    slow.sendall(sent)
    return slow


def dribble(slow: socket.socket) -> None:
    """Send a byte now and then until the connection is closed."""
    until_s = time.monotonic() + WAIT_S
    slow.settimeout(0.1)
    while time.monotonic() < until_s:
        try:
            slow.send(b"x")
            if not slow.recv(1000):
                return
        except TimeoutError:
            continue
        except OSError:
            return
    raise AssertionError("the connection stays open")


@pytest.mark.parametrize("sent", [b"", b"GET http://a", b"CONNECT a.example:443 HT", b"\x16\x03"])
def test_a_first_request_that_dribbles_is_cut_off(proxy: Proxy, limit: Any, sent: bytes) -> None:
    """A client that does not make its first request in time is cut off, whatever it sends."""
    limit(header_s=0.5)
    with open_slow(proxy, sent) as slow:
        dribble(slow)


def test_a_tunnel_without_use_is_cut_off(proxy: Proxy, site: Site, limit: Any) -> None:
    """A tunnel through which nothing whole comes in time is closed."""
    limit(header_s=1.0)
    target = urlsplit(site.https).netloc.encode()
    connect = b"CONNECT %b HTTP/1.1\r\nHost: %b\r\n\r\n" % (target, target)
    with open_slow(proxy, connect) as slow:
        assert b" 200 " in slow.recv(1000)
        slow.sendall(b"\x16\x03\x01\x00\xff")
        dribble(slow)


def test_kept_connections_stay_open(proxy: Proxy, site: Site, limit: Any) -> None:
    """A connection that has had a request may wait longer than for the first."""
    limit(header_s=0.5)
    ask = f"GET {site.http}/article HTTP/1.1\r\nHost: {urlsplit(site.http).netloc}\r\n\r\n".encode()
    with open_slow(proxy, ask) as client:
        assert b" 200 " in client.recv(2**20)
        client.settimeout(2.0)
        with pytest.raises(TimeoutError):
            while client.recv(2**20):
                pass
        client.settimeout(WAIT_S)
        client.sendall(ask)
        assert b" 200 " in client.recv(2**20)


def test_requests_are_answered_beside_dribbling_sockets(
    proxy: Proxy, site: Site, limit: Any
) -> None:
    """With more slow connections than may be open, whole requests are answered."""
    addon = limit(max_connections=40, header_s=WAIT_S)
    with dribbling(proxy.port, 50, every_s=1.0) as errors:
        for _ in range(3):
            assert 200 == proxy.get(f"{site.http}/article", *BROWSER).status
            assert 200 == proxy.get(f"{site.https}/article", *BROWSER).status
            assert len(addon) <= 40
    assert [] == errors
