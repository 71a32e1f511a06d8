"""Comparison of two methods, and of the rules before and after a change, on one page."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from tests.app.test_inspection import key_of
from tests.sites.pages import BANNER, NOTICE, story
from thresher.app.comparison import compare, preview
from thresher.app.engine import DocumentKey, PageSource
from thresher.app.method_form import MethodQuery
from thresher.errors import UsageError
from thresher.sites import HostRules, Rules

PAGE = key_of(story(1), "learned", "https://mill.example/1")
ALL = replace(PAGE, chosen=MethodQuery("keep_all"))


def test_a_method_agrees_with_itself() -> None:
    """A method compared with itself has no differences."""
    seen = compare(PAGE, PAGE, "/x?block=")
    assert 1.0 == seen.f1
    assert 0 == seen.left.n_only == seen.right.n_only
    assert {"both", "none"} == {group.kind for group in seen.groups}
    assert 0 == seen.graph.count('class="left"')


def test_words_and_blocks_add_up() -> None:
    """Words of a method are its own and those of both; each block is in one group, in order."""
    seen = compare(PAGE, ALL, "/x?block=")
    assert seen == pickle.loads(pickle.dumps(seen))
    assert seen.n_word == seen.right.n_word
    assert seen.left.n_word == seen.n_both
    assert seen.right.n_only == seen.n_word - seen.n_both > 0
    assert sum(group.n_word for group in seen.groups) == seen.n_word
    assert 0 < seen.f1 < 1
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
    seen = compare(key_of(html), key_of(html, "learned"), "/x?block=")
    assert seen.n_word >= 100
    assert seen.n_both >= 100
    assert "Home" in {pair.whole for group in seen.groups for pair in group.pairs}


def test_a_long_page_shows_its_differences_first() -> None:
    """Blocks with agreement are omitted beyond the maximum."""
    key = key_of("".join(f"<p>Row {n}" for n in range(4_000)))
    seen = compare(key, key, "/x?block=")
    assert 1_000 == seen.n_hidden
    assert 3_000 == sum(len(group.pairs) for group in seen.groups)


def after(**rules: tuple[str, ...]) -> DocumentKey:
    """Return the key of the page with rules."""
    return replace(PAGE, rules=HostRules(Rules(**rules)))


def test_gains_and_losses_are_told_apart() -> None:
    """Gained and lost blocks are reported with their words, and only differences between rules."""
    change = preview(PAGE, after(keep=(".top p",), drop=(".about",)))
    assert change == pickle.loads(pickle.dumps(change))
    assert (1, 1) == (change.n_gained, change.n_lost)
    assert BANNER == change.gained[0].text
    assert NOTICE.startswith(change.lost[0].text.removesuffix("…"))
    assert (3, len(NOTICE.split())) == (change.words_gained, change.words_lost)
    assert change.n_word > 0
    ruled = after(drop=("article",))
    same, back = preview(ruled, ruled), preview(ruled, PAGE)
    assert (0, 0, 0, True) == (same.n_gained, same.n_lost, back.n_lost, back.n_gained > 2)


def test_many_blocks_are_counted_and_a_few_are_shown() -> None:
    """All changed blocks are counted, and the first are shown."""
    all_of_it = key_of("<ul>" + "".join(f"<li>Item {n} of the list" for n in range(50)) + "</ul>")
    change = preview(all_of_it, replace(all_of_it, rules=HostRules(Rules(drop=("li",)))))
    assert (50, 12) == (change.n_lost, len(change.lost))
    assert change.words_lost == change.n_word


def test_what_cannot_be_compared_is_told() -> None:
    """An invalid selector raises UsageError, unless it is old; a page's error is in the result."""
    with pytest.raises(UsageError, match='"p::" is not a CSS selector'):
        preview(PAGE, after(drop=("p::",)))
    assert 1 == preview(after(drop=("p::",)), after(drop=(".about",))).n_lost
    bad = replace(PAGE, source=PageSource(b"%PDF-1.7"))
    assert "PDF" in (preview(bad, bad).error or "")
