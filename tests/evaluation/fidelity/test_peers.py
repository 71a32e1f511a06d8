"""Peers are prepared, started and asked for Markdown according to their runtime."""

from __future__ import annotations

import json
import shutil
import stat
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from thresher.errors import ThresherError
from thresher.evaluation.fidelity import loaders
from thresher.evaluation.fidelity.measure import (
    MARKDOWN_PEERS,
    prepare_any,
    prepare_node,
    start,
)
from thresher.evaluation.leaderboard.peer_runs import Entrant
from thresher.evaluation.leaderboard.peers import Environment

DEFUDDLE = MARKDOWN_PEERS["defuddle"]


@pytest.mark.parametrize("name", MARKDOWN_PEERS)
def test_a_missing_peer_is_reported(name: str, tmp_path: Path) -> None:
    """A missing peer is reported and not installed, unless that is allowed."""
    peer = MARKDOWN_PEERS[name]
    with pytest.raises(ThresherError, match="not installed"):
        prepare_any(peer, tmp_path, python=sys.executable, install=False)


@pytest.mark.parametrize("name", MARKDOWN_PEERS)
def test_a_peer_whose_packages_are_missing_does_not_start(name: str, tmp_path: Path) -> None:
    """The worker, in either language, reports the missing package before the first page."""
    if find_spec(name.replace("-", "_")):
        pytest.skip(f"{name} is installed")
    python = Path(sys.executable)
    place = tmp_path / "package.json" if name == "defuddle" else python
    entrant = Entrant(MARKDOWN_PEERS[name], Environment(place, "1.5", "3.99.0"), tmp_path / "kept")
    with (
        start(entrant, deadline_s=1.0) as process,
        pytest.raises(ThresherError, match="cannot be started"),
    ):
        process.ask({"html": "", "url": None, "lang": None})


def put_program(folder: Path, name: str, script: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for node and npm; npm creates the second last package that it should install."""
    folder = tmp_path / "bin"
    folder.mkdir()
    put_program(folder, "node", "echo v20.1.0")
    put_program(
        folder,
        "npm",
        'mkdir -p "$5/node_modules/defuddle"; '
        'echo "{\\"version\\": \\"1.5\\"}" > "$5/node_modules/defuddle/package.json"',
    )
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def test_a_peer_is_installed_once(programs: Path, tmp_path: Path) -> None:
    """The first call installs, the second finds the installation."""
    with pytest.raises(ThresherError, match="not installed"):
        prepare_node(DEFUDDLE, tmp_path, install=False)
    found = prepare_node(DEFUDDLE, tmp_path)
    place = tmp_path / "defuddle" / "package.json"
    assert Environment(place, "1.5", "Node.js 20.1.0") == found
    (programs / "npm").unlink()
    assert found == prepare_node(DEFUDDLE, tmp_path, install=False)


def test_a_failure_of_npm_is_reported(programs: Path, tmp_path: Path) -> None:
    """A failed installation is an error that names the step."""
    put_program(programs, "npm", "exit 1")
    with pytest.raises(ThresherError, match="cannot be installed"):
        prepare_node(DEFUDDLE, tmp_path)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_worker_answers_page_by_page(tmp_path: Path) -> None:
    """The program returns the package's output, and exceptions as errors."""
    modules = tmp_path / "node_modules"
    (modules / "defuddle" / "dist").mkdir(parents=True)
    (modules / "linkedom").mkdir()
    (modules / "defuddle" / "package.json").write_text(json.dumps({"type": "module"}))
    (modules / "defuddle" / "dist" / "node.js").write_text(
        "export const Defuddle = async (document, url, options) => {\n"
        "  if (!options.markdown) throw new Error('no Markdown');\n"
        "  if (document.includes('raise')) throw new Error('by design');\n"
        "  console.log('noise');\n"
        "  return { content: document + url };\n"
        "};\n"
    )
    (modules / "linkedom" / "index.js").write_text(
        "exports.parseHTML = (html) => ({ document: html });\n"
    )
    environment = Environment(tmp_path / "package.json", "1.5", "Node.js 20")
    with start(Entrant(DEFUDDLE, environment, tmp_path / "kept"), deadline_s=10.0) as process:
        found = process.ask({"html": "rye ", "url": "u", "lang": None})
        assert ("rye u", None) == (found.found, found.error)
        failed = process.ask({"html": "raise", "url": None, "lang": None})
        assert "Error: by design" == failed.error


@pytest.mark.parametrize("peer", loaders.LOADERS)
def test_peers_are_asked_for_markdown(peer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each returns its peer's output for the page."""

    class Converter:
        def __init__(self, **settings: bool) -> None:
            assert not any(settings.values())

        def convert_stream(self, stream: Any, stream_info: Any) -> Any:
            assert "u" == stream_info["url"]
            return SimpleNamespace(markdown=stream.read().decode())

    def extract(html: str, **settings: Any) -> str:
        assert "markdown" == settings["output_format"]
        return html

    module = SimpleNamespace(
        extract=extract,
        MarkItDown=Converter,
        StreamInfo=dict,
        convert=lambda html: SimpleNamespace(content=html),
    )
    monkeypatch.setattr(loaders, "import_module", lambda name: module)
    assert "<p>rye" == loaders.LOADERS[peer]()("<p>rye", "u", None)
