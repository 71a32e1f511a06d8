"""Outputs of peers, kept on disk by peer, version and page: each is asked once about a page.

One SQLite file. An interrupted run resumes, and a run with a new method of ours takes only that
method's time. Errors are kept too; delete the file to ask again.
"""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from pathlib import Path
from typing import Final

from thresher.errors import InputError
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.leaderboard.process import PeerAnswer

__all__ = ["Outputs", "connect", "key_of"]

_TABLE: Final = """
    CREATE TABLE IF NOT EXISTS outputs (
        peer TEXT, version TEXT, page BLOB, found BLOB, cpu_s REAL, error TEXT,
        PRIMARY KEY (peer, version, page)
    )
"""
_BUSY_TIMEOUT_S: Final = 60.0


class Outputs:
    """The answers of peers in a file; InputError if the file is not such a database.

    Use it in a ``with`` statement, and from one thread.
    """

    def __init__(self, path: Path) -> None:
        self._file = connect(path, _TABLE)

    def get(self, peer: str, version: str, page: bytes) -> PeerAnswer | None:
        """Return a peer's answer for the page with this key, None if it was not asked."""
        row = self._file.execute(
            "SELECT found, cpu_s, error FROM outputs WHERE peer = ? AND version = ? AND page = ?",
            (peer, version, page),
        ).fetchone()
        if row is None:
            return None
        found, cpu_s, error = row
        return PeerAnswer(zlib.decompress(found).decode("utf-8", "surrogatepass"), cpu_s, error)

    def put(self, peer: str, version: str, page: bytes, answer: PeerAnswer) -> None:
        """Store a peer's answer for a page; it is on disk when this returns."""
        found = zlib.compress(answer.found.encode("utf-8", "surrogatepass"))
        with self._file:
            self._file.execute(
                "INSERT OR REPLACE INTO outputs VALUES (?, ?, ?, ?, ?, ?)",
                (peer, version, page, found, answer.cpu_s, answer.error),
            )

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def connect(path: Path, table: str) -> sqlite3.Connection:
    """Open a database file, creating it if necessary; InputError as `Outputs`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        file = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)
        try:
            file.execute(table)
        except sqlite3.Error:
            file.close()
            raise
    except sqlite3.Error as error:
        raise InputError(f"{path}: {error}") from error
    return file


def key_of(page: LabelledPage) -> bytes:
    """Return the digest of a page's request to peers."""
    parts = (page.html, page.url or "", page.lang or "")
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.digest()
