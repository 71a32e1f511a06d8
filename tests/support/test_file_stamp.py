"""Fingerprints of files."""

from __future__ import annotations

import os
from pathlib import Path

from thresher.support.file_stamp import stamp_of


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    """Other contents, another time or another file of the name have another stamp."""
    path = tmp_path / "a"
    assert stamp_of(path) is None
    assert stamp_of(None) is None
    path.write_text("a")
    first = stamp_of(path)
    assert first == stamp_of(path)
    path.write_text("ab")
    second = stamp_of(path)
    os.utime(path, (1, 1))
    assert 3 == len({first, second, stamp_of(path)})
