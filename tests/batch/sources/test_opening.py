"""Files of sources, and the errors of the system."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.batch.failing import break_file
from thresher.batch.sources.base import SourceTally
from thresher.batch.sources.opening import open_source


def test_a_file_is_read_as_any_other(tmp_path: Path) -> None:
    """It can be read, sought and asked for its number, and the tally stays as it was."""
    (tmp_path / "a").write_bytes(b"rye and oats")
    tally = SourceTally()
    with open_source(tmp_path / "a", tally) as file:
        assert b"rye" == file.read(3)
        assert 4 == file.seek(4)
        assert b"and oats" == file.read()
        assert file.fileno() > 2
    assert SourceTally() == tally


@pytest.mark.parametrize("after_bytes", [None, 0, 600])
def test_an_error_of_the_system_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after_bytes: int | None
) -> None:
    """The tally knows of it even if who reads the file takes it for something else."""
    (tmp_path / "a").write_bytes(b"rye " * 1000)
    break_file(monkeypatch, tmp_path / "a", errno.EIO, after_bytes)
    tally = SourceTally()
    with pytest.raises(OSError, match="Input/output"), open_source(tmp_path / "a", tally) as file:
        file.read()
    assert tally.failure is not None
    assert errno.EIO == tally.failure.errno
