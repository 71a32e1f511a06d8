"""The check of reproducibility compares threads, processes and settings, and detects changes."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from bench import steady
from tests.bench.conftest import Run

PAGES = [
    {"id": "a", "html": "<nav><a href=/>Home</a></nav><p>A story of words.", "text": None},
    {"id": "b", "html": "<p>A second page, of other words.", "url": "https://b.example/"},
    {"id": "c", "html": "", "text": None},
]


@pytest.mark.slow
def test_nothing_differs_in_any_setting(corpus: Path, run: Run) -> None:
    """Order, threads, and new processes with each setting give the same results and errors."""
    assert 2 + len(steady.SETTINGS) == run(steady, str(corpus)).count(": 0 pages differ")


def test_a_difference_is_counted(corpus: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that changes between runs makes the check fail."""
    numbers = itertools.count()
    monkeypatch.setattr(steady, "SETTINGS", ())
    monkeypatch.setattr(steady, "digest_page", lambda *_: str(next(numbers)))
    assert "in 4 threads: 3 pages differ" in run(steady, str(corpus), status=1)
