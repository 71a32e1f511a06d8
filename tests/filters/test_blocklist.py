"""Lists of hosts."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.filters.blocklist import NO_HOSTS, BlockList, own_blocklist

RULES = """\
! a comment
# another
[Adblock Plus 2.0]
||ads.example^
||Partner.Example^$third-party
@@||good.ads.example^
0.0.0.0 a.example b.example # from a hosts file
::1 localhost.localdomain
127.0.0.1 localhost
plain.example
*.wild.example
"""


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
        ("http://localhost.localdomain", False),
        ("/ads.example", False),
        ("data:image/gif;base64,//ads.example/", False),
    ],
)
def test_rules_of_all_spellings_block(url: str, is_blocked: bool) -> None:
    """A host is blocked with its subdomains, but for exceptions and what has no host."""
    assert is_blocked == BlockList.parse(RULES.splitlines()).blocks(url)


@pytest.mark.parametrize(
    "rule",
    [
        "##.banner",
        "site.example##.banner",
        "#@#.banner",
        "||a.example/path^",
        "||a.example^$script",
        "||a.example^$third-party,domain=b.example",
        "/banner/*",
        "10.0.0.1",
        "<html>",
        "word",
        "~",
    ],
)
def test_rules_that_say_more_are_counted(rule: str) -> None:
    """What cannot be expressed blocks nothing, and is counted."""
    assert BlockList(n_skipped=1) == BlockList.parse([rule])


def test_endless_lines_are_passed_over() -> None:
    """A line as long as a list takes no longer than a list."""
    line = "a" * 1_000_000
    assert BlockList(n_skipped=2) == BlockList.parse([f"{line}!", f"||b.{line}^"])
    assert BlockList(frozenset({"a.example"})) == BlockList.parse([f"0.0.0.0 {line}.b a.example"])


def test_own_site_is_never_blocked() -> None:
    """Who goes to a site that is on the list sees what it shows of itself."""
    rules = BlockList.parse(["ads.example"])
    assert not rules.blocks("https://img.ads.example/x", "www.ads.example")
    assert rules.blocks("https://img.ads.example/x", "other.example")


def test_lists_are_joined() -> None:
    """An exception of one list holds for the other's rules."""
    joined = BlockList.parse(["a.example", "?"]) | BlockList.parse(
        ["@@||b.a.example^", "c.example"]
    )
    assert (3, 1) == (len(joined), joined.n_skipped)
    assert joined.blocks("//a.example/") and joined.blocks("//c.example/")
    assert not joined.blocks("//b.a.example/")


def test_own_list_blocks_what_everybody_knows() -> None:
    """The list that ships is there, and is all rules."""
    assert own_blocklist().blocks("https://securepubads.g.doubleclick.net/tag/js/gpt.js")
    assert (0, frozenset()) == (own_blocklist().n_skipped, own_blocklist().excepted)
    assert 100 <= len(own_blocklist())


@given(st.lists(st.text() | st.from_regex(r"[@|.^$*#a-z0-9 -]+", fullmatch=True)))
def test_any_lines_parse(lines: list[str]) -> None:
    """Whatever a list holds, it is read; what is read pickles, and is unchanged by nothing."""
    rules = BlockList.parse(lines)
    assert rules == pickle.loads(pickle.dumps(rules)) == rules | NO_HOSTS
    assert all("." in host for host in rules.blocked | rules.excepted)
