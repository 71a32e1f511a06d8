"""A peer on Node.js is installed by npm, and is called like the others."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import pytest

from thresher.errors import ThresherError
from thresher.evaluation.fidelity.peers import MARKDOWN_PEERS, prepare_node, run_node
from thresher.evaluation.leaderboard.peers import Environment

DEFUDDLE = MARKDOWN_PEERS["defuddle"]


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
    with run_node(environment, deadline_s=10.0) as process:
        found = process.ask({"html": "rye ", "url": "u", "lang": None})
        assert ("rye u", None) == (found.found, found.error)
        failed = process.ask({"html": "raise", "url": None, "lang": None})
        assert "Error: by design" == failed.error


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_worker_without_its_package_cannot_be_started(tmp_path: Path) -> None:
    """A missing installation is reported before the first page."""
    environment = Environment(tmp_path / "package.json", "1.5", "Node.js 20")
    with (
        run_node(environment, deadline_s=10.0) as process,
        pytest.raises(ThresherError, match="cannot be started"),
    ):
        process.ask({"html": "", "url": None, "lang": None})
