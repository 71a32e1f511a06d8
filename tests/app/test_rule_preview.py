"""Preview of a change of rules."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from tests.sites.pages import BANNER, NOTICE, story
from thresher.app.comparison import preview
from thresher.app.engine import DocumentKey, PageSource
from thresher.app.method_form import MethodQuery
from thresher.errors import UsageError
from thresher.limits import Limits
from thresher.sites import HostRules, Rules

PAGE = DocumentKey(
    PageSource(story(1), "https://mill.example/1"), MethodQuery(), Limits(), HostRules()
)


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
