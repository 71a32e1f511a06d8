"""What the command reads and writes: files, URLs and the standard streams; its exit statuses.

Output goes to standard output, or to files that never overwrite one another.
"""

from __future__ import annotations

import errno
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote, urlsplit

from thresher.errors import InputError, LimitError, ThresherError, UsageError
from thresher.fetching.model import MAX_ROBOTS_BYTES, TIMEOUT_S, USER_AGENT, Fetched, Get
from thresher.limits import Limits
from thresher.support.quoting import one_line, safe_stem, without_controls
from thresher.writers import FORMATS


def say(message: str) -> None:
    """Print one line on standard error, prefixed with the command's name."""
    with suppress(OSError):  # standard error is closed
        if sys.stderr is not None:  # which print would take for standard output
            print(f"thresher: {one_line(message)}", file=sys.stderr)


def label(name: str, format: str) -> str:
    """Return the line that names an input among several on standard output.

    Empty if the output contains the name itself.
    """
    line = FORMATS[format].name_line
    if line is None:
        return ""
    name = one_line(name)
    is_comment = line.startswith("<!--")
    return line.format(name.replace(">", "&gt;") if is_comment else name)


def write_stdout(texts: Iterable[str], *, raw: bool = False) -> None:
    """Write texts, each ended by a line break, in UTF-8 in every locale.

    On a terminal, control characters are written visibly unless ``raw``: the texts are those of
    strangers. Raises OSError if standard output cannot be written.
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    out = sys.stdout.buffer
    show = without_controls if sys.stdout.isatty() and not raw else str
    for text in texts:
        out.write(_encode(show(text)))
        out.flush()


def write_files(texts: Iterable[tuple[Path, str]]) -> None:
    """Write each text to its path, creating folders as needed; OSError as for `open`."""
    for path, text in texts:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encode(text))


def write_output(args: Namespace, text: str) -> None:
    """Write a text where ``--output`` says, by default to standard output; OSError as above."""
    if args.output is None or args.output == STDIN:
        write_stdout([text], raw=args.raw)
    else:
        write_files([(Path(args.output), text)])


def plan_files(names: Sequence[str], folder: Path, format: str) -> list[Path]:
    """Return a path in a folder for each input: its stem, the format's suffix, a number if taken.

    Names differing only in case clash (file systems differ), and the inputs' own files are taken.
    """
    suffix = FORMATS[format].suffix
    taken = {_fold(Path(name)) for name in names if name != STDIN and not is_url(name)}
    count: dict[str, int] = {}
    paths = []
    for name in names:
        stem = _stem_of(name)
        path = folder / f"{stem}{suffix}"
        while _fold(path) in taken:
            # Numbering continues: a thousand index.html must not take a million tries.
            number = count[stem] = count.get(stem, 1) + 1
            path = folder / f"{stem}-{number}{suffix}"
        taken.add(_fold(path))
        paths.append(path)
    return paths


def _encode(text: str) -> bytes:
    ended = text if not text or text.endswith("\n") else f"{text}\n"
    return ended.encode("utf-8", "replace")


def _fold(path: Path) -> str:
    return os.path.realpath(path).casefold()


def _stem_of(name: str) -> str:
    """Return the file name of an input: a safe form of the last step of its path, or its host."""
    if name == STDIN:
        return "stdin"
    if is_url(name):
        host, path = _split(name)
        name = unquote(path.rstrip("/").rpartition("/")[2])
        stem = Path(name).stem if name else host
    else:
        stem = Path(name).stem
    return safe_stem(stem)


def _split(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # it will fail as an input, but needs a name until then
        return "", ""
    return parts.netloc, parts.path


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


@contextmanager
def naming_failures(name: str) -> Iterator[None]:
    """Raise whatever an input fails with, but for UsageError, as InputError with its name."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        raise InputError(f"{show_name(name)}: {describe_failure(error)}") from error


def stdin_is_piped() -> bool:
    """Return whether standard input is open and not a terminal."""
    return sys.stdin is not None and not sys.stdin.isatty()


def load(name: str, reading: Reading) -> Loaded:
    """Read one input.

    Raises FetchError, LimitError, InputError for a directory, and OSError as `open` does.
    """
    if is_url(name):
        fetch = _make_fetcher(reading, allow_private=reading.allow_private)
        fetched = fetch(name, max_bytes=reading.limits.max_bytes)
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


def make_fetchers(loaded: Loaded, reading: Reading) -> tuple[Get, Get]:
    """Return what fetches the pages that an input leads to, and robots.txt.

    No page of the public internet may lead to this machine or its network.
    """
    fetch = _make_fetcher(reading, allow_private=reading.allow_private and not loaded.is_public)
    max_bytes = reading.limits.max_bytes
    return partial(fetch, max_bytes=max_bytes), partial(fetch, max_bytes=MAX_ROBOTS_BYTES)


def _make_fetcher(reading: Reading, *, allow_private: bool) -> Callable[..., Fetched]:
    # urllib3 takes longer to import than the rest of the command.
    from thresher.fetching.fetch import fetch

    return partial(
        fetch,
        timeout_s=reading.timeout_s,
        user_agent=reading.user_agent,
        allow_private=allow_private,
    )


def _read_all(file: BinaryIO, limits: Limits) -> bytes:
    """Read to the end, or one byte past the limit: a device may have no end."""
    body = file.read(limits.max_bytes + 1)
    if len(body) > limits.max_bytes and not limits.partial:
        raise LimitError("bytes of the page", limit=limits.max_bytes)
    return body


class Exit(IntEnum):
    """Exit status of the command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_CONTENT = 3
    INTERRUPTED = 130
    """128 + SIGINT, as shells report it."""


EXITS: Final[Mapping[Exit, str]] = {
    Exit.OK: "every input was extracted, or the output was closed early",
    Exit.FAILED: "an input or a later page failed (the rest is written), or nothing can be written",
    Exit.USAGE: "the command line is wrong; nothing is extracted",
    Exit.NO_CONTENT: "no input failed, but all lack main content, are blocked or need a browser",
    Exit.INTERRUPTED: "interrupted from the keyboard",
}
"""Meaning of each status, for `--help`; docs/command.md has the same table."""
