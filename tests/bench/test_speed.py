"""The speed report has every stage and contender, whatever is installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import speed
from tests.helpers.corpora import write_corpus

SENTENCE = "<p>The mill grinds rye, oats and barley for nine villages."


@pytest.mark.slow
def test_report_complete_when_run_on_a_tiny_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every stage and contender is measured, and the JSON equals the table."""
    corpus = write_corpus(tmp_path, "tiny", [{"html": "<p>a page of a few words</p>" * 20}])
    joined = write_corpus(tmp_path, "joined", [{"html": SENTENCE * n} for n in (9, 1000)])
    out, page = tmp_path / "report.json", tmp_path / "performance.md"
    command = ["speed", str(corpus), "--joined", str(joined), "--rounds", "1", "--runs", "2"]
    command += ["--json", str(out), "-o", str(page)]
    monkeypatch.setattr("sys.argv", command)
    monkeypatch.setattr(speed, "_START_RUNS", 1)
    speed.main()
    corpora = json.loads(out.read_text())["corpora"]
    assert {"tiny": 1, "joined, 20 to 200 kB": 1} == {
        name: figures["pages"] for name, figures in corpora.items()
    }
    assert [2, 2] == [len(figures["runs"]) for figures in corpora.values()]
    report = corpora["tiny"]["runs"][0]
    stages = [row["name"] for row in report["stages"]]
    assert ["decode", "parse", "views", "features", "network"] == stages[:5]
    assert all(row["median_ms"] > 0 for row in report["stages"] + report["whole"])
    cores = report["cores"]
    assert 1 == cores["one thread"]
    assert 3 <= len(cores)
    written = page.read_text()
    assert all(f"| {way} |" in written for way in cores)
    assert all(f"| {name} |" in written for name in stages)
    assert str(tmp_path) not in written
    assert "turbohtml main_text" in capsys.readouterr().out
