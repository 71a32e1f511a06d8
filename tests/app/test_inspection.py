"""Data of the Inspect page, and of one block."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tests.sites.pages import NOTICE, story
from thresher.app.engine import DocumentKey, MethodQuery, PageSource
from thresher.app.inspection import (
    GRAPHS,
    compare_with_label,
    inspect,
    open_detail,
)
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

LINK = "/inspect/x?block="
PAGE = DocumentKey(
    PageSource(story(1), "https://mill.example/1"), MethodQuery(), Limits(), HostRules()
)


def test_a_page_is_told_of() -> None:
    """Title, words, blocks and result match the document, and pickle."""
    seen = inspect(PAGE, 0, "density", LINK)
    assert seen == pickle.loads(pickle.dumps(seen))
    assert "On barley and brewers" == seen.title
    assert ("mill.example", "content") == (seen.host, seen.verdict)
    assert 0 < seen.n_kept_block < seen.n_block
    assert 0 < seen.n_kept_word < seen.n_word
    assert (0, seen.n_block) == (seen.start, seen.stop)
    assert "praised" in seen.result
    assert "visitors" not in seen.result.split("praised")[0]
    assert not seen.is_cut
    assert 'class="b kept hi' in seen.markup and 'class="b dropped lo' in seen.markup


@pytest.mark.parametrize("graph", GRAPHS)
def test_graphs_have_their_thresholds(graph: str) -> None:
    """Each graph has the threshold of its publication or method."""
    seen = inspect(PAGE, 0, graph, LINK)
    assert seen.limit
    assert 'class="limit"' in seen.graph
    assert f'href="{LINK}3#block"' in seen.graph


def test_a_very_long_page_is_shown_in_parts() -> None:
    """A very long page is shown in parts, with a cut result and the whole graph."""
    row = "<div><p>Row {} of the barn book tells of rye, and of what the mill gave.</p></div>"
    html = "<main>" + "".join(row.format(n) for n in range(30_000)) + "</main>"
    key = DocumentKey(PageSource(html), MethodQuery("keep_all"), Limits(), HostRules())
    seen = inspect(key, 15_500, "length", LINK)
    assert (15_000, 16_000, 30_000) == (seen.start, seen.stop, seen.n_block)
    assert "Row 15999 " in seen.markup
    assert "Row 16000 " not in seen.markup
    assert seen.is_cut
    assert len(seen.result) < 500_000


def index_of(key: DocumentKey, text: str) -> int:
    """Return the index of the block that contains a text."""
    n_block = inspect(key, 0, "score", "").n_block
    details = [open_detail(key, index) for index in range(n_block)]
    (found,) = [each.index for each in details if each and text in each.text]
    return found


def test_a_block_says_why() -> None:
    """Details contain score, reason, features, position and source."""
    detail = open_detail(PAGE, index_of(PAGE, "praised"))
    assert detail == pickle.loads(pickle.dumps(detail))
    assert detail is not None
    assert detail.kept
    assert detail.is_probability
    assert detail.css
    assert detail.css.endswith("p:nth-of-type(3)")
    assert detail.xpath
    assert detail.effects
    assert 10 == detail.effects[0].size
    assert detail.source.startswith("In barley week last")
    assert detail.before.endswith("<p>")
    assert detail.proposals
    assert 1 == detail.line


def test_other_methods_have_no_features() -> None:
    """Methods without features have only a reason."""
    detail = open_detail(replace(PAGE, chosen=MethodQuery("slope")), 0)
    assert detail is not None
    assert () == detail.effects
    assert not detail.is_probability
    assert detail.reason


def test_a_rule_is_a_reason() -> None:
    """A block dropped by a rule names the rule as its reason."""
    ruled = replace(PAGE, rules=HostRules(Rules(drop=(".about",))))
    detail = open_detail(ruled, index_of(ruled, NOTICE))
    assert detail and "dropped by a rule of the site" == detail.reason


def test_a_block_of_a_very_long_page() -> None:
    """On a very long page, position and source are given, but no effects."""
    html = "<main>" + "".join(f"<p>Row {n} of the barn book." for n in range(3_000)) + "</main>"
    detail = open_detail(DocumentKey(PageSource(html), MethodQuery(), Limits(), HostRules()), 2_500)
    assert detail is not None
    assert "Row 2500 " in detail.source
    assert detail.has_too_many
    assert () == detail.effects
    assert all(not each.is_place for each in detail.proposals)


def test_a_long_source_is_cut() -> None:
    """A long source is cut and marked as cut."""
    html = f"<p>{'rye and oats ' * 500}</p>"
    detail = open_detail(
        DocumentKey(PageSource(html), MethodQuery("keep_all"), Limits(), HostRules()), 0
    )
    assert detail is not None
    assert (True, 1_200, 2_000) == (detail.is_cut, len(detail.source), len(detail.text))


def test_lines_that_the_result_has_not_are_told() -> None:
    """White space does not count; a label without text has no lines."""
    view = compare_with_label(
        "The old  rye stands.\nIn any wind.", "old rye\n\n Oats   are sown. \n"
    )
    lines = [(line.text, line.is_found) for line in view.lines]
    assert [("old rye", True), ("Oats are sown.", False)] == lines
    assert (1, False) == (view.n_missing, view.is_cut)
    assert 0 < view.score.f1 < 1
    assert [] == compare_with_label("Rye.", "").lines
