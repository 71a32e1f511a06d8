"""Single values of a binary property list (Apple's ``bplist00``), each read when it is asked for.

The standard library reads all objects of a list. Objects may overlap, so that a list of 1 MB can
have a trillion references, and they may be nested to any depth. Here only the objects that are
asked for are read, and nothing recurses.
"""

from __future__ import annotations

import struct
from typing import Final

__all__ = ["MAGIC", "BinaryPlist"]

MAGIC: Final = b"bplist00"
_TRAILER: Final = struct.Struct(">6xBBQQQ")
"""Bytes of an offset and of a reference, number of objects, the top one, place of the offsets."""
_MAX_WIDTH_BYTES: Final = 8
"""Of a number that is an offset, a reference or a size."""
_MAX_KEYS: Final = 64
"""Of a dictionary; those of saved pages have at most seven."""
_MAX_CHARS: Final = 65536
"""Of a text."""
_INTEGER, _DATA, _ASCII, _UTF16, _DICTIONARY = 0x1, 0x4, 0x5, 0x6, 0xD
_IN_NUMBER: Final = 15
"""Size in a marker that says that the size follows as a number."""


class BinaryPlist:
    """A binary property list; every method raises ValueError for what is malformed."""

    def __init__(self, data: bytes) -> None:
        """Read where the objects are."""
        if len(data) < len(MAGIC) + _TRAILER.size:
            raise ValueError("its end is missing")
        self._data = data
        self._stop = len(data) - _TRAILER.size
        trailer = _TRAILER.unpack_from(data, self._stop)
        self._offset_bytes, self._reference_bytes, self._n_object, self.top, self._table = trailer
        widths = (self._offset_bytes, self._reference_bytes)
        if not 1 <= min(widths) <= max(widths) <= _MAX_WIDTH_BYTES:
            raise ValueError("its end is damaged")

    def dictionary(self, reference: int) -> dict[str, int]:
        """Return key → reference of its value."""
        at, size = self._open(reference, _DICTIONARY)
        if size > _MAX_KEYS:
            raise ValueError(f"a dictionary has {size:,} keys")
        width = self._reference_bytes
        numbers = [self._number(at + n * width, width) for n in range(2 * size)]
        keys = (self.text(number) for number in numbers[:size])
        return dict(zip(keys, numbers[size:], strict=True))

    def text(self, reference: int) -> str:
        """Return a string."""
        at, size = self._open(reference, _ASCII, _UTF16)
        if size > _MAX_CHARS:
            raise ValueError(f"a text has {size:,} characters")
        if self._kind(reference) == _ASCII:
            return self._take(at, size).decode("ascii")
        return self._take(at, 2 * size).decode("utf-16-be")

    def data(self, reference: int) -> bytes:
        """Return the bytes of a data object."""
        return self._take(*self._open(reference, _DATA))

    def _open(self, reference: int, *kinds: int) -> tuple[int, int]:
        """Return where the content of an object begins, and its size."""
        if self._kind(reference) not in kinds:
            raise ValueError("a value is of another type")
        at = self._place(reference)
        size = self._data[at] & 15
        if size < _IN_NUMBER:
            return at + 1, size
        marker = self._number(at + 1, 1)
        width = 1 << (marker & 15)
        if marker >> 4 != _INTEGER or width > _MAX_WIDTH_BYTES:
            raise ValueError("a size is no number")
        return at + 2 + width, self._number(at + 2, width)

    def _kind(self, reference: int) -> int:
        return self._data[self._place(reference)] >> 4

    def _place(self, reference: int) -> int:
        if reference >= self._n_object:
            raise ValueError("a reference leads nowhere")
        width = self._offset_bytes
        at = self._number(self._table + reference * width, width)
        if at >= self._stop:
            raise ValueError("a reference leads nowhere")
        return at

    def _number(self, at: int, width: int) -> int:
        return int.from_bytes(self._take(at, width), "big")

    def _take(self, at: int, size: int) -> bytes:
        if at + size > self._stop:
            raise ValueError("it is cut off")
        return self._data[at : at + size]
