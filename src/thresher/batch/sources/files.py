"""Compressed files as sequences of gzip members (RFC 1952) or Zstandard frames (RFC 8878); lines.

Common readers stop silently at the first damage or a premature end. Here every member is read
separately, damage is noted with its location, and reading continues with the next readable member.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from thresher.batch.sources.base import SourceTally, open_source
from thresher.errors import MissingExtraError

MAGIC: Final[Mapping[str, bytes]] = {"gzip": b"\x1f\x8b\x08", "zstd": b"\x28\xb5\x2f\xfd"}
"""First bytes of a member, by codec."""
_CHUNK_BYTES: Final[Mapping[str, int]] = {"gzip": 65536, "zstd": 1024}
"""Bytes decompressed at a time. zstd has no output limit, and a block of four bytes can expand to
128 KiB (RFC 8878, 3.1.1.2): a kilobyte to 32 MiB."""
_MAX_OUT_BYTES: Final = 2**20
"""Bytes that zlib returns at a time."""
_SCAN_BYTES: Final = 2**20
"""Bytes searched at a time for the next member."""


def sniff_codec(file: BinaryIO) -> str | None:
    """Return the codec of a file by its first bytes, from where it is read again; None if plain."""
    start = file.read(max(map(len, MAGIC.values())))
    file.seek(0)
    return next((codec for codec, magic in MAGIC.items() if start.startswith(magic)), None)


class Members:
    """A file of members, as a stream that ends after each member.

    ``starts_with`` is the required prefix of a member's content when searching after damage, as a
    magic number alone also occurs by chance.
    """

    def __init__(
        self, file: BinaryIO, codec: str, tally: SourceTally, *, name: str, starts_with: bytes = b""
    ) -> None:
        self._file = file
        self._codec = codec
        self._make = _decoder_maker(codec)
        self._tally = tally
        self._name = name
        self._starts_with = starts_with
        self._decoder: Any = None
        self._start = 0
        self._given = 0
        self._out, self._taken = b"", 0
        self.is_whole = True
        """Whether the member is intact so far."""

    def next_member(self) -> bool:
        """Advance to the next readable member; False at the end of the file."""
        at = 0
        if self._decoder is not None:
            while self.is_whole and self.read(_MAX_OUT_BYTES):
                pass
            at = self._file.tell() if self.is_whole else self.find(self._start + 1)
        while True:
            self._tally.n_byte = at
            self._file.seek(at)
            start = self._file.read(len(MAGIC[self._codec]))
            if not start:
                return False
            if start == MAGIC[self._codec]:
                break
            next_start = self.find(at)
            self._file.seek(at)
            # Tapes and some writers pad the last block with zeros.
            if self._file.read(next_start - at).strip(b"\0"):
                self._note(f"bytes {at:,} to {next_start:,} are no {self._codec}")
            at = next_start
        self._file.seek(at)
        self._decoder = self._make()
        self._start, self._given = at, 0
        self._out, self._taken, self.is_whole = b"", 0, True
        return True

    def read(self, size: int) -> bytes:
        """Return at most ``size`` bytes of the member; none at its end or at damage."""
        while self._taken == len(self._out) and self.is_whole and not self._decoder.eof:
            self._out, self._taken = b"", 0
            self._decode()
        piece = self._out[self._taken : self._taken + size]
        self._taken += len(piece)
        self._given += len(piece)
        return piece

    def tell(self) -> int:
        """Return the number of bytes read from the member."""
        return self._given

    def find(self, at: int) -> int:
        """Return the start of the next decodable member, or the end of the file."""
        magic = MAGIC[self._codec]
        while True:
            self._file.seek(at)
            window = self._file.read(_SCAN_BYTES + len(magic))
            if not window:
                return at
            offset = window.find(magic)
            if offset < 0:
                if len(window) <= _SCAN_BYTES:
                    return at + len(window)
                at += _SCAN_BYTES
            elif self._decodes(at + offset):
                return at + offset
            else:
                at += offset + 1

    def _decode(self) -> None:
        tail = getattr(self._decoder, "unconsumed_tail", b"")
        chunk = tail or self._file.read(_CHUNK_BYTES[self._codec])
        try:
            if self._codec == "gzip":
                self._out = self._decoder.decompress(chunk, _MAX_OUT_BYTES)
            else:
                self._out = self._decoder.decompress(chunk)
        except Exception as error:  # zlib.error, or zstandard's own
            self._note(f"the {self._codec} member at byte {self._start:,} is corrupt: {error}")
            self.is_whole = False
            return
        # Without further input, the decoder may still have output.
        if not chunk and not self._out and not self._decoder.eof:
            self._note(f"it ends within the {self._codec} member at byte {self._start:,}")
            self.is_whole = False
        if self._decoder.eof:
            self._file.seek(-len(self._decoder.unused_data), 1)

    def _decodes(self, at: int) -> bool:
        """Return whether a decodable member with the required prefix begins here."""
        self._file.seek(at)
        decoder, out = self._make(), b""
        wanted = max(len(self._starts_with), 1)
        try:
            while len(out) < wanted and not decoder.eof:
                chunk = self._file.read(256)
                if not chunk:
                    return False
                out += decoder.decompress(chunk)
        except Exception:  # zlib.error, or zstandard's own
            return False
        return out.startswith(self._starts_with)

    def _note(self, what: str) -> None:
        self._tally.damage.append(f"{self._name}: {what}")


def _decoder_maker(codec: str) -> Callable[[], Any]:
    if codec == "gzip":
        return lambda: zlib.decompressobj(wbits=31)
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("reading .zst files", "batch") from error
    return lambda: zstandard.ZstdDecompressor().decompressobj()


def read_lines(
    path: Path, name: str, tally: SourceTally, max_bytes: int
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, numbered from 1; a longer line is cut after ``max_bytes`` + 1.

    After damage lines cannot be delimited: reading ends there, as noted in the tally. A line cut
    off by the damage is omitted.
    """
    with open_source(path, tally) as file:
        codec = sniff_codec(file)
        stream: Any = file
        if codec:
            joined = _Joined(file, codec, tally, name)
            stream = io.BufferedReader(joined, 2**20)
        number = 0
        while line := stream.readline(max_bytes + 1):
            if len(line) > max_bytes:
                _skip_line(line, stream)
            elif codec and not line.endswith(b"\n") and joined.is_damaged:
                break
            if not codec:
                tally.n_byte += len(line)
            number += 1
            yield number, line
        tally.n_byte = os.fstat(file.fileno()).st_size


def _skip_line(line: bytes, stream: Any) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(2**20)


class _Joined(io.RawIOBase):
    """The concatenated members of a file, until the first damage."""

    def __init__(self, file: BinaryIO, codec: str, tally: SourceTally, name: str) -> None:
        self._members = Members(file, codec, tally, name=name)
        self._tally = tally
        self._is_open = self._members.next_member()

    @property
    def is_damaged(self) -> bool:
        return bool(self._tally.damage)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._is_open:
            piece = self._members.read(len(buffer))
            if piece:
                buffer[: len(piece)] = piece
                return len(piece)
            self._is_open = self._members.is_whole and self._members.next_member()
            self._is_open = self._is_open and not self.is_damaged
        return 0
