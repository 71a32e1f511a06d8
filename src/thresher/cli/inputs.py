"""Inputs of the command: files, URLs and standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from thresher.errors import InputError, LimitError, ThresherError, UsageError
from thresher.fetching.model import TIMEOUT_S, USER_AGENT
from thresher.limits import Limits

__all__ = [
    "STDIN",
    "Loaded",
    "Reading",
    "describe_failure",
    "is_url",
    "load",
    "read_names",
    "show_name",
    "stdin_is_piped",
]

STDIN: Final = "-"
"""Name of standard input on the command line."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Options for reading inputs."""

    url: str | None = None
    """Base of the links of a page that is not fetched."""
    charset: str | None = None
    """Charset to assume in place of the server's."""
    timeout_s: float = TIMEOUT_S
    user_agent: str = USER_AGENT
    limits: Limits = field(default_factory=Limits)
    allow_private: bool = True
    """Whether private addresses may be fetched, unless a public one led there."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The bytes of a page, with its address and the server's charset."""

    body: bytes
    url: str | None
    http_charset: str | None
    is_public: bool = False
    """Whether it was fetched from the public internet."""


def is_url(name: str) -> bool:
    """Return whether a name is a URL, of any scheme, rather than the path of a file."""
    return "://" in name


def read_names(names: Sequence[str]) -> list[str]:
    """Return the inputs of a command: standard input if none is named.

    Raises UsageError at a terminal without any, and where standard input is named twice.
    """
    if not names:
        if not stdin_is_piped():
            raise UsageError("no input; name a file or a URL, or pipe a page in (see --help)")
        return [STDIN]
    if names.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read only once")
    return list(names)


def show_name(name: str) -> str:
    """Return the display name of an input."""
    return "standard input" if name == STDIN else name


def describe_failure(error: Exception) -> str:
    """Describe in one line why an input failed."""
    match error:
        case ThresherError():
            return str(error)
        case FileNotFoundError():
            return "no such file (an address begins with http:// or https://)"
        case OSError():
            return error.strerror or str(error)
        case _:
            import traceback  # errors of our own are rare

            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            return f"internal error, please report it: {type(error).__name__}: {error} ({place})"


def stdin_is_piped() -> bool:
    """Return whether standard input is open and not a terminal."""
    return sys.stdin is not None and not sys.stdin.isatty()


def load(name: str, reading: Reading) -> Loaded:
    """Read one input.

    Raises FetchError, LimitError, InputError for a directory, and OSError as `open` does.
    """
    if is_url(name):
        # urllib3 takes longer to import than the rest of the command.
        from thresher.fetching.fetch import fetch

        fetched = fetch(
            name,
            timeout_s=reading.timeout_s,
            max_bytes=reading.limits.max_bytes,
            user_agent=reading.user_agent,
            allow_private=reading.allow_private,
        )
        charset = reading.charset or fetched.http_charset
        return Loaded(fetched.body, fetched.url, charset, fetched.is_public)
    if name == STDIN:
        if sys.stdin is None:
            raise InputError("standard input is closed")
        body = _read_all(sys.stdin.buffer, reading.limits)
    else:
        path = Path(name)
        if path.is_dir():
            raise InputError(f"this is a directory; name the pages in it: {path / '*.html'}")
        with path.open("rb") as file:
            body = _read_all(file, reading.limits)
    return Loaded(body, reading.url, reading.charset)


def _read_all(file: BinaryIO, limits: Limits) -> bytes:
    """Read to the end, or one byte past the limit: a device may have no end."""
    body = file.read(limits.max_bytes + 1)
    if len(body) > limits.max_bytes and not limits.partial:
        raise LimitError("bytes of the page", limit=limits.max_bytes)
    return body
