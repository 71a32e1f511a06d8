"""Details of one block."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tests.sites.pages import NOTICE, story
from thresher.app.engine import DocumentKey, PageSource
from thresher.app.inspection import inspect, open_detail
from thresher.app.method_form import MethodQuery
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

PAGE = DocumentKey(
    PageSource(story(1), "https://mill.example/1"), MethodQuery(), Limits(), HostRules()
)


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


@pytest.mark.parametrize("index", [-1, 10_000])
def test_a_block_that_is_not_there(index: int) -> None:
    """An unknown block yields None."""
    assert open_detail(PAGE, index) is None


def test_a_rule_is_a_reason() -> None:
    """A block dropped by a rule names the rule as its reason."""
    ruled = replace(PAGE, rules=HostRules(Rules(drop=(".about",))))
    detail = open_detail(ruled, index_of(ruled, NOTICE))
    assert detail is not None
    assert "dropped by a rule of the site" == detail.reason


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
