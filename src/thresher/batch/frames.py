"""Frames: messages over a pipe, each a letter, a length and a payload.

A process that dies leaves at most a partial frame, which is never read as a whole one.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["DONE", "FAILED", "PIPE_BYTES", "READY", "STARTED", "WORK", "Frame", "Frames", "send"]

WORK: Final = b"W"
"""To a worker: its assignment first, then one item each."""
READY: Final = b"R"
"""From a worker: it is ready."""
STARTED: Final = b"S"
"""From a worker: it has started the next item."""
DONE: Final = b"D"
"""From a worker: the record of that item."""
FAILED: Final = b"F"
"""From a worker: it cannot start; the payload says why."""

PIPE_BYTES: Final = 2**20
"""Pipe capacity, where it can be set: Linux allows 1 MiB to any user, enough for five typical
pages, so that a worker need not wait for its next page."""

_HEADER: Final = struct.Struct("<cQ")


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    payload: bytes

    def pack(self) -> tuple[bytes, bytes]:
        """Return the bytes to send, as two pieces to avoid copying a large payload."""
        return _HEADER.pack(self.kind, len(self.payload)), self.payload


class Frames:
    """Assembles frames from the bytes read from a pipe."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def add(self, piece: bytes) -> Iterator[Frame]:
        """Append bytes; yield the frames that they complete."""
        self._buffer += piece
        while len(self._buffer) >= _HEADER.size:
            kind, n_byte = _HEADER.unpack_from(self._buffer)
            end = _HEADER.size + n_byte
            if len(self._buffer) < end:
                return
            payload = bytes(memoryview(self._buffer)[_HEADER.size : end])
            del self._buffer[:end]
            yield Frame(kind, payload)

    def read(self, fd: int) -> Iterator[Frame]:
        """Yield the frames of a blocking pipe until it is closed."""
        while piece := os.read(fd, PIPE_BYTES):
            yield from self.add(piece)


def send(fd: int, frame: Frame) -> None:
    """Write a frame to a blocking pipe."""
    for piece in frame.pack():
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(fd, rest) :]
