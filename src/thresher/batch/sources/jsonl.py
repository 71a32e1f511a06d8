"""JSON Lines, plain or compressed: one object per line, with the page in one of its values."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from thresher.batch.sources.base import Entry, IsDone, Place, ReadOptions, SourceTally, Unreadable
from thresher.batch.sources.members import Members, sniff_codec
from thresher.batch.sources.opening import open_source
from thresher.batch.sources.rows import entry_of, name_columns

__all__ = ["read_jsonl", "read_lines"]

_ROOM: Final = 8
"""Maximum size of a line relative to a page: JSON may escape a character as six bytes, and there
are other values."""


def read_jsonl(
    place: Place, options: ReadOptions, tally: SourceTally, is_done: IsDone
) -> Iterator[tuple[int, Entry]]:
    """Read one object per line (a `thresher.batch.sources.base.Read`); blank lines do not count."""
    columns = name_columns(options.columns)
    max_bytes = options.max_bytes * _ROOM
    for number, line in read_lines(Path(place.paths[0]), place.name, tally, max_bytes):
        if not line.strip():
            tally.skipped["blank line"] += 1
            continue
        position = tally.take()
        if is_done(position):
            continue
        if len(line) > max_bytes:
            says = f"LimitError: the line has more than {max_bytes:,} bytes"
            yield position, Unreadable(str(number), says)
            continue
        yield position, _read_line(line, columns, number)


def _read_line(line: bytes, columns: dict[str, str], number: int) -> Entry:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Unreadable(str(number), f"InputError: the line is no JSON: {error}")
    if not isinstance(row, dict):
        says = f"InputError: the line is a JSON {type(row).__name__}, not an object"
        return Unreadable(str(number), says)
    return entry_of(row, columns, number)


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
