"""The browser is found, or the error says what to install."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import MissingExtraError, UsageError
from thresher.rendering import chromium


def test_missing_playwright_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lacks Playwright is told the command that installs it."""
    monkeypatch.setattr(chromium, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'thresher\[browser\]'"):
        chromium.check_browser()


def test_named_browser_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment variable wins, and a file that is not there is an error naming it."""
    program = tmp_path / "browser"
    monkeypatch.setenv(chromium.VARIABLE, str(program))
    with pytest.raises(UsageError, match=chromium.VARIABLE):
        chromium.find_chromium()
    program.touch()
    assert str(program) == chromium.find_chromium()


def test_without_a_browser_it_is_playwrights_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the path has none, Playwright looks for the one that it installs."""
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.find_chromium() is None
