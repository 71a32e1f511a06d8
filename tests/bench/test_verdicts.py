"""Verdicts are counted, and empty content is a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher
from bench import verdicts
from tests.bench.conftest import Run

STORY = "<p>The grain was cut before the rain, and the barn was full by night.</p>" * 9
PAGES = [
    {"id": "a", "html": f"<title>Harvest</title>{STORY}", "text": "The grain was cut"},
    {"id": "b", "html": "<div id=root></div><script src=a.js></script>", "text": ""},
    {"id": "c", "html": "<div id=root></div><script src=a.js></script>", "text": None},
]


def test_verdicts_are_counted(corpus: Path, run: Run) -> None:
    """Each verdict has its count, and each obstacle its page and the size of its label."""
    lines = run(verdicts, str(corpus)).splitlines()
    assert ["2  needs a browser", "1  content"] == [line.strip() for line in lines[:2]]
    assert lines[2:] == [
        "tiny b: needs a browser, a label of 0 words",
        "tiny c: needs a browser, no label",
    ]


def test_empty_content_fails(corpus: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result without words that is called content makes the command fail, and is named."""
    monkeypatch.setattr(thresher.Document, "text", "")
    said = run(verdicts, str(corpus), status=1)
    assert "FAILED tiny a: content, confidence" in said
