"""The benchmark of engines counts the time of all processes, and takes start and pages apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench import engine_cost
from bench.engine_cost import split_cost
from bench.engine_jobs import ROOT
from tests.batch.archives import response, write_warc
from tests.batch.misbehaving import GOOD

_BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
_LEAVE = (
    "import subprocess, sys\n"
    "subprocess.Popen([sys.executable, '-c', sys.argv[1]], start_new_session=True)\n"
)
_MEASURE = (
    "import sys\n"
    "from bench.engine_cost import processor_time_of\n"
    "print(processor_time_of([sys.executable, '-c', *sys.argv[1:]]))\n"
)


def test_start_and_pages_are_taken_apart() -> None:
    """Three archives of ten pages cost the start once and each page once."""
    assert pytest.approx((2.0, 0.1)) == split_cost(3.0, 5.0, 10, 3)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it adopts processes")
def test_the_time_of_what_is_left_behind_counts() -> None:
    """A process that outlives the command is waited for.

    This process has children of its own, so another one measures.
    """
    command = [sys.executable, "-c", _MEASURE, _LEAVE, _BURN]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    assert 0.3 <= float(said)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it adopts processes")
def test_main_prints_a_row_for_each_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first engine is what the others are compared with."""
    pytest.importorskip("fastwarc", reason="the extra batch is not installed")
    path = write_warc(tmp_path / "a.warc.gz", [response("https://example.org/", GOOD)] * 10)
    times = {("batch", 1): 1.0, ("batch", 3): 3.0, ("spark", 1): 11.0, ("spark", 3): 14.0}

    def pretend(command: list[str]) -> float:
        return times[command[3], sum(part.endswith("a.warc.gz") for part in command)]

    monkeypatch.setattr(engine_cost, "processor_time_of", pretend)
    monkeypatch.setattr("sys.argv", ["", path, "--engine", "batch,spark", "--turns", "1"])
    engine_cost.main()
    said = capsys.readouterr().out
    assert "| batch | 0.0 s | 100.00 ms | 1.00 |" in said
    assert "| spark | 9.5 s | 150.00 ms | 1.50 |" in said


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it adopts processes")
def test_extraction_and_batch_are_measured(tmp_path: Path) -> None:
    """Any input of a batch goes through the bare extraction, and through a batch."""
    page = tmp_path / "a.html"
    page.write_text("<p>The rye stands in any wind.</p>" * 9)
    command = [sys.executable, "-m", "bench.engine_cost", str(page), "--turns", "1", "-j", "1"]
    command += ["--method", "keep_all", "--text-alone"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    assert "\n1 pages in the inputs, the least of 1 turns\n" in said
    assert all(f"| {engine} |" in said for engine in ("bare", "batch"))
