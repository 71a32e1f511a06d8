"""The database of pages and labels: only our own files are opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.labelling.database import make_database
from thresher.labelling.store import LabelStore


def test_other_files_are_rejected(tmp_path: Path) -> None:
    """A file that is not a label store raises UsageError and stays unchanged."""
    path = tmp_path / "notes.txt"
    path.write_text("no labels at all, only notes " * 40)
    with pytest.raises(UsageError, match="holds no labels"):
        LabelStore(path)
    assert path.read_text().startswith("no labels at all")


def test_file_of_a_newer_version(tmp_path: Path) -> None:
    """A file written by a newer version is rejected."""
    path = tmp_path / "labels.sqlite"
    make_database(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(UsageError, match="newer version"):
        LabelStore(path)
