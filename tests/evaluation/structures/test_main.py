"""The command that measures structures."""

from __future__ import annotations

import pytest

from thresher.evaluation.structures import __main__ as command
from thresher.evaluation.structures.pages import generate_pages


def test_command_writes_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command writes the shares of our own output; no peer is needed."""
    pages = [page for page in generate_pages() if page.structure.name == "two-item-list"]
    monkeypatch.setattr(command, "generate_pages", lambda: iter(pages))
    assert not command.main(["--peer", "none"])
    assert "| thresher | 100.0 | 100.0 |" in capsys.readouterr().out
