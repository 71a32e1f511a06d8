"""Detection of the elements that a page's scripts may look up."""

from __future__ import annotations

import numpy as np
import pytest

from tests.filters.filtering import ADS, only
from thresher.filters.disposal import find_named, is_hydrated
from thresher.filters.filter_context import FilterContext
from thresher.page.parse import parse
from thresher.writers.shared.forms import find_forms

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
        ('<div id="__nuxt">', True),
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
