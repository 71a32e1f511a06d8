"""The harness of memory measures one extraction, and sees what it takes."""

from __future__ import annotations

import sys

import pytest

import thresher
from bench.memory import measure_peak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def test_peak_sees_what_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred megabytes that are held for a moment are in the peak."""
    taken = 100 * 2**20

    class Greedy:
        def write(self, format: str) -> None:
            bytearray(b"x" * taken)

    monkeypatch.setattr(thresher, "extract", lambda html: Greedy() if html == b"page" else Modest())

    class Modest:
        def write(self, format: str) -> None:
            pass

    assert taken <= measure_peak(b"page", "text") < 3 * taken


def test_peak_of_a_page_is_at_least_its_text() -> None:
    """A page of a megabyte cannot be had for less than a megabyte."""
    source = b"<p>One sheaf after the other was brought in, and none was lost.</p>" * 15_000
    assert measure_peak(source, "markdown") > len(source)
