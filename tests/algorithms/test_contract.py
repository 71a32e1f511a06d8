"""The contract of all algorithms: one set of checks over the whole table."""

from __future__ import annotations

import hashlib
import pickle
from functools import cache

import numpy as np
import pytest
from hypothesis import given

import thresher
from tests.helpers.trees import soups
from thresher import ALGORITHMS, Page, Selection
from thresher.algorithms import MethodName
from thresher.page.parse import parse

ARTICLE = """<!doctype html><html><head><title>A day at the mill</title></head><body class=home>
<nav class="menu"><ul><li><a href="/">Home</a><li><a href="/news">News</a></ul></nav>
<main><article><h1>A day at the mill</h1><p class="byline">By Ada Miller</p>
<p>The wheel turns slowly in the morning, and the miller waits for the water to rise before he lets
down the stones. It takes an hour, sometimes two, until the first flour falls.</p>
<p>Nobody hurries him. <a href="/grain">Grain</a> keeps, and so does talk.</p>
<img src="mill.jpg" alt="The mill"></article></main>
<div class="comments"><p>Lovely! <a href="/u/1">Bo</a></p></div>
<footer><a href="/legal">Legal</a> <a href="/contact">Contact</a></footer></body></html>"""

PAGES = {
    "article": ARTICLE,
    "empty": "",
    "white space": "  \n ",
    "one word": "word",
    "only a picture": "<img src=a.png>",
    "only links": "<ul>" + "<li><a href=#>go</a>" * 50 + "</ul>",
    "no body text": "<html><head><title>t</title></head><body></body></html>",
    "frameset": "<frameset><frame src=a><noframes><p>frames</p></noframes></frameset>",
    "nested 100k": "<div>" * 100_000 + "deep text",
    "100k siblings": "<p>a few words here</p>" * 100_000,
    "hidden": "<noscript><p>only here</p></noscript><template><p>and here</p></template>",
    "Chinese": "<div><p>水车慢慢转动，磨坊主人等着水位上涨。</p><a href=#>首页</a></div>",
    "formula": "<p>Let <math><mi>x</mi><mo>=</mo><mn>1</mn></math>.</p>",
}


@cache
def page_of(name: str) -> Page:
    """Parse a page once; pages are immutable, so tests may share them."""
    return parse(PAGES[name])


def test_selection_of_every_page_is_whole_and_repeatable(method: MethodName) -> None:
    """Leaves have decisions, blocks scores and reasons, every time the same; the page stays."""
    for name, html in PAGES.items():
        page = page_of(name)
        before = digest(page)
        selection = thresher.select(page, method)
        assert method == selection.method
        assert (page.leaves.size,) == selection.keep.shape, name
        assert (len(page.blocks),) == selection.score.shape, name
        assert np.isfinite(selection.score).all(), name
        assert all(selection.reason(block) for block in range(len(page.blocks))), name
        assert before == digest(page), name
        assert same(selection, thresher.select(parse(html), method)), name


def digest(page: Page) -> str:
    """Digest everything that a page consists of."""
    parts = [page.buffer, page.source.encode()]
    parts += [page.tag.tobytes(), page.parent.tobytes(), page.end.tobytes(), page.leaves.tobytes()]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def same(one: Selection, other: Selection) -> bool:
    """Return whether two selections are equal in every respect."""
    return (
        np.array_equal(one.keep, other.keep)
        and np.array_equal(one.score, other.score)
        and [one.reason(b) for b in range(len(one.page.blocks))]
        == [other.reason(b) for b in range(len(other.page.blocks))]
    )


@pytest.fixture(params=ALGORITHMS)
def method(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_result_same_when_other_methods_and_pages_ran_before(method: MethodName) -> None:
    """A selection does not depend on what ran before, on this page or another."""
    alone = thresher.select(parse(ARTICLE), method)
    page = parse(ARTICLE)
    for other in reversed(list(ALGORITHMS)):
        thresher.select(page, other)
        thresher.select(page_of("only links"), other)
    assert same(alone, thresher.select(page, method))


def test_result_same_when_views_were_computed_in_another_order(method: MethodName) -> None:
    """A selection does not depend on which views of the page were computed first."""
    page = parse(ARTICLE)
    _ = page.hidden, page.lines, page.nth_of_type, page.source_spans, page.gaps, page.text
    assert same(thresher.select(parse(ARTICLE), method), thresher.select(page, method))


def test_selection_pickles_and_is_read_only(method: MethodName) -> None:
    """A selection survives a round trip with its page, and its arrays cannot be written to."""
    selection = thresher.select(page_of("article"), method)
    assert same(selection, pickle.loads(pickle.dumps(selection)))
    for array in (selection.keep, selection.score, selection.reason_code):
        assert not array.flags.writeable


def test_article_kept_when_page_is_plain(method: MethodName) -> None:
    """Every method finds the paragraphs of a plain article."""
    document = thresher.document_of(thresher.select(page_of("article"), method))
    assert "The wheel turns slowly" in document.text


def test_description_complete_when_listed(method: MethodName) -> None:
    """Every method and parameter has a description, and defaults are valid."""
    algorithm = ALGORITHMS[method]
    assert algorithm.summary
    assert algorithm.source
    assert all(parameter.help for parameter in algorithm.parameters())
    values = {parameter.name: parameter.default for parameter in algorithm.parameters()}
    assert algorithm.params() == algorithm.build_params(values)


@given(html=soups())
def test_any_page_selected_when_generated(html: str) -> None:
    """Any HTML gives a well-shaped selection under every method."""
    page = parse(html)
    for name in ALGORITHMS:
        selection = thresher.select(page, name)
        assert page.leaves.size == selection.keep.size
        assert np.isfinite(selection.score).all()
