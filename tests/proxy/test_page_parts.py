"""Markup of the proxy's own, and policies that allow it."""

from __future__ import annotations

from typing import Final

import pytest
import turbohtml

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile_metadata import ATTACKS, page_with_metadata
from thresher.filters import Filters
from thresher.filters.blocklist import BlockList
from thresher.proxy.csp import STYLES, allow_source, hash_source
from thresher.proxy.page_parts import (
    rule_style_source,
    write_frame_style,
    write_reader,
    write_rule_style,
    write_text_page,
)
from thresher.sites.rules import Rules

HASH = "'sha256-x='"


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("script-src 'self'", "script-src 'self'"),
        ("style-src 'self'", f"style-src 'self' {HASH}"),
        ("style-src 'none'", f"style-src {HASH}"),
        ("style-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'"),
        ("style-src 'unsafe-inline' 'nonce-a'", f"style-src 'unsafe-inline' 'nonce-a' {HASH}"),
        ("default-src 'self' a.b", f"default-src 'self' a.b; style-src 'self' a.b {HASH}"),
        ("default-src 'none'", f"default-src 'none'; style-src {HASH}"),
        ("default-src *; style-src b", f"default-src *; style-src b {HASH}"),
        ("style-src a; style-src-elem b", f"style-src a; style-src-elem b {HASH}"),
        ("Style-Src a;;", f"Style-Src a {HASH}"),
        ("style-src a, style-src b", f"style-src a {HASH}, style-src b {HASH}"),
        ("", ""),
    ],
)
def test_a_style_sheet_is_allowed(policy: str, expected: str) -> None:
    """The governing directive gets the hash, unless it allows all inline styles."""
    assert expected == allow_source(policy, HASH, STYLES)


def test_hash_source() -> None:
    """The hash is that of the UTF-8 text (example of CSP Level 2)."""
    expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    assert expected == hash_source("alert('Hello, world.');")


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


ELEMENTS: Final = frozenset("html head meta title style body main article p small h1 pre".split())
ATTRIBUTES: Final = frozenset(("charset", "class", "content", "lang", "name"))


@pytest.mark.parametrize("attack", ATTACKS)
def test_metadata_are_text_in_generated_pages(attack: str) -> None:
    """Whatever a page says of itself adds no element and no attribute to the views of it."""
    document = document_keeping(page_with_metadata(attack))
    elements = [
        element
        for write in (write_reader, write_text_page)
        for element in turbohtml.parse(write(document, None, "note")).iter_elements()
    ]
    assert {element.tag for element in elements} <= ELEMENTS
    assert {name for element in elements for name in element.attrs} <= ATTRIBUTES
