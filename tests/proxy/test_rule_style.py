"""The style sheet of a person's rules."""

from __future__ import annotations

from thresher.proxy.csp import hash_source
from thresher.proxy.rule_style import rule_style_source, write_rule_style
from thresher.sites.rules import Rules


def test_each_selector_is_a_rule() -> None:
    """Selectors are hidden one by one; what could end the style sheet is left out."""
    rules = Rules(drop=(".promo", "a > b", "</style><script>", "p{}*", "é", "a;b"))
    style = ".promo{display:none!important}a > b{display:none!important}"
    assert f'<style data-thresher="rules">{style}</style>' == write_rule_style(rules)
    assert hash_source(style) == rule_style_source(rules)
    assert "" == write_rule_style(Rules(keep=("p",))) == rule_style_source(Rules())
