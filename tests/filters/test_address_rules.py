"""Rules for addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
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

URL = "https://cdn.shop.example/assets/ads/banner-468x60.js?place=top&id=7"
PAGE = "news.example"


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("/ads/*", True),
        ("/ads/banner", True),
        ("/ads/*.js", True),
        ("/ads/*.css", False),
        ("*/ads/*", True),
        ("||shop.example/assets/", True),
        ("||cdn.shop.example^*^place=top", True),
        ("||hop.example/assets/", False),
        ("||example/assets", True),
        ("||assets/ads", False),
        ("|https://cdn.", True),
        ("|cdn.shop", False),
        ("id=7|", True),
        ("place=top|", False),
        ("^ads^", True),
        ("^asset^", False),
        ("id=7^", True),
        ("BANNER-468X60.", True),
        ("-468x60.", True),
        ("/ads/*/ads/*", False),
        (".js?place*&id=*7", True),
    ],
)
def test_patterns(rule: str, expected: bool) -> None:
    """Anchors, separators and stars are those of Adblock Plus."""
    rules = AddressRules((AddressRule.parse(rule.lower()),))
    assert expected == (rules.find(Request(URL, KINDS["script"], PAGE)) is not None)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", True),
        ("script", True),
        ("image,script", True),
        ("image", False),
        ("~script", False),
        ("~image", True),
        ("third-party", True),
        ("1p", False),
        ("~third-party", False),
        ("domain=news.example", True),
        ("domain=example", True),
        ("domain=news.*|other.example", True),
        ("domain=other.example", False),
        ("domain=~news.example", False),
        ("domain=example|~news.example", False),
        ("from=news.example,css,script,important", True),
        ("popup,script", True),
        ("redirect=noop.js", True),
    ],
)
def test_options(options: str, expected: bool) -> None:
    """A rule holds for the kinds of requests and the pages that its options name."""
    rules = AddressRules((AddressRule.parse(f"/ads/*${options}"),))
    assert expected == (rules.find(Request(URL, KINDS["script"], PAGE)) is not None)


def test_unknown_pages() -> None:
    """If the page's address is unknown, a rule for certain pages must match only with in_doubt."""
    rules = AddressRules((AddressRule.parse("/ads/*$domain=a.example"),))
    assert rules.find(Request(URL)) is None
    assert rules.find(Request(URL), in_doubt=True) is not None


@pytest.mark.parametrize("rule", ["/ad[0-9]/", "/ads/*$csp=x", "/ads/*$document", "a b.", "ad"])
def test_what_cannot_be_expressed_is_said(rule: str) -> None:
    """Such rules raise, so that they are counted."""
    with pytest.raises(Unsupported):
        AddressRule.parse(rule)


def test_stars_cost_no_search_of_all_ways() -> None:
    """Many stars and a long address that almost matches take one pass."""
    rule = AddressRule.parse("a*" * 200 + "b.")
    assert not AddressRules((rule,)).find(Request("https://x.example/" + "a" * 4000))


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
