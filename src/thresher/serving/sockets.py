"""Listening sockets of the app and of the proxy's settings page."""

from __future__ import annotations

import socket

__all__ = ["can_listen", "open_socket"]


def open_socket(host: str, port: int, backlog: int | None = None) -> socket.socket:
    """Open a listening TCP socket; OSError where the address is unknown or taken.

    Accepted connections inherit TCP_NODELAY, which asyncio sets on sockets of its own making only.
    Without it a response in several parts waits for the client's delayed acknowledgement, 40 ms on
    Linux.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    family, _, _, _, address = found[0]
    listening = socket.create_server(address, family=family, backlog=backlog)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def can_listen(host: str) -> bool:
    """Return whether this machine can listen on an address; the empty one stands for all."""
    try:
        open_socket(host or "0.0.0.0", 0).close()
    except OSError:
        return False
    return True
