"""`thresher extract --render` renders pages that need a browser, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Web
from thresher.cli.exits import Exit
from thresher.errors import MissingExtraError
from thresher.fetching.model import Fetched

SHELL = b"<div id=root></div><script src=/app.js></script>"
SHOWN = b"<div id=root><p>A field of rye, shown by a script.</div>"


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """Show the same page for every address, in place of a browser; what it is asked for."""
    asked: list[tuple[str, dict[str, Any]]] = []

    def render(url: str, **options: Any) -> Fetched:
        asked.append((url, options))
        return Fetched(url, SHOWN, "utf-8", "text/html", 200, False)

    monkeypatch.setattr("thresher.rendering.render", render, raising=False)
    monkeypatch.setattr("thresher.rendering.check_browser", lambda: None, raising=False)
    return asked


def test_page_that_needs_a_browser_is_rendered(
    command: Command, web: Web, rendered: list[tuple[str, dict[str, Any]]]
) -> None:
    """What the browser shows is extracted, with the limits of the command."""
    url = web.serve("/app", SHELL)
    ran = command("extract", "-m", "keep_all", "--render", "--timeout", "7", url)
    assert (Exit.OK, "A field of rye, shown by a script.\n", []) == ran
    ((asked, options),) = rendered
    assert (url, 7.0, True) == (asked, options["timeout_s"], options["allow_private"])


def test_other_pages_are_not_rendered(
    command: Command, web: Web, rendered: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    """A page with its text, a file, and a page for which nobody asked are left as they are."""
    text = web.serve("/text", b"<p>A field of oats.")
    shell = web.serve("/app", SHELL)
    file = tmp_path / "app.html"
    file.write_bytes(SHELL)
    assert Exit.OK == command("extract", "-m", "keep_all", "--render", text).status
    assert Exit.NO_CONTENT == command("extract", "--render", "--url", shell, file).status
    assert Exit.NO_CONTENT == command("extract", shell).status
    assert [] == rendered


def test_missing_extra_is_said_before_anything_is_fetched(
    command: Command, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who lacks Playwright learns what to install, even if no page would need it."""

    def check() -> None:
        raise MissingExtraError("rendering pages", "browser")

    monkeypatch.setattr("thresher.rendering.check_browser", check, raising=False)
    ran = command("extract", "--render", web.serve("/text", b"<p>A field of oats."))
    assert Exit.USAGE == ran.status
    assert "thresher[browser]" in ran.errors[-1]
    assert [] == web.requests
