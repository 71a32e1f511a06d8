"""Pages that earlier runs have, which need not be extracted again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from thresher.batch.model import import_pyarrow
from thresher.errors import UsageError

__all__ = ["KNOWN", "KnownPages", "read_known"]

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

    Raises UsageError where a file has no such columns, or is no Parquet, and OSError where one
    cannot be read.
    """
    arrow = import_pyarrow()
    from pyarrow import dataset

    digests: list[str] = []
    for path in paths:
        try:
            records: Any = dataset.dataset(path, format="parquet")
            wanted = dataset.field("error").is_null() & dataset.field("digest").is_valid()
            table = records.to_table(columns=["digest"], filter=wanted)
        except arrow.ArrowInvalid as error:
            raise UsageError(f"{path} has no records: {error}") from error
        digests += table["digest"].to_pylist()
    return KnownPages.of(digests)
