"""Inline elements in plain text."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.writers.inline import choose_quotation_marks, format_script, write_runs
from thresher.writers.outline.outline import Outline, outline_page


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("x<sup>2<sup>2</sup></sup>", "x²²"),
        ("<b>x</b><sup><i>2</i></sup>", "x²"),
        ("<q><q>a</q> b</q>", "““a” b”"),
        ("<ruby>a<rt>b</rt>c<rt>d</rt></ruby>", "a(b)c(d)"),
        ("<img class=latex alt='a^2' src=x> b", "a^2 b"),
        ("<math><mi>x</mi></math>-fold", "x-fold"),
    ],
)
def test_inline_element_is_written_when_it_changes_the_meaning(html: str, expected: str) -> None:
    """The meaning of markup must be kept in the text where characters can express it."""
    assert expected == document_keeping(f"<p>{html}").text


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", ("“", "”")), ("„a“", ("", "")), ("", ("“", "”")), ("'a'", ("", ""))],
)
def test_marks_are_added_when_a_quotation_has_none(text: str, expected: tuple[str, str]) -> None:
    """A quotation must have marks, and have them once."""
    assert expected == choose_quotation_marks(text)


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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p> one  <b>two</b>\n three<p>four", ["one two three", "four"]),
        ("<p><br>one<br><br>two <br> three<br><p><br>", ["one", "two\nthree"]),
        ("<p>one<b>two</b><i> three</i> <u>four</u>", ["onetwo three four"]),
        ("<p>mühle <b>日本</b><p>🎉 день\xa0<p>last", ["mühle 日本", "🎉 день\xa0", "last"]),
        (
            "<p>mil\xadler \xad <b>\xad</b>\xad\xadx\xad<p>\xad\xad<p>ª\xc2\xad Â",
            ["miller x", "ª\xc2 Â"],
        ),
        ("<p>\ta\x0b\x0c b \u2003c\u2003<pre>  d\n  e </pre>", ["a b \u2003c\u2003", "d e"]),
    ],
    ids=["blocks", "breaks", "joined", "letters", "soft", "white"],
)
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
