"""The manifest of a batch: its sources, and the records that are safely written, in SQLite.

A part of the output exists once its row is committed. That row, the index of duplicates and the
statistics are one transaction, so a crash leaves all of them in the state after some part. Files
that a crash leaves behind are not in the manifest, and are removed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from thresher.batch.sources.base import Place, SourceTally
from thresher.batch.spans import PositionSet
from thresher.errors import UsageError

__all__ = ["NAME", "Manifest", "OutputPart"]

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
        """Record sources and settings in one transaction.

        UsageError if another process has done so in the meantime.
        """
        with self.transaction():
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

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a transaction; UsageError if another process uses the manifest."""
        self.begin()
        try:
            yield
        except BaseException:
            self.roll_back()
            raise
        self.commit()

    def begin(self) -> None:
        """Begin a transaction, which locks out other processes."""
        with self._translate_errors():
            self.database.execute("begin immediate")

    def commit(self) -> None:
        """Commit the transaction durably."""
        self.database.execute("commit")

    def roll_back(self) -> None:
        """Roll back the transaction, if one is open."""
        if self.database.in_transaction:
            self.database.execute("rollback")

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
        self.database.execute(
            "insert into parts values (?, ?, ?, ?, ?, ?)",
            (
                *(part.name, part.n_record, part.n_byte, json.dumps(part.done)),
                *(json.dumps(part.failed), json.dumps(part.stats)),
            ),
        )

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
        pairs: dict[int, list[tuple[int, int]]] = {}
        for part in self.parts():
            for number, spans in part.done.items():
                pairs.setdefault(number, []).extend((start, stop) for start, stop in spans)
        return {number: PositionSet(sorted(spans)) for number, spans in pairs.items()}

    def close(self) -> None:
        """Close the database; uncommitted changes are lost."""
        self.roll_back()
        self.database.close()
