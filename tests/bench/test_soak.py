"""The run over the corpora counts outputs and detects failures."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

import thresher
from bench import soak
from tests.helpers.document_calls import CALLS

PAGES = [
    {
        "id": "a",
        "html": "<nav><a href=/>Home</a></nav><p>a story of words",
        "text": "a story of words",
    },
    {"id": "b", "html": "<p>second page of words", "text": None, "url": "https://b.example/"},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.jsonl.xz"
    with lzma.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(page) + "\n" for page in PAGES)
    return file


def test_exit_status_zero_when_no_page_fails(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run without failures prints a line per method, with the number of outputs."""
    monkeypatch.setattr("sys.argv", ["soak", str(corpus), "--method", "prune_shake_purify"])
    with pytest.raises(SystemExit) as stop:
        soak.main()
    assert 0 == stop.value.code
    row = capsys.readouterr().out.splitlines()[1].split()
    outputs = len(PAGES) * len(CALLS)
    assert ["tiny", "prune_shake_purify", "2", str(outputs), "0", "0", "1.000"] == row[:7]


def test_exit_status_one_when_a_page_fails(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failure is counted and listed with its page, and makes the run fail."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by design")

    monkeypatch.setattr(thresher, "select", fail)
    monkeypatch.setattr("sys.argv", ["soak", str(corpus), "--method", "keep_all"])
    with pytest.raises(SystemExit) as stop:
        soak.main()
    assert 1 == stop.value.code
    assert (
        "keep_all, selection: ZeroDivisionError: by design (test_soak.py:"
        in capsys.readouterr().out
    )
