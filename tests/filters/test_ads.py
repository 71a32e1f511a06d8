"""The advertisement remover, by hosts, addresses and the elements that lists name."""

from __future__ import annotations

from typing import Final

import pytest

from tests.filters.filtering import body_of, only, run
from tests.helpers.data import cases
from thresher.filters import BlockList, filter_page
from thresher.page.parse import parse


@cases(__file__, "ads")
def test_ads_are_removed(html: str, expected: str) -> None:
    """Elements that load from or link to a blocked host must go and leave no empty box."""
    assert expected == body_of(html, ads=True)


@cases(__file__, "ad_slots")
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


@cases(__file__, "listed_elements")
def test_elements_named_by_lists_go(host: str, html: str, expected: str | None) -> None:
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
