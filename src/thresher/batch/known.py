"""Pages that earlier runs have, which need not be extracted again."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from errno import ENOENT
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from thresher.batch.model import import_pyarrow
from thresher.batch.stores import file_system
from thresher.errors import UsageError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

KNOWN: Final = "known"
"""What `Record.duplicate` of a known page is."""
_DIGEST_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class KnownPages:
    """The digests of known pages, 16 bytes each. They go along with the settings of a job."""

    digest: str
    """Of all digests; with it the settings of a job say which pages it left out."""
    data: bytes = field(repr=False)
    """The digests, in order."""

    def __len__(self) -> int:
        return len(self.data) // _DIGEST_BYTES

    def __contains__(self, digest: str) -> bool:
        """Return whether a page is known, by `Record.digest`."""
        wanted = bytes.fromhex(digest)
        at = bisect_left(range(len(self)), wanted, key=self._at)
        return at < len(self) and self._at(at) == wanted

    def _at(self, index: int) -> bytes:
        return self.data[index * _DIGEST_BYTES : (index + 1) * _DIGEST_BYTES]

    @classmethod
    def of(cls, digests: Iterable[str]) -> KnownPages:
        """Return the pages with some values of `Record.digest`; UsageError for any other value."""
        try:
            distinct = {bytes.fromhex(digest) for digest in digests}
        except ValueError as error:
            raise UsageError(f"a digest of a page is hexadecimal: {error}") from error
        if any(len(digest) != _DIGEST_BYTES for digest in distinct):
            raise UsageError(f"a digest of a page has {_DIGEST_BYTES} bytes")
        data = b"".join(sorted(distinct))
        return cls(blake2b(data, digest_size=_DIGEST_BYTES).hexdigest(), data)


def read_known(paths: Sequence[str]) -> KnownPages:
    """Return the pages of Parquet files of records, or of folders of them, but those with an error.

    Paths are local, or URIs. Raises UsageError where a file is no Parquet or has no such columns,
    or a folder has no file, and OSError where something cannot be read.
    """
    arrow = import_pyarrow()
    from pyarrow import compute, parquet

    digests: list[str] = []
    for path in paths:
        system, files = _files_of(path)
        for file in files:
            try:
                columns = ["digest", "error"]
                table = parquet.read_table(file, columns=columns, filesystem=system)
            except arrow.ArrowInvalid as error:
                raise UsageError(f"{file} has no records: {error}") from error
            good = compute.and_(table["error"].is_null(), table["digest"].is_valid())
            digests += table["digest"].filter(good).to_pylist()
    return KnownPages.of(digests)


def _files_of(path: str) -> tuple[FileSystem, list[str]]:
    """Return a file, or the Parquet files in a folder, but those that are not complete."""
    from pyarrow import fs

    system, place = file_system(path)
    info = system.get_file_info(place)
    if info.type == fs.FileType.NotFound:
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), path)
    if info.type != fs.FileType.Directory:
        return system, [place]
    there = system.get_file_info(fs.FileSelector(place, recursive=True))
    files = [
        entry.path
        for entry in there
        if entry.base_name.endswith(".parquet") and not entry.base_name.startswith("_")
    ]
    if not files:
        raise UsageError(f"{path} has no Parquet files")
    return system, sorted(files)
