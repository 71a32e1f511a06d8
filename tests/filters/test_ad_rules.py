"""The user's rules beside those of the lists."""

from __future__ import annotations

import pytest

from tests.filters.filtering import only
from thresher.filters.address_rules import KINDS, Request
from thresher.filters.blocklist import BlockList, ad_rules_of

LISTED = BlockList.parse(["ads.example", "/banner/", "@@||needed.example/banner/"])


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ((), True),
        (("@@||ads.example^",), False),
        (("@@/banner/1.js",), False),
        (("@@/banner/$domain=other.example",), True),
        (("@@||a.example^$document",), False),
    ],
)
def test_own_exceptions_win(rules: tuple[str, ...], expected: bool) -> None:
    """The user's exceptions must override the rules of the lists."""
    request = Request("https://ads.example/banner/1.js", KINDS["script"], "a.example")
    assert expected == ad_rules_of(only(ad_rules=list(rules)), LISTED).stops(request)


def test_own_rules_win() -> None:
    """The user's blocking rules must override the exceptions of the lists."""
    request = Request("https://needed.example/banner/1.js", KINDS["script"], "a.example")
    assert not ad_rules_of(only(), LISTED).stops(request)
    assert ad_rules_of(only(ad_rules=["||needed.example^"]), LISTED).stops(request)


def test_sites_with_advertisements() -> None:
    """On the sites that the user names nothing is stopped or removed, below them neither."""
    rules = ad_rules_of(only(ads_allowed_on=["Free.example."]), LISTED)
    for page in ("free.example", "www.free.example"):
        assert not rules.stops(Request("https://ads.example/", KINDS["image"], page))
        assert rules.excepts_site(page)
    assert rules.stops(Request("https://ads.example/", KINDS["image"], "unfree.example"))
