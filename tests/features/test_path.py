"""Features of a block's ancestors."""

from __future__ import annotations

from tests.features.pages import measure


def test_elements_around_are_counted() -> None:
    """A block's ancestors are counted by kind."""
    found = measure("<nav><ul><li>a<ul><li>b</ul></ul></nav><p>c")
    assert [1, 1, 0] == found["in_nav"].tolist()
    assert [1, 2, 0] == found["in_list"].tolist()
    assert [0, 0, 1] == found["in_paragraph"].tolist()


def test_an_h1_is_a_heading_too() -> None:
    """Headings of all levels are counted together, those of the first also alone."""
    found = measure("<h1>a</h1><h2>b</h2><p>c")
    assert [1, 1, 0] == found["in_heading"].tolist()
    assert [1, 0, 0] == found["in_h1"].tolist()


def test_more_than_four_are_four() -> None:
    """Counts of nested elements are capped at four."""
    found = measure("<table><td>" * 6 + "x")
    assert ([4], [4]) == (found["in_table"].tolist(), found["in_cell"].tolist())


def test_an_element_that_ends_before_a_block_is_not_around_it() -> None:
    """Neither are those that begin behind its first leaf."""
    found = measure("<p>a <q>b</q></p><q><p>c</p></q>")
    assert [0, 1] == found["in_quote"].tolist()


def test_reasons_to_be_hidden() -> None:
    """Each reason why a block is hidden is a feature."""
    found = measure("<p>a<p hidden>b<div aria-hidden=true><p style='display:none'>c</div>")
    assert [0, 1, 0] == found["hidden_attribute"].tolist()
    assert [0, 0, 1] == found["hidden_aria"].tolist() == found["hidden_style"].tolist()
