"""What files look like when they are first read."""

from __future__ import annotations

import os
from pathlib import Path

from thresher.batch.fingerprints import differ, take_fingerprints


def test_any_change_is_seen(tmp_path: Path) -> None:
    """Another size, another time of modification, or another beginning."""
    path = tmp_path / "a"
    path.write_bytes(b"rye")
    os.utime(path, ns=(5, 5))
    before = take_fingerprints([str(path)])
    assert not differ(before, take_fingerprints([str(path)]))
    for content, time_ns in ((b"rye and oats", 5), (b"rye", 6), (b"oat", 5)):
        path.write_bytes(content)
        os.utime(path, ns=(time_ns, time_ns))
        assert differ(before, take_fingerprints([str(path)]))


def test_a_missing_file_tells_nothing(tmp_path: Path) -> None:
    """A file that was or is missing is not another one."""
    path = tmp_path / "a"
    missing = take_fingerprints([str(path)])
    assert [None] == missing
    path.write_bytes(b"rye")
    there = take_fingerprints([str(path)])
    assert not differ(missing, there)
    assert not differ(there, missing)
