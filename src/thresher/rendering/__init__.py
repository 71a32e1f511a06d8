"""Pages written by scripts: loaded in Chromium, and read as what a browser shows.

process      finds the browser, starts a worker for one page, and bounds its time whatever it does
worker       loads the page through Playwright until it is stable; dies with whoever started it
gate         decides on each request of the page, and fetches it as `thresher.fetching` does
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.rendering.process import check_browser, render

__all__ = ["check_browser", "render"]

_MODULES: Final = {
    "thresher.rendering.process": "check_browser render",
}
"""Module → the public names that it defines."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _MODULES)
