"""Pictures that are content: those of a text, and the one that a page without a text is about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.analysis.pictures import find_lone_picture
from thresher.page.parse import parse
from thresher.roles import ROLES
from thresher.selection import KnownRoles

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


def write(html: str, role: str) -> str:
    """Write the paragraphs of a page, on which every block has a role, as Markdown."""
    document = document_keeping(html, ["p.k"])
    codes = np.full(len(document.page.blocks), ROLES.index(role), np.int8)
    return replace(
        document, selection=replace(document.selection, predict_roles=KnownRoles(codes))
    ).markdown


LONG = f"<p class=k>{'It ebbs. ' * 40}"


@pytest.mark.parametrize(
    ("picture", "is_shown"),
    [
        ("<div><img src=/dial.jpg></div>", True),
        ("<div><a href=/large.png><img src=/dial.jpg></a></div>", True),
        (f"<div><img src=/dial.jpg></div><div>{'Low. ' * 40}</div>", True),
        ("<div><a href=/next><img src=/dial.jpg></a></div>", False),
        ("<div><img src=/dial.jpg width=64 height=64></div>", False),
        ("<div><img class=user-avatar src=/dial.jpg></div>", False),
        ("<div>A dial <img src=/dial.jpg></div>", True),
        ("<div><a href=/b>A dial</a> <img src=/dial.jpg></div>", False),
        (f"<div>{'Low. ' * 120} <img src=/dial.jpg></div>", False),
        ("<div>A dial <img src=/dial.jpg> <img src=/logo.png></div>", False),
        ("<nav><img src=/dial.jpg></nav>", False),
        (f"<div><img src=/dial.jpg></div><div>{'Low. ' * 90}</div>", False),
    ],
)
def test_picture_within_the_text_is_shown(picture: str, is_shown: bool) -> None:
    """One with the role of captions is, near kept words; small ones and other links are not."""
    html = f"<h1>Tides</h1>{LONG}{picture}{LONG}"
    written = write(html, "caption")
    assert is_shown == ("/dial.jpg)" in written)
    assert (is_shown and "A dial" in picture) == ("A dial" in written)
    assert "/dial.jpg)" not in write(html, "navigation")


@pytest.mark.parametrize(
    ("body", "is_shown"),
    [
        (f"<div><img src=/a/millwheel-300x200.webp></div><h1>Tides</h1>{LONG}", True),
        (f"<main><header><img src=/a/millwheel.jpg></header><h1>Tides</h1>{LONG}</main>", True),
        (f"{LONG}<picture><source srcset=/millwheel.jpg><img></picture>{LONG}", True),
        (f"<header><img src=/a/millwheel.jpg></header><h1>Tides</h1>{LONG}", False),
        (f"<div><img src=/a/millwheel.jpg></div><div>{'Low. ' * 90}</div>{LONG}", True),
        (f"<div><img src=/a/millwheel.jpg></div><div>{'Low. ' * 150}</div>{LONG}", False),
        (f"<h1>Tides <img src=/a/millwheel.jpg></h1>{LONG}", False),
        (f"<h1>Tides</h1><img src=/a/millwheel.jpg alt='Mill logo'>{LONG}", False),
        (f"<h1>Tides</h1><img src=/a/millwheel.jpg width=0 height=900 class=icon>{LONG}", True),
        (f"<h1>Tides</h1><img src=/a/millwheel.jpg width=64 height=64>{LONG}", False),
        (f"<h1>Tides</h1>{LONG}<div><img src=/a/millwheel.jpg></div>", False),
        (f"<div><img src=/a/millwheel2.jpg></div><h1>Tides</h1>{LONG}", False),
        (f"<img src=/a/millwheel.jpg><p class=k><img src=/millwheel.jpg> Low.{LONG}", False),
    ],
)
def test_picture_that_the_page_names_is_shown(body: str, is_shown: bool) -> None:
    """It is, once, in or shortly before the text, in any size, and is not the logo of the site."""
    head = '<meta property="og:image" content="https://cdn.example/millwheel.jpg?w=1200">'
    lines = write(f"{head}{body}", "navigation").split("\n\n")
    assert is_shown == any(line.endswith((".jpg)", ".webp)")) for line in lines)


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Tides</h1><img src=/mill.jpg width={'9' * 5000} height=1>{LONG}",
        f"<meta property=og:image content='http://[mill.jpg'><img src=/mill.jpg>{LONG}",
        f"<meta property=og:image content='/mill\ud800wheel.jpg'><img src=/mill.jpg>{LONG}",
        "<meta property=og:image content=/millwheel.jpg>" * 2000 + f"<img src=/mill.jpg>{LONG}",
    ],
)
def test_no_page_stops_the_search(html: str) -> None:
    """Sides and addresses that are none must not raise."""
    for role in ("caption", "navigation"):
        assert "It ebbs." in write(html, role)
