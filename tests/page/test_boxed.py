"""thresher.page.boxed: spaces around inline elements that their own style sets apart."""

from __future__ import annotations

import pytest

from thresher.page.parse import parse

_CASES = {
    "<p>Salt 5g<span style='float:right'>8%</span>": "Salt 5g 8%",
    "<p>Salt<span style='Display: BLOCK'>of the sea</span>and": "Salt of the sea and",
    "<p>Salt<i style='position:absolute;right:0'>8%</i>": "Salt 8%",
    "<p>Salt<a href=/ style='color:red; float : left'>edit</a>and": "Salt edit and",
    "<p><span style='float:left'>S</span>alt of the sea": "Salt of the sea",
    "<p>Salt<span style='float:right'>8%</span>, too": "Salt 8%, too",
    "<p>Sal<span style='display:inline-block'>ted</span>": "Salted",
    "<p>Sal<span style='position:absolute;left:4em'>ted</span>": "Salted",
    "<p>Sal<span style='--float:right;margin-right:0'>ted</span>": "Salted",
    "<p>Sal<span style='float:right'></span>ted": "Salted",
    "<pre>a<span style='display:block'>bcd</span></pre>": "abcd",
}


@pytest.mark.parametrize(("markup", "expected"), _CASES.items(), ids=_CASES)
def test_space_is_where_a_style_sets_words_apart(markup: str, expected: str) -> None:
    """A box has a space on either side; an initial, and what only moves a little, has none."""
    (text,) = parse(markup).block_texts()
    assert expected == text
