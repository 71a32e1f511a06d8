"""The harness of memory measures one extraction, and sees what it takes."""

from __future__ import annotations

import json
import lzma
import mmap
import re
import subprocess
import sys
from pathlib import Path

import pytest

import thresher
from bench.memory import measure_peak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_peak_sees_what_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred megabytes that are held for a moment are in the peak."""
    taken = 100 * 2**20

    class Greedy:
        def write(self, format: str) -> None:
            # New from the system: what a process has freed it would be given again.
            with mmap.mmap(-1, taken) as memory:
                memory[:: mmap.PAGESIZE] = b"x" * (taken // mmap.PAGESIZE)

    monkeypatch.setattr(thresher, "extract", lambda html: Greedy() if html == b"page" else Modest())

    class Modest:
        def write(self, format: str) -> None:
            pass

    assert 0.9 * taken <= measure_peak(b"page", "text") < 3 * taken


def test_page_takes_more_than_itself(tmp_path: Path) -> None:
    """In a fresh process, which has no memory to spare, a page costs several times its size."""
    html = "<p>One sheaf after the other was brought in, and none was lost.</p>" * 16_000
    with lzma.open(tmp_path / "one.jsonl.xz", "wt", encoding="utf-8") as lines:
        lines.write(json.dumps({"id": "sheaves", "html": html}) + "\n")
    command = [sys.executable, "-m", "bench.memory", str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (ratio,) = re.findall(r"median ([\d.]+) ×", done.stdout)
    assert float(ratio) > 1
