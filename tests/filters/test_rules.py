"""Rules of lists: for addresses, and for elements to hide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.filters.address_rules import (
    KINDS,
    AddressRule,
    AddressRules,
    Request,
    Unsupported,
    domains_of,
    is_same_site,
)
from thresher.filters.hiding_rules import HidingRule, HidingRules, keys_of

URL = "https://cdn.shop.example/assets/ads/banner-468x60.js?place=top&id=7"
PAGE = "news.example"


PATTERNS = [
    *("/ads/*", "/ads/banner", "/ads/*.js", "*/ads/*", "||shop.example/assets/", "|https://cdn."),
    *("||cdn.shop.example^*^place=top", "||example/assets", "id=7|", "^ads^", "id=7^"),
    *("BANNER-468X60.", "-468x60.", ".js?place*&id=*7"),
]
OPTIONS = [
    *("", "script", "image,script", "~image", "third-party", "domain=news.example"),
    *("domain=example", "domain=news.*|other.example", "popup,script", "redirect=noop.js"),
    "from=news.example,css,script,important",
]
OTHER_PATTERNS = [
    *("/ads/*.css", "||hop.example/assets/", "||assets/ads", "|cdn.shop", "place=top|"),
    *("^asset^", "/ads/*/ads/*"),
]
OTHER_OPTIONS = [
    *("image", "~script", "1p", "~third-party", "domain=other.example", "domain=~news.example"),
    "domain=example|~news.example",
]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        *((rule, True) for rule in PATTERNS + [f"/ads/*${options}" for options in OPTIONS]),
        *((rule, False) for rule in OTHER_PATTERNS),
        *((f"/ads/*${options}", False) for options in OTHER_OPTIONS),
    ],
)
def test_rules(rule: str, expected: bool) -> None:
    """Anchors, separators, stars and options are those of Adblock Plus; many stars take one pass.

    If the page's address is unknown, a rule for certain pages matches only in doubt.
    """
    rules = AddressRules((AddressRule.parse(rule.lower()),))
    assert expected == (rules.find(Request(URL, KINDS["script"], PAGE)) is not None)
    rules = AddressRules((AddressRule.parse("/ads/*$domain=a.example"),))
    assert rules.find(Request(URL)) is None
    assert rules.find(Request(URL), in_doubt=True) is not None


def test_stars_cost_no_search_of_all_ways() -> None:
    """Many stars and a long address that almost matches take one pass."""
    rule = AddressRule.parse("a*" * 200 + "b.")
    assert AddressRules((rule,)).find(Request("https://x.example/" + "a" * 4000)) is None


@settings(max_examples=40)
@given(
    st.lists(st.from_regex(r"(\|\|)?[a-z*^./_-]{3,12}\|?", fullmatch=True), max_size=8),
    st.from_regex(r"https://[a-z.]{1,8}/[a-z./_-]{0,20}", fullmatch=True),
)
def test_the_index_finds_what_trying_each_rule_finds(texts: list[str], url: str) -> None:
    """No rule is missed for being looked up by one of its tokens."""
    rules = []
    for text in texts:
        try:
            rules.append(AddressRule.parse(text))
        except Unsupported:
            continue
    request = Request(url)
    expected = any(rule.matches(request, in_doubt=False) for rule in rules)
    assert expected == (AddressRules(tuple(rules)).find(request) is not None)


def test_names_of_a_host() -> None:
    """A rule may name a host, a parent domain, or one that ends in any registry."""
    known = domains_of("www.google.co.uk")
    assert {"www.google.co.uk", "google.co.uk", "google.*", "www.google.*", "co.uk"} <= known
    assert "www.*" not in domains_of("www.b.example")


@pytest.mark.parametrize(
    ("rule", "popups", "scripts"),
    [
        ("/ads/*$popup", True, False),
        ("/ads/*$popup,script", True, True),
        ("/ads/*", False, True),
        ("/ads/*$~popup", False, True),
        ("/ads/*$popup,domain=news.example", False, False),
    ],
)
def test_rules_for_popups(rule: str, popups: bool, scripts: bool) -> None:
    """Only rules that name popups hold for these."""
    parsed = AddressRule.parse(rule)
    for kind, expected in (("popup", popups), ("script", scripts)):
        request = Request("https://x.example/ads/1", KINDS[kind], "shop.example")
        assert expected == parsed.matches(request, in_doubt=False)


@pytest.mark.parametrize(
    ("host", "other", "same"),
    [
        ("a.example", "a.example", True),
        ("www.a.example", "a.example", True),
        ("img.a.example", "news.a.example", True),
        ("a.example", "b.example", False),
        ("shop.co.uk", "news.co.uk", False),
        ("x.shop.co.uk", "y.shop.co.uk", True),
        ("10.0.0.1", "10.9.0.1", False),
        ("a.example", None, False),
    ],
)
def test_sites_of_hosts(host: str, other: str | None, same: bool) -> None:
    """Hosts below one registered name are of one site; addresses of machines only themselves."""
    assert same == is_same_site(host, other)


LINES = (
    *("##.ad", "###top", "##div.ad-box > p", "##.never", "~calm.example##.loud"),
    *("shop.example##.promo", "news.*##[data-ad]", "shop.example#@#.ad", "#@#.never"),
)
RULES = HidingRules.join(map(HidingRule.parse, LINES))
NAMES = (".ad", "#top", ".ad-box", ".never", ".loud")


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("any.example", {".ad", "#top", "div.ad-box > p", ".loud"}),
        (None, {".ad", "#top", "div.ad-box > p", ".loud"}),
        ("www.shop.example", {"#top", "div.ad-box > p", ".loud", ".promo"}),
        ("news.co.uk", {".ad", "#top", "div.ad-box > p", ".loud", "[data-ad]"}),
        ("calm.example", {".ad", "#top", "div.ad-box > p"}),
    ],
)
def test_selectors_of_a_page(host: str | None, expected: set[str]) -> None:
    """Those whose name is in the page, and those of its site, but for exceptions and switches."""
    assert expected == set(RULES.wanted(host, NAMES))
    assert (".promo",) == RULES.wanted("shop.example", NAMES, is_generic=False)


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (".ad", (".ad",)),
        ("#ad-1", ("#ad-1",)),
        ("div.ad", (".ad",)),
        ("div > .a.longer[data-x='.no']", (".longer",)),
        (".one, p#two", (".one", "#two")),
        ("a[href^='https://ads.example/']", ()),
        ("div > div", None),
        (".one, p", None),
        ("div:not(.one)", None),
        ('[style="a.b"]', None),
        (r".a\:b", (r".a",)),
    ],
)
def test_names_a_selector_needs(selector: str, expected: tuple[str, ...] | None) -> None:
    """One class or id for each alternative, none of which is in brackets."""
    keys = keys_of(selector)
    assert expected == keys if selector != r".a\:b" else keys is None
