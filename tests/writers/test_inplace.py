"""The page with the boilerplate removed."""

from __future__ import annotations

from typing import Final

import pytest

from tests.helpers.fixture_pages import document_keeping

CASES: Final[dict[str, tuple[str, list[str], str]]] = {
    "an element goes": ("<p>a</p><nav>b</nav>", ["p"], "<p>a</p>"),
    "an element without leaves stays": (
        "<p>a</p><div id=x></div>",
        ["p"],
        '<p>a</p><div id="x"></div>',
    ),
    "a text goes": ("<div>x<p>a</p>y</div>", ["p"], "<div><p>a</p></div>"),
    "a text cut by a comment goes": (
        "<div><p>a</p>y<!-- -->z</div>",
        ["p"],
        "<div><p>a</p><!-- --></div>",
    ),
    "a text with a twin stays": ("<p>a</p>", ["p"], "<p>a</p>"),
    "a picture goes": ("<p>a</p><img src=x>", ["p"], "<p>a</p>"),
    "a cell stays, empty": (
        "<table><tbody><tr><td>x<td id=a>a</table>",
        ["#a"],
        '<table><tbody><tr><td></td><td id="a">a</td></tr></tbody></table>',
    ),
    "scripts and styles stay": (
        "<p>a</p><script>if (a<b) c()</script><style>p{}</style>",
        ["p"],
        "<p>a</p><script>if (a<b) c()</script><style>p{}</style>",
    ),
    "a template keeps its part": (
        "<p>z</p><template>x<p>a</p></template>",
        ["template p"],
        "<template><p>a</p></template>",
    ),
    "plain text is closed": ("<plaintext>a", ["pre"], "<pre>a</pre>"),
    "all goes": ("<p>a</p>b", [], ""),
}


@pytest.mark.parametrize(("html", "keep", "expected"), CASES.values(), ids=list(CASES))
def test_body_is_as_expected_when_written(html: str, keep: list[str], expected: str) -> None:
    """Each case must be written as its table says."""
    written = document_keeping(f"<body>{html}", keep, url=None).write("inplace")
    assert f"<html><head></head><body>{expected}</body></html>" == written


@pytest.mark.parametrize(
    ("head", "url", "expected"),
    [
        (
            "<title>t</title>",
            "https://a.example/x",
            '<base href="https://a.example/x"><title>t</title>',
        ),
        (
            '<base href="/y">',
            "https://a.example/x",
            '<base href="https://a.example/y"><base href="/y">',
        ),
        (
            '<base href="//[">',
            "https://a.example/x",
            '<base href="https://a.example/x"><base href="//[">',
        ),
        (
            "<base target=_top>",
            "https://a.example/",
            '<base href="https://a.example/"><base target="_top">',
        ),
        ("", "file:///x.html", ""),
        ("", None, ""),
    ],
)
def test_base_is_set_when_the_page_has_none_that_counts(
    head: str, url: str | None, expected: str
) -> None:
    """A page without an absolute base must get one, if its URL is known and on the web."""
    written = document_keeping(f"<head>{head}</head><p>a", url=url).write("inplace")
    assert f"<html><head>{expected}</head><body><p>a</p></body></html>" == written


def test_doctype_stays_when_written() -> None:
    """The doctype decides how a browser lays the page out, so it must stay."""
    document = document_keeping("<!DOCTYPE html><p>a", url=None)
    assert document.write("inplace").startswith("<!DOCTYPE html><html>")
