"""The pages on which the proxy is measured."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from bench.filter_pages import Seen, case_names, compare, make_case, print_cases

FORM = (2, "SearchGo", True)
SEEN = Seen({"/s": FORM}, "Rye", True, (), True, 3, ("ByAda", "349"), (10, 600), ("#sum=9",))


def test_every_case_is_whole() -> None:
    """There are 120 pages, and none has a part that was not filled in."""
    names = case_names()
    assert 120 == len(names) == len(set(names))
    pages = [make_case(*name) for name in names]
    assert not any("[[" in page or "<!-- title" in page for page in pages)
    assert all(re.search(r"<title>[^<]*\w[^<]*</title>", page) for page in pages)
    assert 120 == len(set(pages))


def test_losses_are_counted() -> None:
    """A form in part, a lost picture, an error, an advertisement and a request each count."""
    assert compare(SEEN, SEEN)["forms whole"] == 1
    worse = Seen(
        {"/s": (1, "Go", True)}, "", False, ("x",), False, 1, ("349",), (0, 900), n_passed=2
    )
    counts = compare(SEEN, worse)
    expected = {
        "forms broken": 1,
        "needed forms": 1,
        "headlines": 1,
        "lead pictures": 1,
        "pages whose scripts throw": 1,
        "pages whose scripts stop": 1,
        "advertisements": 3,
        "advertisements left": 1,
        "listed requests passed": 2,
        "other parts": 2,
        "other parts kept": 1,
        "controls": 1,
        "texts": 1,
    }
    assert expected == {name: n for name, n in (counts - Counter(pages=1, forms=1)).items() if n}
    assert 1 == compare(SEEN, replace(worse, forms={}))["forms gone"]


@pytest.mark.slow
def test_pages_hold_in_a_browser() -> None:
    """On one page of each kind of frame nothing is lost, thrown or let through."""
    pytest.importorskip("mitmproxy", reason="the proxy needs mitmproxy: the extra proxy")
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    names = [
        *(("grid", "news_story"), ("flex", "shop_product"), ("float", "search_results")),
        *(("grid", "app_invoice"), ("flex", "shop_configure"), ("float", "app_calendar")),
    ]
    counts = print_cases(names)
    assert len(names) == counts["pages"]
    for all_of, kept in (
        ("headlines", "headlines kept"),
        ("needed forms", "needed forms whole"),
        ("lead pictures", "lead pictures kept"),
        ("other parts", "other parts kept"),
        ("controls", "controls that work"),
        ("texts", "texts in their place"),
    ):
        assert 0 < counts[all_of] == counts[kept]
    assert 0 < counts["listed requests stopped"]
    for fault in ("forms broken", "pages whose scripts throw", "listed requests passed"):
        assert 0 == counts[fault]
    assert 0 == counts["advertisements left"] < counts["advertisements"]
