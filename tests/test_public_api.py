"""The public API as users call it: mypy and pyright check the types, pytest that the calls work."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import assert_type, get_args

import pytest

import thresher
from thresher import Block, Chunk, Document, Heading, Metadata, PageType, Selection, Verdict
from thresher.filters import Filters, filter_page
from thresher.sites import Rulebook, Site, learn, parse_rulebook

HTML = (Path(__file__).parents[1] / "examples" / "harbour.html").read_bytes()
URL = "https://tidewater.example/2026/harbour"


def test_page_is_extracted_and_written() -> None:
    """Bytes or text in, a document out, with every format as a string."""
    document = assert_type(thresher.extract(HTML, url=URL), Document)
    assert_type(thresher.extract(HTML.decode(), scope="article", favor="recall"), Document)
    assert_type(thresher.extract(HTML, favor=0.5, deadline_s=60.0, on_limit="partial"), Document)
    for written in (document.markdown, document.text, document.html, document.json()):
        assert_type(written, str)
        assert "harbour" in written
    options = thresher.WriteOptions(links=False, max_chars=1000, keep=("byline",))
    assert_type(document.write("markdown", options), str)
    assert {document.write(format) != "" for format in thresher.FORMATS} == {True}


def test_document_says_what_it_is() -> None:
    """Verdict, page type, confidence, metadata and blocks are typed values."""
    document = thresher.extract(HTML, url=URL)
    assert assert_type(document.verdict, Verdict) is Verdict.CONTENT
    page_type = assert_type(document.page_type, PageType | None)
    assert page_type is not None
    assert 0 < assert_type(page_type.probability, float) <= 1
    confidence = assert_type(document.confidence, float | None)
    assert confidence is not None
    metadata = assert_type(document.metadata, Metadata)
    assert metadata.title is not None
    assert "The harbour that learned to wait" == assert_type(metadata.title.value, str)
    assert metadata.authors is not None
    assert ("Mara Lindqvist",) == assert_type(metadata.authors.value, tuple[str, ...])
    assert_type(document.next_url, str | None)
    assert_type(document.obstacle, thresher.Obstacle | None)
    block = assert_type(document.blocks, tuple[Block, ...])[0]
    assert_type(block.kept, bool)
    assert_type(block.score, float)
    assert_type(block.reason, str)
    assert_type(block.role, str | None)


def test_document_is_cut_into_chunks() -> None:
    """Chunks are slices of the output, and the outline has the headings."""
    document = thresher.extract(HTML, url=URL)
    chunks = assert_type(document.chunks(500), tuple[Chunk, ...])
    assert document.markdown[chunks[0].start : chunks[0].stop] == chunks[0].text
    outline = assert_type(document.outline, tuple[Heading, ...])
    assert assert_type(outline[0].title, str)
    assert 0 < assert_type(thresher.estimate_tokens(document.markdown), int)


def test_selections_are_combined() -> None:
    """One parsed page serves several methods, whose selections combine."""
    page = assert_type(thresher.read_page(HTML, url=URL), thresher.Page)
    ratio = assert_type(thresher.select(page, "link_ratio"), Selection)
    both = ratio & thresher.select(page, "bte") | ~thresher.select(page, "keep_all")
    assert assert_type(thresher.document_of(both), Document).text
    assert assert_type(both.words, int) <= ratio.words


def longest(page: thresher.Page, params: object) -> Selection:
    """Keep the block with the most characters, as a method of the user's own."""
    chars = [len(page.block_text(block)) for block in range(len(page.blocks))]
    return Selection.of_rows(
        page,
        "longest",
        keep := page.tag >= 0,
        score=keep.astype("float32"),
        reason_code=keep.astype("int16") * 0,
        reasons=(f"{max(chars)} characters",),
    )


def test_method_may_be_a_function() -> None:
    """Any function from a page to a selection is a method."""
    assert "Join now" in thresher.extract(HTML, method=longest).text


def test_sites_rules_and_filters_are_used() -> None:
    """What was learned of a site, the user's rules and the filters are typed too."""
    site = assert_type(learn([thresher.read_page(HTML, url=URL)]), Site)
    rules = assert_type(
        parse_rulebook('version = 1\n[host."tidewater.example"]\ndrop = ["h1"]\n'), Rulebook
    )
    document = thresher.extract(HTML, url=URL, site=site, rules=rules)
    assert "# The harbour" not in document.markdown
    assert filter_page(thresher.read_page(HTML, url=URL), Filters())


def test_names_are_checked_before_anything_runs() -> None:
    """Type checkers refuse a name that is none, and functions raise UsageError for it."""
    document = thresher.extract(HTML)
    with pytest.raises(thresher.UsageError):
        thresher.extract(HTML, method="no such method")  # type: ignore[arg-type]
    with pytest.raises(thresher.UsageError):
        thresher.extract(HTML, scope="articel")  # type: ignore[arg-type]
    with pytest.raises(thresher.UsageError):
        thresher.extract(HTML, favor="recal")  # type: ignore[arg-type]
    with pytest.raises(thresher.UsageError):
        document.write("markdwon")  # type: ignore[arg-type]
    with pytest.raises(thresher.UsageError):
        document.chunks(format="html")  # type: ignore[arg-type]


def test_every_name_has_its_type() -> None:
    """What the tables hold can be passed on, and a wrapper can name its arguments' types."""
    assert tuple(thresher.ALGORITHMS) == get_args(thresher.MethodName)
    assert thresher.FORMATS == get_args(thresher.FormatName)
    assert thresher.SCOPES == get_args(thresher.ScopeName)
    assert tuple(thresher.FAVORS) == get_args(thresher.FavorName)
    format = assert_type(thresher.FORMATS[0], thresher.FormatName)
    scope = assert_type(thresher.SCOPES[0], thresher.ScopeName)
    assert thresher.extract(HTML, scope=scope).write(format)


def test_public_names_are_what_is_listed() -> None:
    """dir() lists the public names and no others; functions and classes say what they do."""
    listed = {name for name in dir(thresher) if not name.startswith("__")}
    assert {name for name in thresher.__all__ if not name.startswith("__")} == listed
    for name in thresher.__all__:
        value = getattr(thresher, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
