"""The store of pages and labels in one SQLite file, for concurrent threads and processes.

Labels are append-only, so undo restores the previous one; a deleted page and its labels can be put
back for a day. Each operation opens its own connection, which takes a fraction of a millisecond and
leaves none open.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
import zlib
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import numpy as np

from thresher.errors import ThresherError, UsageError
from thresher.labelling.model import Label, ListedPage, NewPage, Pace, RoleCodes, StoredPage
from thresher.page.rows import BoolArray
from thresher.support.databases import UNDO_S, migrate_database, open_database, storable

LABELS_FILE: Final = "labels.sqlite"
"""Name of the file in the user's data folder."""
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
    """
    CREATE TABLE decision (
        id INTEGER PRIMARY KEY,
        page INTEGER NOT NULL REFERENCES page,
        decider INTEGER NOT NULL REFERENCES labeller,
        first INTEGER NOT NULL REFERENCES label,
        second INTEGER NOT NULL REFERENCES label,
        keep BLOB NOT NULL,
        n_block INTEGER NOT NULL,
        text TEXT NOT NULL,
        page_type TEXT,
        made_at REAL NOT NULL
    );
    CREATE INDEX decision_of_page ON decision (page);
    """,
    # Readings are computed again when they are needed, with the title.
    """
    ALTER TABLE page ADD COLUMN title TEXT NOT NULL DEFAULT '';
    ALTER TABLE page ADD COLUMN deleted_at REAL;
    CREATE VIEW listed AS SELECT * FROM page WHERE deleted_at IS NULL;
    DELETE FROM reading;
    """,
    # Readings are computed again, with the roles that the model suggests.
    """
    ALTER TABLE label ADD COLUMN roles BLOB;
    ALTER TABLE decision ADD COLUMN roles BLOB;
    DELETE FROM reading;
    """,
    """
    ALTER TABLE label ADD COLUMN note TEXT NOT NULL DEFAULT '';
    CREATE TABLE assignment (
        page INTEGER NOT NULL REFERENCES page,
        labeller INTEGER NOT NULL REFERENCES labeller,
        dealt_at REAL NOT NULL,
        PRIMARY KEY (page, labeller)
    );
    """,
)
"""Migrations from each version to the next; their number is the current version."""
ORDERS: Final = {
    "given": "page.id",
    "uncertain": "reading.confidence IS NULL, reading.confidence, page.id",
}
"""Order of the queue → SQL: as added, or least confident first."""
MAX_SECONDS: Final = 600.0
"""Maximum seconds counted for one label, as longer times include breaks."""
_PACE_LABELS: Final = 30
"""Number of latest labels from which the pace is computed."""
_MINE: Final = (
    "(NOT EXISTS (SELECT 1 FROM assignment) OR EXISTS (SELECT 1 FROM assignment"
    " JOIN labeller ON labeller.id = labeller WHERE page = {page} AND labeller.name = ?))"
)
"""Whether a page is in a labeller's queue: every page is in everyone's until pages are dealt."""
_LABELS: Final = (
    "SELECT label.*, labeller.name AS who FROM label JOIN labeller ON labeller.id = labeller WHERE"
)
_LATEST: Final = (
    "SELECT max(id) FROM label WHERE undone = 0 AND page IN (SELECT id FROM listed)"
    " GROUP BY page, labeller"
)


def make_database(path: Path) -> None:
    """Create the database if it does not exist, and migrate an older one.

    Raises UsageError if the file is not such a database, or has a newer version.
    """
    migrate_database(path, _SCHEMA, "labels")


class LabelConflictError(ThresherError):
    """A label was saved or undone elsewhere since the one being saved was begun."""

    def __init__(self, message: str, *, latest: Label | None = None) -> None:
        super().__init__(message)
        self.latest = latest
        """The label that holds now; None if it was undone."""


class OtherQueueError(ThresherError):
    """The page is others' to label: a label would be a second one by accident."""

    def __init__(self, labellers: Sequence[str]) -> None:
        super().__init__(f"this page is in the queue of {' and '.join(labellers)}")


class LabelStore:
    """The store in a file, which is created if it does not exist.

    Raises UsageError if the file is not a store, or has a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        make_database(path)

    def add(self, pages: Iterable[NewPage]) -> tuple[int, int]:
        """Add pages; return the numbers of new and of known pages. Deleted ones are put back."""
        n_new = n_known = 0
        with self._open() as db:
            for page in pages:
                html = page.html.encode("utf-8", "surrogatepass")
                added = db.execute(
                    "INSERT INTO page (digest, name, url, html, added_at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (digest) DO UPDATE SET deleted_at = NULL"
                    " WHERE deleted_at IS NOT NULL",
                    (_digest(html), page.name, page.url, zlib.compress(html, 6), time.time()),
                ).rowcount
                n_new += added
                n_known += 1 - added
        return n_new, n_known

    def number_of(self, page: NewPage) -> int | None:
        """Return the number of a page with the same HTML; None if there is none."""
        digest = _digest(page.html.encode("utf-8", "surrogatepass"))
        with self._open() as db:
            row = db.execute("SELECT id FROM listed WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else int(row["id"])

    def page(self, number: int) -> StoredPage | None:
        """Return a page, None if there is none with this number."""
        with self._open() as db:
            row = db.execute("SELECT * FROM listed WHERE id = ?", (number,)).fetchone()
        if row is None:
            return None
        html = zlib.decompress(row["html"]).decode("utf-8", "surrogatepass")
        return StoredPage(row["id"], row["name"], html, row["url"])

    def waiting(
        self, labeller: str, *, order: str = "given", model: str = "", limit: int = -1
    ) -> list[int]:
        """Return the pages of a labeller's queue that they have not labelled.

        ``order`` is one of `ORDERS`, ``model`` selects the confidences stored by `put_reading`.
        Raises UsageError.
        """
        if order not in ORDERS:
            raise UsageError(f"order must be one of {', '.join(ORDERS)}, not “{order}”")
        with self._open() as db:
            rows = db.execute(
                "SELECT page.id FROM listed AS page LEFT JOIN reading"
                " ON reading.page = page.id AND reading.model = ?"
                " WHERE NOT EXISTS (SELECT 1 FROM label JOIN labeller ON labeller.id = labeller"
                " WHERE label.page = page.id AND labeller.name = ? AND undone = 0)"
                f" AND {_MINE.format(page='page.id')} ORDER BY {ORDERS[order]} LIMIT ?",
                (model, labeller, labeller, limit),
            )
            return [row[0] for row in rows]

    def unread(self, model: str) -> list[int]:
        """Return the pages without a reading by a model."""
        with self._open() as db:
            rows = db.execute(
                "SELECT id FROM listed WHERE NOT EXISTS (SELECT 1 FROM reading"
                " WHERE reading.page = listed.id AND model = ?) ORDER BY id",
                (model,),
            )
            return [row[0] for row in rows]

    def put_reading(
        self, page: int, model: str, shown: str | None, confidence: float | None, title: str = ""
    ) -> None:
        """Store a model's reading of a page, and its title; None if the page cannot be read."""
        packed = zlib.compress(shown.encode("utf-8", "surrogatepass")) if shown else None
        title = storable(title)
        with self._open() as db:
            db.execute(
                "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?)",
                (page, model, confidence, packed),
            )
            db.execute("UPDATE page SET title = ? WHERE id = ?", (title, page))

    def reading(self, page: int, model: str) -> str | None:
        """Return a stored reading."""
        with self._open() as db:
            row = db.execute(
                "SELECT shown FROM reading WHERE page = ? AND model = ?", (page, model)
            ).fetchone()
        if row is None or row["shown"] is None:
            return None
        return zlib.decompress(row["shown"]).decode("utf-8", "surrogatepass")

    def save(
        self, label: Label, *, version: int | None = None, only_own_queue: bool = False
    ) -> int:
        """Write a label and return its version; an earlier one stays, to go back to.

        ``version`` is that of the label which the new one replaces, 0 for none. Raises
        LabelConflictError if another one holds by now, unless it says the same, as after a save
        whose answer was lost. None replaces any. With ``only_own_queue``, raises OtherQueueError
        for a first label of a page that is others' to label. Raises UsageError if the page was
        deleted.
        """
        keep = label.keep
        with self._open() as db:
            # Takes the write lock, so that the label cannot change after the check.
            db.execute("INSERT OR IGNORE INTO labeller (name) VALUES (?)", (label.labeller,))
            rows = db.execute("SELECT 1 FROM listed WHERE id = ?", (label.page,))
            if rows.fetchone() is None:
                raise UsageError("this page was deleted; All pages can put it back")
            if version is not None:
                latest = _latest(db, label.page, label.labeller)
                if (latest.id if latest else 0) != version:
                    if latest is not None and label.is_same(latest):
                        return latest.id
                    done = "undone" if latest is None else "labelled"
                    message = f"this page was {done} elsewhere in the meantime"
                    raise LabelConflictError(message, latest=latest)
            if only_own_queue and (others := _find_others(db, label.page, label.labeller)):
                raise OtherQueueError(others)
            added = db.execute(
                "INSERT INTO label (page, labeller, keep, n_block, text, page_type, seconds,"
                " made_at, roles, note)"
                " VALUES (?, (SELECT id FROM labeller WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    label.page,
                    label.labeller,
                    None if keep is None else np.packbits(keep).tobytes(),
                    0 if keep is None else keep.size,
                    label.text,
                    label.page_type,
                    min(max(label.seconds, 0.0), MAX_SECONDS),
                    label.made_at or time.time(),
                    None if label.roles is None else label.roles.tobytes(),
                    storable(label.note),
                ),
            )
            return int(added.lastrowid or 0)

    def undo(self, labeller: str) -> int | None:
        """Undo a labeller's last label; return its page, None without a label."""
        with self._open() as db:
            row = db.execute(
                "SELECT label.id, page FROM label JOIN labeller ON labeller.id = labeller"
                " WHERE labeller.name = ? AND undone = 0 AND page IN (SELECT id FROM listed)"
                " ORDER BY label.id DESC LIMIT 1",
                (labeller,),
            ).fetchone()
            if row is None:
                return None
            db.execute("UPDATE label SET undone = 1 WHERE id = ?", (row["id"],))
            return int(row["page"])

    def label(self, page: int, labeller: str) -> Label | None:
        """Return a labeller's latest label of a page."""
        labels = self._labels("AND page = ? AND labeller.name = ?", (page, labeller))
        return labels[0] if labels else None

    def labels(self, labeller: str | None = None) -> list[Label]:
        """Return the current labels in the order of pages, including those of skipped pages.

        ``labeller`` selects one labeller; None selects all.
        """
        if labeller is None:
            return self._labels("", ())
        return self._labels("AND labeller.name = ?", (labeller,))

    def others_with(self, page: int, labeller: str) -> list[str]:
        """Return whose page this is, if it is not the labeller's too."""
        with self._open() as db:
            return _find_others(db, page, labeller)

    def labellers(self) -> list[str]:
        """Return the names of all labellers with labels."""
        with self._open() as db:
            rows = db.execute(
                "SELECT DISTINCT name FROM labeller JOIN label ON label.labeller = labeller.id"
                " WHERE undone = 0 AND page IN (SELECT id FROM listed) ORDER BY name"
            )
            return [row[0] for row in rows]

    def pages(self) -> dict[int, ListedPage]:
        """Return all pages by their numbers."""
        with self._open() as db:
            rows = db.execute("SELECT id, name, url, title FROM listed ORDER BY id")
            return {row["id"]: ListedPage(row["name"], row["url"], row["title"]) for row in rows}

    def pace(self, labeller: str) -> Pace:
        """Return a labeller's progress in their queue, and their rate."""
        with self._open() as db:
            mine = _MINE.format(page="listed.id")
            query = f"SELECT count(*) FROM listed WHERE {mine}"
            n_page = db.execute(query, (labeller,)).fetchone()[0]
            rows = db.execute(
                "SELECT keep IS NULL AS is_passed, seconds FROM label"
                f" JOIN labeller ON labeller.id = labeller WHERE label.id IN ({_LATEST})"
                f" AND labeller.name = ? AND {_MINE.format(page='label.page')}"
                " ORDER BY made_at, page, label.id",
                (labeller, labeller),
            ).fetchall()
        n_passed = sum(row["is_passed"] for row in rows)
        latest = rows[-_PACE_LABELS:]
        seconds = sum(row["seconds"] for row in latest)
        pages_per_hour = len(latest) / seconds * 3600 if seconds > 0 else None
        return Pace(n_page, len(rows) - n_passed, n_passed, pages_per_hour)

    def _labels(self, where: str, values: tuple[object, ...]) -> list[Label]:
        with self._open() as db:
            query = f"{_LABELS} label.id IN ({_LATEST}) {where} ORDER BY page, label.id"
            return [_read_label(row) for row in db.execute(query, values)]

    def _open(self) -> AbstractContextManager[sqlite3.Connection]:
        return open_database(self.path)


def _digest(html: bytes) -> str:
    return hashlib.sha256(html).hexdigest()


def read_mask(row: Any) -> BoolArray:
    """Return the mask of a row with ``keep`` and ``n_block``."""
    bits = np.unpackbits(np.frombuffer(row["keep"], np.uint8), count=row["n_block"])
    return bits.astype(np.bool_)


def read_roles(row: Any) -> RoleCodes | None:
    """Return the roles of a row."""
    return None if row["roles"] is None else np.frombuffer(row["roles"], np.int8)


def _read_label(row: Any) -> Label:
    return Label(
        row["page"],
        row["who"],
        None if row["keep"] is None else read_mask(row),
        row["text"],
        row["seconds"],
        row["page_type"],
        row["made_at"],
        row["id"],
        read_roles(row),
        row["note"],
    )


def _find_others(db: sqlite3.Connection, page: int, labeller: str) -> list[str]:
    """Return whose page this is; nobody if it is the labeller's too, or nobody's.

    A page belongs to those it was dealt to. Where pages are dealt, one that was dealt to nobody
    belongs to whoever has labelled it.
    """
    rows = db.execute(
        "SELECT name FROM assignment JOIN labeller ON labeller.id = labeller WHERE page = ?1"
        " UNION SELECT name FROM label JOIN labeller ON labeller.id = labeller WHERE page = ?1"
        " AND undone = 0 AND (name = ?2 OR keep IS NOT NULL AND EXISTS (SELECT 1 FROM assignment))"
        " ORDER BY name",
        (page, labeller),
    )
    names = [row["name"] for row in rows]
    return [] if labeller in names else names


def _latest(db: sqlite3.Connection, page: int, labeller: str) -> Label | None:
    """Return the label that holds, in the transaction of the caller."""
    query = (
        f"{_LABELS} page = ? AND labeller.name = ? AND undone = 0 ORDER BY label.id DESC LIMIT 1"
    )
    row = db.execute(query, (page, labeller)).fetchone()
    return None if row is None else _read_label(row)


def delete_page(store: LabelStore, page: int) -> None:
    """Take a page from all lists, with its labels; `restore_page` puts it back within a day."""
    now = time.time()
    with open_database(store.path) as db:
        db.execute("UPDATE page SET deleted_at = ? WHERE id = ?", (now, page))
        expired = "SELECT id FROM page WHERE deleted_at < ?"
        for table in ("decision", "label", "reading", "assignment"):
            db.execute(f"DELETE FROM {table} WHERE page IN ({expired})", (now - UNDO_S,))
        db.execute(f"DELETE FROM page WHERE id IN ({expired})", (now - UNDO_S,))


def restore_page(store: LabelStore, page: int) -> None:
    """Put a deleted page back, with its labels; UsageError if it is gone for good."""
    with open_database(store.path) as db:
        query = "UPDATE page SET deleted_at = NULL WHERE id = ?"
        if not db.execute(query, (page,)).rowcount:
            raise UsageError("the page cannot be put back: it was deleted more than a day ago")
