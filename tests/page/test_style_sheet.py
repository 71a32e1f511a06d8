"""thresher.page.style_sheet: what a page's own style sheets hide."""

from __future__ import annotations

import pytest

from thresher.page.style_sheet import Hiding, read_hiding

KNOWN = frozenset((".a", ".b", ".c", ".d", "#b"))


def read(css: str) -> set[str]:
    """Return the selectors that hide, as text."""
    return {
        each.tag + "".join(sorted(each.names)) for each in read_hiding([css], KNOWN.__contains__)
    }


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".a{display:none}", {".a"}),
        ("/* x{ */ .a, #b , p.c.d{ visibility: hidden }", {".a", "#b", "p.c.d"}),
        ("@import url(x); .a{display:none}", {".a"}),
        ("@media screen{.a{display:none}} .b{display:none}", {".a", ".b"}),
        ("@media print{.a{display:none} .b{display:none}} .c{display:none}", {".c"}),
        ("@media (max-width:9em){.a{display:none}}", set()),
        (".a{display:none} .js .a.open{display:block}", set()),
        (".a{display:none} @media (min-width:9em){.a{display:flex}}", set()),
        (".x .a{display:none} p{display:none} .a:hover{display:none}", set()),
        (".x{color:red; .a{display:none} } .b{display:none}", {".b"}),
        ("}}}.a{display:none", {".a"}),
        ("p.hidden .none, .a{display:none}", {".a"}),
    ],
)
def test_simple_selectors_hide_where_nothing_shows_them(css: str, expected: set[str]) -> None:
    """A class or an id is hidden on screens unless another rule shows it."""
    assert expected == read(css)


def test_names_of_a_selector() -> None:
    """A selector is an element's name, or none, and classes and ids."""
    assert {Hiding("p", frozenset({".a"}))} == read_hiding(
        ["p.a{display:none}"], KNOWN.__contains__
    )


def test_names_that_the_page_does_not_have_are_left_out() -> None:
    """A selector with a class that no element has hides nothing."""
    assert set() == read(".e{display:none} .a.e{display:none}")
