"""The benchmark of a batch's cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.batch import main
from tests.batch.archives import archive


@pytest.mark.slow
def test_both_ways_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A small archive is processed completely in both ways, as often as requested."""
    (tmp_path / "a.warc.gz").write_bytes(archive(range(5)))
    path = str(tmp_path / "a.warc.gz")
    command = ["batch", path, "--turns", "2", "--method", "keep_all", "--text-alone"]
    monkeypatch.setattr("sys.argv", command)
    main()
    lines = capsys.readouterr().out.splitlines()
    assert 5 == len(lines)
    assert "5 pages, 1 workers, best of 2 turns" == lines[2]
