"""A page in, the page without what the filters remove out."""

from __future__ import annotations

import pickle
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.filters.filtering import ADS, URL, only
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.deadline import deadline
from thresher.errors import LimitError, UsageError
from thresher.filters import (
    NO_FILTERS,
    SETTINGS,
    Filters,
    filter_page,
    own_blocklist,
    parse_filters,
)
from thresher.filters.apply import drop_unwanted
from thresher.page import Page
from thresher.page.parse import parse
from thresher.writers.shared.editing import parse_source, serialise_source

PAGES: Final = sorted((Path(__file__).parent / "pages").iterdir())
ALL_ON: Final = only(
    link_lists="always", **{each.name: True for each in SETTINGS if each.kind == "switch"}
)
LASTING: Final = only(
    **{
        each.name: True
        for each in SETTINGS
        if each.kind == "switch"
        and (each.group.startswith("ignored") or each.name in ("ads", "tracking_parameters"))
    }
)
"""Filters that judge each element on its own, so that a second pass must find nothing."""

_PIECES: Final = (
    *("<nav><a href=/a>one</a> <a href='/b?utm_source=x'>two</a></nav>", "<br>", "<td width=9>"),
    *("<img src=//ads.example/i width=1 height=1 alt=x>", "<a href=//ads.example/x>buy", "</a>"),
    *("<div role=dialog>cookies", "<div class=adsbygoogle>", "<script src=//ads.example/>"),
    *("<template>", "<table>", "<tr><td>", "</table>", "<p onclick=f() style='width:1px;top:0'>"),
    *("<noscript>", "<input type=hidden>", "<form>", "<li>", "</div>", f"<p>{'word ' * 30}</p>"),
)


def pages() -> st.SearchStrategy[str]:
    """Generate tag soup with what filters look for in it."""
    pieces = st.one_of(st.sampled_from(_PIECES), soups(6))
    return st.lists(pieces, max_size=12).map("".join)


def letters_of(page: Page) -> Counter[str]:
    """Count the characters of a page's text."""
    return Counter("".join(page.text.split()))


@pytest.mark.parametrize("folder", PAGES, ids=[folder.name for folder in PAGES])
def test_page_is_as_expected_when_filtered(folder: Path) -> None:
    """Whole pages must come out as they were looked at in a browser."""
    about = (folder / "about.toml").read_text(encoding="utf-8")
    html = (folder / "page.html").read_text(encoding="utf-8")
    page = parse(html, url=tomllib.loads(about)["url"])
    filtered = filter_page(page, parse_filters(about), own_blocklist())
    assert (folder / "expected.html").read_text(encoding="utf-8") == filtered.html + "\n"
    again = parse(filtered.html, url=page.url)
    assert filtered.html == filter_page(again, parse_filters(about), own_blocklist()).html


@settings(max_examples=50)
@given(pages())
def test_page_is_itself_without_filters(html: str) -> None:
    """With all filters off the page is its own source, to the character."""
    page = parse(html, url=URL)
    filtered = filter_page(page, NO_FILTERS, ADS)
    assert page.source == filtered.html
    assert ({}, 0, ()) == (dict(filtered.removed), filtered.removed_chars, filtered.links)


@settings(max_examples=50)
@given(pages(), st.sampled_from([Filters(), ALL_ON]), st.data())
def test_nothing_is_invented(html: str, filters: Filters, data: st.DataObject) -> None:
    """For any page and any selection, the filtered text must be part of the page's text."""
    page = parse(html, url=URL)
    keep: Any = data.draw(
        st.none() | st.lists(st.booleans(), min_size=page.leaves.size, max_size=page.leaves.size)
    )
    mask = None if keep is None else np.array(keep, np.bool_)
    silent = replace(filters, removed_links=False, alternative_texts=False)
    filtered = filter_page(page, silent, ADS, keep=mask)
    assert letters_of(parse(filtered.html)) <= letters_of(page)
    assert 0 <= filtered.removed_chars <= sum(letters_of(page).values())


@settings(max_examples=40)
@given(pages())
def test_filters_of_elements_last(html: str) -> None:
    """Filters that judge each element on its own must find nothing in their own output."""
    once = filter_page(parse(html, url=URL), LASTING, ADS).html
    written = serialise_source(parse_source(parse(once)))
    assume(written == serialise_source(parse_source(parse(written))))
    assert once == filter_page(parse(once, url=URL), LASTING, ADS).html


@pytest.mark.parametrize("name", NASTY_PAGES)
@pytest.mark.parametrize("filters", [Filters(), ALL_ON], ids=["default", "all"])
def test_nasty_pages_are_filtered(name: str, filters: Filters) -> None:
    """No page is so broken that it cannot be filtered."""
    page = parse(NASTY_PAGES[name], url=URL)
    filtered = filter_page(page, filters, ADS)
    assert letters_of(page) >= letters_of(parse(filtered.html)) - letters_of(
        parse("More links (12)")
    )


def test_deep_and_long_pages_are_filtered() -> None:
    """Nothing recurses, and no step costs more than the page is long."""
    deep = "<div><table><tr><td>" * 5_000 + "<a href=//ads.example/>x</a>text"
    wide = "<ul><li><a href=/x>x</a></ul>" * 5_000
    for html, word in ((deep, "text"), (wide, "<summary>More links (1)</summary>")):
        assert word in filter_page(parse(html, url=URL), ALL_ON, ADS).html


def test_the_fixed_beginning_stays() -> None:
    """What begins in it is not changed, not even if it is elsewhere in the tree."""
    tag = '<script src="https://ad.doubleclick.net/x.js"></script>'
    head = f"<html class=modal-open><head>{tag}<noscript><img src=/a.png></noscript>{tag}</head>"
    page = parse(f"{head}<body><p>Rye</p>{tag}</body>", url="https://a.example/")
    filtered = filter_page(page, Filters(), own_blocklist(), n_fixed_char=len(head))
    assert filtered.html.startswith(head)
    assert 2 == filtered.html.count("doubleclick")


def test_result_pickles() -> None:
    """A result can leave a worker; the deadline holds, and the mask must be of the page."""
    page = parse("a<img src=//ads.example/>", url=URL)
    filtered = filter_page(page, Filters(), ADS)
    assert filtered == pickle.loads(pickle.dumps(filtered))
    assert 1 == filtered.removed["ads"]
    with deadline(1e-9), pytest.raises(LimitError):
        filter_page(page, Filters(), ADS)
    with pytest.raises(UsageError, match="keep has 3 entries, for 2 leaves"):
        filter_page(page, Filters(), keep=np.ones(3, np.bool_))


def test_advertisements_are_in_no_other_output() -> None:
    """Leaves of what goes from every page are not kept, others are as they were."""
    page = parse("<p>Rye</p><a href=https://ads.example/>Seed</a><nav><a href=/a>Mill</a></nav>")
    for keep, left in (([1, 1, 1], [1, 0, 1]), ([1, 1, 0], [1, 0, 0])):
        selected = np.array(keep, np.bool_)
        assert left == drop_unwanted(page, Filters(), ADS, selected).tolist()
