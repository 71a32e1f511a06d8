"""The advertisement remover."""

from __future__ import annotations

from typing import Final

import pytest

from tests.filters.filtering import ADS, body_of, only, run
from thresher.filters import BlockList, filter_page
from thresher.page.parse import parse

CASES: Final[dict[str, tuple[str, str]]] = {
    "a link with all it holds": ("a<a href=//ads.example/1><b>x</b></a>", "a"),
    "a picture": ("a<img src=https://x.ads.example/1>", "a"),
    "a frame": ("a<iframe src=//ads.example></iframe>", "a"),
    "a script": ("a<script src=//ads.example/x.js></script>", "a"),
    "a set of pictures": ("a<img src=x srcset='y 1x, https://ads.example/y 2x'>", "a"),
    "a picture that comes later": ("a<img data-src=//ads.example/1>", "a"),
    "an object": ("a<object data=//ads.example/1></object>", "a"),
    "an exception": (
        "a<img src=https://good.ads.example/1>",
        'a<img src="https://good.ads.example/1">',
    ),
    "a relative address": ("a<img src=/ads.example/1>", 'a<img src="/ads.example/1">'),
    "its box and its label": (
        "<p>a</p><div><i> Advertisement: </i><a href=//ads.example>x</a></div>",
        "<p>a</p>",
    ),
    "not a box with text": (
        "<div>a<a href=//ads.example>x</a></div>",
        "<div>a</div>",
    ),
    "not a box with a field": (
        "<div><input><a href=//ads.example>x</a></div>",
        "<div><input></div>",
    ),
    "a box with a script is hidden": (
        "<p>a</p><div class=b><img src=//ads.example><script>f()</script></div>",
        '<p>a</p><div class="b" data-thresher="hidden" hidden="" style="display: none !important">'
        "<script>f()</script></div>",
    ),
    "a form stays": (
        "<form action=//ads.example>a</form>",
        '<form action="//ads.example">a</form>',
    ),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_ads_are_removed(html: str, expected: str) -> None:
    """Elements that load from or link to a blocked host must go and leave no empty box."""
    assert expected == body_of(html, ads=True)


SLOTS: Final[dict[str, tuple[str, str]]] = {
    "an element of Google's": ("<p>a</p><ins class='x adsbygoogle y'></ins>", "<p>a</p>"),
    "a numbered place": ("<p>a</p><div><div id=div-gpt-ad-12_3></div></div>", "<p>a</p>"),
    "with a label": ("<p>a</p><div class=ad-slot>Anzeige</div>", "<p>a</p>"),
    "no place with an article": (
        f"<div class=advertisement>{'word ' * 13}</div>",
        f'<div class="advertisement">{"word " * 13}</div>',
    ),
    "no name that begins so": (
        "<p>a</p><p class=head-slot>b</p>",
        '<p>a</p><p class="head-slot">b</p>',
    ),
}


@pytest.mark.parametrize(("html", "expected"), SLOTS.values(), ids=list(SLOTS))
def test_slots_are_removed(html: str, expected: str) -> None:
    """Boxes named as places for advertisements go, unless they hold something to read."""
    assert expected == body_of(html, ad_slots=True)


def test_own_rules_overrule_the_list() -> None:
    """The user's own rules must override the lists, both for blocking and for exceptions."""
    html = "a<img src=//ads.example/1><img src=//other.example/2>"
    rules = ["@@||ads.example^", "other.example"]
    assert 'a<img src="//ads.example/1">' == body_of(html, ads=True, ad_rules=rules)


PATHS: Final = BlockList.parse(
    ["/banners/*$image", "||cdn.example/ad.js", "/track.$script,third-party", "@@/banners/fine"]
)


@pytest.mark.parametrize(
    ("html", "goes"),
    [
        ("<img src=/banners/1.png>", True),
        ("<img src=banners/1.png>", True),
        ("<img src=/banners/fine.png>", False),
        ("<a href=/banners/1>a</a>", False),
        ("<script src=//cdn.example/ad.js></script>", True),
        ("<script src=//cdn.example/app.js></script>", False),
        ("<script src=//other.example/track.js></script>", True),
        ("<script src=/track.js></script>", False),
        ("<iframe src=//cdn.example/ad.js></iframe>", True),
        ("<img src=//[broken/banners/>", False),
        ("<base href=//[><img src=/banners/1.png>", True),
    ],
)
def test_elements_that_load_what_an_address_rule_stops(html: str, goes: bool) -> None:
    """They go; links are no requests."""
    page = parse(f"<body>a{html}", url="https://site.example/dir/page")
    assert goes == bool(filter_page(page, only(ads=True), PATHS).removed)


def test_page_of_an_advertiser_stays() -> None:
    """An advertiser's own pages must keep their elements."""
    html = "<body>a<img src=//img.ads.example/1></body>"
    page = parse(html, url="https://www.ads.example/")
    assert {} == dict(filter_page(page, only(ads=True), ADS).removed)


def test_page_without_an_address() -> None:
    """If the page's address is unknown, every blocked host must count as third-party."""
    assert "a" == body_of("a<img src=//ads.example/1>", None, ads=True)


def test_counts_are_of_elements() -> None:
    """The count must be of removed elements, not of their descendants."""
    filtered = run(
        "<div>a<a href=//ads.example><img src=//ads.example></a><img src=//ads.example>", ads=True
    )
    assert ({"ads": 2}, 0) == (dict(filtered.removed), filtered.removed_chars)
