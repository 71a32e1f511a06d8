"""Python peers are asked for Markdown in their own environment."""

from __future__ import annotations

import runpy
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from thresher.evaluation.fidelity import loaders
from thresher.evaluation.fidelity.peers import LOADERS, MARKDOWN_PEERS, PACKAGES


def test_every_peer_of_python_can_be_called() -> None:
    """The worker's file has a loader for every peer that does not run on Node.js."""
    assert MARKDOWN_PEERS.keys() - PACKAGES.keys() == runpy.run_path(str(LOADERS))["LOADERS"].keys()


def test_the_file_imports_nothing_of_ours() -> None:
    """The worker's file runs with only the standard library."""
    code = f"import runpy, sys; runpy.run_path({str(LOADERS)!r}); print(*sys.modules)"
    command = [sys.executable, "-I", "-S", "-c", code]
    modules = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "thresher" not in modules


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
