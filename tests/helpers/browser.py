"""A browser for tests: Chromium through Playwright, and axe, which looks at a page in it.

Who has neither Playwright nor Chromium skips these tests. ``THRESHER_CHROMIUM`` names the browser
where it is not found.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Dialog, Page, ProxySettings, expect
else:

    def expect(*args: Any) -> Any:
        """Return Playwright's assertions of something, which wait until they hold."""
        from playwright.sync_api import expect as of

        return of(*args)


__all__ = [
    "IMPACTS",
    "browsing",
    "browsing_with",
    "check_accessibility",
    "dismiss_dialogs",
    "expect",
    "find_browser",
    "wait_for_frame",
    "wait_for_page",
]

WAIT_MS = 30_000
"""How long something that must come may take, however busy the machine is."""

IMPACTS = ("minor", "moderate", "serious", "critical")
"""Impacts of what axe finds."""
SEVERE = IMPACTS[2:]
"""Those that are let through nowhere."""


@contextmanager
def browsing(proxy: str | None = None, args: Sequence[str] = ()) -> Iterator[Browser]:
    """Start the browser, every request of which goes through a proxy; skips where there is none.

    ``args`` are further options of the browser's own command line.
    """
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    # Chromium asks no proxy for this machine, unless it is told to.
    through: ProxySettings | None = {"server": proxy, "bypass": "<-loopback>"} if proxy else None
    api.expect.set_options(timeout=WAIT_MS)
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", *args], proxy=through
        )
        yield browser
        browser.close()


@contextmanager
def browsing_with(extension: str, profile: Path, **options: Any) -> Iterator[BrowserContext]:
    """Start the browser with an extension, and with further options of a context."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=find_browser(),
            headless=False,
            args=[
                "--headless=new",
                "--no-sandbox",
                "--hide-scrollbars",
                f"--disable-extensions-except={extension}",
                f"--load-extension={extension}",
            ],
            ignore_default_args=["--disable-extensions"],
            **options,
        )
        yield context
        context.close()


def find_browser() -> str:
    """Return the path of the browser; skips where there is none."""
    path = os.environ.get("THRESHER_CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.skip("there is no chromium on the path, and none in THRESHER_CHROMIUM")
    return path


def wait_for_page(page: Page, selector: str) -> None:
    """Wait for the page with an element, until its style sheets are there and its scripts ran.

    The element alone can be there before the rest of its page.
    """
    page.wait_for_selector(selector)
    page.wait_for_load_state()


def wait_for_frame(page: Page) -> None:
    """Wait for a page with scripts to be drawn: before, on a busy machine, presses are lost."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def dismiss_dialogs(page: Page) -> list[str]:
    """Dismiss all dialogs of a page; return their kinds as they come."""
    asked: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", dismiss)
    return asked


def check_accessibility(page: Page, impacts: Sequence[str] = SEVERE) -> None:
    """Fail where axe finds something of some impacts on a page; skips where there is no axe."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core")
    # The debugger runs it: the policy of the page lets no foreign script in.
    found = axe.Axe().run(page).response["violations"]
    assert [] == [
        (each["id"], [node["html"][:200] for node in each["nodes"]][:3])
        for each in found
        if each["impact"] in impacts
    ]
