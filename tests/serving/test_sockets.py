"""Listening sockets."""

from __future__ import annotations

import socket

import pytest

from thresher.serving.sockets import open_socket


def test_accepted_connections_send_at_once() -> None:
    """No response waits for the acknowledgement of the one before it."""
    with (
        open_socket("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_a_taken_port_is_an_error() -> None:
    """Two servers never share a port."""
    with open_socket("127.0.0.1", 0) as listening, pytest.raises(OSError, match="in use"):
        open_socket("127.0.0.1", listening.getsockname()[1])
