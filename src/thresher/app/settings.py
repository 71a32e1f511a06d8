"""Settings of the app, fixed at startup, and the keys of programs that use its API.

Keys, each with a limit of pages per minute, are read from a TOML file:

    version = 1

    [keys.crawler]
    secret = "a secret of at least 16 characters"
    pages_per_minute = 600
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from thresher.errors import UsageError
from thresher.fetching.model import TIMEOUT_S, USER_AGENT
from thresher.limits import MAX_BYTES, MAX_NODES, ON_LIMIT, Limits
from thresher.serving.connections import ConnectionLimits
from thresher.sites import SiteFolder
from thresher.sites.rulebook import default_rules_path
from thresher.support.files import data_folder, explain_os_error
from thresher.support.hosts import is_loopback
from thresher.support.toml_files import read_toml

_MIN_SECRET_CHARS: Final = 16
_KEYS_VERSION: Final = 1
_KEY_FIELDS: Final = frozenset(("secret", "pages_per_minute"))
_MINUTE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class ApiKey:
    """Key of one program."""

    name: str
    secret: str
    pages_per_minute: int | None = None
    """None: no limit."""


class Allowance:
    """Pages that the holder of a key may send now: a bucket that fills evenly, up to a minute's.

    For use in one event loop.
    """

    def __init__(self, pages_per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = pages_per_minute
        self._clock = clock
        self._pages = float(pages_per_minute)
        self._filled_s = clock()

    def take(self, n_page: int) -> None:
        """Take pages; what is not there is taken in advance."""
        self._fill()
        self._pages -= n_page

    def wait_s(self) -> float:
        """Return the seconds until the next page may be sent; 0 if it may be now."""
        self._fill()
        return max(0.0, 1 - self._pages) * _MINUTE_S / self._most

    def _fill(self) -> None:
        now_s = self._clock()
        new = (now_s - self._filled_s) * self._most / _MINUTE_S
        self._pages, self._filled_s = min(self._most, self._pages + new), now_s


def read_keys(path: Path) -> tuple[ApiKey, ...]:
    """Read a file of keys; UsageError, naming the file, for one that cannot be read or is wrong."""
    try:
        tables = read_toml(path.read_text(encoding="utf-8"), version=_KEYS_VERSION, tables={"keys"})
        named = tables.get("keys", {})
        if not isinstance(named, dict) or not named:
            raise UsageError("there is no table [keys.NAME]")
        keys = tuple(_read_key(name, values) for name, values in named.items())
        if len({key.secret for key in keys}) < len(keys):
            raise UsageError("two keys have the same secret")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {explain_os_error(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} cannot be read: it is not text in UTF-8") from error
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return keys


def _read_key(name: str, values: Mapping[str, Any]) -> ApiKey:
    if not isinstance(values, dict):
        raise UsageError(f"keys.{name} must be a table")
    if unknown := values.keys() - _KEY_FIELDS:
        raise UsageError(f"keys.{name}: unknown: {', '.join(sorted(unknown))}")
    secret, limit = values.get("secret"), values.get("pages_per_minute")
    if not isinstance(secret, str) or len(secret) < _MIN_SECRET_CHARS:
        raise UsageError(f"keys.{name}: secret must have at least {_MIN_SECRET_CHARS} characters")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise UsageError(f"keys.{name}: pages_per_minute must be a whole number above 0")
    return ApiKey(name, secret, limit)


HOST: Final = "127.0.0.1"
"""Reachable from this machine only."""
PORT: Final = 8765
DEADLINE_S: Final = 10.0
"""Seconds of processing per page; as in a batch."""
_MIN_TOKEN_CHARS: Final = 16
"""Characters of a random token that cannot be guessed."""
_ESCAPED: Final = 2
"""Growth factor of a page when it is escaped in JSON or a form."""


def _default_workers() -> int:
    return max(1, min(os.cpu_count() or 1, 8))


@dataclass(frozen=True, slots=True)
class AppSettings:
    """Settings of one server; UsageError for unsafe or invalid values."""

    host: str = HOST
    port: int = PORT
    token: str | None = None
    """Access token: a Bearer token for API clients, a password for people."""
    keys: tuple[ApiKey, ...] = ()
    """Keys of programs, which open the API only."""
    data_dir: Path = field(default_factory=data_folder)
    rules_path: Path = field(default_factory=default_rules_path)
    n_worker: int = field(default_factory=_default_workers)
    """Number of worker processes."""
    deadline_s: float = DEADLINE_S
    """Seconds for the extraction of a page, and for each further step."""
    max_bytes: int = MAX_BYTES
    max_nodes: int = MAX_NODES
    on_limit: str = ON_LIMIT[0]
    """Default handling of pages beyond a limit."""
    max_memory_bytes: int | None = 2**31
    """Memory limit of a worker process."""
    kept_bytes: int = 256 * 2**20
    """Size of the page cache in bytes."""
    timeout_s: float = TIMEOUT_S
    """Timeout of a fetch in seconds."""
    user_agent: str = USER_AGENT
    allow_private: bool = False
    """Whether pages may be fetched from private addresses."""
    images: bool = True
    """Whether the app fetches images for readers who request them."""
    connections: ConnectionLimits = field(default_factory=ConnectionLimits)
    """Limits of the clients' connections."""
    hosts: tuple[str, ...] = ()
    """Additional host names under which the app may be reached."""
    json_logs: bool = False
    only_api: bool = False
    """Whether the API is all that is served: no pages, and so no cookies."""
    corpora: Path | None = None
    """Folder with corpora of labelled pages."""
    sites: SiteFolder | None = None
    """Folder with site data by host (docs/sites.md)."""
    model: Path | None = None
    """Weights of the method learned; None for the shipped ones."""

    def __post_init__(self) -> None:
        if self.n_worker < 1 or self.kept_bytes < 1 or not self.timeout_s > 0:
            raise UsageError("workers, cache size and timeout must be above 0")
        if self.token is not None and len(self.token) < _MIN_TOKEN_CHARS:
            raise UsageError(f"a token must have at least {_MIN_TOKEN_CHARS} characters")
        if self.keys and self.token is None:
            raise UsageError(
                "keys require a token (--token-file): without one, all may use the API"
            )
        if self.token is None and not is_loopback(self.host):
            raise UsageError(
                f"{self.host} is reachable from other machines: this requires a token (--token-file"
                " or the environment variable THRESHER_TOKEN), and an HTTPS proxy in front"
            )
        assert self.limits

    @property
    def limits(self) -> Limits:
        """Limits per page."""
        return Limits(self.max_bytes, self.max_nodes, self.deadline_s, self.on_limit)

    @property
    def max_escaped_bytes(self) -> int:
        """Maximum size of a page that is escaped in JSON or a form."""
        return self.max_bytes * _ESCAPED
