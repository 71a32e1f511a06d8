"""Inline elements in plain text."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.data import cases
from thresher import extract
from thresher.page.parse import parse
from thresher.writers.inline import choose_quotation_marks, format_script, write_runs
from thresher.writers.outline.outline import Outline, outline_page


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", ("“", "”")), ("„a“", ("", "")), ("", ("“", "”")), ("'a'", ("", ""))],
)
def test_marks_are_added_when_a_quotation_has_none(text: str, expected: tuple[str, str]) -> None:
    """A quotation must have marks, and have them once."""
    assert expected == choose_quotation_marks(text)


def test_marks_are_single_when_a_quotation_is_in_another() -> None:
    """In plain text as in Markdown."""
    html = "<p>She said <q>it is a <q>thing</q> at rest</q>, <q>at times</q>.</p>"
    document = extract(html, method="keep_all")
    expected = "She said “it is a ‘thing’ at rest”, “at times”."
    assert [expected] * 2 == [document.text.strip(), document.markdown.strip()]


def outline_of(html: str) -> Outline:
    page = parse(html)
    return outline_page(page, np.ones(page.leaves.size, np.bool_))


def test_texts_are_collapsed_and_without_soft_hyphens() -> None:
    """White space between words must be one space, and a word broken by a soft hyphen whole."""
    outline = outline_of("<p> The mil\xadler \xad <b>sold</b>\n it.<br>All of it.<p>Then <i>r</i>")
    assert ["The miller sold it.\nAll of it.", "Then r"] == write_runs(outline, {})


def test_replaced_leaves_are_written_as_they_are_replaced() -> None:
    """Only the runs with such leaves change, in which soft hyphens go too."""
    outline = outline_of("<p>one <b>two</b> three<p>four")
    assert ["one (2) three", "four"] == write_runs(outline, {1: "(2\xad)"})


@cases(__file__, "texts")
def test_texts_are_those_of_the_runs(html: str, expected: list[str]) -> None:
    """Only white space of ASCII is collapsed, and a paragraph of only soft hyphens is none."""
    assert expected == write_runs(outline_of(html), {})


@pytest.mark.parametrize(
    ("text", "raised", "before", "expected"),
    [
        ("2", True, "4", "²"),
        ("2", False, "H", "₂"),
        ("n+1", True, "x", "ⁿ⁺¹"),
        ("k+1", True, "x", "^(k+1)"),
        ("2k", True, "x", "^2k"),
        ("max", False, "v", "_max"),
        ("st", True, "1", "st"),
        ("me", True, "M", "me"),
        ("®", True, "a", "®"),
        ("[1]", True, "a", "[1]"),
        ("3", True, ".", "³"),
        ("3", True, "", "3"),
        ("see the list of all our branches", True, "a", "see the list of all our branches"),
    ],
)
def test_script_is_formatted_when_it_changes_the_meaning(
    text: str, raised: bool, before: str, expected: str
) -> None:
    """Exponents and indices must be distinct from digits, and words must stay words."""
    assert expected == format_script(text, raised=raised, before=before)
