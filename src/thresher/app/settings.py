"""What the user of the app chose when it was started."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from thresher.errors import UsageError
from thresher.fetching.limits import TIMEOUT_S, USER_AGENT
from thresher.limits import MAX_BYTES, MAX_NODES, ON_LIMIT, Limits
from thresher.sites import SiteFolder
from thresher.sites.rulebook import default_rules_path
from thresher.support.user_folders import data_folder

__all__ = ["DEADLINE_S", "HOST", "PORT", "AppSettings", "is_loopback"]

HOST: Final = "127.0.0.1"
"""Only who is on this machine can ask."""
PORT: Final = 8765
DEADLINE_S: Final = 10.0
"""Seconds of work on one page; as in a batch."""
_MIN_TOKEN_CHARS: Final = 16
"""Characters that nobody guesses, be they random."""


def _default_workers() -> int:
    return max(1, min(os.cpu_count() or 1, 8))


@dataclass(frozen=True, slots=True)
class AppSettings:
    """The settings of one server; UsageError for those that would not be safe or make no sense."""

    host: str = HOST
    port: int = PORT
    token: str | None = None
    """Secret that opens the app: for programs a Bearer token, for people a password."""
    data_dir: Path = field(default_factory=data_folder)
    rules_path: Path = field(default_factory=default_rules_path)
    n_worker: int = field(default_factory=_default_workers)
    """Processes that work on pages."""
    deadline_s: float = DEADLINE_S
    """Seconds for the work on a page, and again for each thing that is asked of it."""
    max_bytes: int = MAX_BYTES
    max_nodes: int = MAX_NODES
    on_limit: str = ON_LIMIT[0]
    """What becomes of a page beyond a limit, where nobody says."""
    max_memory_bytes: int | None = 2**31
    """What a process that works on pages may have in memory."""
    kept_bytes: int = 256 * 2**20
    """Bytes of pages that are kept while they are read, the latest first."""
    timeout_s: float = TIMEOUT_S
    """Seconds for a fetch."""
    user_agent: str = USER_AGENT
    allow_private: bool = False
    """Whether pages may be fetched from this machine and its network."""
    images: bool = True
    """Whether the app fetches the images of a page for a reader who asks for them."""
    hosts: tuple[str, ...] = ()
    """Names, besides those of this machine, under which a browser may reach the app."""
    json_logs: bool = False
    corpora: Path | None = None
    """Folder of labelled pages."""
    sites: SiteFolder | None = None
    """What is known of the sites of pages, by host (docs/sites.md)."""
    model: Path | None = None
    """Weights for the method learned, in place of those that are shipped."""

    def __post_init__(self) -> None:
        if self.n_worker < 1 or self.kept_bytes < 1 or not self.timeout_s > 0:
            raise UsageError("workers, kept bytes and timeout are numbers above 0")
        if self.token is not None and len(self.token) < _MIN_TOKEN_CHARS:
            raise UsageError(f"a token has at least {_MIN_TOKEN_CHARS} characters")
        if self.token is None and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} can be reached from other machines: that needs a token (--token-file,"
                " or the environment variable THRESHER_TOKEN), and HTTPS before it"
            )
        assert self.limits

    @property
    def limits(self) -> Limits:
        """What a page may cost."""
        return Limits(self.max_bytes, self.max_nodes, self.deadline_s, self.on_limit)


def is_loopback(host: str) -> bool:
    """Tell whether a server bound to a host can be reached from this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
