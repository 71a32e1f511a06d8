"""Pages and labels in one SQLite file, for any number of threads and processes.

A label is never changed: a new one is written behind it, so undoing is going back. Each operation
has a connection of its own, which costs a fraction of a millisecond, and none can be left open.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from thresher.errors import UsageError

__all__ = ["ORDERS", "Label", "LabelStore", "NewPage", "Pace", "StoredPage"]

BoolArray = npt.NDArray[np.bool_]

ORDERS: Final = {
    "given": "page.id",
    "uncertain": "reading.confidence IS NULL, reading.confidence, page.id",
}
"""How the queue can be ordered → the order in SQL: as added, or least confident first."""
MAX_SECONDS: Final = 600.0
"""Seconds that one label counts at most: whoever took longer was away."""
_PACE_LABELS: Final = 30
"""Latest labels that the pace is taken from."""
_BUSY_S: Final = 20.0
"""Seconds to wait for another process that writes."""

_SCHEMA: Final = (
    """
    CREATE TABLE page (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        url TEXT,
        html BLOB NOT NULL,
        added_at REAL NOT NULL
    );
    CREATE TABLE labeller (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE label (
        id INTEGER PRIMARY KEY,
        page INTEGER NOT NULL REFERENCES page,
        labeller INTEGER NOT NULL REFERENCES labeller,
        keep BLOB,
        n_block INTEGER NOT NULL,
        text TEXT,
        page_type TEXT,
        seconds REAL NOT NULL,
        made_at REAL NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX label_of_page ON label (page, labeller, undone);
    CREATE TABLE reading (
        page INTEGER NOT NULL REFERENCES page,
        model TEXT NOT NULL,
        confidence REAL,
        shown BLOB,
        PRIMARY KEY (page, model)
    );
    """,
)
"""What brings a file from each version to the next; their number is the version of this file."""

_LATEST: Final = "SELECT max(id) FROM label WHERE undone = 0 GROUP BY page, labeller"


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page to be labelled."""

    name: str
    html: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page of the store."""

    id: int
    name: str
    html: str
    url: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """What one labeller said of one page."""

    page: int
    labeller: str
    keep: BoolArray | None
    """The blocks that are content; bool[n_block]; None where the page was passed over."""
    text: str | None
    """Their text, which holds though blocks may be cut otherwise by another version."""
    seconds: float = 0.0
    """How long it took."""
    page_type: str | None = None
    made_at: float = 0.0
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How far a labeller is."""

    n_page: int
    n_labelled: int
    n_passed: int
    """Pages passed over."""
    pages_per_hour: float | None
    """Of the latest labels; None before the first."""


class LabelStore:
    """The store in a file, which is made where there is none.

    Raises UsageError where the file is no store, or one of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._migrate()
        except sqlite3.DatabaseError as error:
            raise UsageError(f"{path} holds no labels: {error}") from error

    def add(self, pages: Iterable[NewPage]) -> tuple[int, int]:
        """Add pages; return how many are new, and how many were there already."""
        n_new = n_known = 0
        with self._open() as db:
            for page in pages:
                html = page.html.encode("utf-8", "surrogatepass")
                digest = hashlib.sha256(html).hexdigest()
                added = db.execute(
                    "INSERT OR IGNORE INTO page (digest, name, url, html, added_at)"
                    " VALUES (?, ?, ?, ?, ?)",
                    (digest, page.name, page.url, zlib.compress(html, 6), time.time()),
                ).rowcount
                n_new += added
                n_known += 1 - added
        return n_new, n_known

    def page(self, number: int) -> StoredPage | None:
        """Return a page, None where there is no such."""
        with self._open() as db:
            row = db.execute("SELECT * FROM page WHERE id = ?", (number,)).fetchone()
        if row is None:
            return None
        html = zlib.decompress(row["html"]).decode("utf-8", "surrogatepass")
        return StoredPage(row["id"], row["name"], html, row["url"])

    def waiting(
        self, labeller: str, *, order: str = "given", model: str = "", limit: int = -1
    ) -> list[int]:
        """Return the pages that a labeller has said nothing of, in an order of `ORDERS`.

        ``model`` is the one whose confidence counts, as `put_reading` had it. Raises UsageError.
        """
        if order not in ORDERS:
            raise UsageError(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
        with self._open() as db:
            rows = db.execute(
                "SELECT page.id FROM page LEFT JOIN reading"
                " ON reading.page = page.id AND reading.model = ?"
                " WHERE NOT EXISTS (SELECT 1 FROM label JOIN labeller ON labeller.id = labeller"
                " WHERE label.page = page.id AND labeller.name = ? AND undone = 0)"
                f" ORDER BY {ORDERS[order]} LIMIT ?",
                (model, labeller, limit),
            )
            return [row[0] for row in rows]

    def unread(self, model: str) -> list[int]:
        """Return the pages that a model has not read yet."""
        with self._open() as db:
            rows = db.execute(
                "SELECT id FROM page WHERE NOT EXISTS (SELECT 1 FROM reading"
                " WHERE reading.page = page.id AND model = ?) ORDER BY id",
                (model,),
            )
            return [row[0] for row in rows]

    def put_reading(
        self, page: int, model: str, shown: str | None, confidence: float | None
    ) -> None:
        """Keep what a model makes of a page; None where it cannot be read."""
        packed = zlib.compress(shown.encode("utf-8", "surrogatepass")) if shown else None
        with self._open() as db:
            db.execute(
                "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?)",
                (page, model, confidence, packed),
            )

    def reading(self, page: int, model: str) -> str | None:
        """Return what was kept."""
        with self._open() as db:
            row = db.execute(
                "SELECT shown FROM reading WHERE page = ? AND model = ?", (page, model)
            ).fetchone()
        if row is None or row["shown"] is None:
            return None
        return zlib.decompress(row["shown"]).decode("utf-8", "surrogatepass")

    def save(self, label: Label) -> None:
        """Write a label; an earlier one of the same labeller stays, to go back to."""
        keep = label.keep
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO labeller (name) VALUES (?)", (label.labeller,))
            db.execute(
                "INSERT INTO label (page, labeller, keep, n_block, text, page_type, seconds,"
                " made_at) VALUES (?, (SELECT id FROM labeller WHERE name = ?), ?, ?, ?, ?, ?, ?)",
                (
                    label.page,
                    label.labeller,
                    None if keep is None else np.packbits(keep).tobytes(),
                    0 if keep is None else keep.size,
                    label.text,
                    label.page_type,
                    min(max(label.seconds, 0.0), MAX_SECONDS),
                    label.made_at or time.time(),
                ),
            )

    def undo(self, labeller: str) -> int | None:
        """Take back a labeller's last label; return its page, None where there is no label."""
        with self._open() as db:
            row = db.execute(
                "SELECT label.id, page FROM label JOIN labeller ON labeller.id = labeller"
                " WHERE labeller.name = ? AND undone = 0 ORDER BY label.id DESC LIMIT 1",
                (labeller,),
            ).fetchone()
            if row is None:
                return None
            db.execute("UPDATE label SET undone = 1 WHERE id = ?", (row["id"],))
            return int(row["page"])

    def label(self, page: int, labeller: str) -> Label | None:
        """Return what a labeller last said of a page."""
        found = self._labels("AND page = ? AND labeller.name = ?", (page, labeller))
        return next(iter(found), None)

    def labels(self, labeller: str | None = None) -> list[Label]:
        """Return the labels that hold, in the order of the pages; those passed over are among them.

        ``labeller`` is whose labels are wanted; None for everybody's.
        """
        if labeller is None:
            return self._labels("", ())
        return self._labels("AND labeller.name = ?", (labeller,))

    def labellers(self) -> list[str]:
        """Return the names of those who have labelled."""
        with self._open() as db:
            rows = db.execute(
                "SELECT DISTINCT name FROM labeller JOIN label ON label.labeller = labeller.id"
                " WHERE undone = 0 ORDER BY name"
            )
            return [row[0] for row in rows]

    def names(self) -> dict[int, tuple[str, str | None]]:
        """Return name and URL of every page by its number."""
        with self._open() as db:
            rows = db.execute("SELECT id, name, url FROM page ORDER BY id")
            return {row["id"]: (row["name"], row["url"]) for row in rows}

    def pace(self, labeller: str) -> Pace:
        """Say how far a labeller is, and how fast."""
        labels = self.labels(labeller)
        latest = sorted(labels, key=lambda label: label.made_at)[-_PACE_LABELS:]
        seconds = sum(label.seconds for label in latest)
        with self._open() as db:
            n_page = db.execute("SELECT count(*) FROM page").fetchone()[0]
        n_passed = sum(label.keep is None for label in labels)
        pages_per_hour = len(latest) / seconds * 3600 if seconds > 0 else None
        return Pace(n_page, len(labels) - n_passed, n_passed, pages_per_hour)

    def _labels(self, where: str, values: tuple[object, ...]) -> list[Label]:
        with self._open() as db:
            rows = db.execute(
                "SELECT label.*, labeller.name AS who FROM label"
                f" JOIN labeller ON labeller.id = labeller WHERE label.id IN ({_LATEST})"
                f" {where} ORDER BY page, label.id",
                values,
            )
            return [_read_label(row) for row in rows]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction."""
        with closing(sqlite3.connect(self.path, timeout=_BUSY_S)) as db, db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            yield db

    def _migrate(self) -> None:
        with self._open() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version > len(_SCHEMA):
                raise UsageError(f"{self.path} was written by a newer version of Thresher")
            if version == len(_SCHEMA):
                return
            db.execute("PRAGMA journal_mode = WAL")  # who reads does not wait for who writes
            for number in range(version, len(_SCHEMA)):
                steps = f"{_SCHEMA[number]}; PRAGMA user_version = {number + 1};"
                db.executescript(f"BEGIN; {steps} COMMIT;")


def _read_label(row: Any) -> Label:
    keep: BoolArray | None = None
    if row["keep"] is not None:
        bits = np.unpackbits(np.frombuffer(row["keep"], np.uint8), count=row["n_block"])
        keep = bits.astype(np.bool_)
    return Label(
        row["page"],
        row["who"],
        keep,
        row["text"],
        row["seconds"],
        row["page_type"],
        row["made_at"],
    )
