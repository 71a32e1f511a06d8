"""Listening sockets of the app and of the proxy's settings page."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
from typing import Any, Final

from thresher.serving.seldom import SeldomLog

__all__ = ["can_listen", "log_accept_errors_seldom", "open_socket", "raise_descriptor_limit"]

_LOG: Final = logging.getLogger(__name__)
_ACCEPT_ERROR: Final = "socket.accept() out of system resource"
"""What asyncio says of an accept that fails, a hundred times a second while it lasts."""
_LATE_RETRY: Final = "Exception in callback BaseSelectorEventLoop._start_serving"
"""How asyncio begins what it says when it retries after the listening socket was closed."""


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


def log_accept_errors_seldom(loop: asyncio.AbstractEventLoop) -> None:
    """Log at most once a minute that no connection can be accepted; other errors as before.

    asyncio schedules up to `backlog` retries for each such error, a second later, and does not
    cancel them when the server closes: they find a closed socket, and there is nothing to say.
    """
    handle, log = loop.get_exception_handler(), SeldomLog(_LOG)

    def handle_seldom(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if context["message"] == _ACCEPT_ERROR:
            log.warn(f"no connection can be accepted: {context['exception']}")
        elif context["message"].startswith(_LATE_RETRY) and _is_closed_socket(context):
            _LOG.debug("accepting was to be tried again on a socket that is closed by now")
        elif handle:
            handle(loop, context)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle_seldom)


def _is_closed_socket(context: dict[str, Any]) -> bool:
    """Whether an error of the event loop comes from a socket without a descriptor."""
    error = context.get("exception")
    return isinstance(error, ValueError) and "Invalid file descriptor: -1" in str(error)


def raise_descriptor_limit(n_wanted: int) -> int:
    """Let this process open as many descriptors, if the system does; return how many it may."""
    if sys.platform == "win32":
        return n_wanted
    import resource  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return n_wanted
    allowed = n_wanted if hard == resource.RLIM_INFINITY else min(n_wanted, hard)
    if allowed > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(soft, allowed)
