"""The database of pages and labels: only our own files are opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.labelling.store import LabelStore


def test_other_files_are_rejected(tmp_path: Path) -> None:
    """A file that is not a label store raises UsageError and stays unchanged."""
    path = tmp_path / "notes.txt"
    path.write_text("no labels at all, only notes " * 40)
    with pytest.raises(UsageError, match="holds no labels"):
        LabelStore(path)
    assert path.read_text().startswith("no labels at all")
