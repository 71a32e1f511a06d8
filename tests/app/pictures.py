"""Pictures of the app for the docs, of pages of our own in Chromium.

    python -m tests.app.pictures docs/images/app

Writes each of `PICTURES` as a WebP file.
"""

from __future__ import annotations

import sys
import tempfile
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.app.every_page import serving_every_page
from tests.helpers.browser import browsing
from tests.sites.pages import story
from thresher import extract
from thresher.app.engine import PageSource
from thresher.app.saved import SAVED_FILE, SavedList
from thresher.app.saved_changes import change_pages, set_tags

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["PICTURES", "Picture", "main"]

_QUALITY: Final = 85
"""Of WebP, in percent."""
_HEIGHTS_PX: Final = {1280: 900, 390: 844}
"""Width of the window → its height."""


class Picture(NamedTuple):
    """A picture of a page."""

    name: str
    page: str
    """Path, or the name of a page of `serving_every_page`."""
    width_px: int
    wait_for: str
    """Selector of what must be there."""
    click: str = ""
    """Selector of what is clicked first, if anything."""
    is_dark: bool = False
    keys: str = ""
    """Keys that are pressed then, if any."""

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return f"{self.name}-{self.width_px}-{'dark' if self.is_dark else 'light'}.webp"


PICTURES: Final = (
    Picture("read", "/sample/read", 1280, "#title"),
    Picture("thread", "thread", 390, "#title"),
    Picture("saved", "/saved", 1280, "ol.saved"),
    Picture("inspect", "/sample/inspect", 1280, "#block h2", click=".annotated .b >> nth=-4"),
    Picture("compare", "/sample/compare", 1280, ".versus", is_dark=True),
    Picture("rule", "inspect", 390, ".changes", click="text=Preview"),
    Picture("label", "label", 1280, ".sheet"),
    Picture(
        "label-roles",
        "label",
        1280,
        '.with-roles .annotated .b[data-role="byline"]',
        click='[data-do="drawn"]',
        keys="ArrowDown ArrowDown ArrowDown 1 2 4",
    ),
    Picture("label-drawn", "label", 1280, ".annotated .b", click='[data-do="drawn"]'),
)
"""The pictures of docs/app.md and docs/labelling.md."""
_TAGS: Final = (("farming", "history"), ("to cite",), ("baking",))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    (target,) = sys.argv[1:] if arguments is None else arguments
    folder = Path(target)
    with (
        tempfile.TemporaryDirectory() as data,
        serving_every_page(Path(data)) as app,
        browsing() as browser,
    ):
        _save_pages(SavedList(Path(data) / SAVED_FILE))
        for picture in PICTURES:
            path = app.paths.get(picture.page, picture.page)
            image = _take(browser, app.address + path, picture)
            (folder / picture.file_name).write_bytes(image)
    return 0


def _save_pages(saved: SavedList) -> None:
    """Put pages in the list in place of those that are made to be hard to show."""
    change_pages(saved, [page.id for page in saved.search()[1]], "delete")
    for number, tags in enumerate(_TAGS, start=9):
        source = PageSource(story(number), f"https://mill.example/{number}")
        document = extract(source.body)
        title = document.metadata.title
        assert title
        set_tags(saved, saved.save(source, title.value, document.text), tags, was=())


def _take(browser: Browser, url: str, picture: Picture) -> bytes:
    context = browser.new_context(
        viewport={"width": picture.width_px, "height": _HEIGHTS_PX[picture.width_px]},
        color_scheme="dark" if picture.is_dark else "light",
    )
    page = context.new_page()
    page.goto(url)
    if picture.click:
        page.click(picture.click)
    for key in picture.keys.split():
        page.keyboard.press(key)
    page.wait_for_selector(picture.wait_for)
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")
    session = context.new_cdp_session(page)
    settings = {"format": "webp", "quality": _QUALITY}
    data = session.send("Page.captureScreenshot", settings)["data"]
    context.close()
    return b64decode(data)


if __name__ == "__main__":
    sys.exit(main())
