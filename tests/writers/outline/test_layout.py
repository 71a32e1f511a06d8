"""Positions of pieces in an output: every run must be found, whatever surrounds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.fixture_pages import PAGES, FixturePage, document_keeping, random_document
from tests.helpers.trees import soups
from thresher import Document, WriteOptions
from thresher.analysis.footnotes.references import NO_FOOTNOTES
from thresher.chunking import Join, OutputLayout
from thresher.page.parse import parse
from thresher.writers import CHUNKED_FORMATS, FORMATS
from thresher.writers.formats import ChunkedName, FormatName
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.outline.layout import choose_mark, split_at_marks
from thresher.writers.outline.layout import lay_out as lay_out_runs

pages = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
formats = pytest.mark.parametrize("format", CHUNKED_FORMATS)


def lay_out(document: Document, format: FormatName) -> OutputLayout:
    return FORMATS[format].lay_out(document, WriteOptions())


@pages
@formats
def test_pieces_are_in_order_when_laid_out(page: FixturePage, format: FormatName) -> None:
    """Pieces must be disjoint spans of the output, each with blocks of its own."""
    document = page.document()
    layout = lay_out(document, format)
    assert document.write(format) == layout.text
    done = 0
    blocks: list[int] = []
    for piece in layout.pieces:
        assert done <= piece.start < piece.stop
        done = piece.stop
        blocks += piece.blocks
    assert sorted(set(blocks)) == blocks
    assert len(layout.pieces) > 5


@given(soups(), st.integers(0, 9))
def test_runs_are_found_when_the_page_is_soup(html: str, seed: int) -> None:
    """Markdown of any tag soup must have pieces, if it is not empty."""
    document = random_document(html, seed)
    layout = lay_out(document, "markdown")
    assert bool(layout.text.strip()) >= bool(layout.pieces)
    assert document.markdown == layout.text


JOINS = {
    "paragraphs": ("<p>a<p>b", [Join.BLOCK, Join.BLOCK]),
    "heading": ("<p>a<h3>b</h3><p>c", [Join.BLOCK, 3, Join.HEADED]),
    "heading under a heading": ("<h1>a</h1><h2>b</h2><h2>c</h2>", [1, Join.HEADED, 2]),
    "items": ("<ul><li>a<li>b</ul>", [Join.BLOCK, Join.PART]),
    "in an item": ("<ul><li>a<ul><li>b</ul><li>c</ul>", [Join.BLOCK, Join.INSIDE, Join.PART]),
    "two lists": ("<ul><li>a</ul><ol><li>b</ol>", [Join.BLOCK, Join.BLOCK]),
    "rows": ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", [Join.BLOCK, Join.PART]),
    "quote": ("<blockquote><p>a<p>b</blockquote><p>c", [Join.BLOCK, Join.PART, Join.BLOCK]),
    "code": ("<pre>a<div>b</div>c</pre><p>d", [Join.BLOCK, Join.BLOCK]),
}


@pytest.mark.parametrize(("html", "joins"), JOINS.values(), ids=list(JOINS))
@formats
def test_joins_say_how_close_pieces_are(html: str, joins: list[int], format: FormatName) -> None:
    """Each piece must say how closely it joins the previous one, the same in every format."""
    assert joins == [piece.join for piece in lay_out(document_keeping(html), format).pieces]


@cases(__file__, "pieces")
def test_pieces_of_markdown_are_whole(html: str, texts: list[str]) -> None:
    """The content of a piece must be inside it, and separators in neither neighbour."""
    layout = lay_out(document_keeping(html), "markdown")
    assert (
        texts == [layout.text[piece.start : piece.stop] for piece in layout.pieces][-len(texts) :]
    )


def test_mark_is_not_in_the_page_when_chosen() -> None:
    """A mark must be a character that the page does not contain."""
    assert "\ufddd" == choose_mark(parse("a"))
    assert "\ufdde" == choose_mark(parse("a\ufddd"))
    every = "".join(map(chr, range(0xFDDD, 0xFDF0)))
    assert choose_mark(parse(every)) is None


def test_output_is_one_piece_when_no_mark_is_left() -> None:
    """A page with all marks in it can still be cut, but not between its blocks."""
    every = "".join(map(chr, range(0xFDDD, 0xFDF0)))
    document = document_keeping(f"<p>a<p>b<p hidden>{every}", ["p:first-child"])
    (piece,) = lay_out(document, "markdown").pieces
    assert (0, len(document.markdown)) == (piece.start, piece.stop)


def test_marks_are_taken_out() -> None:
    """Each mark must give an offset in the output without marks."""
    assert ("a\n\nb", [0, 3]) == split_at_marks("!a\n\n!b", "!")
    assert ("a", []) == split_at_marks("a", "!")


LONE_REFERENCES = {
    "link alone in its block": "<a href=#n1 class=footnote-ref>1</a><div class=footnotes><ol>"
    "<li id=n1>A note. <a href=#r1>↩</a></ol></div>",
    "raised link alone in its block": "<p>w</p><sup id=r0><a href=#n0>0</a></sup>"
    "<ol class=references><li id=n0><a href=#r0>^</a> note 0</ol>",
    "brackets around it": "<p>w<p>[<a href=#n1 class=footnote-ref>1</a>]<h2>h</h2><p>x"
    "<div class=footnotes><ol><li id=n1>A note. <a href=#r1>↩</a></ol></div>",
}


@pytest.mark.parametrize("html", LONE_REFERENCES.values(), ids=list(LONE_REFERENCES))
@formats
def test_reference_alone_in_its_block_is_a_piece(html: str, format: ChunkedName) -> None:
    """The replacement of a reference must begin its run as the link itself did."""
    document = document_keeping(html)
    layout = lay_out(document, format)
    pieces = [layout.text[piece.start : piece.stop] for piece in layout.pieces]
    assert len(document.page.blocks) == len(pieces)
    assert any(piece in ("[^1]", "[^0]", "[1]", "[0]") for piece in pieces)
    assert document.chunks(50, format)


def test_output_is_one_piece_when_runs_cannot_be_matched() -> None:
    """If the number of positions differs from that of runs and links, none may be guessed."""
    document = document_keeping("<p>a<p>b")
    outline = write_fragment(document, WriteOptions()).outline
    assert outline
    for offsets, n_link in (([0], 0), ([0, 3, 4], 0), ([0, 3], 1)):
        (piece,) = lay_out_runs("a\n\nb", outline, offsets, NO_FOOTNOTES, n_link=n_link).pieces
        assert (0, 4, (0, 1)) == (piece.start, piece.stop, piece.blocks)
    assert 2 == len(lay_out_runs("a\n\nb", outline, [0, 3], NO_FOOTNOTES).pieces)
