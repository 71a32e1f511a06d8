"""Settings of the proxy, declared once: file, options, form and object come from these fields."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.sites import SiteFolder
from thresher.sites.rulebook import VIEWS
from thresher.support.settings import Setting, check, describe, setting

__all__ = ["PROFILE_SETTINGS", "SETTINGS", "Profile", "ProxySettings", "User", "read_network"]

_PAGES, _COST, _NETWORK, _ACCESS, _LISTS = "pages", "cost of a page", "network", "access", "lists"
_METHODS: Final = tuple(ALGORITHMS)
_MODE: Final = re.compile(r"regular|transparent|reverse:https?://[^\s/]+/?")
_UPSTREAM: Final = re.compile(r"https?://[^\s/]+/?")
_HOST: Final = re.compile(r"[\w.-]+")
_USER: Final = re.compile(r"[^\s:\x00-\x1f]{1,64}")


@dataclass(frozen=True, slots=True)
class Profile:
    """How pages are shown to somebody; UsageError for a value that is none."""

    view: str = setting("inplace", "how pages are shown", group=_PAGES, choices=VIEWS)
    method: str = setting(
        DEFAULT_METHOD, "how the content is found", group=_PAGES, choices=_METHODS
    )
    filters: Filters = field(default_factory=Filters)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may use the proxy."""

    password: str = field(repr=False)
    """As `thresher.proxy.passwords` keeps it."""
    profile: Profile | None = None
    """None: as everybody."""


@dataclass(frozen=True, slots=True)
class ProxySettings:
    """All settings of a proxy; immutable. UsageError, naming the setting, where one is none."""

    view: str = setting("inplace", "how pages are shown", group=_PAGES, choices=VIEWS)
    method: str = setting(
        DEFAULT_METHOD, "how the content is found", group=_PAGES, choices=_METHODS
    )
    sites: str = setting(
        "",
        "what is known of their sites: a folder of thresher sites learn --all-hosts",
        group=_PAGES,
    )
    mark: bool = setting(True, "put a small mark with links into the corner of pages", group=_PAGES)
    early_head: bool = setting(
        True, "send the head of a page on while its body is on the way", group=_PAGES
    )
    obey_no_transform: bool = setting(
        True, "leave pages alone whose server forbids any change", group=_PAGES
    )
    max_bytes: int = setting(
        8 * 2**20,  # the largest of 3,826 real pages had 5.3 MB
        "pages beyond this size, decompressed, pass unchanged",
        group=_COST,
        unit="bytes",
        low=1,
        high=2**30,
    )
    deadline_s: float = setting(
        2.0,  # 50 times what a page of 100 kB takes
        "a page passes unchanged where the work on it takes longer",
        group=_COST,
        unit="seconds",
        low=0.01,
        high=3600,
    )
    hold_s: float = setting(
        10.0,
        "a page passes unchanged where its body takes longer to arrive",
        group=_COST,
        unit="seconds",
        low=0.01,
        high=3600,
    )
    n_worker: int = setting(
        2, "processes that work on pages", group=_COST, unit="processes", low=1, high=256
    )
    max_memory: int = setting(
        2048, "memory of each of them; 0 for no limit", group=_COST, unit="MiB", low=0, high=2**20
    )
    listen_host: str = setting("127.0.0.1", "address to listen on", group=_NETWORK)
    listen_port: int = setting(8080, "port to listen on", group=_NETWORK, low=0, high=65_535)
    settings_port: int = setting(
        0,
        "port of the settings page on this machine; 0 for none",
        group=_NETWORK,
        low=0,
        high=65_535,
    )
    mode: str = setting("regular", "regular, transparent, or reverse:https://HOST", group=_NETWORK)
    upstream: str = setting("", "proxy to go through, http://HOST:PORT", group=_NETWORK)
    never_intercept: tuple[str, ...] = setting(
        (), "hosts, with all below them, whose connections are never opened", group=_NETWORK
    )
    clients: tuple[str, ...] = setting(
        (), "addresses and networks that may connect; none: all", group=_ACCESS
    )
    list_urls: tuple[str, ...] = setting(
        (), "addresses of lists of advertisers' hosts", group=_LISTS
    )
    list_hours: int = setting(
        24, "time between updates of the lists", group=_LISTS, unit="hours", low=1, high=24 * 365
    )
    filters: Filters = field(default_factory=Filters)
    users: Mapping[str, User] = field(default_factory=dict)
    """By name; none: whoever can connect may use the proxy."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "users", MappingProxyType(dict(self.users)))
        check(self)
        if not _MODE.fullmatch(self.mode):
            raise UsageError(
                f"mode must be regular, transparent or reverse:https://HOST, not {self.mode!r}"
            )
        if self.upstream and not _UPSTREAM.fullmatch(self.upstream):
            raise UsageError(f"upstream must be http://HOST:PORT, not {self.upstream!r}")
        if self.upstream and self.mode != "regular":
            raise UsageError("upstream goes with the mode regular only")
        for host in self.never_intercept:
            if not _HOST.fullmatch(host):
                raise UsageError(f"never_intercept: {host!r} is not a host name")
        for client in self.clients:
            read_network(client)
        for url in self.list_urls:
            if not re.match(r"(?i)https?://[^\s/]+", url):
                raise UsageError(f"list_urls: {url!r} is no http or https address")
        for name in self.users:
            if not _USER.fullmatch(name):
                raise UsageError(f"{name!r} is no user name: no space, no colon, at most 64")

    def profile_of(self, user: str | None) -> Profile:
        """Return how pages are shown to a user; to everybody, for one without a profile."""
        known = self.users.get(user) if user else None
        return (known and known.profile) or Profile(self.view, self.method, self.filters)

    @property
    def site_folder(self) -> SiteFolder | None:
        """What is known of the sites of pages, by host (docs/sites.md)."""
        return SiteFolder(Path(self.sites)) if self.sites else None

    def check_folder(self) -> None:
        """Raise UsageError where ``sites`` is no folder, or none any more."""
        if self.sites and not Path(self.sites).is_dir():
            raise UsageError(f"sites: {self.sites} is no folder")

    @property
    def is_open(self) -> bool:
        """Whether it would serve more than this machine, and ask nobody who they are."""
        return not self.users and not _is_loopback(self.listen_host)


SETTINGS: Final[tuple[Setting, ...]] = describe(ProxySettings)
"""Every setting of the proxy itself; those of the filters are `thresher.filters`'."""
PROFILE_SETTINGS: Final[tuple[Setting, ...]] = describe(Profile)
"""Those that a user may have of their own, beside filters."""


def read_network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """Read an address or a network such as 192.168.0.0/16; UsageError for anything else."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise UsageError(f"clients: {text!r} is no address or network") from error


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
