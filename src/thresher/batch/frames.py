"""Frames: messages over a pipe, each a letter, its length and as many bytes.

A process that dies leaves at most the beginning of a frame, which is never taken for one.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["DONE", "FAILED", "PIPE_BYTES", "READY", "STARTED", "WORK", "Frame", "Frames", "send"]

WORK: Final = b"W"
"""To a worker: what it works with first, then one item each."""
READY: Final = b"R"
"""From a worker: it can work."""
STARTED: Final = b"S"
"""It has begun with the next item."""
DONE: Final = b"D"
"""The record of that item."""
FAILED: Final = b"F"
"""It cannot work; the message says why."""

PIPE_BYTES: Final = 2**20
"""What a pipe should hold, where the system lets it be set: Linux allows 1 MiB to anybody, five
pages of the usual size, so that a worker has the next one at hand when it is through with one."""

_HEADER: Final = struct.Struct("<cQ")


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    payload: bytes

    def pack(self) -> tuple[bytes, bytes]:
        """Return the bytes to send, in two pieces so that a large payload is not copied."""
        return _HEADER.pack(self.kind, len(self.payload)), self.payload


class Frames:
    """Puts together the frames of what comes out of a pipe, piece by piece."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def add(self, piece: bytes) -> Iterator[Frame]:
        """Take in a piece; yield the frames that are whole with it."""
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
        """Yield the frames of a blocking pipe until it ends."""
        while piece := os.read(fd, PIPE_BYTES):
            yield from self.add(piece)


def send(fd: int, frame: Frame) -> None:
    """Write a frame to a blocking pipe."""
    for piece in frame.pack():
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(fd, rest) :]
