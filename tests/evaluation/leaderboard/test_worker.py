"""The program in a peer's environment returns the peer's outputs, page by page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from thresher.evaluation.leaderboard import worker
from thresher.evaluation.leaderboard.peers import PEERS


def run(python: Path | str, peer: str, *pages: str) -> list[dict[str, Any]]:
    """Run the worker with pages; return all its answers."""
    requests = "".join(
        json.dumps({"html": page, "url": None, "lang": None}) + "\n" for page in pages
    )
    ran = subprocess.run(
        [str(python), "-I", worker.__file__, peer, "20"],
        input=requests,
        capture_output=True,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_each_page_has_an_answer(environments: Path) -> None:
    """Each page has a text and a time, or the peer's exception; the peer's prints are discarded."""
    python = environments / "trafilatura" / "bin" / "python"
    ready, found, failed, again = run(
        python, "trafilatura", "<p>rye \ud800", "<p>raise", "<p>oats</p>"
    )
    assert {"error": None} == ready
    assert ("rye \ud800", None) == (found["found"], found["error"])
    assert ("", "ValueError: by design") == (failed["found"], failed["error"])
    assert "oats" == again["found"]
    assert 0 <= found["cpu_s"] < 60


@pytest.mark.parametrize("peer", ["goose3", "nobody"])
def test_peer_that_cannot_be_loaded(environments: Path, peer: str) -> None:
    """A peer that cannot be loaded is reported instead of readiness, and nothing follows."""
    (only,) = run(environments / "trafilatura" / "bin" / "python", peer, "<p>rye")
    assert "Error" in only["error"]


def test_every_peer_can_be_called() -> None:
    """The table of peers and that of the worker have the same names."""
    assert list(PEERS) == list(worker.LOADERS)


def test_worker_imports_nothing_of_ours() -> None:
    """The worker runs with only the standard library."""
    code = f"import runpy, sys; runpy.run_path({worker.__file__!r}); print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "json" in modules
    assert "thresher" not in modules


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("de", ("German", {})),
        ("th", (None, {"stopwords_low": 0, "stopwords_high": 0})),
        (
            "zh",
            (
                None,
                {"stopwords_low": 0, "stopwords_high": 0, "length_low": 23, "length_high": 66},
            ),
        ),
    ],
)
def test_justext_without_a_stoplist(
    lang: str, expected: tuple[str | None, dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A language without a stoplist uses the mode without one, with lower limits if it is dense."""

    class Paragraph:
        def __init__(self, text: str, *, is_boilerplate: bool) -> None:
            self.text = text
            self.is_boilerplate = is_boilerplate

    class Module:
        called: tuple[Any, dict[str, int]]

        def get_stoplist(self, name: str) -> str:
            return name

        def justext(self, html: str, stoplist: Any, **settings: int) -> list[Paragraph]:
            self.called = (stoplist or None, settings)
            return [Paragraph("rye", is_boilerplate=False), Paragraph("ad", is_boilerplate=True)]

    module = Module()
    monkeypatch.setattr(worker, "import_module", lambda name: module)
    assert "rye" == worker.LOADERS["jusText"]()("<p>", None, lang)
    assert expected == module.called
