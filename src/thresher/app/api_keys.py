"""Keys of programs that use the API, each with a limit of pages per minute.

They are read from a TOML file when the server starts:

    version = 1

    [keys.crawler]
    secret = "a secret of at least 16 characters"
    pages_per_minute = 600
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thresher.errors import UsageError
from thresher.support.files import explain_os_error
from thresher.support.toml_files import read_toml

__all__ = ["Allowance", "ApiKey", "read_keys"]

_MIN_SECRET_CHARS: Final = 16
_VERSION: Final = 1
_FIELDS: Final = frozenset(("secret", "pages_per_minute"))
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
        tables = read_toml(path.read_text(encoding="utf-8"), version=_VERSION, tables={"keys"})
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
    if unknown := values.keys() - _FIELDS:
        raise UsageError(f"keys.{name}: unknown: {', '.join(sorted(unknown))}")
    secret, limit = values.get("secret"), values.get("pages_per_minute")
    if not isinstance(secret, str) or len(secret) < _MIN_SECRET_CHARS:
        raise UsageError(f"keys.{name}: secret must have at least {_MIN_SECRET_CHARS} characters")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise UsageError(f"keys.{name}: pages_per_minute must be a whole number above 0")
    return ApiKey(name, secret, limit)
