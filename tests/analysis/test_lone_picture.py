"""The picture that a page without a text is about."""

from __future__ import annotations

import pytest

from thresher.analysis.lone_picture import find_lone_picture
from thresher.page.parse import parse

HEAD = "<title>Sheaf: Low tide</title>"
SHARED = f"{HEAD}<meta property=og:image content='https://cdn.example/1200/low_tide.png?x'>"
PICTURE = "<img src='/300/low_tide.png' alt=''>"


def read(html: str) -> str | None:
    """Return the source of the picture of a page; None if it has none."""
    page = parse(html, url="https://sheaf.example/13")
    block = find_lone_picture(page)
    if block < 0:
        return None
    return page.attr(int(page.block_leaf[block]), "src")


@pytest.mark.parametrize(
    "html",
    [
        f"{SHARED}<p>Menu</p><div>{PICTURE}</div>",
        f"{SHARED}<img src=/logo.png><a href=/13/large>{PICTURE}</a>",
        f"{SHARED}<img src='data:image/png;base64,' data-src='/300/low_tide.png'>",
        f"{HEAD}<div><img src=/300/low_tide.png alt='Low Tide'></div>",
        f"{HEAD}<a href=/><img src=/tide.png alt=Tide></a><img src=/1.png alt='low tide'>",
    ],
)
def test_picture_is_found_when_the_page_names_it(html: str) -> None:
    """It must be the one that is shared, or whose name the title has, whatever else is there."""
    assert read(html) is not None


@pytest.mark.parametrize(
    "html",
    [
        "<p>Menu",
        PICTURE,
        f"{HEAD}{PICTURE}",
        f"{SHARED}<header>{PICTURE}</header>",
        f"{SHARED}<div hidden>{PICTURE}</div>",
        f"{SHARED}<p>The tide {PICTURE} is low.",
        f"{SHARED}{PICTURE}<form><input type=password></form>",
        f"{HEAD}<a href=/><img src=/1.png alt='Low tide'></a>",
        f"{HEAD}<img src=/1.png alt=Sheaf>",
        f"{SHARED}<img src=/300/low_tide.png alt=Sheaf>",
        "<title>Low tide</title><img src=/1.png alt='Low tide'>",
    ],
)
def test_other_pictures_are_not_what_a_page_is_about(html: str) -> None:
    """Neither logos and pictures beside the content, nor those of a text or of a login."""
    assert read(html) is None
