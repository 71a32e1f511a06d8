"""Fake peers and small cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from thresher.evaluation.fidelity.cases import Case, as_page
from thresher.evaluation.fidelity.measure import MARKDOWN_PEERS
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs, PeerAnswer, Process
from thresher.evaluation.leaderboard.peers import Environment

RYE = "<h2>Fields</h2><p>Rye is a grain that grows where wheat would not.</p>"


class Echo(Process):
    """A peer that returns the page, as HTML is valid Markdown; the word "raise" makes it fail."""

    def __init__(self) -> None:
        super().__init__([], deadline_s=1.0)

    def ask(self, request: Any) -> PeerAnswer:
        if "raise" in request["html"]:
            return PeerAnswer("", 0.0, "by design")
        return PeerAnswer(request["html"].replace("Rye", "Oats"), 0.0)


@pytest.fixture
def echo(tmp_path: Path) -> Entrant:
    """The echo peer as an entrant."""
    environment = Environment(Path("python"), "1.5", "3.99.0")
    return Entrant(MARKDOWN_PEERS["markitdown"], environment, tmp_path / "kept")


@pytest.fixture
def outputs(tmp_path: Path) -> Iterator[Outputs]:
    """An empty file of outputs."""
    with Outputs(tmp_path / "kept") as kept:
        yield kept


@pytest.fixture
def rye() -> Case:
    """A case with content and text."""
    html = as_page(f"<nav><a href=/>Home</a></nav><article>{RYE}</article>")
    text = "Fields Rye is a grain that grows where wheat would not."
    return Case("rye", None, html, RYE, text=text, content=as_page(RYE))
