"""What one client of a server, and all of them together, may take of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.errors import UsageError

__all__ = ["MAX_CONNECTIONS", "MAX_PER_CLIENT", "ConnectionLimits"]

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
        if not all(each > 0 for each in (*times, self.max_connections, self.max_per_client)):
            raise UsageError("times and numbers of connections must be above 0")
