"""Elements that filter lists name."""

from __future__ import annotations

from typing import Final

import pytest

from tests.filters.filtering import only
from thresher.filters import BlockList, filter_page
from thresher.page.parse import parse

LIST: Final = BlockList.parse(
    [
        *("##.ad-box", "###promo", "##div.row.sponsor > p", "##[data-x].odd"),
        *('##a[href^="https://go.ads.example/"]', "shop.example##aside > .deal", "##.form-ad"),
        *("calm.example#@#.ad-box", "@@||bare.example^$elemhide", "@@||own.example^$generichide"),
        *("own.example##.own", "broken.example##p:nth-child(", "##main"),
    ]
)
CASES: Final[dict[str, tuple[str, str, str]]] = {
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


@pytest.mark.parametrize(("host", "html", "expected"), CASES.values(), ids=list(CASES))
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
