"""The connections of a server, and who may have one more."""

from __future__ import annotations

from collections import Counter
from ipaddress import ip_address
from typing import Any, Protocol

from thresher.serving.limits import ConnectionLimits
from thresher.serving.seldom import SeldomLog
from thresher.support.hosts import source_of

__all__ = ["Connection", "ConnectionTable", "source_of_client"]


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
        among = [each for each in self._open if each.source == crowded and each.is_dispensable]
        if not among:
            return False
        longest = min(among, key=lambda each: each.waiting_since_s)
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
