"""Comparison of two methods on one page."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

from tests.sites.pages import story
from thresher.app.comparison import compare
from thresher.app.engine import DocumentKey, PageSource
from thresher.app.method_form import MethodQuery
from thresher.limits import Limits
from thresher.sites import HostRules

PAGE = DocumentKey(
    PageSource(story(1), "https://mill.example/1"), MethodQuery(), Limits(), HostRules()
)
ALL = replace(PAGE, chosen=MethodQuery("keep_all"))


def test_a_method_agrees_with_itself() -> None:
    """A method compared with itself has no differences."""
    seen = compare(PAGE, PAGE, "/x?block=")
    assert 1.0 == seen.f1
    assert 0 == seen.left.n_only == seen.right.n_only
    assert {"both", "none"} == {group.kind for group in seen.groups}
    assert 0 == seen.graph.count('class="left"')


def test_words_add_up() -> None:
    """Words kept by one method are those kept by it alone plus those kept by both."""
    seen = compare(PAGE, ALL, "/x?block=")
    assert seen == pickle.loads(pickle.dumps(seen))
    assert seen.n_word == seen.right.n_word
    assert seen.left.n_word == seen.n_both
    assert seen.right.n_only == seen.n_word - seen.n_both > 0
    assert sum(group.n_word for group in seen.groups) == seen.n_word
    assert 0 < seen.f1 < 1


def test_every_block_is_in_one_group_in_order() -> None:
    """Every block is in exactly one group, in order."""
    seen = compare(PAGE, ALL, "/x?block=")
    indices = [pair.index for group in seen.groups for pair in group.pairs]
    assert list(range(len(indices))) == indices
    for group in seen.groups:
        for pair in group.pairs:
            assert pair.right is not None
            assert ("differ" == group.kind) == (pair.left is None)
    assert seen.graph.count('class="right"') == sum("differ" == group.kind for group in seen.groups)


def test_text_from_script_data_is_the_methods_own() -> None:
    """Pages completed with script data for one method only can be compared."""
    body = " ".join(f"The {word} sack of rye was weighed at noon." for word in "abcdefghijklmnopqr")
    data = json.dumps({"@type": "NewsArticle", "articleBody": body * 2})
    html = f"<script type=application/ld+json>{data}</script><div>Home</div><div>Menu</div>"
    left = DocumentKey(PageSource(html), MethodQuery("keep_all"), Limits(), HostRules())
    right = replace(left, chosen=MethodQuery("learned"))
    seen = compare(left, right, "/x?block=")
    assert seen.n_word >= 100
    assert seen.n_both >= 100
    assert "Home" in {pair.whole for group in seen.groups for pair in group.pairs}


def test_a_long_page_shows_its_differences_first() -> None:
    """Blocks with agreement are omitted beyond the maximum."""
    html = "".join(f"<p>Row {n}" for n in range(4_000))
    key = DocumentKey(PageSource(html), MethodQuery("keep_all"), Limits(), HostRules())
    seen = compare(key, key, "/x?block=")
    assert 1_000 == seen.n_hidden
    assert 3_000 == sum(len(group.pairs) for group in seen.groups)
