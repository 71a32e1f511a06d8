"""The contract of every writer on every page: checked over the fixture pages and tag soup."""

from __future__ import annotations

import csv
import io
import json
import pickle
import re
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import (
    EXPECTED_FILES,
    PAGES,
    FixturePage,
    document_keeping,
    random_document,
)
from tests.helpers.outputs import BARE, check_output, html_letters, words_of
from tests.helpers.trees import NASTY_PAGES, soups
from thresher import Document, WriteOptions
from thresher.writers import FORMATS
from thresher.writers.code.gutters import find_gutters
from thresher.writers.formats import FormatName
from thresher.writers.inplace import keep_in_place
from thresher.writers.math.formulas import read_math
from thresher.writers.shared.forms import find_forms

pages = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
formats = pytest.mark.parametrize("format", FORMATS)

EVERY_OPTION = [
    WriteOptions(links=links, images=images, metadata=metadata, title=False)
    for links in (True, False)
    for images in (True, False)
    for metadata in (True, False)
]

FORMULA = "QAvQAv"
"""The one formula of the fixture pages, as its leaf has it: symbols, then the TeX."""


def kept_letters(document: Document, *, as_tex: bool = True) -> str:
    """Return the words of all kept leaves, in order, as one string; of formulas the TeX.

    Gutters of code are not written.
    """
    page, keep = document.page, document.selection.keep
    words: list[str] = []
    for leaf in np.flatnonzero(keep & ~find_gutters(page, keep)).tolist():
        row = int(page.leaves[leaf])
        tex = read_math(page, row) if as_tex and page.name(row) == "math" else None
        words += words_of(tex or page.leaf_text(leaf))
    return "".join(words).replace(FORMULA, FORMULA[:3])


def text_letters(document: Document) -> str:
    """Return the words of plain text without the numbers of lists, as one string."""
    page = document.page

    def drop_number(found: re.Match[str]) -> str:
        return found[0] if found[1] in page.text else found[2]

    text = re.sub(r"(?m)^ *(\w{1,9}\. (\S{0,3}))", drop_number, document.text)
    return "".join(words_of(text))


def markdown_letters(markdown: str) -> str:
    """Return the words of Markdown without links and images, as one string."""
    text = re.sub(r"(?m)^( *```)\w+$", r"\1", markdown).replace("<br>", " ")
    text = re.sub(r"</?su[bp]>", "", text)
    text = re.sub(r"(?m)^([ >-]*)\d+[.)] ", r"\1", text)
    return "".join(words_of(unescape(re.sub(r"\\(?=[^\w\s])", "", text))))


@pages
@pytest.mark.parametrize("format", EXPECTED_FILES)
def test_output_is_the_blessed_one_when_a_page_is_written(
    page: FixturePage, format: FormatName
) -> None:
    """A fixture page must be written as it was blessed."""
    assert page.expected(format) == page.document().write(format) + "\n"


@pages
def test_output_has_each_kept_word_once_in_order_when_written(page: FixturePage) -> None:
    """Text, Markdown and HTML must have exactly the words that were kept, in their order."""
    document = page.document()
    kept = kept_letters(document)
    assert kept == text_letters(document)
    assert kept == markdown_letters(document.write("markdown", BARE))
    assert kept == html_letters(document.write("html", BARE)).replace(FORMULA, FORMULA[:3])


@pages
def test_page_in_place_has_each_kept_word_once_in_order_when_written(page: FixturePage) -> None:
    """The page with the boilerplate removed must show what was kept once, and forms."""
    document = page.document()
    selection = keep_in_place(document)
    forms = find_forms(document.page, selection.keep)
    keep = forms.extend(selection.keep, document.page.leaves)
    written = document_keeping(document.write("inplace"), ["html"])
    document = replace(document, selection=replace(selection, keep=keep))
    assert kept_letters(document) == kept_letters(written)


@pages
@pytest.mark.parametrize("options", EVERY_OPTION, ids=str)
def test_words_are_the_same_when_an_option_is_set(page: FixturePage, options: WriteOptions) -> None:
    """No option may change which words of the page are written, but authors come once."""
    document = page.document()
    if options.metadata:
        document = document.without_byline()
    text = document.write("text", options)
    front = re.match(r"(?s)---\n.*?\n---\n\n", text) if options.metadata else None
    assert document.text == text[front.end() if front else 0 :]
    # Alternative texts of media and images are not text of the page.
    silent = WriteOptions(images=False, links=False, metadata=options.metadata, title=False)
    markdown = document.write("markdown", silent)
    front = re.match(r"(?s)---\n.*?\n---\n\n", markdown) if options.metadata else None
    assert kept_letters(document) == markdown_letters(markdown[front.end() if front else 0 :])


@pages
def test_output_is_the_same_when_written_again(page: FixturePage) -> None:
    """From the same document, from one that was pickled and from a new one, whatever the order."""
    document = page.document()
    copies = page.document(), pickle.loads(pickle.dumps(document)), document
    first = [document.write(format) for format in FORMATS]
    for copy in copies:
        assert first[::-1] == [copy.write(format) for format in reversed(FORMATS)]


@pages
def test_links_are_absolute_when_the_page_has_an_address(page: FixturePage) -> None:
    """If the page's URL is known, only footnotes may have relative addresses."""
    tree = turbohtml.parse_fragment(page.document().html)
    places = [element.attr("href") for element in tree.find_all("a")]
    places += [element.attr("src") for element in tree.find_all("img")]
    assert [] == [place for place in places if not re.match(r"https?://|mailto:|#fn", place or "")]


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=list(NASTY_PAGES))
def test_output_is_valid_and_complete_when_a_page_is_nasty(html: str) -> None:
    """For any selection of a page, every output must be valid, and text and HTML complete."""
    for seed, some_options in enumerate((EVERY_OPTION, [WriteOptions()], [BARE])):
        document = random_document(html, seed)
        for format in FORMATS:
            for options in some_options:
                check_output(document, format, options)
        assert kept_letters(document) == text_letters(document)
        written = html_letters(document.write("html", BARE))
        assert kept_letters(document, as_tex=False) == written


@given(soups(), st.integers(0, 9))
def test_no_word_is_lost_or_doubled_when_the_page_is_soup(html: str, seed: int) -> None:
    """Plain text and HTML must have the kept words of any tag soup, in order."""
    document = random_document(html, seed)
    assert kept_letters(document) == text_letters(document)
    assert kept_letters(document, as_tex=False) == html_letters(document.write("html", BARE))


@formats
def test_output_has_no_text_when_nothing_is_kept(format: FormatName) -> None:
    """A page without kept content is a result, without any text."""
    document = document_keeping("<p>all of this goes</p>", [])
    written = document.write(format)
    match format:
        case "json" | "jsonl":
            assert "" == json.loads(written)["text"]
        case "csv":
            assert "" == next(csv.DictReader(io.StringIO(written)))["text"]
        case "tei":
            body = ElementTree.fromstring(written).find(".//{http://www.tei-c.org/ns/1.0}body")
            assert body is not None
            assert "" == "".join(body.itertext()).strip()
        case _:
            assert "" == html_letters(written)


DEEP = {
    "div": "<div>",
    "paragraphs in divs": "<p>x<div>",
    "span": "<span>",
    "bold": "<b>",
    "bold and italic": "<b><i>",
    "quote": "<blockquote>x",
    "list": "<ul><li>x",
    "definition list": "<dl><dt>x<dd>",
    "layout table": "<table><tr><td>",
    "data table": "<table><tr><th>x<td>",
    "link": "<a href=x>x<div>",
    "pre": "<pre>x<div>",
    "code": "<code>x",
    "details": "<details><summary>x</summary>",
    "figure": "<figure>x",
    "template": "<template>x",
    "raised": "<sup>x",
    "quoted": "<q>x",
    "ruby": "<ruby>x<rt>",
    "heading by role": "<div role=heading>x",
    "languages": "<div lang=de>x<div lang=fr>",
    "note": "<a href=#n>1</a><div id=n>x",
    "film": "<video src=x>x<p>",
    "formula": "<math><mrow>",
    "unknown": "<x-y>x",
}
WIDE = {
    "line breaks": "x<br><br>",
    "bold": "<b>x:</b>y",
    "cards": "<a href=x><h3>x</h3><p>y</p></a>",
    "code": "<code>x</code>",
    "pre": "<pre>x</pre>",
    "items": "<li>x<ul><li>y</ul>",
    "pictures": "<img src=x>",
    "references": "<sup><a href=#n>1</a></sup>",
    "notes": "<p><sup><a href=#n>1</a></sup></p><p id=n>1. x y</p>",
    "raised": "x<sup>2</sup>",
    "formulas": "<math><mi>x</mi></math>",
    "permalinks": "<h2>x<a href=#n>#</a></h2>",
    "languages": "<p><span lang=fr>x</span></p>",
    "tables": "<table><tr><th>x<td>y</table>",
    "spans in cells": "<table><tr><td colspan=1000 rowspan=1000>x<td>y<tr><th>z</table>",
}


LINEAR_FORMATS: tuple[FormatName, ...] = ("markdown", "text", "html", "inplace", "tei")


@pytest.mark.parametrize("part", DEEP.values(), ids=list(DEEP))
def test_innermost_text_is_written_when_a_page_is_very_deep(part: str) -> None:
    """Nesting far beyond Python's stack must neither fail nor hang, nor lose the innermost text."""
    document = document_keeping(f"<body>{part * 4_000}innermost")
    for format in LINEAR_FORMATS:
        assert "innermost" in document.write(format) or "<mrow>" in part, format


@pytest.mark.parametrize("part", WIDE.values(), ids=list(WIDE))
def test_last_text_is_written_when_a_page_is_very_wide(part: str) -> None:
    """Two thousand of a kind side by side must neither fail nor lose the last text."""
    document = document_keeping(part * 2_000 + "<p>last")
    for format in LINEAR_FORMATS:
        assert "last" in document.write(format), format
