"""Every row of a page back to its source."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.trees import soups
from thresher.analysis.embedded import Embedded, Origin, attach
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.tags import TEXT

WELL_FORMED = {
    "plain": "<html><head></head><body><div><p>a</p><p>b</p></div></body></html>",
    "attributes": "<html><head></head><body><p id='a' class=\"b c\" hidden>x</p></body></html>",
    "entities": "<html><head></head><body><p title='&lt;'>&lt;&amp;&eacute;</p></body></html>",
    "voids": "<html><head></head><body><p>a<br>b<img src=x>c</p><hr></body></html>",
    "CR LF": "<html><head></head><body><p>a\r\nb</p>\r\n<p\r\nid=x>c</p>\r\n</body></html>",
    "CR": "<html><head></head><body><p>a\rb</p>\r<p>c</p></body></html>",
    "beyond the basic plane": "<html><head></head><body><p>\U0001f600<b>\u00e9</b>\U00020000</p>"
    "</body></html>",
    "script and style": "<html><head><style>a{}</style></head><body><script>a<b</script><p>x</p>"
    "</body></html>",
    "drawing": "<html><head></head><body><svg><g><path/></g></svg><p>a</p></body></html>",
    "template": "<html><head></head><body><template><p>a</p></template><p>b</p></body></html>",
    "table": "<html><head></head><body><table><tbody><tr><td>a</td></tr></tbody></table>"
    "</body></html>",
    "custom elements": "<html><head></head><body><x-y>a</x-y><d\u00edv>b</d\u00edv></body></html>",
    "doctype": "<!DOCTYPE html><html><head></head><body><p>a</p></body></html>",
}
"""Pages whose every element is spelled out, without comments."""


def source_of(page: Page, row: int) -> str | None:
    """Return the slice of the source that a row came from."""
    span = page.source_span(row)
    return None if span is None else page.source[span.start : span.stop]


@pytest.mark.parametrize("html", WELL_FORMED.values(), ids=WELL_FORMED)
def test_source_spans_of_well_formed_pages(html: str) -> None:
    """An element's span is its own markup from start tag to end tag, a text's its own text."""
    page = parse(html)
    for row in range(len(page)):
        source = source_of(page, row)
        assert source is not None
        if page.tag[row] == TEXT:
            assert parse(f"<body><i>{source}").text == page.text_of(row)
            continue
        name = page.name(row)
        assert source.startswith(f"<{name}")
        assert source.endswith((f"</{name}>", ">"))
        inner = parse(f"<template>{source}</template>")
        if name not in ("html", "head", "body", "tbody", "tr", "td", "g", "path"):
            assert inner.text == page.text_of(row)
            assert page.end[row] - row == inner.end[2] - 3


@pytest.mark.parametrize("html", WELL_FORMED.values(), ids=WELL_FORMED)
def test_source_spans_tile_a_well_formed_page(html: str) -> None:
    """Tags and texts, each at its place, spell the source without a gap or an overlap."""
    page = parse(html)
    spans = page.source_spans
    pieces = np.concatenate((spans[:, :2], spans[spans[:, 2] >= 0, 2:]))
    pieces = pieces[np.argsort(pieces[:, 0])]
    spelled = "".join(page.source[start:stop] for start, stop in pieces.tolist())
    without_scripts = re.sub("(<(?:script|style)>)[^/]*(</)", r"\1\2", html)
    assert without_scripts.removeprefix("<!DOCTYPE html>") == spelled
    assert (pieces[:-1, 1] <= pieces[1:, 0]).all()


@pytest.mark.parametrize(
    ("html", "row", "expected"),
    [
        ("<p>a", 0, None),
        ("<p>a", 2, None),
        ("<p>a", 3, "<p>a"),
        ("<p>a", 4, "a"),
        ("<p>a<p>b", 3, "<p>a"),
        ("<p>a<b>c<p>d", 3, "<p>a<b>c"),
        ("<table><tr><td>a</table>", 4, None),
        ("<table><tr><td>a</table>", 5, "<tr><td>a"),
        ("<ul><li>a<li>b</ul>c", 3, "<ul><li>a<li>b</ul>"),
        ("<p>a<!-- b -->c</p>", 4, "a<!-- b -->c"),
        ("<p><!-- b -->c</p>", 4, "<!-- b -->c"),
        ("<p>a<br/>b", 5, "<br/>"),
        ("a\r\n<p>b</p>\r\nc", 5, "b"),
        ("a\r\n<p>b</p>\r\nc", 6, "\r\nc"),
        ("a\r\n\r\n", 3, "a\r\n\r\n"),
        ("\U0001f600<p>\U0001f600</p>", 5, "\U0001f600"),
        ("<P ID=a>b</P >", 3, "<P ID=a>b</P >"),
    ],
)
def test_source_span_of_one_row(html: str, row: int, expected: str | None) -> None:
    """Spans of elements left open, implied, or among comments and line ends."""
    assert expected == source_of(parse(html), row)


@given(soups())
def test_source_spans_lie_in_the_source(html: str) -> None:
    """Spans of any tag soup must lie within the source, and start tags must spell their names."""
    page = parse(html)
    spans = page.source_spans
    assert (len(page), 4) == spans.shape
    assert ((spans >= -1) & (spans <= len(page.source))).all()
    for row in range(len(page)):
        start, start_stop, end_start, stop = spans[row].tolist()
        assert (start < 0) == (start_stop < 0)
        assert (end_start < 0) == (stop < 0)
        assert start <= start_stop
        assert end_start <= stop
        span = page.source_span(row)
        assert (span is None) == (start < 0)
        assert span is None or 0 <= span.start <= span.stop <= len(page.source)
        if start >= 0 and page.tag[row] != TEXT:
            assert "<>" == page.source[start] + page.source[start_stop - 1]


def test_rows_have_no_place_without_a_source() -> None:
    """A page whose source is unknown has rows, but none of them has a place."""
    page = replace(parse("<p>one<p>two"), utf8=b"")
    assert len(page) > 0
    assert (page.source_spans == -1).all()
    assert [None] == page.find_source_spans(np.array([len(page) - 1]))


@given(soups())
def test_places_of_some_rows_are_those_of_all(html: str) -> None:
    """Spans searched for some rows must equal those found for all rows."""
    page = parse(f"<p>{html}")
    rows = np.arange(0, len(page), 3)
    assert [page.source_span(row) for row in rows.tolist()] == page.find_source_spans(rows)


@needs_steps
@given(soups())
def test_step_finds_the_same_ends_as_numpy(html: str) -> None:
    """The step must place texts and elements alike, also where rows were attached to the page."""
    page = attach(parse(f"<p>mühle</p>{html}"), [Embedded(Origin.STATE, "<p>a<b>c</b>", "x", 2)])
    rows = np.arange(len(page), dtype=np.int32)
    last = np.minimum(page.end, len(page) - 1)
    found = page.find_source_ends(rows, last)
    with without_compiled_steps():
        assert found.tolist() == page.find_source_ends(rows, last).tolist()


def test_span_may_extend_to_another_row() -> None:
    """From the start of the first to the end of the last; none if one of them is not there."""
    page = parse("<p>a</p>b<p>c</p>")
    first, last = np.array([3, 3, 2]), np.array([6, 2, 6])
    assert [(0, 17), None, None] == page.find_source_spans(first, last)
