"""Removal of elements by cutting, hiding or collapsing, as scripts and styles need it."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
import pytest

from tests.filters.filtering import ADS, URL, keep_a, only, strip_body
from tests.helpers.data import cases
from thresher.filters import filter_page
from thresher.filters.disposal import HIDING_STYLE, find_named, is_hydrated
from thresher.filters.filter_context import FilterContext
from thresher.page.parse import parse
from thresher.writers.shared.forms import find_forms

LOADED: Final = "<script src=/app.js></script>"
HIDDEN: Final = 'data-thresher="hidden" hidden="" style="display: none !important"'
STYLES: Final = HIDING_STYLE.partition("[data-thresher=collapsed]{")[2].partition("}")[0]
COLLAPSED: Final = f'data-thresher="collapsed" style="{STYLES}"'


@cases(__file__)
def test_what_was_not_chosen(html: str, expected: str) -> None:
    """It is cut out, hidden or collapsed, as scripts and styles need it."""
    page = parse(f"<body>{html}", url=URL)
    filtered = filter_page(page, only(ads=True), ADS, keep=keep_a(page))
    body = strip_body(filtered.html).removeprefix('<link rel="stylesheet" href="x">')
    named = {"{hidden}": HIDDEN, "{collapsed}": COLLAPSED, "{styles}": STYLES}
    assert re.sub("{[a-z]+}", lambda name: named.get(name[0], name[0]), expected) == body


def test_what_the_user_does_not_want_is_always_cut_out() -> None:
    """Filters of tags save what would be loaded; filtering again keeps what is hidden as it is."""
    page = parse(f"<body><p>a</p><nav>b<img src=/1></nav><img src=/2>{LOADED}", url=URL)
    once = filter_page(page, only(images=True), ADS, keep=keep_a(page)).html
    assert "<img" not in once
    again = filter_page(parse(once, url=URL), only(ads=True), ADS).html
    assert (once, 1) == (again, again.count("<style"))


@pytest.mark.parametrize(
    ("style", "stays"),
    [
        ("<style>.top{position:fixed;top:0}</style>", True),
        ("<style>header.top, p { top: 0; position: fixed }</style>", True),
        ("<style>#bar{position:fixed;inset:0 0 auto}</style>", True),
        ("<style>.top{position:fixed;bottom:0}</style>", False),
        ("<style>.top{position:sticky;top:0}</style>", False),
        ("<style>.other{position:fixed;top:0}</style>", False),
    ],
)
def test_a_fixed_header_stays(style: str, stays: bool) -> None:
    """The page leaves room for it; below the first line of the content there is none."""
    html = f"{style}<body><div><header class=top id=bar>b</header></div><main><p>a</p></main>"
    page = parse(f"{html}<nav class=top>c</nav>", url=URL)
    written = filter_page(page, only(), ADS, keep=keep_a(page)).html
    assert stays == ("<header class=top id=bar>b</header>" in written)
    assert "<nav" not in written


BODY = "<nav id=menu class='a b'>x</nav><div name=c>y</div><p>z</p>"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", set()),
        ("<script>f(1)</script>", set()),
        ("<script>document.getElementById('menu')</script>", {"nav"}),
        ("<script type=module>$('.b')</script>", {"nav"}),
        ("<script>var x = 'c'</script>", {"div"}),
        ("<script>$('div > p:first-child')</script>", {"div", "p"}),
        ("<script>document.querySelectorAll(`p, nav`)</script>", {"nav", "p"}),
        ("<script>p = 1</script>", set()),
        ("<script type=application/json>{'menu': 1}</script>", set()),
        ("<template><script>menu()</script></template>", set()),
        ("<script src=app.js></script>", {"nav", "div", "p"}),
        ("<script src=app.js type=text/template></script>", set()),
        ("<script src=//ads.example/x.js></script>", set()),
        ("<script>menu", set()),
        pytest.param(f"<script>{'x;' * 100_001}</script>", {"nav", "div", "p"}, id="a program"),
    ],
)
def test_names_in_scripts(script: str, expected: set[str]) -> None:
    """Ids, classes, names and elements count; a script that is loaded may name anything."""
    page = parse(f"<body>{BODY}{script}", url="https://site.example/")
    context = FilterContext(page, only(), ADS, None, find_forms(page, None))
    deleted = np.array(
        ["ads.example" in page.attrs(row).get("src", "") for row in range(len(page))]
    )
    named = find_named(context, deleted)
    shown = {"nav", "div", "p"}
    assert expected == {page.name(row) for row in np.flatnonzero(named).tolist()} & shown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div id=__next>", True),
        ("<div data-reactroot>", True),
        ("<div data-server-rendered=true>", True),
        ("<astro-island uid=1>", True),
        ("<script>self.__next_f.push([])</script>", True),
        ("<div id=next>", False),
    ],
)
def test_hydration(html: str, expected: bool) -> None:
    """Frameworks are known by what they leave in the markup."""
    page = parse(html)
    context = FilterContext(page, only(), ADS, None, find_forms(page, None))
    assert expected == is_hydrated(context)
