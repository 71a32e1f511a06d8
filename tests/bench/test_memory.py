"""The benchmark of memory measures one extraction, and detects what it allocates."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.memory import measure_in_fork
from tests.helpers.corpora import write_corpus
from tests.helpers.hostile import Shape

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


_GREEDY = """
import mmap, thresher
from bench.memory import measure_here

class Document:
    def __init__(self, html, method=None):
        self.taken = 100 * 2**20 if html == b"page" else mmap.PAGESIZE

    def write(self, format):
        # The memory must come from the system: a process would reuse what it has freed.
        with mmap.mmap(-1, self.taken) as memory:
            memory[:: mmap.PAGESIZE] = b"x" * (self.taken // mmap.PAGESIZE)

thresher.extract = Document
measure_here("text")
"""


@pytest.mark.slow
def test_peak_sees_what_is_taken() -> None:
    """An allocation of a hundred megabytes that is soon freed is in the peak."""
    done = subprocess.run(
        [sys.executable, "-c", _GREEDY], input=b"page", check=True, stdout=subprocess.PIPE
    )
    assert 90 * 2**20 <= int(done.stdout) < 300 * 2**20


@pytest.mark.slow
def test_page_takes_more_than_itself(tmp_path: Path) -> None:
    """A page takes more memory than its size."""
    html = "<p>One sheaf after the other was brought in, and none was lost.</p>" * 16_000
    write_corpus(tmp_path, "one", [{"id": "sheaves", "html": html}])
    command = [sys.executable, "-m", "bench.memory", str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    (ratio,) = re.findall(r"median ([\d.]+) ×", done.stdout)
    assert float(ratio) > 1


def test_fork_measures_a_shape() -> None:
    """A shape takes more memory than its size in a fork, also where it ends in a LimitError."""
    shape = Shape(lambda n: f"{'<blockquote>' * 60}<pre>{'w' + chr(10) * n}</pre>", 1)
    for format in ("text", "markdown"):
        assert 500_000 < measure_in_fork(shape, 500_000, format) < 500_000_000
