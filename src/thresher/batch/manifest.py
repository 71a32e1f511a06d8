"""The manifest of a batch: its sources, and the records that are safely written, in SQLite.

A part of the output exists once its row is committed. That row, the index of duplicates and the
statistics are one transaction, so a crash leaves all of them in the state after some part. Files
that a crash leaves behind are not in the manifest, and are removed. Records that are done are known
by their positions in a file, which mean nothing in another one: so files have fingerprints, too.
"""

from __future__ import annotations

import json
import os
import sqlite3
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from thresher.batch.sources.base import Place, SourceTally
from thresher.errors import UsageError

NAME: Final = "manifest.sqlite"
"""File name in the output folder."""
_VERSION: Final = "3"
_TABLES: Final = """
create table meta (key text primary key, value text not null) without rowid;
create table sources (
    number integer primary key, kind text not null, name text not null, paths text not null,
    n_byte integer not null, n_entry integer, skipped text, damage text, looks text
);
create table parts (
    name text primary key, n_record integer not null, n_byte integer not null,
    done text not null, failed text not null, stats text not null
);
"""
_PATIENCE_S: Final = 2.0
"""Seconds to wait for a lock before another process is assumed to use the manifest."""


@dataclass(frozen=True, slots=True)
class OutputPart:
    """A file or folder of the output."""

    name: str
    n_record: int
    n_byte: int
    done: Mapping[int, Sequence[Sequence[int]]]
    """Source number → spans of positions whose records are in the part."""
    failed: Mapping[int, Sequence[int]]
    """Source number → those positions whose records have an error."""
    stats: Mapping[str, Any]
    """Statistics for the summary."""


class Manifest:
    """The manifest of an output folder, opened by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        # Transactions are started and ended explicitly.
        self.database = sqlite3.connect(self.path, timeout=_PATIENCE_S, isolation_level=None)
        with self._translate_errors():
            self.database.execute("pragma synchronous = full")

    def is_begun(self) -> bool:
        """Return whether the sources are recorded; if not, a crash came first."""
        with self._translate_errors():
            return self.database.execute("select 1 from sqlite_master").fetchone() is not None

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Return whether a folder has a manifest."""
        return (folder / NAME).is_file()

    def create(self, places: Iterator[Place], settings: Mapping[str, str]) -> None:
        """Record sources and settings in one transaction, of which an error leaves nothing.

        UsageError if another process has done so in the meantime.
        """
        self.begin()
        if self.is_begun():
            raise UsageError(f"another process is at work on {self.path.parent}")
        for statement in _TABLES.split(";\n"):
            self.database.execute(statement)
        rows = (
            (number, at.kind, at.name, json.dumps(at.paths), at.n_byte)
            for number, at in enumerate(places)
        )
        insert = "insert into sources (number, kind, name, paths, n_byte)"
        self.database.executemany(f"{insert} values (?, ?, ?, ?, ?)", rows)
        pairs = {**settings, "version": _VERSION}.items()
        self.database.executemany("insert into meta values (?, ?)", pairs)
        self.commit()

    def check(self, settings: Mapping[str, str], but: Container[str] = ()) -> None:
        """Raise UsageError if the batch was started with other settings, ``but`` some of them."""
        with self._translate_errors():
            begun = dict(self.database.execute("select key, value from meta"))
        for key, value in {**settings, "version": _VERSION}.items():
            if begun.get(key) != value and key not in but:
                raise UsageError(
                    f"this batch was started with {key} {begun.get(key)}, not {value}: resume it "
                    "with that, or start one in another folder"
                )

    def begin(self) -> None:
        """Begin a transaction, which locks out other processes; UsageError if there is one."""
        with self._translate_errors():
            self.database.execute("begin immediate")

    def commit(self) -> None:
        """Commit the transaction durably."""
        self.database.execute("commit")

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Convert SQLite errors to UsageError where another process or the file is the cause."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise UsageError(f"another process is at work on {self.path.parent}") from error
            raise
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{self.path} is not the manifest of a batch: {error}") from error

    def places(self) -> Iterator[tuple[int, Place]]:
        """Yield the sources with their numbers, in order."""
        rows = self.database.execute(
            "select number, kind, name, paths, n_byte from sources order by number"
        ).fetchall()
        for number, kind, name, paths, n_byte in rows:
            yield number, Place(kind, name, tuple(json.loads(paths)), n_byte)

    def ended(self) -> dict[int, SourceTally]:
        """Return the tallies of the sources that were read completely."""
        rows = self.database.execute(
            "select number, n_entry, n_byte, skipped, damage from sources where n_entry notnull"
        )
        tallies = {}
        for number, n_entry, n_byte, skipped, damage in rows:
            tally = SourceTally(n_entry, n_byte, damage=json.loads(damage))
            tally.skipped.update(json.loads(skipped))
            tallies[number] = tally
        return tallies

    def end_source(self, number: int, tally: SourceTally) -> None:
        """Record that a source was read completely."""
        self.database.execute(
            "update sources set n_entry = ?, skipped = ?, damage = ? where number = ?",
            (tally.n_entry, json.dumps(tally.skipped), json.dumps(tally.damage), number),
        )

    def fingerprints(self) -> dict[int, list[str | None]]:
        """Return what the files of each source looked like when reading it began."""
        rows = self.database.execute("select number, looks from sources where looks notnull")
        return {number: json.loads(looks) for number, looks in rows}

    def begin_source(self, number: int, fingerprints: Sequence[str | None]) -> None:
        """Record what the files of a source look like as reading it begins."""
        self.database.execute(
            "update sources set looks = ? where number = ?", (json.dumps(fingerprints), number)
        )

    def forget_source(self, number: int) -> None:
        """Remove a source's tally and fingerprints, and every part with a record of it.

        Records of other sources in these parts are no longer done either.
        """
        self.database.execute(
            "update sources set n_entry = null, skipped = null, damage = null, looks = null "
            "where number = ?",
            (number,),
        )
        for part in self.parts():
            if number in part.done:
                self.forget_part(part)

    def forget_part(self, part: OutputPart) -> None:
        """Remove a part; its records are no longer done."""
        self.database.execute("delete from parts where name = ?", (part.name,))

    def add_part(self, part: OutputPart) -> None:
        """Record a written part."""
        texts = map(json.dumps, (part.done, part.failed, part.stats))
        row = (part.name, part.n_record, part.n_byte, *texts)
        self.database.execute("insert into parts values (?, ?, ?, ?, ?, ?)", row)

    def parts(self) -> Iterator[OutputPart]:
        """Yield the written parts, in order."""
        rows = self.database.execute("select * from parts order by name").fetchall()
        for name, n_record, n_byte, *texts in rows:
            done, failed, stats = map(json.loads, texts)
            spans, errors = (
                {int(number): positions for number, positions in numbered.items()}
                for numbered in (done, failed)
            )
            yield OutputPart(name, n_record, n_byte, spans, errors, stats)

    def done(self) -> dict[int, PositionSet]:
        """Return the positions whose records are written, by source number."""
        spans: dict[int, list[Sequence[int]]] = {}
        for part in self.parts():
            for number, of_part in part.done.items():
                spans.setdefault(number, []).extend(of_part)
        return {number: PositionSet(of_source) for number, of_source in spans.items()}

    def close(self) -> None:
        """Close the database; uncommitted changes are lost."""
        self.database.close()


class PositionSet:
    """A set of positions, made of disjoint spans in any order; spans are ``[start, stop)``."""

    def __init__(self, spans: Iterable[Sequence[int]] = ()) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        for start, stop in sorted(map(tuple, spans)):
            if self._stops and self._stops[-1] == start:
                self._stops[-1] = stop
            else:
                self._starts.append(start)
                self._stops.append(stop)

    def __contains__(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._stops[index]

    def __len__(self) -> int:
        return sum(self._stops) - sum(self._starts)

    @classmethod
    def of(cls, positions: Iterable[int]) -> PositionSet:
        """Return the set of some positions, each given once."""
        return cls((position, position + 1) for position in positions)

    def without(self, positions: Container[int]) -> PositionSet:
        """Return the set without some positions."""
        spans = zip(self._starts, self._stops, strict=True)
        return PositionSet.of(at for span in spans for at in range(*span) if at not in positions)

    def pairs(self) -> list[list[int]]:
        """Return the spans in order."""
        return [list(pair) for pair in zip(self._starts, self._stops, strict=True)]


_START_BYTES: Final = 4096
"""Bytes of the beginning that are compared: a block of most file systems."""
_DIGEST_BYTES: Final = 8


def take_fingerprints(paths: Iterable[str]) -> list[str | None]:
    """Return the size, modification time and digest of the beginning of each file as one text.

    None for a file that cannot be opened.
    """
    return [_fingerprint(Path(path)) for path in paths]


def differ(before: Sequence[str | None], now: Sequence[str | None]) -> bool:
    """Return whether a file has changed; one that could not be opened tells nothing."""
    return any(
        there is not None and here is not None and there != here
        for there, here in zip(before, now, strict=True)
    )


def _fingerprint(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            start = blake2b(file.read(_START_BYTES), digest_size=_DIGEST_BYTES).hexdigest()
    except OSError:
        return None
    return f"{status.st_size} {status.st_mtime_ns} {start}"
