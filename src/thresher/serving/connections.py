"""The connections of a server: their limits, who may have one more, and warnings of many."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final, Protocol

from thresher.errors import UsageError
from thresher.support.hosts import source_of


class Connection(Protocol):
    """What a table knows of a connection."""

    source: str
    """Who the client is, as `source_of_client` says."""

    @property
    def is_dispensable(self) -> bool:
        """Whether the connection may be given up for another one."""

    @property
    def waiting_since_s(self) -> float:
        """Since when the client could have sent a request, by the clock of the event loop."""

    def give_up(self) -> None:
        """Close the connection at once."""

    def check(self, limits: ConnectionLimits) -> None:
        """Close the connection if its client has been too slow."""


class ConnectionTable:
    """All connections of a server, within its limits.

    Where a connection would be one too many, one is given up for it: of those whose request has
    not arrived whole, the one that has had the longest time for it. If there is none, the new one
    is refused. So a client that sends its request at once is answered, however many others do not.
    """

    def __init__(self, limits: ConnectionLimits, log: SeldomLog) -> None:
        self._limits = limits
        self._log = log
        self._open: dict[Connection, None] = {}
        self._of_source: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return the number of open connections."""
        return len(self._open)

    def admit(self, new: Connection) -> bool:
        """Register a connection, if there is room or can be made."""
        if self._of_source[new.source] >= self._limit_of(new.source):
            crowded = new.source
        elif len(self._open) >= self._limits.max_connections:
            crowded = self._of_source.most_common(1)[0][0]
        else:
            self._add(new)
            return True
        self._log.warn("more connections than allowed: some that send no request are closed")
        among = [
            connection
            for connection in self._open
            if connection.source == crowded and connection.is_dispensable
        ]
        if not among:
            return False
        longest = min(among, key=lambda connection: connection.waiting_since_s)
        self.remove(longest)
        longest.give_up()
        self._add(new)
        return True

    def remove(self, connection: Connection) -> None:
        """Forget a connection, if it is registered."""
        if connection in self._open:
            del self._open[connection]
            self._of_source[connection.source] -= 1
            if not self._of_source[connection.source]:
                del self._of_source[connection.source]

    def check(self) -> None:
        """Close the connections whose clients have been too slow."""
        for connection in list(self._open):
            connection.check(self._limits)

    def _add(self, new: Connection) -> None:
        self._open[new] = None
        self._of_source[new.source] += 1

    def _limit_of(self, source: str) -> int:
        return self._limits.max_per_client if source else self._limits.max_connections


def source_of_client(address: tuple[Any, ...] | None) -> str:
    """Return who a client's address stands for; empty if it is unknown or of this machine."""
    if not address or ip_address(address[0]).is_loopback:
        return ""
    return source_of(address[0])


MAX_CONNECTIONS: Final = 512
"""Half of the 1,024 descriptors that a process may usually open."""
MAX_PER_CLIENT: Final = 128
"""Some twenty browsers."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Times and numbers of connections; UsageError for one that is not above 0."""

    header_s: float = 10.0
    """Seconds until the headers of a request have arrived whole, from when they may come."""
    body_s: float = 60.0
    """Seconds until the body has arrived whole; of a batch of lines, each line."""
    response_s: float = 60.0
    """Seconds in which a client takes the next 64 KiB of a response, or the rest of it."""
    max_connections: int = MAX_CONNECTIONS
    max_per_client: int = MAX_PER_CLIENT
    """Connections of one address. This machine itself may have all, as a reverse proxy on it has
    the connections of all its clients."""

    def __post_init__(self) -> None:
        times = (self.header_s, self.body_s, self.response_s)
        if not all(limit > 0 for limit in (*times, self.max_connections, self.max_per_client)):
            raise UsageError("times and numbers of connections must be above 0")


EVERY_S: Final = 60.0
"""Seconds between two lines with the same message."""


class SeldomLog:
    """Logs each message at most once in `EVERY_S`, with the number of times left out."""

    def __init__(
        self, logger: logging.Logger, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._logger = logger
        self._clock = clock
        self._last_s: dict[str, float] = {}
        self._n_left_out: dict[str, int] = {}

    def warn(self, message: str) -> None:
        """Log a message, which must be one of a few, unless it was logged just now."""
        now_s = self._clock()
        if now_s - self._last_s.get(message, -EVERY_S) < EVERY_S:
            self._n_left_out[message] = self._n_left_out.get(message, 0) + 1
            return
        self._last_s[message] = now_s
        n_left_out = self._n_left_out.pop(message, 0)
        self._logger.warning("%s%s", message, f" ({n_left_out:,} more)" if n_left_out else "")


_LOG: Final = logging.getLogger(__name__)
_ACCEPT_ERROR: Final = "socket.accept() out of system resource"
"""What asyncio says of an accept that fails, a hundred times a second while it lasts."""
_LATE_RETRY: Final = "Exception in callback BaseSelectorEventLoop._start_serving"
"""How asyncio begins what it says when it retries after the listening socket was closed."""


def open_socket(host: str, port: int) -> socket.socket:
    """Open a listening TCP socket; OSError where the address is unknown or taken.

    Accepted connections inherit TCP_NODELAY, which asyncio sets on sockets of its own making only.
    Without it a response in several parts waits for the client's delayed acknowledgement, 40 ms on
    Linux.
    """
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    family, _, _, _, address = addresses[0]
    listening = socket.create_server(address, family=family)
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

    asyncio schedules up to ``backlog`` retries for each such error, a second later, and does not
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
