"""Pages written by scripts: loaded in Chromium, and read as what a browser shows.

process      starts a worker for one page, and bounds its time whatever the page does
worker       the process of one page, with its browser; both die with whoever started it
browsing     loads the page in Chromium through Playwright, and waits until it is stable
gate         decides on each request of the page, and fetches it as `thresher.fetching` does
chromium     finds the browser
processes    ends processes with all their children
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thresher.support.late import late_names

if TYPE_CHECKING:
    from thresher.rendering.chromium import check_browser
    from thresher.rendering.process import render

__all__ = ["check_browser", "render"]

_HOMES: Final = {
    "check_browser": "thresher.rendering.chromium",
    "render": "thresher.rendering.process",
}
"""Public name → the module that defines it."""

if not TYPE_CHECKING:
    __getattr__, __dir__ = late_names(__name__, _HOMES)
