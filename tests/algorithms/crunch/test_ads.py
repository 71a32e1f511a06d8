"""The advertisement remover."""

from __future__ import annotations

import pytest

from thresher.algorithms.crunch.ads import (
    find_ads,
    host_of,
    is_covered,
    read_hosts,
    shipped_ad_hosts,
)
from thresher.algorithms.crunch.params import Params
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://ads.test/x?y", "ads.test"),
        ("//Ads.Test", "ads.test"),
        ("https://bücher.test/", "xn--bcher-kva.test"),
        (" HTTP://user:pw@ads.test:8080#x", "ads.test"),
        ("https:\\\\ads.test\\x", "ads.test"),
        ("https://ads.test./", "ads.test"),
        ("/path//ads.test", None),
        ("?to=https://ads.test", None),
        ("mailto:x@ads.test", None),
        ("https://", None),
        ("", None),
    ],
)
def test_host_read_when_address_is_absolute(address: str, host: str | None) -> None:
    """The host of an absolute URL is found as a browser finds it; a relative URL has none."""
    assert host == host_of(address)


@pytest.mark.parametrize(
    ("host", "covered"),
    [
        ("ads.test", True),
        ("cdn.ads.test", True),
        ("a.b.ads.test", True),
        ("badads.test", False),
        ("ads.test.org", False),
        ("test", False),
        ("", False),
    ],
)
def test_subdomains_covered_when_host_is_listed(host: str, covered: bool) -> None:
    """Like `||host^`, a rule covers its host and the subdomains, and nothing else."""
    assert covered == is_covered(host, frozenset({"ads.test"}))


def test_hosts_read_in_either_notation() -> None:
    """A line may be a host or `||host^`; comments and empty lines are skipped."""
    lines = ["||Ads.test^", "plain.test", "! comment", "# comment", "", "  "]
    assert {"ads.test", "plain.test"} == read_hosts(lines)


def test_shipped_list_is_small_and_lower_case() -> None:
    """The shipped list has at most 200 domains, all in lower case."""
    hosts = shipped_ad_hosts()
    assert 100 <= len(hosts) <= 200
    assert all(host == host.lower() and "." in host and "/" not in host for host in hosts)


def test_every_src_and_href_surveyed_when_elements_differ() -> None:
    """`src` and `href` of any element are checked, and no other attribute."""
    html = (
        "<img src=//x.ads.test/1><a href=//ads.test>a</a><iframe src=https://ads.test></iframe>"
        "<p cite=//ads.test>b</p><a href=/ads.test>c</a>"
    )
    page = parse(html)
    flags = find_ads(page, Params(ad_hosts=("ads.test",)))
    assert ["img", "a", "iframe"] == [page.name(row) for row in flags.nonzero()[0].tolist()]
    assert not find_ads(page, Params(ad_hosts=())).any()
