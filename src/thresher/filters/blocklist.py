"""Block lists: hosts files, the lists of ad blockers, and the user's rules, which overrule them.

The paper (section 3) matches the servers of src and href against a list, as an operating system's
hosts file does. Today's lists are written for ad blockers. Most of their address rules are hosts,
``||host^``; those are kept as a set. The others are kept by `thresher.filters.address_rules` and
`thresher.filters.hiding_rules`. What neither can express is counted, by what it uses. A host covers
its subdomains.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from thresher.algorithms.crunch.ads import find_cover, host_of, is_covered, shipped_ad_hosts
from thresher.filters.address_rules import (
    NO_ADDRESSES,
    AddressRule,
    AddressRules,
    Request,
    Unsupported,
    is_same_site,
)
from thresher.filters.hiding_rules import NO_HIDING, HidingRule, HidingRules
from thresher.filters.settings import Filters
from thresher.support.hosts import ascii_host

_HOST: Final = r"(?:\*\.)?([a-z0-9_][a-z0-9_.-]*\.[0-9-]*[a-z][a-z0-9-]*)\.?"
"""A name with a dot; not a numeric address, which no list needs."""
_RULE: Final = re.compile(rf"(@@)?(?:\|\||(?!_)){_HOST}\^?(?:\$([a-z0-9~,_-]*))?", re.ASCII)
"""A host rule; a bare name that begins with ``_`` is the middle of an address."""
_HOSTS_LINE: Final = re.compile(r"(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+(\S.*)", re.ASCII)
_HOST_ALONE: Final = re.compile(_HOST, re.ASCII)
_NAME: Final = re.compile(r"[\w.-]+")
_OPTIONS: Final = frozenset(("", "all", "important", "third-party", "3p"))
"""Options that change nothing: a site's own hosts are never blocked anyway."""
_SITE_OPTIONS: Final = {
    **dict.fromkeys(("document", "doc"), "document"),
    **dict.fromkeys(("elemhide", "ehide"), "elemhide"),
    **dict.fromkeys(("generichide", "ghide"), "generichide"),
}
"""Options of exceptions that except pages, not requests: from all rules, from those that hide, and
from those of them that hold for every site."""
_OWN_NAMES: Final = frozenset(("localhost.localdomain",))
"""Names with a dot that hosts files use for the machine itself."""
_MAX_RULE_CHARS: Final = 300
"""Maximum length of a host rule: a name has at most 253 (RFC 1035, 2.3.4), the rest is short."""


@dataclass(frozen=True, slots=True)
class BlockList:
    """Rules of block lists: hosts, including their subdomains, addresses and elements."""

    blocked: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()
    addresses: AddressRules = NO_ADDRESSES
    """Rules of addresses that are blocked, besides hosts."""
    excepted_addresses: AddressRules = NO_ADDRESSES
    hiding: HidingRules = NO_HIDING
    """Elements of pages."""
    excepted_sites: frozenset[tuple[str, str]] = frozenset()
    """Hosts of pages that are excepted from all rules (``document``), from those that hide
    (``elemhide``), or from the general ones of these (``generichide``), with which of the three."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Unsupported feature → number of rules skipped because they use it."""

    @staticmethod
    def parse(lines: Iterable[str]) -> BlockList:
        """Read rules, one a line, of hosts files and ad blockers' lists.

        Lines that begin with ``!``, ``#`` or ``[`` are comments. Never fails: rules that are not
        supported are counted.
        """
        hosts: tuple[set[str], set[str]] = (set(), set())
        addresses: tuple[list[AddressRule], list[AddressRule]] = ([], [])
        hiding: list[HidingRule] = []
        sites: set[tuple[str, str]] = set()
        skipped: Counter[str] = Counter()
        for line in map(str.strip, lines):
            try:
                if HidingRule.is_one(line):
                    hiding.append(HidingRule.parse(line))
                    continue
                if not line or line[0] in "!#[":
                    continue
                rule = line.lower()
                plain = _RULE.fullmatch(_to_ascii(rule)) if len(rule) <= _MAX_RULE_CHARS else None
                if plain and _is_plain(plain[3]):
                    hosts[plain[1] is not None].add(plain[2])
                elif plain and plain[1] and plain[3] in _SITE_OPTIONS:
                    sites.add((plain[2], _SITE_OPTIONS[plain[3]]))
                elif (named := _read_hosts_line(_to_ascii(rule))) is not None:
                    hosts[False].update(named)
                else:
                    is_exception = rule.startswith("@@")
                    addresses[is_exception].append(AddressRule.parse(rule.removeprefix("@@")))
            except Unsupported as error:
                skipped[str(error)] += 1
        return BlockList(
            frozenset(hosts[False]),
            frozenset(hosts[True]),
            AddressRules(tuple(dict.fromkeys(addresses[False]))),
            AddressRules(tuple(dict.fromkeys(addresses[True]))),
            HidingRules.join(hiding),
            frozenset(sites),
            dict(skipped),
        )

    def lines(self) -> Iterator[str]:
        """Yield the rules as lines that `parse` reads."""
        yield from sorted(self.blocked)
        yield from (f"@@{host}" for host in sorted(self.excepted))
        yield from (rule.text for rule in self.addresses.rules)
        yield from (f"@@{rule.text}" for rule in self.excepted_addresses.rules)
        yield from (f"@@||{host}^${option}" for host, option in sorted(self.excepted_sites))
        yield from self.hiding.lines()

    @property
    def n_skipped(self) -> int:
        """Number of rules that are not supported."""
        return sum(self.skipped.values())

    def __or__(self, other: BlockList) -> BlockList:
        """Return a list that blocks what either blocks, except what either excepts."""
        return BlockList(
            self.blocked | other.blocked,
            self.excepted | other.excepted,
            self.addresses | other.addresses,
            self.excepted_addresses | other.excepted_addresses,
            self.hiding | other.hiding,
            self.excepted_sites | other.excepted_sites,
            dict(Counter(self.skipped) + Counter(other.skipped)),
        )

    def __len__(self) -> int:
        """Count the rules."""
        return (
            len(self.blocked)
            + len(self.excepted)
            + len(self.addresses.rules)
            + len(self.excepted_addresses.rules)
            + len(self.hiding)
            + len(self.excepted_sites)
        )

    def prepare(self) -> BlockList:
        """Build the indexes, which are otherwise built when first needed, and return the list."""
        for rules in (self.addresses, self.excepted_addresses):
            rules.find(Request(""))
        self.hiding.wanted(None, ("",))
        return self

    def blocks(self, url: str, page_host: str | None = None) -> bool:
        """Return whether an address leads to a blocked host outside the page's own site.

        A relative address never does. Cost: one lookup per label of the host.
        """
        host = host_of(url)
        if host is None:
            return False
        return self.blocks_host(host, page_host)

    def blocks_host(self, host: str, page_host: str | None = None) -> bool:
        """Return the same for a host, lower-case and in ASCII."""
        if not is_covered(host, self.blocked) or is_covered(host, self.excepted):
            return False
        return not is_same_site(host, page_host)

    def stops(self, request: Request) -> bool:
        """Return whether a page's request is to be stopped, by its host or by its address.

        Popups are stopped only by rules for them, because a link may lead to any listed host.
        An exception wins over every rule. Where the page is not known, exceptions that name pages
        hold, and rules that do so do not.
        """
        if not (self.blocked or self.addresses.rules):
            return False
        host = request.host
        if not host or is_covered(host, self.excepted) or self.excepts_site(request.page_host):
            return False
        # Most are of the page's own site, and which site a host is of takes longest to say.
        is_listed = not request.is_popup and is_covered(host, self.blocked) and request.leaves_site
        if not is_listed and self.addresses.find(request) is None:
            return False
        return self.excepted_addresses.find(request, in_doubt=True) is None

    def excepts_site(self, page_host: str | None, option: str = "document") -> bool:
        """Return whether the pages of a host are excepted from all rules, or from some."""
        host = page_host or ""
        while host and self.excepted_sites:
            if (host, option) in self.excepted_sites:
                return True
            host = host.partition(".")[2]
        return False


NO_HOSTS: Final = BlockList()


@cache
def own_blocklist() -> BlockList:
    """Return the list that ships with Thresher: well-known advertisers and trackers."""
    rules = Path(__file__).with_name("own_rules.txt").read_text(encoding="utf-8")
    return BlockList(shipped_ad_hosts()) | BlockList.parse(rules.splitlines())


def _to_ascii(rule: str) -> str:
    """Return a rule with its hosts in ASCII."""
    if rule.isascii() or len(rule) > _MAX_RULE_CHARS:
        return rule
    return _NAME.sub(lambda name: name[0] if name[0].isascii() else ascii_host(name[0]), rule)


def _is_plain(options: str | None) -> bool:
    return options is None or _OPTIONS.issuperset(options.split(","))


def _read_hosts_line(rule: str) -> list[str] | None:
    """Return the hosts of a line of a hosts file; None for any other line.

    Comments may follow a host. Names without a dot are the machine's own.
    """
    line = _HOSTS_LINE.fullmatch(rule.partition("#")[0].strip())
    bare = line[1] if line else rule.partition(" #")[0] if " #" in rule else None
    if bare is None:
        return None
    names = (name for name in bare.split() if len(name) <= _MAX_RULE_CHARS)
    hosts = [match[1] for name in names if (match := _HOST_ALONE.fullmatch(name))]
    return [host for host in hosts if host not in _OWN_NAMES]


@dataclass(frozen=True, slots=True)
class AdRules:
    """The rules of the lists and those of the user."""

    listed: BlockList
    own: BlockList

    def blocks_host(self, host: str, page_host: str | None) -> bool:
        """Return whether what refers to a host is removed from a page."""
        if self.own.blocks_host(host, page_host):
            return True
        return self.listed.blocks_host(host, page_host) and not is_covered(host, self.own.excepted)

    def stops(self, request: Request) -> bool:
        """Return whether a request is stopped."""
        if self.excepts_site(request.page_host):
            return False
        if self.own.stops(request):
            return True
        return (
            self.listed.stops(request)
            and not is_covered(request.host, self.own.excepted)
            and self.own.excepted_addresses.find(request, in_doubt=True) is None
        )

    def explain(self, request: Request) -> str:
        """Return the rule by which a request is stopped; empty if there is none."""
        for rules, name in ((self.own, "your rules"), (self.listed, "the lists")):
            if rule := rules.addresses.find(request):
                return f"{rule.text} in {name}"
            host = request.host if request.leaves_site else ""
            if listed := find_cover(host, rules.blocked):
                return f"||{listed}^ in {name}"
        return ""

    @property
    def has_addresses(self) -> bool:
        """True if there are rules for more than hosts."""
        return bool(self.listed.addresses.rules or self.own.addresses.rules)

    def excepts_site(self, page_host: str | None, option: str = "document") -> bool:
        """Return whether the pages of a host are excepted from all rules, or from some."""
        return self.own.excepts_site(page_host, option) or self.listed.excepts_site(
            page_host, option
        )


def ad_rules_of(filters: Filters, listed: BlockList) -> AdRules:
    """Return the rules of the lists with those in the settings."""
    return AdRules(listed, _read_own(filters.ad_rules, filters.ads_allowed_on))


@lru_cache(maxsize=256)
def _read_own(rules: tuple[str, ...], sites: tuple[str, ...]) -> BlockList:
    own = BlockList.parse(rules)
    hosts = {(host.strip().lower().strip("."), "document") for host in sites}
    return replace(own, excepted_sites=own.excepted_sites | hosts)
