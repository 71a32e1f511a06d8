"""readability-lxml's Document has readability-lxml's results, in shape."""

from __future__ import annotations

import inspect

import pytest

from thresher.compat.page_input import read_input
from thresher.compat.readability import Document, Unparseable
from thresher.errors import InputError, UsageError

STORY = "The mill stood still all winter, and the miller mended his nets. " * 4
PAGE = f"""<html><head><title>Mill at rest | Tide Post</title>
<meta name="author" content="Ada Quay"></head><body><nav><a href="/">Home</a></nav>
<article><h1>Mill at rest</h1><p>{STORY}</p><p><img src="/mill.jpg" alt="Mill"></p>
<p>{STORY}</p></article></body></html>"""


def test_summary_is_clean_html() -> None:
    """The summary is a page or a div with the content; ``content`` is the whole body."""
    document = Document(PAGE, url="https://tide.example/mill")
    summary = document.summary()
    assert summary.startswith("<html><body><div><p>The mill stood")
    assert [] == [part for part in ("Home", "<img") if part in summary]
    assert document.summary(html_partial=True).startswith("<div><p>")
    pictured = document.summary(keep_all_images=True)
    assert 'src="https://tide.example/mill.jpg"' in pictured
    content = Document(PAGE).content()
    assert content.startswith("<body>")
    assert "Home" in content


def test_titles_and_author_have_their_forms() -> None:
    """The title is the page's, the short one the headline; for none there is a placeholder."""
    for page, expected in (
        (PAGE, ("Mill at rest | Tide Post", "Mill at rest", "Ada Quay")),
        ("<p>Words.</p>", ("[no-title]", "[no-title]", "[no-author]")),
    ):
        document = Document(page)
        assert expected == (document.title(), document.short_title(), document.author())


def test_wrong_input_is_unparseable() -> None:
    """What is no page raises `Unparseable`, and ``xpath`` is refused."""
    with pytest.raises(Unparseable):
        Document(b"%PDF-1.7").summary()
    with pytest.raises(UsageError):
        Document(PAGE, xpath=True)


def test_arguments_are_theirs() -> None:
    """Names, order and defaults of the arguments are those of the installed readability-lxml."""
    real = pytest.importorskip("readability").Document
    assert (
        str(inspect.signature(real.summary)).replace(" ", "")
        == "(self,html_partial=False,keep_all_images=False)"
    )
    theirs = inspect.signature(real).parameters
    ours = inspect.signature(Document).parameters
    assert {name: each.default for name, each in theirs.items()} == {
        name: each.default for name, each in ours.items()
    }
    assert list(theirs) == list(ours)


def test_trees_and_responses_are_pages() -> None:
    """Text, bytes, a response with ``data`` and a tree of lxml are pages; a number is none."""

    class Response:
        data = b"<p>Words."

    assert b"<p>Words." == read_input(Response()) == read_input(bytearray(b"<p>Words."))
    html = pytest.importorskip("lxml.html")
    assert "<p>Words.</p>" == read_input(html.fromstring("<p>Words."))
    with pytest.raises(InputError):
        read_input(3)
