"""The labelling desk in a browser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.app.serving import serving
from thresher.labelling.model import NewPage
from thresher.labelling.store import LabelStore

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["open_desk"]


@contextmanager
def open_desk(browser: Browser, folder: Path, pages: Iterable[NewPage]) -> Iterator[Page]:
    """Yield a tab on an app with pages to label; script errors fail the test."""
    LabelStore(folder / "labels.sqlite").add(pages)
    with serving(folder) as (address, _):
        context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
        page = context.new_page()
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto("/label")
        yield page
        context.close()
    assert [] == said
