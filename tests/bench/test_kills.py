"""The benchmark that kills batches finds what is lost or double."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bench import kills
from bench.kills import compare, kill_often, read_records
from tests.bench.conftest import Run


@pytest.mark.slow
def test_a_killed_batch_is_gone_on_with(tmp_path: Path) -> None:
    """Two kills are made and looked at, and the batch ends with all pages."""
    rows = list(kill_often(tmp_path, n_kill=2, n_page=40, n_worker=1, chance=random.Random(3)))
    assert 2 == sum(row.after_s > 0 for row in rows)
    assert (0, 40, None) == rows[-1]


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        ("ab", None),
        ("aba", "a page is there twice"),
        ("a", "1 records for 2"),
        ("ba", "record 0 is"),
    ],
)
def test_what_is_lost_or_double_is_a_fault(found: str, fault: str | None) -> None:
    """Records are compared in order."""
    says = compare([{"id": name} for name in found], [{"id": name} for name in "ab"])
    assert says == fault or (fault is not None and (says or "").startswith(fault))


def test_only_whole_parts_are_read(tmp_path: Path) -> None:
    """A part under its temporary name is none yet, and the time that a page took is left out."""
    (tmp_path / "part-000000.jsonl").write_text(json.dumps({"id": "a", "elapsed_s": 1}) + "\n")
    (tmp_path / "part-000001.jsonl.tmp").write_text("{")
    assert [{"id": "a"}] == read_records(tmp_path)


def test_main_exits_with_one_when_a_page_is_lost(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kill is printed, with what is wrong after it."""
    rows = [kills.Kill(1.5, 20, None), kills.Kill(0, 39, "39 records for 40")]
    monkeypatch.setattr(kills, "kill_often", lambda *_, **__: iter(rows))
    assert "ended: 39 records; 39 records for 40" in run(kills, "--kills", "1", status=1)
