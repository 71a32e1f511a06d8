"""Gzip as it arrives, in pieces of a limited size, so that a bomb is noticed early."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Final

_GZIP_BITS: Final = 16 + zlib.MAX_WBITS


class Gunzip:
    """Decompresses the data fed to it, at most ``piece_bytes`` at a time.

    Several members are concatenated. Data after the last one, such as padding, is ignored.
    """

    def __init__(self, piece_bytes: int) -> None:
        self._piece_bytes = piece_bytes
        self._member = zlib.decompressobj(_GZIP_BITS)
        self._is_begun = False
        self._n_whole = 0
        """Complete members."""
        self._is_over = False

    @property
    def is_cut(self) -> bool:
        """True if the data so far ends within the first member."""
        return self._is_begun and not self._n_whole

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decompressed form of more data; zlib.error if it is not gzip."""
        piece = b""
        self._is_begun |= bool(data)
        while (data or len(piece) == self._piece_bytes) and not self._is_over:
            try:
                piece = self._member.decompress(data, self._piece_bytes)
            except zlib.error:
                if not self._n_whole:
                    raise
                self._is_over = True
                return
            if piece:
                yield piece
            data = self._member.unconsumed_tail
            if self._member.eof:
                self._n_whole += 1
                data, piece = self._member.unused_data, b""
                self._member = zlib.decompressobj(_GZIP_BITS)
