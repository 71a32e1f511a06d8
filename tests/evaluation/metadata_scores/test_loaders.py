"""Peers are asked for metadata by the real worker, with fake packages."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from pathlib import Path

import pytest

from thresher.evaluation.leaderboard import worker
from thresher.evaluation.metadata_scores import loaders
from thresher.evaluation.metadata_scores.scores import METADATA_PEERS


def test_every_peer_can_be_called() -> None:
    """The table of peers and that of the loaders have the same names."""
    assert list(METADATA_PEERS) == list(loaders.LOADERS)


def test_htmldate_is_called_with_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both settings are passed to the library, which returns only a date."""
    seen = []

    def find_date(html: str, **settings: object) -> str:
        seen.append(settings)
        return "2024-05-03"

    module = types.SimpleNamespace(find_date=find_date)
    monkeypatch.setitem(sys.modules, "htmldate", module)
    expected: dict[str, object] = {"title": None, "authors": [], "date": "2024-05-03"}
    for name in ("htmldate", "htmldate original"):
        assert expected == json.loads(loaders.LOADERS[name]()("<p>", None, None))
    assert [{"url": None}, {"url": None, "original_date": True}] == seen


def test_readability_without_a_result_returns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer's placeholder for a missing value counts as missing."""

    class Document:
        def __init__(self, html: str, url: str | None) -> None:
            self.html = html

        def short_title(self) -> str:
            return "Rye"

        def author(self) -> str:
            return loaders.NO_AUTHOR

    module = types.SimpleNamespace(Document=Document)
    monkeypatch.setitem(sys.modules, "readability", module)
    found = json.loads(loaders.LOADERS["readability-lxml"]()("<p>", None, None))
    assert {"title": "Rye", "authors": [], "date": None} == found


def test_worker_takes_other_loaders(tmp_path: Path) -> None:
    """A file of loaders replaces the worker's table."""
    own = tmp_path / "own.py"
    own.write_text("LOADERS = {'echo': lambda: lambda html, url, lang: html.upper()}")
    request = json.dumps({"html": "rye", "url": None, "lang": None})
    ran = subprocess.run(
        [sys.executable, "-I", worker.__file__, "echo", "20", str(own)],
        input=request + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    ready, answer = map(json.loads, ran.stdout.splitlines())
    assert {"error": None} == ready
    assert "RYE" == answer["found"]


def test_loaders_import_nothing_of_ours() -> None:
    """The loaders run with only the standard library."""
    code = f"import runpy, sys; runpy.run_path({loaders.__file__!r}); print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "json" in modules
    assert "thresher" not in modules
