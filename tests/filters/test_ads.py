"""The advertisement remover, by hosts, addresses and the elements that lists name."""

from __future__ import annotations

from typing import Final

import pytest

from tests.filters.filtering import body_of, only, run
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
    "not a box with text": ("<div>a<a href=//ads.example>x</a></div>", "<div>a</div>"),
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


def test_lists_hold_for_other_sites() -> None:
    """An advertiser's own page stays, an unknown one has none of its own; own rules overrule."""
    html = "a<img src=//img.ads.example/1>"
    assert {} == dict(run(html, "https://www.ads.example/", ads=True).removed)
    assert "a" == body_of(html, None, ads=True)
    html = "a<img src=//ads.example/1><img src=//other.example/2>"
    rules = ["@@||ads.example^", "other.example"]
    assert 'a<img src="//ads.example/1">' == body_of(html, ads=True, ad_rules=rules)


def test_counts_are_of_elements() -> None:
    """The count must be of removed elements, not of their descendants."""
    html = "<div>a<a href=//ads.example><img src=//ads.example></a><img src=//ads.example>"
    filtered = run(html, ads=True)
    assert ({"ads": 2}, 0) == (dict(filtered.removed), filtered.removed_chars)


LIST: Final = BlockList.parse(
    [
        *("##.ad-box", "###promo", "##div.row.sponsor > p", "##[data-x].odd"),
        *('##a[href^="https://go.ads.example/"]', "shop.example##aside > .deal", "##.form-ad"),
        *("calm.example#@#.ad-box", "@@||bare.example^$elemhide", "@@||own.example^$generichide"),
        *("own.example##.own", "broken.example##p:nth-child(", "##main"),
    ]
)
LISTED: Final[dict[str, tuple[str, str, str]]] = {
    "a class": ("a.example", "<p>a</p><p class='b ad-box'>x</p>", "<p>a</p>"),
    "an id": ("a.example", "<p>a</p><div id=promo>x</div>", "<p>a</p>"),
    "another case": ("a.example", "<p class=Ad-Box>a</p>", ""),
    "a selector": (
        "a.example",
        "<p>a</p><div class='row sponsor'>b<p>x</p></div><div class=row><p>c</p></div>",
        "<p>a</p><div class='row sponsor'>b</div><div class=row><p>c</p></div>",
    ),
    "the start of an address": (
        "a.example",
        "a<a href=https://go.ads.example/1>x</a><a href=/go>b</a>",
        "a<a href=/go>b</a>",
    ),
    "a rule of the site": (
        "www.shop.example",
        "<p>a</p><aside>b<p class=deal>x</p></aside>",
        "<p>a</p><aside>b</aside>",
    ),
    "not on other sites": ("a.example", "<aside><p class=deal>a</p></aside>", ""),
    "an exception": ("calm.example", "<p class=ad-box>a</p>", ""),
    "a site without rules": ("bare.example", "<p class=ad-box>a</p>", ""),
    "a site with its own rules only": (
        "own.example",
        "<p class=ad-box>a</p><p class=own>x</p>",
        "<p class=ad-box>a</p>",
    ),
    "an invalid selector": ("broken.example", "<p>a</p>", ""),
    "a form stays": (
        "a.example",
        "<form class=form-ad><input name=q><button>Go</button></form>",
        "<form class=form-ad><input name=q><button>Go</button></form>",
    ),
}


@pytest.mark.parametrize(("host", "html", "expected"), LISTED.values(), ids=list(LISTED))
def test_elements_named_by_lists_go(host: str, html: str, expected: str) -> None:
    """Elements matched by a rule for the site or for all sites must go, and no others."""
    page = parse(f"<body>{html}", url=f"https://{host}/")
    done = filter_page(page, only(ad_elements=True), LIST)
    assert f"<body>{expected or html}" == done.html


def test_the_user_overrules_the_lists() -> None:
    """Own rules hide and except; sites may be excepted from all."""
    html = "<body><p class=ad-box>a</p><p class=mine>b</p>"
    filters = only(ad_elements=True, ad_rules=["##.mine", "#@#.ad-box"])
    page = parse(html, url="https://a.example/")
    assert "<body><p class=ad-box>a</p>" == filter_page(page, filters, LIST).html
    allowed = only(ad_elements=True, ad_slots=True, ads=True, ads_allowed_on=["a.example"])
    assert {} == dict(filter_page(page, allowed, LIST).removed)
