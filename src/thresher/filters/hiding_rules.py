"""Rules of filter lists that hide elements, with an index over the names in their selectors.

``domains##selector`` hides, ``domains#@#selector`` excepts (help.adblockplus.org). Most selectors
are one class or id: they are looked up for the names that a page has. Others with a class or id are
tried on pages that have it, and those of a site on its pages. Attribute selectors for every site
are looked up by the start of the value. What needs the look of the page (``:has-text``, ``#?#``),
or would change scripts and styles, is not supported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from thresher.filters.address_rules import Unsupported, domains_of
from thresher.support.cached import cached_property
from thresher.support.hosts import ascii_host

_RULE: Final = re.compile(r"([^#\s]*)#(@?)#(?!\+js|\^)(\S.*)")
_SEPARATOR: Final = re.compile(r"#[@?$%]*#")
"""Between the hosts and the selector; with other characters than ``@`` not supported."""
_KEY: Final = re.compile(r"(?<!\\)[.#]-?[A-Za-z_][\w-]*(?![\w\\-])", re.ASCII)
_PREFIX: Final = re.compile(r"""([a-z]*)\[([a-z-]+)\^=(["']?)([^"'\]]{4,})\3\]""")
_NOT_CSS: Final = re.compile(
    r":-abp-|:(?:has-text|contains|matches|min-text|upward|nth-ancestor|others|remove|style|watch"
    r"|xpath|if|if-not|properties|spath)\b|\{"
)
_QUOTED: Final = re.compile(
    r"""\[[^\]]{0,500}\]|"[^"]{0,500}"|'[^']{0,500}'|:[a-z-]{1,50}\([^)]{0,500}\)"""
)
"""Parts of a selector whose names need not be in the page."""
_MAX_RULE_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class HidingRule:
    """One rule as written."""

    selector: str
    on: frozenset[str] = frozenset()
    """Hosts of pages for which it holds; empty: all."""
    not_on: frozenset[str] = frozenset()
    is_exception: bool = False

    @staticmethod
    def is_one(line: str) -> bool:
        """Return whether a line is such a rule, supported or not."""
        return "#" in line and bool(_SEPARATOR.search(line))

    @staticmethod
    def parse(line: str) -> HidingRule:
        """Read a rule; Unsupported if it cannot be expressed."""
        if len(line) > _MAX_RULE_CHARS:
            raise Unsupported("too long")
        found = _RULE.fullmatch(line)
        if found is None or _NOT_CSS.search(found[3]):
            raise Unsupported("extended selector, snippet or style")
        hosts = [ascii_host(each.strip()) for each in found[1].split(",") if each]
        if any("/" in host for host in hosts):
            raise Unsupported("page given by its path")
        rule = HidingRule(
            found[3].strip(),
            frozenset(host for host in hosts if host[0] != "~"),
            frozenset(host[1:] for host in hosts if host[0] == "~"),
            bool(found[2]),
        )
        if not rule.on and not rule.is_exception and keys_of(rule.selector) is None:
            raise Unsupported("selector without a name, for every site")
        return rule


@dataclass(frozen=True, slots=True)
class PrefixSelector:
    """Selector ``tag[name^="value"]``."""

    tag: str
    """Empty: any."""
    selector: str


@dataclass(frozen=True)
class HidingRules:
    """Rules that hide elements."""

    selectors: frozenset[str] = frozenset()
    """Of the rules for every site."""
    of_site: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Host as in the list → selectors hidden on its pages."""
    excepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Host, or empty for all → selectors not hidden on its pages."""

    @staticmethod
    def join(rules: Iterable[HidingRule]) -> HidingRules:
        """Return the rules sorted by where they hold."""
        selectors: set[str] = set()
        of_site: dict[str, list[str]] = {}
        excepted: dict[str, list[str]] = {}
        for rule in rules:
            if rule.is_exception:
                for host in rule.on or ("",):
                    excepted.setdefault(host, []).append(rule.selector)
                continue
            if not rule.on:
                selectors.add(rule.selector)
            for host in rule.on:
                of_site.setdefault(host, []).append(rule.selector)
            for host in rule.not_on:
                excepted.setdefault(host, []).append(rule.selector)
        return HidingRules(frozenset(selectors), _settled(of_site), _settled(excepted))

    def __len__(self) -> int:
        """Count the rules."""
        several = sum(map(len, self.of_site.values())) + sum(map(len, self.excepted.values()))
        return len(self.selectors) + several

    def __or__(self, other: HidingRules) -> HidingRules:
        """Return the rules of both."""
        if not len(other):
            return self
        return HidingRules(
            self.selectors | other.selectors,
            _merged(self.of_site, other.of_site),
            _merged(self.excepted, other.excepted),
        )

    def lines(self) -> Iterator[str]:
        """Yield the rules as lines of a list."""
        yield from (f"##{selector}" for selector in sorted(self.selectors))
        for mark, rules in (("##", self.of_site), ("#@#", self.excepted)):
            for host in sorted(rules):
                yield from (f"{host}{mark}{selector}" for selector in rules[host])

    def wanted(
        self, host: str | None, names: Iterable[str], *, is_generic: bool = True
    ) -> tuple[str, ...]:
        """Return the selectors to try on a page, given the host and ``.class`` and ``#id`` in it.

        ``is_generic`` is whether the rules for every site hold too.
        """
        domains = domains_of(host) if host else frozenset()
        found: dict[str, None] = {}
        if is_generic:
            for name in names:
                if name in self.selectors:
                    found[name] = None
                found.update(dict.fromkeys(self._by_name.get(name, ())))
        for domain in domains & self.of_site.keys():
            found.update(dict.fromkeys(self.of_site[domain]))
        if found and self.excepted:
            for selector in self.excepted_on(host):
                found.pop(selector, None)
        return tuple(found)

    @cached_property
    def prefixes(self) -> Mapping[str, Mapping[int, Mapping[str, PrefixSelector]]]:
        """Name of an attribute → length of the start → start → selector, for every site."""
        index: dict[str, dict[int, dict[str, PrefixSelector]]] = {}
        for selector in self.selectors:
            if selector[0] not in ".#" and (found := _PREFIX.fullmatch(selector)):
                tag, name, _, value = found.groups()
                of_length = index.setdefault(name, {}).setdefault(len(value), {})
                of_length[value] = PrefixSelector(tag, selector)
        return index

    def excepted_on(self, host: str | None) -> frozenset[str]:
        """Return the selectors that are not hidden on the pages of a host."""
        if not self.excepted:
            return frozenset()
        hosts = {"", *(domains_of(host) if host else ())} & self.excepted.keys()
        return frozenset(selector for each in hosts for selector in self.excepted[each])

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[str, ...]]:
        """Selectors for every site that are more than a name, by a name in each."""
        index: dict[str, tuple[str, ...]] = {}
        for selector in self.selectors:
            for key in keys_of(selector) or ():
                if key != selector:
                    index[key] = (*index.get(key, ()), selector)
        return index


def keys_of(selector: str) -> tuple[str, ...] | None:
    """Return a class or id for each alternative of a selector, one of which a page must have.

    A selector that is nothing else is its own key. Empty for a `PrefixSelector`; None if an
    alternative has none.
    """
    if _PREFIX.fullmatch(selector):
        return ()
    if _KEY.fullmatch(selector):
        return (selector,)
    keys = [_KEY.findall(part) for part in _QUOTED.sub(" ", selector).split(",")]
    return tuple(max(each, key=len) for each in keys) if all(keys) else None


def _settled(rules: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {host: tuple(dict.fromkeys(selectors)) for host, selectors in rules.items()}


def _merged(
    rules: Mapping[str, tuple[str, ...]], others: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    merged = dict(rules)
    for host, selectors in others.items():
        merged[host] = tuple(dict.fromkeys((*merged.get(host, ()), *selectors)))
    return merged


NO_HIDING: Final = HidingRules()
