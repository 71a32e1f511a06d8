"""Block lists, and the user's rules beside them."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.filters.filtering import only
from tests.helpers.data import read_data
from thresher.filters.address_rules import KINDS, Request
from thresher.filters.blocklist import NO_HOSTS, BlockList, ad_rules_of, own_blocklist

RULES = read_data("block-list.txt")


@pytest.mark.parametrize(
    ("url", "is_blocked"),
    [
        ("https://ads.example/x.js", True),
        ("//x.ads.example/x.js", True),
        ("https://good.ads.example/", False),
        ("https://very.good.ads.example/", False),
        ("https://notads.example/", False),
        ("http://partner.example", True),
        ("http://a.example", True),
        ("http://b.example", True),
        ("http://plain.example", True),
        ("http://x.wild.example", True),
        ("http://xn--wrbung-bva.example", True),
        ("http://localhost.localdomain", False),
        ("/ads.example", False),
        ("data:image/gif;base64,//ads.example/", False),
    ],
)
def test_rules_of_all_spellings_block(url: str, is_blocked: bool) -> None:
    """A host is blocked with its subdomains, but for exceptions and what has no host."""
    assert is_blocked == BlockList.parse(RULES.splitlines()).blocks(url)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("/banner[0-9]+/", "regular expression"),
        ("||a.example^$document", "option document"),
        ("||a.example^$csp=script-src 'none'", "option csp"),
        ("||a.example^$domain=/a.*/", "option domain with an expression"),
        ("site.example#?#div:-abp-has(.ad)", "extended selector, snippet or style"),
        ("##div:has-text(Advertisement)", "extended selector, snippet or style"),
        ("site.example##+js(noop)", "extended selector, snippet or style"),
        ("##^script", "extended selector, snippet or style"),
        ("##div > div", "selector without a name, for every site"),
        ("<html>", "not a rule"),
        ("word", "not a rule"),
        ("~", "not a rule"),
    ],
)
def test_rules_that_are_not_supported_are_counted(rule: str, reason: str) -> None:
    """An unsupported rule must block nothing and be counted under the feature that it uses."""
    assert BlockList(skipped={reason: 1}) == BlockList.parse([rule])


SCRIPT, IMAGE = KINDS["script"], KINDS["image"]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Request("https://ads.example/x.js", SCRIPT, "a.example"), True),
        (Request("https://ads.example/x.js", SCRIPT, "www.ads.example"), False),
        (Request("https://ads.example/x.js", SCRIPT, None), True),
        (Request("https://shop.example/banners/1.gif", IMAGE, "shop.example"), True),
        (Request("https://shop.example/banners/fine/1.gif", IMAGE, "shop.example"), False),
        (Request("https://shop.example/banners/1.gif", IMAGE, "free.example"), False),
        (Request("https://shop.example/banners/1.gif", IMAGE, "www.free.example"), False),
        (Request("https://cdn.example/needed.js", SCRIPT, "pay.example"), False),
        (Request("https://cdn.example/needed.js", SCRIPT, "other.example"), True),
        (Request("https://cdn.example/needed.js", SCRIPT, None), False),
        (Request("/banners/1.gif", IMAGE, "a.example"), False),
    ],
)
def test_requests_are_stopped_by_host_or_address(request_: Request, expected: bool) -> None:
    """Hosts count for other sites, addresses for all; an exception wins, on unknown pages too."""
    rules = BlockList.parse(
        [
            *("||ads.example^", "/banners/*.gif$image", "@@/banners/fine/*"),
            *("@@||free.example^$document", "||cdn.example/needed.js"),
            "@@||cdn.example/needed.js$domain=pay.example",
        ]
    )
    assert expected == rules.stops(request_)


def test_a_list_is_written_as_it_is_read() -> None:
    """Workers read from a file what the proxy has read from the lists."""
    rules = BlockList.parse(
        [
            *RULES.splitlines(),
            *("/path/*$script,domain=a.example|~b.a.example", "@@||c.example/x$~image"),
            *("##.ad", "a.example,~b.a.example##div.x > p", "c.example#@#.ad", "#@##no"),
            *("@@||d.example^$elemhide", "@@||d.example^$ghide"),
        ]
    )
    assert 0 == rules.n_skipped
    assert rules == BlockList.parse(rules.lines())


def test_lists_are_joined() -> None:
    """An exception of one list holds for the other's rules; no site blocks its own hosts."""
    rules = BlockList.parse(["a.example", "~"])
    assert not rules.blocks("https://img.a.example/x", "www.a.example")
    joined = rules | BlockList.parse(["@@||b.a.example^", "c.example"])
    assert (3, 1) == (len(joined), joined.n_skipped)
    assert joined.blocks("//a.example/") and joined.blocks("//c.example/")
    assert not joined.blocks("//b.a.example/")


@pytest.mark.parametrize(
    ("url", "kind", "stops"),
    [
        ("https://securepubads.g.doubleclick.net/tag/js/gpt.js", "script", True),
        ("https://connect.facebook.net/en_US/fbevents.js", "script", True),
        ("https://www.facebook.com/tr?id=1&ev=PageView", "image", True),
        ("https://mill.example/static/prebid8.36.js", "script", True),
        ("https://mill.example/matomo.php?action_name=a", "image", True),
        ("https://metrics.mill.example/g/collect?v=2&tid=G-1", "ping", True),
        ("https://connect.facebook.net/en_US/sdk.js", "script", False),
        ("https://www.facebook.com/plugins/post.php?href=a", "subdocument", False),
        ("https://www.facebook.com/tractors", "other", False),
        ("https://s0.wp.com/wp-content/js/devicepx.js", "script", False),
        ("https://www.google.com/recaptcha/api.js", "script", False),
        ("https://docs.prebid.example/prebid-guide", "other", False),
    ],
)
def test_own_list_stops_the_trackers_met_most(url: str, kind: str, stops: bool) -> None:
    """Pixels, statistics and bidding are stopped, but not log-ins, posts, forms and pages."""
    own = own_blocklist()
    assert stops == own.stops(Request(url, KINDS[kind], "mill.example"))
    assert (0, frozenset(), True) == (own.n_skipped, own.excepted, len(own) >= 100)


@given(st.lists(st.text() | st.from_regex(r"[@|.^$*#a-z0-9 -]+", fullmatch=True)))
def test_any_lines_parse(lines: list[str]) -> None:
    """Any list parses to rules that survive pickling and a union; endless lines are passed over."""
    rules = BlockList.parse(lines)
    assert rules == pickle.loads(pickle.dumps(rules)) == rules | NO_HOSTS
    assert all("." in host for host in rules.blocked | rules.excepted)
    line = "a" * 10_000
    assert BlockList(skipped={"too long": 2}) == BlockList.parse([f"{line}!", f"||b.{line}^"])
    assert BlockList(frozenset({"a.example"})) == BlockList.parse([f"0.0.0.0 {line}.b a.example"])


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
def test_own_rules_win(rules: tuple[str, ...], expected: bool) -> None:
    """The user's exceptions and rules must override those of the lists."""
    request = Request("https://ads.example/banner/1.js", KINDS["script"], "a.example")
    assert expected == ad_rules_of(only(ad_rules=list(rules)), LISTED).stops(request)
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
