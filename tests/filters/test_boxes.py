"""Boxes that the filters left with nothing to show."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from tests.filters.filtering import ADS, body_of, only, strip_body
from thresher.filters import filter_page
from thresher.page.parse import parse

CASES: Final[dict[str, tuple[dict[str, Any], str, str]]] = {
    "boxes around go": (
        {"images": True},
        "<p>a</p><div><div><b> <img src=x> </b></div></div>",
        "<p>a</p>",
    ),
    "boxes that came empty stay": (
        {"images": True},
        "<p>a</p><div id=x></div><img src=x>",
        '<p>a</p><div id="x"></div>',
    ),
    "a box of a script stays, hidden": (
        {"images": True},
        "<p>a</p><div><div><img src=x></div><script>f()</script></div>",
        '<p>a</p><div data-thresher="hidden" hidden="" style="display: none !important">'
        "<script>f()</script></div>",
    ),
    "a row goes": (
        {"images": True},
        "<table><tbody><tr><td><img src=x></td></tr><tr><td>a</td></tr></tbody></table>",
        "<table><tbody><tr><td>a</td></tr></tbody></table>",
    ),
    "a cell stays, and shrinks": (
        {"images": True, "shrink_cells": True},
        "<table><tbody><tr><td width=90><img src=x></td><td width=80>a</td></tr></tbody></table>",
        '<table><tbody><tr><td></td><td width="80">a</td></tr></tbody></table>',
    ),
    "a cell stays as wide": (
        {"images": True},
        "<table><tbody><tr><td width=90><img src=x></td><td>a</td></tr></tbody></table>",
        '<table><tbody><tr><td width="90"></td><td>a</td></tr></tbody></table>',
    ),
    "a template is not touched": (
        {"images": True},
        "<p>a</p><template><img src=x></template>",
        '<p>a</p><template><img src="x"></template>',
    ),
    "a shadow root is": (
        {"images": True},
        "<x-a><template shadowrootmode=open><p>a</p><img src=x></template></x-a>",
        '<x-a><template shadowrootmode="open"><p>a</p></template></x-a>',
    ),
}


@pytest.mark.parametrize(("values", "html", "expected"), CASES.values(), ids=list(CASES))
def test_no_hole_is_left(values: dict[str, Any], html: str, expected: str) -> None:
    """A box left empty must be removed too, unless a script or the column layout may need it."""
    assert expected == body_of(html, **values)


CHOSEN: Final[dict[str, tuple[str, str]]] = {
    "an element goes": ("<p>a</p><nav>b</nav>", "<p>a</p>"),
    "a text goes": ("<div>x<p>a</p>y</div>", "<div><p>a</p></div>"),
    "a subscription goes with its fields": (
        "<p>a</p><form class=newsletter>b<input></form>",
        "<p>a</p>",
    ),
    "fields alone stay": ("<p>a</p><input>", "<p>a</p><input>"),
    "a video stays around a text": ("<video>b<p>a</p></video>", "<video><p>a</p></video>"),
    "a template stays": ("<p>a</p><template>b</template>", "<p>a</p><template>b</template>"),
    "scripts and styles stay": (
        "<p>a</p><div>b<style>p{}</style></div>",
        '<p>a</p><div data-thresher="hidden" hidden="" style="display: none !important">'
        "<style>p{}</style></div>",
    ),
    "what Thresher added stays": (
        "<p>a</p><p data-thresher=x>b</p>",
        '<p>a</p><p data-thresher="x">b</p>',
    ),
}


@pytest.mark.parametrize(("html", "expected"), CHOSEN.values(), ids=list(CHOSEN))
def test_only_what_was_chosen_stays(html: str, expected: str) -> None:
    """With a selection of `a` alone and no filter on, all other visible content must go."""
    page = parse(f"<body>{html}")
    keep = np.array([page.leaf_text(leaf) == "a" for leaf in range(page.leaves.size)])
    filtered = filter_page(page, only(), ADS, keep=keep)
    assert expected == strip_body(filtered.html)
