"""The style sheet of a person's rules."""

from __future__ import annotations

from thresher.filters import Filters
from thresher.filters.blocklist import BlockList
from thresher.proxy.csp import hash_source
from thresher.proxy.rule_style import rule_style_source, write_frame_style, write_rule_style
from thresher.sites.rulebook import Rules


def test_each_selector_is_a_rule() -> None:
    """Selectors are hidden one by one; what could end the style sheet is left out."""
    rules = Rules(drop=(".promo", "a > b", "</style><script>", "p{}*", "é", "a;b"))
    style = ".promo{display:none!important}a > b{display:none!important}"
    assert f'<style data-thresher="rules">{style}</style>' == write_rule_style(rules)
    assert hash_source(style) == rule_style_source(rules)
    assert "" == write_rule_style(Rules(keep=("p",))) == rule_style_source(Rules())


def test_frames_of_blocked_hosts_that_scripts_name_are_hidden() -> None:
    """Those of other hosts, and of pages on which advertisements are allowed, stay."""
    listed = BlockList.parse(["ads.example"])
    page = (
        '<a href="https://ads.example/">Rye</a><script>f("https://ADS.example/f", "//x.example/");'
        r'g("https:\/\/a.ads.example\/g")</script>'
    )
    style = (
        '<style>iframe[src*="//a.ads.example/"],iframe[src*="//ads.example/"]'
        "{display:none!important}</style>"
    )
    assert style == write_frame_style(page, Filters(), listed, "mill.example")
    allowed = Filters(ads_allowed_on=("mill.example",))
    for filters in (allowed, Filters(ads=False)):
        assert not write_frame_style(page, filters, listed, "mill.example")
    assert not write_frame_style("<p>//ads.example/", Filters(), listed, "mill.example")
