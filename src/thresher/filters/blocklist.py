"""Block lists of hosts: hosts files and the host rules of ad blockers.

The paper (section 3) matches the servers of src and href against a list, as an operating system's
hosts file does. Today's lists are written for ad blockers; most of their address rules are hosts,
``||host^``. Those are read; more specific rules (paths, request types, elements to hide) are
counted and skipped. A host covers its subdomains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from thresher.algorithms.crunch.ads import is_covered, shipped_ad_hosts
from thresher.filters.hosts import host_of, is_same_site

__all__ = ["NO_HOSTS", "BlockList", "own_blocklist"]

_HOST: Final = r"(?:\*\.)?([a-z0-9_][a-z0-9_.-]*\.[0-9-]*[a-z][a-z0-9-]*)\.?"
"""A name with a dot; not a numeric address, which no list needs."""
_RULE: Final = re.compile(rf"(@@)?(?:\|\|)?{_HOST}\^?(?:\$([a-z0-9~,_-]*))?", re.ASCII)
_HOSTS_LINE: Final = re.compile(r"(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+(\S.*)", re.ASCII)
_HOST_ALONE: Final = re.compile(_HOST, re.ASCII)
_OPTIONS: Final = frozenset(("", "all", "important", "third-party", "3p"))
"""Options that change nothing: a site's own content is never blocked anyway."""
_OWN_NAMES: Final = frozenset(("localhost.localdomain",))
"""Names with a dot that hosts files use for the machine itself."""
_MAX_RULE_CHARS: Final = 300
"""Maximum length of a rule: a name has at most 253 (RFC 1035, 2.3.4), and the rest is short."""
_HIDING: Final = re.compile(r"#[@?$%]*#")
"""Separators between a site and the elements to hide there."""


@dataclass(frozen=True, slots=True)
class BlockList:
    """Blocked hosts and excepted hosts, both including their subdomains."""

    blocked: frozenset[str] = frozenset()
    excepted: frozenset[str] = frozenset()
    n_skipped: int = 0
    """Number of rules skipped because they specify more than a host."""

    @staticmethod
    def parse(lines: Iterable[str]) -> BlockList:
        """Read rules, one a line: ``host``, ``||host^``, ``@@||host^`` or ``0.0.0.0 host …``.

        Lines that begin with ``!``, ``#`` or ``[`` are comments. Never fails: lines that are
        not rules are counted.
        """
        blocked: set[str] = set()
        excepted: set[str] = set()
        n_skipped = 0
        for line in lines:
            rule = line.strip().lower()
            plain = _RULE.fullmatch(rule) if len(rule) <= _MAX_RULE_CHARS else None
            if plain and _is_plain(plain[3]):
                (excepted if plain[1] else blocked).add(plain[2])
            elif rule and (rule[0] not in "!#[" or _HIDING.match(rule)):
                hosts = _read_hosts_line(rule)
                blocked.update(hosts or ())
                n_skipped += hosts is None
        return BlockList(frozenset(blocked), frozenset(excepted), n_skipped)

    def __or__(self, other: BlockList) -> BlockList:
        """Return a list that blocks what either blocks, except what either excepts."""
        return BlockList(
            self.blocked | other.blocked,
            self.excepted | other.excepted,
            self.n_skipped + other.n_skipped,
        )

    def __len__(self) -> int:
        """Count the rules."""
        return len(self.blocked) + len(self.excepted)

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


NO_HOSTS: Final = BlockList()


@cache
def own_blocklist() -> BlockList:
    """Return the list that ships with Thresher: well-known advertisers and trackers."""
    return BlockList(shipped_ad_hosts())


def _is_plain(options: str | None) -> bool:
    return options is None or _OPTIONS.issuperset(options.split(","))


def _read_hosts_line(rule: str) -> list[str] | None:
    """Return the hosts of a line of a hosts file; None for any other line.

    Comments may follow a host. Names without a dot are the machine's own.
    """
    found = _HOSTS_LINE.fullmatch(rule.partition("#")[0].strip())
    bare = found[1] if found else rule.partition(" #")[0] if " #" in rule else None
    if bare is None:
        return None
    names = (name for name in bare.split() if len(name) <= _MAX_RULE_CHARS)
    hosts = [match[1] for name in names if (match := _HOST_ALONE.fullmatch(name))]
    return [host for host in hosts if host not in _OWN_NAMES]
