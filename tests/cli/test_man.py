"""`thresher man`: manual pages of all commands."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command
from thresher.cli.arguments import COMMANDS


def test_every_command_has_a_page(command: Command, tmp_path: Path) -> None:
    """Pages name the options and exit statuses; no text is taken for a request of troff."""
    assert (0, "") == command("man", "-o", tmp_path)[:2]
    pages = {page.stem: page.read_text(encoding="utf-8") for page in tmp_path.iterdir()}
    assert {"thresher", *(f"thresher-{name}" for name in COMMANDS)} <= pages.keys()
    assert "thresher-sites-learn" in pages
    assert r"\fB\-\-max\-items N\fR" in pages["thresher-feed"]
    lines = [line for page in pages.values() for line in page.splitlines()]
    requests = {line.split()[0] for line in lines if line.startswith((".", "'"))}
    assert {".TH", ".SH", ".TP", ".PP", ".nf", ".fi"} == requests


def test_page_of_the_command_is_printed(command: Command) -> None:
    """Without a folder the page of `thresher` is written, which lists the commands."""
    ran = command("man")
    assert 0 == ran.status
    assert ran.out.startswith(".TH THRESHER 1")
    assert r"\fBextract\fR" in ran.out
