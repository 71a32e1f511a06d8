"""Finds Playwright and a Chromium."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from thresher.errors import MissingExtraError, UsageError

__all__ = ["VARIABLE", "check_browser", "find_chromium"]

VARIABLE: Final = "THRESHER_CHROMIUM"
"""Environment variable that names the browser's program."""
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Programs that are looked for, in this order."""


def check_browser() -> None:
    """Raise MissingExtraError without Playwright, UsageError where no browser is named or found.

    A browser that Playwright has installed is looked for only when it is started.
    """
    if find_spec("playwright") is None:
        raise MissingExtraError("rendering pages", "browser")
    find_chromium()


def find_chromium() -> str | None:
    """Return the path of the browser, or None if Playwright's own is to be used.

    UsageError if `VARIABLE` names a file that is not there.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise UsageError(f"{VARIABLE} names {named}, which is no file")
        return named
    return next((path for name in _NAMES if (path := shutil.which(name))), None)
