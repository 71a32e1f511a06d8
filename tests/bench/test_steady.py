"""The check of reproducibility compares threads, processes and settings, and detects changes."""

from __future__ import annotations

import itertools
import json
import lzma
from pathlib import Path

import pytest

from bench import steady

PAGES = [
    {"id": "a", "html": "<nav><a href=/>Home</a></nav><p>A story of words.", "text": None},
    {"id": "b", "html": "<p>A second page, of other words.", "url": "https://b.example/"},
    {"id": "c", "html": "", "text": None},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.jsonl.xz"
    with lzma.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(page) + "\n" for page in PAGES)
    return file


@pytest.mark.slow
def test_nothing_differs_in_any_setting(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Order, threads, and new processes with each setting give the same results and errors."""
    monkeypatch.setattr("sys.argv", ["steady", str(corpus)])
    with pytest.raises(SystemExit) as stop:
        steady.main()
    assert 0 == stop.value.code
    assert 2 + len(steady.SETTINGS) == capsys.readouterr().out.count(": 0 pages differ")


def test_a_difference_is_counted(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An output that changes between runs makes the check fail."""
    numbers = itertools.count()
    monkeypatch.setattr(steady, "SETTINGS", ())
    monkeypatch.setattr(steady, "digest_page", lambda *_: str(next(numbers)))
    monkeypatch.setattr("sys.argv", ["steady", str(corpus)])
    with pytest.raises(SystemExit) as stop:
        steady.main()
    assert 1 == stop.value.code
    assert "in 4 threads: 3 pages differ" in capsys.readouterr().out
