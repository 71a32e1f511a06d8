"""Resolution of the inputs of a batch to files, detection of the kind of each, and their reading.

The plan is made once: a resumed batch reads the same files in the same order.
"""

from __future__ import annotations

import gzip
import os
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from glob import has_magic, iglob
from pathlib import Path
from typing import Final

from thresher.batch.sources import SOURCES
from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.files import MAGIC, read_lines
from thresher.errors import UsageError

_PATHS: Final = "paths"
"""The kind of a list of files, such as Common Crawl's warc.paths.gz."""
KINDS: Final = (*SOURCES, _PATHS)
"""Kinds of inputs."""

_KIND_OF_SUFFIX: Final[Mapping[str, str]] = {
    **{suffix: kind for kind, source in SOURCES.items() for suffix in source.suffixes},
    ".paths": _PATHS,
}
_COMPRESSIONS: Final = frozenset((".gz", ".zst"))
_SNIFF_BYTES: Final = 4096
_BOM: Final = b"\xef\xbb\xbf"
_N_PAGE: Final = 1000
"""HTML files per source, so that bookkeeping is negligible."""
_MAX_PATH_BYTES: Final = 65536


def find_places(inputs: Sequence[str], kind: str | None = None) -> Iterator[Place]:
    """Yield the sources that inputs stand for: files, folders, patterns, and lists of files.

    ``kind`` is one of `KINDS`, None to detect it by name and first bytes. A folder stands for all
    files below it with a known suffix, or for all files if the kind is given. Raises UsageError for
    a missing input, a file of unknown kind, and a folder or list that cannot be read.
    """
    for name in inputs:
        try:
            yield from _places_of(name, kind)
        except OSError as error:
            where = error.filename or name
            raise UsageError(f"{where}: {error.strerror or error}") from error


def _places_of(name: str, kind: str | None) -> Iterator[Place]:
    pages: list[str] = []
    for path in _expand(name, kind):
        its_kind = kind or _kind_of(path)
        if its_kind == "html":
            pages.append(str(path))
            continue
        yield from _open_list(path) if its_kind == _PATHS else (_place(its_kind, path),)
    for at in range(0, len(pages), _N_PAGE):
        part = tuple(pages[at : at + _N_PAGE])
        yield Place("html", name, part, sum(_size_of(Path(page)) for page in part))


def _place(kind: str, path: Path) -> Place:
    return Place(kind, str(path), (str(path),), _size_of(path))


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # it will fail as a source, or as a page
        return 0


def _expand(name: str, kind: str | None) -> Iterator[Path]:
    path = Path(name)
    if path.is_dir():
        files = [file for file in _files_below(path) if kind or _named_kind(file)]
        if not files:
            raise UsageError(f"{name}: no file in this folder is named like a page or an archive")
        yield from files
    elif path.exists():
        yield path
    elif has_magic(name):
        matches = sorted(Path(match) for match in iglob(name, recursive=True))  # noqa: PTH207 - absolute, too
        if not matches:
            raise UsageError(f"{name}: no file matches")
        yield from (match for match in matches if _may_be_read(match))
    else:
        raise UsageError(f"{name}: no such file or folder")


def _files_below(folder: Path) -> list[Path]:
    """Return the files in a folder and those below it, in order; OSError if one cannot be listed.

    `Path.rglob` would leave out what it cannot list.
    """

    def refuse(error: OSError) -> None:
        raise error

    files = (
        Path(where) / name for where, _, names in os.walk(folder, onerror=refuse) for name in names
    )
    return sorted(file for file in files if _may_be_read(file))


def _may_be_read(path: Path) -> bool:
    """Return whether a path is a file, or cannot be looked at, as it will fail as a source then."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return True


def _named_kind(path: Path) -> str | None:
    plain = path.with_suffix("") if path.suffix.lower() in _COMPRESSIONS else path
    return _KIND_OF_SUFFIX.get(plain.suffix.lower())


def _kind_of(path: Path) -> str:
    kind = _named_kind(path)
    if kind:
        return kind
    start = _start_of(path).removeprefix(_BOM).lstrip()
    for its_kind, source in SOURCES.items():
        if start.startswith(source.starts):
            return its_kind
    raise UsageError(f"{path}: its kind cannot be detected; set it with --from")


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        start = file.read(_SNIFF_BYTES)
    if start.startswith(MAGIC["gzip"]):
        with gzip.open(path) as unzipped:
            try:
                return unzipped.read(_SNIFF_BYTES)
            except (EOFError, gzip.BadGzipFile, zlib.error):
                return b""
    return start


def _open_list(path: Path) -> Iterator[Place]:
    tally = SourceTally()
    for _, line in read_lines(path, str(path), tally, _MAX_PATH_BYTES):
        name = line.decode("utf-8", "replace").strip()
        if not name or name.startswith("#"):
            continue
        beside = path.parent / name
        file = beside if beside.exists() else Path(name)
        if not file.exists():
            raise UsageError(
                f"{path} names {name}, which exists neither next to it nor in this folder"
            )
        its_kind = _kind_of(file)
        if its_kind == _PATHS:
            raise UsageError(f"{path} names {name}, which is itself a list of files")
        yield _place(its_kind, file)
    if tally.damage:
        raise UsageError(tally.damage[0])


DAMAGE: Final = "#damage-"
"""Follows the name of a source, and precedes a number, in the id of a damaged place."""


def read_source(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read a source by its kind (a `thresher.batch.sources.base.Read`), without any OSError.

    Where a file cannot be opened or read on, reading ends, and the tally has the reason among what
    is unread. Entries that the failure may have cut are not yielded. After a complete reading, each
    damaged place is an entry of its own, so that it has a record on every engine.
    """
    entries = SOURCES[place.kind].read(place, options, tally, is_done)
    while True:
        try:
            entry = next(entries, None)
        except OSError as error:
            tally.failure = tally.failure or error
            entry = None
        if tally.failure is not None:
            after = f" after {tally.n_entry:,} pages" if tally.n_entry else ""
            reason = tally.failure.strerror or str(tally.failure)
            tally.unread.append(f"{place.name}: {reason}{after}")
            return
        if entry is None:
            break
        yield entry
    for number, damage in enumerate(tally.damage, 1):
        position = tally.take()
        if not is_done(position):
            yield position, Unreadable(f"{place.name}{DAMAGE}{number}", f"InputError: {damage}")
