"""The built documentation site: ``THRESHER_SITE=site pytest tests/docs``, as `.ci/docs` does."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers.browser import IMPACTS, browsing, check_accessibility, wait_for_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SITE = Path(os.environ.get("THRESHER_SITE", "/nonexistent"))
PAGES = sorted(str(page.parent.relative_to(SITE)) for page in SITE.rglob("index.html"))
PHONE_PX = 390

pytestmark = pytest.mark.skipif(not PAGES, reason="THRESHER_SITE names no built site")


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the site, since browsers search no site in files."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=SITE)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="module", params=[("light", 1280), ("dark", PHONE_PX)], ids=str)
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page of a desktop in the light scheme, and of a phone in the dark one."""
    scheme, width = request.param
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    yield page
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_and_fits(page: Page, address: str, name: str) -> None:
    """Axe finds nothing on any page, and no page is wider than the screen."""
    page.goto(f"{address}/{name}/")
    wait_for_page(page, "article .headerlink")
    check_accessibility(page, IMPACTS)
    size = page.viewport_size
    assert size is not None
    assert size["width"] >= page.evaluate("document.documentElement.scrollWidth")


def test_search_finds_a_page(page: Page, address: str) -> None:
    """The search of the site finds a page by a word of its text."""
    page.goto(f"{address}/")
    wait_for_page(page, "article")
    page.keyboard.press("/")
    page.keyboard.type("bookmarklet")
    page.wait_for_selector(".md-search-result__link[href*='app/']")
