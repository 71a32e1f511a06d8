"""The command, with an environment of a fake peer."""

from __future__ import annotations

import json
import lzma
import stat
import sys
from pathlib import Path
from typing import Final

import pytest

from thresher.evaluation.metadata_scores.__main__ import main

FAKE_PYTHON: Final = f"""\
#!{sys.executable}
import runpy, sys, types

if "-c" in sys.argv:  # asked for versions
    print("1.5 3.99.0")
    sys.exit()


def extract_metadata(html, default_url=None):
    return types.SimpleNamespace(title="Rye is back | The Sheaf", author="Ada Roth", date=None)


sys.modules["trafilatura"] = types.SimpleNamespace(extract_metadata=extract_metadata)
sys.argv = sys.argv[sys.argv.index("-I") + 1 :] if "-I" in sys.argv else sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
PAGES: Final = (
    {
        "id": "rye",
        "url": "https://example.org/rye",
        "html": "<title>Rye is back</title><h1>Rye is back</h1><p>By Ada Roth<p>3 May 2024",
        "title": "Rye is back",
        "author": "Ada Roth; Tom Beck",
        "date": "2024-05-03",
    },
    {"id": "bare", "html": "<p>x"},
)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of a page with labels and a page without."""
    path = tmp_path / "grain.jsonl.xz"
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, PAGES)).encode()))
    return path


@pytest.fixture
def environments(tmp_path: Path) -> Path:
    """A folder with an environment of trafilatura."""
    python = tmp_path / "environments" / "trafilatura" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(FAKE_PYTHON)
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return tmp_path / "environments"


@pytest.mark.skipif(sys.platform == "win32", reason="the made-up interpreter is a script")
def test_page_and_data_are_written(
    corpus: Path, environments: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Our values and the peer's are side by side; missing peers are reported."""
    page, data = tmp_path / "new" / "scores.md", tmp_path / "new" / "scores.json"
    options = ["--environment", str(environments), "--no-install", "--peers", "trafilatura,goose3"]
    assert 0 == main([str(corpus), *options, "-o", str(page), "--json", str(data)])
    text = page.read_text(encoding="utf-8")
    assert "| *thresher* | 100.0 | 100.0 | **100.0** | 0 | 0 | 0 |" in text
    assert "| trafilatura | 0.0 | 0.0 | 0.0 | 1 | 0 | 0 |" in text
    assert "Not here:" in text
    assert "goose3: not installed" in capsys.readouterr().err
    outcomes = json.loads(data.read_text(encoding="utf-8"))["outcomes"]
    credits = {(o["extractor"], o["field"]): o["credit"] for o in outcomes}
    assert {"rye"} == {outcome["page"] for outcome in outcomes}
    assert pytest.approx(2 / 3) == credits["trafilatura", "authors"]
    assert 1.0 == credits["thresher", "date"]


def test_incorrect_usage_is_reported(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown peer, option or corpus is incorrect usage."""
    assert 2 == main([str(corpus), "--peers", "nobody"])
    assert "nobody" in capsys.readouterr().err
    assert 2 == main([str(corpus), "--no-such-option"])
    assert 2 == main([str(corpus.with_name("none"))])


def test_output_without_peers_goes_to_standard_output(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without peers only ours is scored, nothing is installed, and the page is printed."""
    assert 0 == main([str(corpus), "--peers", "none"])
    assert "## Title: grain" in capsys.readouterr().out
