"""The run over the corpora counts outputs and detects failures."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher
from bench import soak
from tests.bench.conftest import Run
from tests.helpers.document_calls import CALLS

PAGES = [
    {
        "id": "a",
        "html": "<nav><a href=/>Home</a></nav><p>a story of words",
        "text": "a story of words",
    },
    {"id": "b", "html": "<p>second page of words", "text": None, "url": "https://b.example/"},
]


def test_exit_status_zero_when_no_page_fails(corpus: Path, run: Run) -> None:
    """A run without failures prints a line per method, with the number of outputs."""
    row = run(soak, str(corpus), "--method", "prune_shake_purify").splitlines()[1].split()
    outputs = len(PAGES) * len(CALLS)
    assert ["tiny", "prune_shake_purify", "2", str(outputs), "0", "0", "1.000"] == row[:7]


def test_exit_status_one_when_a_page_fails(
    corpus: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure is counted and listed with its page, and makes the run fail."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr(thresher, "select", fail)
    said = run(soak, str(corpus), "--method", "keep_all", status=1)
    assert "keep_all, selection: ZeroDivisionError: by design (test_soak.py:" in said
