"""Rules of filter lists that stop requests by their address, and an index over their tokens.

The syntax is that of Adblock Plus (help.adblockplus.org, "How to write filters"), as EasyList uses
it: ``||host/path``, ``|start``, ``end|``, ``*``, the separator ``^``, and options after ``$``. A
rule is looked up by one of its tokens, the rarest, so that an address is compared with a few rules
of many thousands. Regular expressions are not supported: a list could make any address cost
seconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from thresher.algorithms.crunch.ads import host_of
from thresher.support.cached import cached_property
from thresher.support.hosts import is_address

_SHORT_LABEL_CHARS: Final = 3
"""Maximum letters of a second-level label that is a registry's, not a site's: co.uk, com.br."""


def is_same_site(host: str, other: str | None) -> bool:
    """Return whether two hosts belong to the same site: equal, nested or siblings.

    Siblings share a domain below a registry. Registries are guessed by the length of their names,
    since the list of them is long and changes; so two hosts below ``blog.uk`` may be mistaken for
    one site.
    """
    if not other:
        return False
    host, other = host.removeprefix("www."), other.lower().rstrip(".").removeprefix("www.")
    if host == other or host.endswith(f".{other}") or other.endswith(f".{host}"):
        return True
    return _site_of(host) == _site_of(other)


def _site_of(host: str) -> str:
    if is_address(host):
        return host
    labels = host.split(".")
    return ".".join(labels[-3 if _has_registry(labels) else -2 :])


def _has_registry(labels: Sequence[str]) -> bool:
    """Return whether the last two labels of a host are a registry's, as by their lengths."""
    return len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= _SHORT_LABEL_CHARS


_TOKEN: Final = re.compile(r"(?<![a-z0-9%*])[a-z0-9%]{3,}(?![a-z0-9%*])")
_TOKENS: Final = re.compile(r"[a-z0-9%]{3,}")
_HOST_START: Final = r"^[a-z][a-z0-9+.-]*:/+(?:[^/?#]*?\.)?"
_SEPARATOR: Final = r"(?:[^a-z0-9_.%-]|$)"


def _without_loose_ends(pattern: str) -> str:
    """Mark the ends of a pattern at which an address may go on, so that no token is cut there."""
    start = pattern if pattern[0] == "|" else f"*{pattern}"
    return start if pattern[-1] == "|" else f"{start}*"


def is_in(pattern: str, address: str) -> bool:
    """Return whether a pattern matches an address, both in lower case; linear in the address."""
    place = 0
    for part in _compile(pattern):
        if isinstance(part, str):
            place = address.find(part, place)
            if place < 0:
                return False
            place += len(part)
        else:
            match = part.search(address, place)
            if match is None:
                return False
            place = match.end()
    return True


@lru_cache(maxsize=16_384)
def _compile(pattern: str) -> tuple[re.Pattern[str] | str, ...]:
    """Return the parts of a pattern between its ``*``: texts, and expressions for the others.

    Each is searched from the end of the one before; the first match is enough, so that nothing is
    tried twice.
    """
    before = after = ""
    if pattern.startswith("||"):
        before, pattern = _HOST_START, pattern[2:]
    elif pattern.startswith("|"):
        before, pattern = "^", pattern[1:]
    if pattern.endswith("|"):
        after, pattern = "$", pattern[:-1]
    texts = pattern.split("*")
    parts: list[re.Pattern[str] | str] = []
    for number, text in enumerate(texts):
        start = before if number == 0 else ""
        stop = after if number == len(texts) - 1 else ""
        if start or stop or "^" in text:
            body = re.escape(text).replace(r"\^", _SEPARATOR)
            parts.append(re.compile(f"{start}{body}{stop}"))
        elif text:
            parts.append(text)
    return tuple(parts)


KINDS: Final[Mapping[str, int]] = {
    "script": 1,
    "image": 2,
    "stylesheet": 4,
    "font": 8,
    "media": 16,
    "object": 32,
    "subdocument": 64,
    "xmlhttprequest": 128,
    "ping": 256,
    "websocket": 512,
    "other": 1024,
    "popup": 2048,
}
"""Kind of request → bit. A popup is a page that another site opens; no rule stops other pages."""
NOT_A_RULE: Final = "not a rule"
"""Reason for skipping a line that no list would hold."""
_ALL: Final = sum(KINDS.values()) - KINDS["popup"]
"""The kinds of rules that name none: all that a page loads."""
_SHORT: Final = {
    "1p": "~third-party",
    "3p": "third-party",
    "beacon": "ping",
    "css": "stylesheet",
    "first-party": "~third-party",
    "frame": "subdocument",
    "from": "domain",
    "object-subrequest": "object",
    "xhr": "xmlhttprequest",
    "~1p": "third-party",
    "~3p": "~third-party",
}
_IGNORED: Final = frozenset(("all", "important", "redirect", "rewrite", ""))
"""Options that change nothing here: all answers are empty, and exceptions always win."""
_NOT_REQUESTS: Final = frozenset(("document", "doc"))
"""Pages that a person opens are not stopped; a rule for something else as well still holds."""
_MAX_ADDRESS_CHARS: Final = 4096
"""Characters of an address that are compared; what rules name stands before."""
_MAX_RULE_CHARS: Final = 2000
_MIN_PATTERN_CHARS: Final = 3
"""Shorter patterns would stop almost anything; EasyList has none."""
_PATTERN: Final = re.compile(r"(?=.*[/.|^=&?:_-])[^\s<>]+")
"""A pattern has something that is no letter: a word alone is text, not a rule."""


class Unsupported(Exception):  # noqa: N818 – a finding, not a failure: it is counted
    """A rule uses syntax that is not supported; the message names it, to be counted."""


@dataclass(frozen=True)
class Request:
    """A request as far as rules look at it."""

    url: str
    kinds: int = _ALL
    """Bits of `KINDS`; several if it is not certain which."""
    page_host: str | None = None
    """Host of the page that makes the request; None if it is not known."""
    is_third_party: bool | None = None
    """Whether it is for another site; None: compare the hosts."""

    @cached_property
    def host(self) -> str:
        """Host of the address, in ASCII; empty if it has none."""
        return host_of(self.url) or ""

    @property
    def is_popup(self) -> bool:
        """True if the request is for a page that another site opens."""
        return self.kinds == KINDS["popup"]

    @cached_property
    def leaves_site(self) -> bool:
        """True if the request is for another site than the page's."""
        if self.is_third_party is not None:
            return self.is_third_party
        return not is_same_site(self.host, self.page_host)

    @cached_property
    def address(self) -> str:
        """The text that patterns are compared with."""
        return self.url[:_MAX_ADDRESS_CHARS].lower()

    @cached_property
    def tokens(self) -> frozenset[str]:
        """The words of the address by which rules are looked up, and none for those without."""
        return frozenset(("", *_TOKENS.findall(self.address)))

    @cached_property
    def domains(self) -> frozenset[str]:
        """The names by which rules may refer to the page's host."""
        return domains_of(self.page_host or "")


@dataclass(frozen=True, slots=True)
class AddressRule:
    """One rule for addresses."""

    text: str
    """As in the list, without ``@@``."""
    pattern: str
    kinds: int = _ALL
    third_party: bool | None = None
    """Whether it holds for requests to other sites only, or to the page's own only."""
    on: frozenset[str] = frozenset()
    """Hosts of pages for which it holds; empty: all."""
    not_on: frozenset[str] = frozenset()

    @staticmethod
    def parse(text: str) -> AddressRule:
        """Read a rule, without ``@@``, in lower case; Unsupported if it cannot be expressed."""
        if len(text) > _MAX_RULE_CHARS:
            raise Unsupported("too long")
        pattern, dollar, options = text.rpartition("$")
        if not dollar:
            pattern, options = options, ""
        if len(pattern) > 1 and pattern[0] == pattern[-1] == "/":
            raise Unsupported("regular expression")
        pattern = pattern.strip("*")
        if len(pattern.strip("|^*")) < _MIN_PATTERN_CHARS or not _PATTERN.fullmatch(pattern):
            raise Unsupported(NOT_A_RULE)
        return AddressRule(text, pattern, *_read_options(options))

    def matches(self, request: Request, *, in_doubt: bool) -> bool:
        """Return whether the rule holds for a request.

        ``in_doubt`` is the answer for rules that depend on an unknown page.
        """
        if not self.kinds & request.kinds:
            return False
        if self.third_party is not None and self.third_party != request.leaves_site:
            return False
        if self.on or self.not_on:
            if request.page_host is None:
                if not in_doubt:
                    return False
            else:
                if self.on and self.on.isdisjoint(request.domains):
                    return False
                if not self.not_on.isdisjoint(request.domains):
                    return False
        return is_in(self.pattern, request.address)


@dataclass(frozen=True)
class AddressRules:
    """Rules for addresses with their index, which is made when first needed."""

    rules: tuple[AddressRule, ...] = ()

    def find(self, request: Request, *, in_doubt: bool = False) -> AddressRule | None:
        """Return a rule that holds for a request; None if none does."""
        if not self.rules:
            return None
        for token in request.tokens:
            for rule in self._index.get(token, ()):
                if rule.matches(request, in_doubt=in_doubt):
                    return rule
        return None

    def __or__(self, other: AddressRules) -> AddressRules:
        """Return the rules of both, each once."""
        if not other.rules:
            return self
        return AddressRules(tuple(dict.fromkeys(self.rules + other.rules)))

    @cached_property
    def _index(self) -> Mapping[str, tuple[AddressRule, ...]]:
        tokens = [_TOKEN.findall(_without_loose_ends(rule.pattern)) for rule in self.rules]
        counts = Counter(token for own in tokens for token in set(own))
        index: dict[str, list[AddressRule]] = {}
        for rule, own in zip(self.rules, tokens, strict=True):
            rarest = min(own, key=lambda token: (counts[token], -len(token)), default="")
            index.setdefault(rarest, []).append(rule)
        return {token: tuple(rules) for token, rules in index.items()}


NO_ADDRESSES: Final = AddressRules()


def domains_of(host: str) -> frozenset[str]:
    """Return how rules may name a host: it and its parent domains, also with ``*`` as the end."""
    labels = host.split(".")
    n_suffix = 2 if _has_registry(labels) else 1
    names = {".".join(labels[start:]) for start in range(len(labels))}
    # ``google.*`` stands for google.com and google.co.uk.
    before = (labels[start:-n_suffix] for start in range(len(labels) - n_suffix))
    return frozenset(names | {".".join((*left, "*")) for left in before})


def _read_options(options: str) -> tuple[int, bool | None, frozenset[str], frozenset[str]]:
    """Return kinds, third party, and the hosts of pages with and without the rule."""
    if not options:
        return _ALL, None, frozenset(), frozenset()
    wanted = unwanted = 0
    third_party: bool | None = None
    is_other = False
    on: list[str] = []
    not_on: list[str] = []
    for option in options.split(","):
        name, _, value = option.strip().partition("=")
        name = _SHORT.get(name, name)
        if name in ("third-party", "~third-party"):
            third_party = name[0] != "~"
        elif name == "domain":
            for host in value.split("|"):
                (not_on if host[:1] == "~" else on).append(host.removeprefix("~"))
        elif name in KINDS:
            wanted |= KINDS[name]
        elif (bare := _SHORT.get(name[1:], name[1:])) in KINDS and name[0] == "~":
            unwanted |= KINDS[bare]
        elif name in _NOT_REQUESTS:
            is_other = True
        elif name not in _IGNORED and name.removeprefix("~") not in _NOT_REQUESTS:
            raise Unsupported(f"option {name.removeprefix('~')}")
    if is_other and not wanted:
        raise Unsupported("option document")
    if not all(host and host[0] != "/" for host in on):
        raise Unsupported("option domain with an expression")
    return (wanted or _ALL) & ~unwanted, third_party, frozenset(on), frozenset(not_on)
