"""The user's rules and exceptions, which overrule those of the lists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from thresher.algorithms.crunch.ads import find_cover, host_of, is_covered
from thresher.filters.address_rules import Request
from thresher.filters.blocklist import BlockList
from thresher.filters.settings import Filters

__all__ = ["AdRules", "ad_rules_of"]


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
        host = host_of(request.url) or ""
        return (
            self.listed.stops(request)
            and not is_covered(host, self.own.excepted)
            and self.own.excepted_addresses.find(request, in_doubt=True) is None
        )

    def explain(self, request: Request) -> str:
        """Return the rule by which a request is stopped; empty if there is none."""
        for rules, name in ((self.own, "your rules"), (self.listed, "the lists")):
            if rule := rules.addresses.find(request):
                return f"{rule.text} in {name}"
            host = (host_of(request.url) or "") if request.leaves_site else ""
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
