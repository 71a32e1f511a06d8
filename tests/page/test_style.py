"""What styles hide: declarations of elements, and a page's own style sheets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.kernel_comparison import call_both
from thresher.page.style import (
    Compound,
    Hiding,
    find_telling_rules,
    hides,
    limit_sheet,
    read_hiding,
    shrinks,
)


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "VISIBILITY : Hidden",
        "text-indent: -9999px",
        "position:absolute;left:-999em",
        "clip: rect(0px, 0px, 0px, 0px)",
        "clip-path: inset(50%)",
        "width:1px;height:1px;overflow:hidden",
        "max-height:0; overflow:hidden",
        "overflow: hidden; height: 1px",
        "position:absolute; opacity:0",
    ],
)
def test_hides(style: str) -> None:
    """What is not displayed, cut away, off the page or without area is hidden."""
    assert hides(style.encode())


@pytest.mark.parametrize(
    "style",
    [
        "backface-visibility:hidden",
        "opacity:0; transition: opacity 1s",
        "opacity:0",
        "visibility:hidden; animation-name:none",
        "left:-120px",
        "height:0;overflow:hidden;padding-bottom:56%",
        "height:1px;overflow:hidden;transition:height 1s",
        "clip:rect(0, 200px, 200px, 0)",
        "width:1px",
        "font-size:0.9em",
    ],
)
def test_does_not_hide(style: str) -> None:
    """What is faded in by a script, moved or cut a little is shown."""
    assert not hides(style.encode()) and not shrinks(style.encode())


def test_shrinks() -> None:
    """A font size of nothing makes letters invisible."""
    assert shrinks(b"color:#fff; font-size:0")


KNOWN = frozenset((b".a", b".b", b".c", b".d", b"#b"))


def read(css: str) -> set[str]:
    """Return the selectors that hide, as text."""
    return {
        b"".join((each.element.tag, *sorted(each.element.names))).decode()
        for each in read_hiding([css.encode()], KNOWN.__contains__)
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
        ("@media (min-width:9em){.a{display:none}} .b{display:none}", {".a", ".b"}),
        ("@media all and (min-width: 1080px){.a{display:none}}", {".a"}),
        ("@media only  screen and (width >= 40.5rem){.a{display:none}}", {".a"}),
        ("@media print,screen and (min-width:.5em){.a{display:none}}", {".a"}),
        ("@media (min-width:1281px){.a{display:none}}", set()),
        ("@media (min-width:81em){.a{display:none}}", set()),
        ("@media (min-width:9em) and (max-width:90em){.a{display:none}}", set()),
        ("@media print and (min-width:9em){.a{display:none}}", set()),
        ("@media not all and (min-width:9em){.a{display:none}}", set()),
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


@pytest.mark.parametrize(
    ("media", "expected"),
    [
        ("", {".a"}),
        (" ", {".a"}),
        ("screen", {".a"}),
        ("all and (min-width: 1080px)", {".a"}),
        ("(max-width: 551px)", set()),
        ("print", set()),
        ("a{}", {".a"}),
    ],
)
def test_sheets_hold_in_their_media(media: str, expected: set[str]) -> None:
    """The attribute of a sheet says the same as an at-rule around its rules."""
    assert expected == read(limit_sheet(b".a{display:none}", media).decode())


def test_names_of_a_selector_inside_another() -> None:
    """Around an element may be another, of any kind; its name, or none, and classes and ids."""
    inner = Compound(b"", frozenset({b".a"}))
    sheet = b"article .a, .b .a{display:none} .a p, .a > .a, .b .a .a{display:none}"
    assert {
        Hiding(inner, Compound(b"article", frozenset())),
        Hiding(inner, Compound(b"", frozenset({b".b"}))),
    } == read_hiding([sheet], KNOWN.__contains__)


@pytest.mark.parametrize(
    "css", [".a:hover{display:block}", "@media print{.a{display:block}}", ".b:focus .a{opacity:1}"]
)
def test_what_is_shown_under_the_pointer_or_on_paper_is_hidden(css: str) -> None:
    """Text on the screen has neither tooltips nor what is only printed."""
    assert {".a"} == read(f".a{{display:none}} {css}")


def test_names_that_the_page_does_not_have_are_left_out() -> None:
    """A selector with a class that no element has hides nothing."""
    assert set() == read(".e{display:none} .a.e{display:none}")


PIECES = (
    *("{", "}", ";", ":", " ", ",", ".a", "#b", "p", "@media ", "@layer", "only ", "screen", "all"),
    *"print display none block visibility content- hidden visible opacity".split(),
    *("0", "1", ".5", "position:absolute", "TRANSITION", "\n"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join).map(str.encode))
def test_compiled_step_finds_the_same_rules(css: bytes) -> None:
    """The rules that hide or show are those of the definition, however broken the style sheet."""
    call_both(find_telling_rules, css)
