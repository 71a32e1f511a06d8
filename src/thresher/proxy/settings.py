"""Settings of the proxy: one declaration for the file, the options, the forms and the object."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.errors import UsageError
from thresher.filters.public_lists import RECOMMENDED
from thresher.filters.settings import Filters
from thresher.serving.connections import MAX_CONNECTIONS, MAX_PER_CLIENT
from thresher.sites.rulebook import VIEWS, Rulebook, normalize_host
from thresher.support.hosts import ascii_host, is_address, is_loopback, readable_host
from thresher.support.quoting import quote
from thresher.support.settings import Setting, check, describe, setting

if TYPE_CHECKING:
    from thresher.sites import SiteFolder


Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_KEY: Final = re.compile(r"[A-Za-z0-9]?")
_PORTS: Final = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5}))?")


def _check_key(name: str, text: str) -> None:
    """Raise UsageError, naming the setting, unless a text is a letter, a digit or empty."""
    if not _KEY.fullmatch(text):
        raise UsageError(f"{name} must be a letter or a digit, or empty, not {quote(text)}")


def read_network(name: str, text: str) -> Network:
    """Parse an address or a network such as 192.168.0.0/16; UsageError, naming the setting."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise UsageError(f"{name}: {quote(text)} is not an address or network") from error


def read_ports(name: str, text: str) -> range:
    """Parse a port or a range of ports such as 8000-8999; UsageError, naming the setting."""
    if match := _PORTS.fullmatch(text):
        ports = range(int(match[1]), int(match[2] or match[1]) + 1)
        if ports and ports[0] > 0 and ports[-1] <= 65_535:
            return ports
    raise UsageError(f"{name}: {quote(text)} is not a port from 1 to 65535, nor a range of ports")


def read_host(name: str, text: str) -> str:
    """Return a host in Unicode; ``*.example.org`` is example.org, which includes its subdomains.

    UsageError, naming the setting, if it is not a host.
    """
    try:
        return readable_host(normalize_host(text))
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def is_in_networks(address: str, networks: Iterable[str]) -> bool:
    """Return whether an address is in one of the networks; host names among them are ignored."""
    if not is_address(address):
        return False
    parsed = ipaddress.ip_address(address)
    plain = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(plain in read_network("", network) for network in networks if _is_network(network))


def is_named(host: str, hosts: Iterable[str]) -> bool:
    """Return whether a host or a domain above it is among hosts, in either spelling of an IDN."""
    name = ascii_host(host).rstrip(".")
    return any(name == domain or name.endswith(f".{domain}") for domain in map(ascii_host, hosts))


def is_within_ports(port: int, ports: Iterable[str]) -> bool:
    """Return whether a port is one of those named, singly or in ranges."""
    return any(port in read_ports("", named) for named in ports)


def _is_network(text: str) -> bool:
    return is_address(text.partition("/")[0])


def ignored_hosts(hosts: tuple[str, ...]) -> list[str]:
    """Return patterns of hosts and their subdomains for mitmproxy's ``ignore_hosts``."""
    return [rf"^(.+\.)?{re.escape(ascii_host(host))}:\d+$" for host in hosts]


_page = partial(setting, group="pages")
_cost = partial(setting, group="cost of a page")
_network = partial(setting, group="network")
_access = partial(setting, group="access")
_lists = partial(setting, group="lists")
_seconds = partial(_cost, unit="seconds", low=0.01, high=3600)
_connections = partial(_network, unit="connections", low=1, high=2**20)
_METHODS: Final = tuple(ALGORITHMS)
_MODE: Final = re.compile(r"regular|transparent|reverse:https?://[^\s/]+/?")
_UPSTREAM: Final = re.compile(r"https?://[^\s/]+/?")
_USER: Final = re.compile(r"[^\s:\x00-\x1f]{1,64}")


@dataclass(frozen=True, slots=True)
class Profile:
    """Settings of a user's pages; UsageError for invalid values."""

    view: str = _page("inplace", "how pages are shown", choices=VIEWS)
    method: str = _page(DEFAULT_METHOD, "how the content is found", choices=_METHODS)
    filters: Filters = field(default_factory=Filters)

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class User:
    """User of the proxy."""

    password: str = field(repr=False)
    """Hash, as by `thresher.proxy.passwords`."""
    profile: Profile | None = None
    """None: the default profile."""
    book: Rulebook = field(default_factory=Rulebook)
    """The user's choices for single sites; they precede the rulebook that all share."""
    is_admin: bool = False
    """Whether the user sees and changes all settings, through the proxy."""


@dataclass(frozen=True, slots=True)
class ProxySettings(Profile):
    """All settings of a proxy, with the default profile; immutable.

    Invalid values raise UsageError, naming the setting.
    """

    sites: str = _page("", "folder with site data, from thresher sites learn --all-hosts")
    mark: bool = _page(True, "show a small badge with links in the corner of pages")
    reader_key: str = _page(
        "r",
        "letter or digit that opens the reader view, with the keys that browsers ask for such keys "
        "(Alt, or Alt and Shift); empty for none",
    )
    early_head: bool = _page(True, "send the head of a page while its body is still loading")
    compress: str = _page(
        "remote",
        "compress changed pages as their server did: for clients on other machines, always or "
        "never",
        choices=("remote", "always", "never"),
    )
    obey_no_transform: bool = _page(True, "do not change pages with Cache-Control: no-transform")
    # The largest of 3,826 real pages had 5.3 MB.
    max_bytes: int = _cost(
        8 * 2**20, "larger pages (decompressed) pass unchanged", unit="bytes", low=1, high=2**30
    )
    # 50 times what a page of 100 kB takes.
    deadline_s: float = _seconds(
        2.0, "pages that take longer, including the wait for a worker process, pass unchanged"
    )
    # People wait; later, what a slow server has sent is shown as it arrives.
    hold_s: float = _seconds(3.0, "pages that take longer to arrive pass unchanged, as they arrive")
    n_worker: int = _cost(2, "number of worker processes", unit="processes", low=1, high=256)
    max_memory: int = _cost(
        2048, "memory of each worker process; 0 for no limit", unit="MiB", low=0, high=2**20
    )
    listen_host: str = _network("127.0.0.1", "address to listen on")
    listen_port: int = _network(8080, "port to listen on", low=0, high=65_535)
    settings_port: int = _network(
        0, "local port of the settings page; 0 for none", low=0, high=65_535
    )
    max_connections: int = _connections(MAX_CONNECTIONS, "connections of clients at a time")
    max_connections_per_client: int = _connections(
        MAX_PER_CLIENT, "connections of one address at a time; this machine may have all"
    )
    mode: str = _network("regular", "regular, transparent, or reverse:https://HOST")
    upstream: str = _network("", "upstream proxy, http://HOST:PORT")
    never_intercept: tuple[str, ...] = _network(
        (), "hosts, including subdomains, whose TLS is never intercepted"
    )
    clients: tuple[str, ...] = _access((), "addresses and networks that may connect; empty: all")
    allowed_private: tuple[str, ...] = _access(
        (),
        "hosts, addresses and networks that users of a shared proxy may reach though they are not "
        "public",
    )
    connect_ports: tuple[str, ...] = _access(
        ("443",),
        "ports, such as 443 or 8000-8999, to which users of a shared proxy may open tunnels",
    )
    stop_requests: bool = _lists(
        True, "answer requests of pages to listed hosts and addresses with nothing"
    )
    list_urls: tuple[str, ...] = _lists(
        (),
        "addresses of block lists: hosts files, and lists of ad blockers; recommended stands for "
        "EasyList, EasyPrivacy and EasyList Cookie List",
    )
    # The authors of public lists ask for one to nine days.
    list_hours: int = _lists(
        7 * 24, "interval between updates of the lists", unit="hours", low=1, high=24 * 365
    )
    users: Mapping[str, User] = field(default_factory=dict)
    """By name; empty: anyone who can connect may use the proxy."""

    def __post_init__(self) -> None:
        Profile.__post_init__(self)
        object.__setattr__(self, "users", MappingProxyType(dict(self.users)))
        if not _MODE.fullmatch(self.mode):
            raise UsageError(
                f"mode must be regular, transparent or reverse:https://HOST, not {quote(self.mode)}"
            )
        _check_key("reader_key", self.reader_key)
        if self.upstream and not _UPSTREAM.fullmatch(self.upstream):
            raise UsageError(f"upstream must be http://HOST:PORT, not {quote(self.upstream)}")
        if self.upstream and self.mode != "regular":
            raise UsageError("upstream requires mode regular")
        hosts = tuple(read_host("never_intercept", host) for host in self.never_intercept)
        object.__setattr__(self, "never_intercept", tuple(dict.fromkeys(hosts)))
        for client in self.clients:
            read_network("clients", client)
        for place in self.allowed_private:
            if _is_network(place):
                read_network("allowed_private", place)
            else:
                read_host("allowed_private", place)
        for ports in self.connect_ports:
            read_ports("connect_ports", ports)
        for url in self.list_urls:
            if url != RECOMMENDED and not re.match(r"(?i)https?://[^\s/]+", url):
                raise UsageError(f"list_urls: {quote(url)} is not an http or https address")
        for name in self.users:
            if not _USER.fullmatch(name):
                raise UsageError(
                    f"{quote(name)} is not a valid user name: at most 64 characters, no spaces or"
                    " colons"
                )

    def profile_of(self, user: str | None) -> Profile:
        """Return the profile of a user; the default one for users without their own."""
        own = self.user_of(user)
        return (own and own.profile) or Profile(self.view, self.method, self.filters)

    def user_of(self, name: str | None) -> User | None:
        """Return the user of a name; None if there is none."""
        return self.users.get(name) if name else None

    def may_administer(self, user: str | None) -> bool:
        """Return whether who comes through the proxy as a user sees and changes all settings."""
        own = self.user_of(user)
        return own.is_admin if own else not (self.users or user)

    @property
    def site_folder(self) -> SiteFolder | None:
        """Folder with site data by host (docs/sites.md)."""
        if not self.sites:
            return None
        # The help of the command needs the settings, but no sites.
        from thresher.sites import SiteFolder

        return SiteFolder(Path(self.sites))

    def check_folder(self) -> None:
        """Raise UsageError if ``sites`` is not an existing folder."""
        if self.sites and not Path(self.sites).is_dir():
            raise UsageError(f"sites: {self.sites} is not a folder")

    @property
    def is_open(self) -> bool:
        """True if the proxy would serve other machines without authentication."""
        return not self.users and not is_loopback(self.listen_host)

    @property
    def is_shared(self) -> bool:
        """Whether people other than the one at this machine may use the proxy."""
        return bool(self.users) or not is_loopback(self.listen_host)


SETTINGS: Final[tuple[Setting, ...]] = describe(ProxySettings)
"""Every setting of the proxy itself; `thresher.filters` declares those of the filters."""
PROFILE_SETTINGS: Final[tuple[Setting, ...]] = describe(Profile)
"""Settings of a profile, besides filters."""
