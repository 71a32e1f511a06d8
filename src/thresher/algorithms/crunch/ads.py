"""The advertisement filter: elements whose src or href points to an advertiser's host.

It works like an operating system's hosts file. A rule is a host and covers its subdomains, written
`||host^` in filter lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.params import Params
from thresher.page import Page
from thresher.support.hosts import ascii_host

_ATTRIBUTES: Final = ("src", "href")
_HOST: Final = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?[/\\]{2}(?:[^/\\?#@]*@)?([^/\\?#:]+)", re.I)
"""An absolute address up to its host (URL Living Standard, 4.4: browsers take `\\` for `/`)."""


def find_ads(page: Page, params: Params) -> npt.NDArray[np.bool_]:
    """Flag the elements with an advertiser's address; bool[n_row]."""
    flags = np.zeros(len(page), np.bool_)
    if not params.remove_ads:
        return flags
    ad_hosts = shipped_ad_hosts() if params.ad_hosts is None else read_hosts(params.ad_hosts)
    rows_of: dict[str, list[int]] = {}
    for name in _ATTRIBUTES:
        for row, address in page.attributes.values(name).items():
            if host := host_of(address):
                rows_of.setdefault(host, []).append(row)
    for host, rows in rows_of.items():
        flags[rows] = flags[rows] | is_covered(host, ad_hosts)
    return flags


def host_of(address: str) -> str | None:
    """Return the host of an absolute address, lower-case and in ASCII; None for a relative one."""
    match = _HOST.match(address)
    return ascii_host(match[1].rstrip(".")) if match else None


def is_covered(host: str, hosts: frozenset[str]) -> bool:
    """Return whether the host or one of its parent domains is among these."""
    return find_cover(host, hosts) != ""


def find_cover(host: str, hosts: frozenset[str]) -> str:
    """Return the host or its nearest parent domain that is among these; empty if none is."""
    while host and host not in hosts:
        host = host.partition(".")[2]
    return host


def read_hosts(lines: Iterable[str]) -> frozenset[str]:
    """Parse one host per line, plain or as `||host^`; `!` and `#` start a comment line."""
    rules = (line.strip() for line in lines)
    hosts = (rule.removeprefix("||").removesuffix("^") for rule in rules if rule[:1] not in "!#")
    return frozenset(ascii_host(host) for host in hosts if host)


@cache
def shipped_ad_hosts() -> frozenset[str]:
    """Return the list that ships with Thresher: well-known advertisers and trackers."""
    text = Path(__file__).with_name("ad_hosts.txt").read_text(encoding="utf-8")
    return read_hosts(text.splitlines())
