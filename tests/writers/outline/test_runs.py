"""Runs of kept leaves, and the spaces between them."""

from __future__ import annotations

import pytest

import thresher
from tests.helpers.fixture_pages import document_keeping
from thresher.writers.formats import FormatName


def test_each_slide_of_a_carousel_is_a_paragraph() -> None:
    """AMP shows the pictures of a carousel one after the other, not in a line."""
    html = (
        "<script src=https://cdn.ampproject.org/v0.js></script><p>before</p><amp-carousel>"
        "<amp-img src=https://a.example/1></amp-img><a href=https://a.example/><amp-img"
        " src=https://a.example/2></amp-img> two</a></amp-carousel><p>after"
    )
    assert (
        "before\n\n![](https://a.example/1)\n\n[![](https://a.example/2) two](https://a.example/)"
        "\n\nafter"
    ) == thresher.extract(html, method="keep_all").markdown


SIGNATURE = (
    "<table class=memname><tr><td class=memname>void grind <td>( <td>int&nbsp; <td><em>rye</em>,"
    "<tr><td class=paramkey><td><td>int&nbsp;<td><em>oats</em><tr><td><td>)</table>"
)


@pytest.mark.parametrize("fmt", ["markdown", "text"])
def test_signature_is_one_line_when_it_is_laid_out_as_a_table(fmt: FormatName) -> None:
    """Doxygen's cells of a signature are joined; the table around its parts is none of data."""
    document = document_keeping(f"<p>Above it.{SIGNATURE}<p>It grinds.")
    written = document.write(fmt).replace("*", "").replace("\N{NO-BREAK SPACE}", " ")
    expected = "void grind ( int  rye, int oats )"
    assert ["Above it.", expected, "It grinds."] == written.strip().split("\n\n")


def test_other_tables_are_written_as_such_beside_signatures() -> None:
    """Only the table of the signature must lose its cells."""
    table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    assert "| a | b |" in document_keeping(f"<p>Above it.{SIGNATURE}{table}").markdown
