"""Verdicts are counted, and empty content is a failure."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

import thresher
from bench import verdicts

STORY = "<p>The grain was cut before the rain, and the barn was full by night.</p>" * 9
PAGES = [
    {"id": "a", "html": f"<title>Harvest</title>{STORY}", "text": "The grain was cut"},
    {"id": "b", "html": "<div id=root></div><script src=a.js></script>", "text": ""},
    {"id": "c", "html": "<div id=root></div><script src=a.js></script>", "text": None},
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.jsonl.xz"
    with lzma.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(page) + "\n" for page in PAGES)
    return file


def run(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["verdicts", str(corpus)])
    with pytest.raises(SystemExit) as stop:
        verdicts.main()
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_verdicts_are_counted(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each verdict has its count, and each obstacle its page and the size of its label."""
    assert 0 == run(corpus, monkeypatch)
    lines = capsys.readouterr().out.splitlines()
    assert ["2  needs a browser", "1  content"] == [line.strip() for line in lines[:2]]
    assert lines[2:] == [
        "tiny b: needs a browser, a label of 0 words",
        "tiny c: needs a browser, no label",
    ]


def test_empty_content_fails(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A result without words that is called content makes the command fail, and is named."""
    monkeypatch.setattr(thresher.Document, "text", "")
    assert 1 == run(corpus, monkeypatch)
    assert "FAILED tiny a: content, confidence" in capsys.readouterr().out
