"""Comparison of two methods, and of the rules before and after a change, on one page."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from tests.sites.pages import BANNER, NOTICE, story
from thresher.app.engine import DocumentKey, MethodQuery, PageSource
from thresher.app.inspection import compare, preview
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

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


def after(**rules: tuple[str, ...]) -> DocumentKey:
    """Return the key of the page with rules."""
    return replace(PAGE, rules=HostRules(Rules(**rules)))


def test_gains_and_losses_are_told_apart() -> None:
    """Gained and lost blocks are reported with their words."""
    change = preview(PAGE, after(keep=(".top p",), drop=(".about",)))
    assert change == pickle.loads(pickle.dumps(change))
    assert (1, 1) == (change.n_gained, change.n_lost)
    assert BANNER == change.gained[0].text
    assert NOTICE.startswith(change.lost[0].text.removesuffix("…"))
    assert (3, len(NOTICE.split())) == (change.words_gained, change.words_lost)
    assert change.n_word > 0


def test_the_same_rules_change_nothing() -> None:
    """Only differences between the rules are reported."""
    ruled = after(drop=("article",))
    same = preview(ruled, ruled)
    assert (0, 0) == (same.n_gained, same.n_lost)
    change = preview(ruled, PAGE)
    assert (0, True) == (change.n_lost, change.n_gained > 2)


def test_many_blocks_are_counted_and_a_few_are_shown() -> None:
    """All changed blocks are counted, and the first are shown."""
    html = "<ul>" + "".join(f"<li>Item {n} of the list" for n in range(50)) + "</ul>"
    all_of_it = DocumentKey(PageSource(html), MethodQuery("keep_all"), Limits(), HostRules())
    change = preview(all_of_it, replace(all_of_it, rules=HostRules(Rules(drop=("li",)))))
    assert (50, 12) == (change.n_lost, len(change.lost))
    assert change.words_lost == change.n_word


def test_a_selector_that_is_none_is_a_usage_error() -> None:
    """An invalid selector raises UsageError, unless it is in the old rules."""
    with pytest.raises(UsageError, match='"p::" is not a CSS selector'):
        preview(PAGE, after(drop=("p::",)))
    assert 1 == preview(after(drop=("p::",)), after(drop=(".about",))).n_lost


def test_a_page_that_is_none_is_told_of() -> None:
    """An error of the page is part of the result."""
    bad = replace(PAGE, source=PageSource(b"%PDF-1.7"))
    assert "PDF" in (preview(bad, bad).error or "")
