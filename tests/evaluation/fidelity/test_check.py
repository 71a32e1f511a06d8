"""The command checks properties on every page of corpora."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from thresher.evaluation.fidelity.check import main


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of three pages without labels, of which one is none."""
    path = tmp_path / "mills.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for html in ("<p>rye", "%PDF-1.7", "<p>oats"):
            file.write(json.dumps({"html": html, "id": html}) + "\n")
    return path


def test_pages_are_counted(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pages without violation give a row of zeros and status 0."""
    assert 0 == main([str(corpus)])
    assert "| mills | 2 | 0 | 0 | 0 | 0 | 0 |" in capsys.readouterr().out


def test_violations_are_reported(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A violation is named with its page, counted, and makes the status 1."""
    monkeypatch.setattr("thresher.writers.markdown.write", lambda document, options: "wheat")
    output = tmp_path / "table.md"
    assert 1 == main([str(corpus), "--pages", "1", "--every", "2", "-o", str(output)])
    assert "| mills | 1 | 1 | 1 | 0 | 1 | 0 |" in output.read_text()
    assert "check: <p>rye: invented, markdown: wheat" in capsys.readouterr().err


def test_without_corpora_the_usage_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Corpora are named, or come from the environment."""
    monkeypatch.delenv("THRESHER_CORPORA", raising=False)
    assert 2 == main([])
