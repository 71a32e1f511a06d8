"""Checks of the filters measure what they remove, and what they cost."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bench.filter_pages import Seen, case_names, compare, make_case, print_cases
from bench.filters import FILTERS, count_kept, measure_list, measure_page, print_list

PAGE = "<title>Rye</title><table><tr><td><a href=/a>Home</a><td>Rye is sown in autumn.</table>" * 20
STORY = "".join(f"<p>Paragraph {n}: the mill stood by the weir for ages, " * 8 for n in range(8))
SEARCH = "<form role=search><input name=q><button>Search</button></form>"
LETTER = "<form class=newsletter>Newsletter<input type=email><button>Subscribe</button></form>"
PICTURE = "https://site.example/mill.jpg"


def test_every_setting_is_measured() -> None:
    """Parsing is measured, and the filters switched off, with their defaults, and switched on."""
    seconds = measure_page(PAGE, 2)
    assert ["parse", *FILTERS] == list(seconds)
    assert all(each > 0 for each in seconds.values())


def test_a_list_is_parsed_and_looked_up() -> None:
    """Parsing a list and looking up in it both take time."""
    assert all(seconds > 0 for seconds in measure_list(2, 1000))


def test_a_list_is_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules are counted by kind, and unsupported rules by the feature that they need."""
    path = tmp_path / "list.txt"
    path.write_text("||ads.example^\n/banner/*\n##.ad\n@@||a.example^\n/x[0-9]/\n")
    print_list(path, 1)
    printed = capsys.readouterr().out
    assert "addresses 1, elements 1, exceptions 1, hosts 1" in printed
    assert "1 not supported: regular expression 1" in printed


def test_kept_things_are_counted() -> None:
    """Forms, the only h1 and the named picture are counted as far as they are left and seen."""
    head = f"<title>Mill</title><meta property=og:image content={PICTURE}>"
    html = f"{head}<header>{SEARCH}</header><h1>Mill</h1><img src={PICTURE}>{STORY}{LETTER}"
    counts = count_kept(html, "https://site.example/a")
    assert {"forms whole": 1, "forms gone": 1, "h1 kept": 1, "picture kept": 1} == counts
    # What a page's scripts may look for stays in its source, but nobody sees it.
    html = f"<title>Mill</title><script src=/a.js></script><h1>Mill</h1>{STORY}{LETTER}"
    counts = count_kept(html, "https://site.example/a")
    assert {"forms gone": 1, "h1 kept": 1} == counts


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
