"""Playwright: the page that a browser shows, after its scripts have run.

from thresher.integrations.playwright import extract

page.goto("https://example.org/app")
print(extract(page).markdown)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import thresher

if TYPE_CHECKING:
    from playwright.async_api import Page as AsyncPage
    from playwright.sync_api import Page

__all__ = ["extract", "extract_async"]


def extract(page: Page, **options: Any) -> thresher.Document:
    """Extract what a page of Playwright shows now; ``options`` are those of `thresher.extract`."""
    return thresher.extract(page.content(), **{"url": page.url} | options)


async def extract_async(page: AsyncPage, **options: Any) -> thresher.Document:
    """Extract what a page of Playwright's asynchronous interface shows now."""
    return thresher.extract(await page.content(), **{"url": page.url} | options)
