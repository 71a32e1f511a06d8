"""Whatever a document is asked for, it answers; only input that is not HTML is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.document_calls import CALLS
from tests.helpers.hostile import SHAPES
from tests.helpers.token_soup import RAW, page_of
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.algorithms import MethodName

SMALL = 20
URL = "https://site.example/2024/05/06/a?page=2"
PAGES = {
    **{f"hostile: {name}": shape.build(SMALL) for name, shape in SHAPES.items()},
    **{f"nasty: {name}": html for name, html in NASTY_PAGES.items()},
}
METHODS = (thresher.DEFAULT_METHOD, "keep_all")


def ask_for_all(html: str | bytes, method: MethodName = "keep_all") -> None:
    """Call everything; none may raise, and what is written is the same afterwards."""
    try:
        document = thresher.extract(html, url=URL, method=method)
    except thresher.InputError:
        return
    before = document.text
    for call in CALLS.values():
        call(document)
    assert before == document.text


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.slow
@given(st.binary(min_size=2, max_size=40))
def test_page_of_words_answers_all_calls(method: MethodName, data: bytes) -> None:
    """Tags with the names and attributes that some part of the code reads, in any order."""
    ask_for_all(page_of(bytes([RAW]) + data), method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.slow
@given(soups())
def test_tag_soup_answers_all_calls(method: MethodName, html: str) -> None:
    """Tags, attributes, texts and comments in any order."""
    ask_for_all(html, method)


@pytest.mark.parametrize("name", PAGES)
def test_page_made_to_hurt_answers_all_calls(name: str) -> None:
    """The hostile pages, in small, and those written to trip a parser."""
    ask_for_all(PAGES[name])


@pytest.mark.slow
def test_every_page_answers_all_calls_under_the_default_method() -> None:
    """The same pages, with what the default method selects of them."""
    for html in PAGES.values():
        ask_for_all(html, thresher.DEFAULT_METHOD)


def test_calls_have_every_format_and_view() -> None:
    """A new format, or a new view of a document, is asked for too."""
    asked = " ".join(CALLS)
    for format in thresher.FORMATS:
        assert format in asked
    assert {"metadata", "blocks", "threads", "outline", "removed links", "next page"} <= set(CALLS)
