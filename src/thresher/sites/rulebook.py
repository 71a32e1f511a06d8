"""The rulebook: the user's rules for all hosts, in one file shared by all parts of Thresher.

One table per host, with CSS selectors of what is always kept and always dropped:

    version = 1
    [host."example.org"]
    keep = ["article .figure"]
    drop = [".promo"]
    view = "reader"
    method = "slope"
    filters = { ads = false }

``view`` is what the proxy shows, ``method`` the initial method of the proxy and the app,
``filters`` the proxy's filters that are on or off on this site; all are optional. Rules of a host
also apply to its subdomains, unless these have a table of their own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from thresher.errors import UsageError
from thresher.support.files import (
    RULES_VARIABLE,
    config_folder,
    explain_os_error,
    lock_file,
    save_text,
)
from thresher.support.hosts import ascii_host, host_of, is_host, readable_host
from thresher.support.quoting import quote
from thresher.support.toml_files import format_list, format_value, read_toml


@dataclass(frozen=True, slots=True)
class Rules:
    """The user's rules for a site, as CSS selectors; they override what was learned."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


VIEWS: Final = ("original", "inplace", "reader", "text")
"""Views of a page that the proxy can show."""
_VERSION: Final = 1
_KEYS: Final = frozenset(("keep", "drop", "view", "method", "filters"))
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_LINE_CHARS: Final = 90
"""Longest list, in characters, that is written on one line."""
_HEAD: Final = """\
# Rules of Thresher: CSS selectors of what is always kept or dropped on the pages of a host.
# Change it by hand as you like; comments are lost when the app or the proxy writes it anew.
"""


@dataclass(frozen=True, slots=True)
class HostRules:
    """The user's rules and preferences for one host."""

    rules: Rules = field(default_factory=Rules)
    view: str | None = None
    """One of `VIEWS`, for the proxy."""
    method: str | None = None
    """Name of the initial method; not validated here."""
    filters: tuple[tuple[str, bool], ...] = ()
    """Filters of the proxy that are switched on or off, by name; names are not validated here."""

    def over(self, other: HostRules) -> HostRules:
        """Return the rules of both; view and method are the other's only where none is set here."""
        return HostRules(
            Rules(
                tuple(dict.fromkeys((*other.rules.keep, *self.rules.keep))),
                tuple(dict.fromkeys((*other.rules.drop, *self.rules.drop))),
            ),
            self.view or other.view,
            self.method or other.method,
            tuple(sorted({**dict(other.filters), **dict(self.filters)}.items())),
        )


NO_RULES: Final = HostRules()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of all hosts; immutable."""

    hosts: Mapping[str, HostRules] = field(default_factory=dict)
    """By host name, as of `normalize_host`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hosts", MappingProxyType(dict(self.hosts)))

    def __reduce__(self) -> tuple[type[Rulebook], tuple[dict[str, HostRules]]]:
        # A mapping proxy cannot be pickled.
        return Rulebook, (dict(self.hosts),)

    def of(self, url: str | None) -> HostRules:
        """Return the rules of a page's host, or of the nearest domain above it that has any."""
        return self.hosts.get(self.host_for(url), NO_RULES)

    def host_for(self, url: str | None) -> str:
        """Return the host of the table that applies to a page, or that a new table would have.

        A new table is for the host without ``www.``; empty if the page has no host.
        """
        own = host = host_of(url).rstrip(".")
        while host and host not in self.hosts:
            host = host.partition(".")[2]
        return host or own.removeprefix("www.") or own

    def with_host(self, host: str, rules: HostRules) -> Rulebook:
        """Return a rulebook with new rules for one host; `NO_RULES` removes its table.

        UsageError for an invalid host name or an unknown view.
        """
        name = normalize_host(host)
        if rules.view is not None and rules.view not in VIEWS:
            views = ", ".join(VIEWS)
            raise UsageError(f"{name}: view must be one of {views}, not {quote(rules.view)}")
        hosts = {other: other_rules for other, other_rules in self.hosts.items() if other != name}
        return Rulebook(hosts if rules == NO_RULES else hosts | {name: rules})

    def with_change(self, host: str, change: Callable[[HostRules], HostRules]) -> Rulebook:
        """Return the same with what ``change`` makes of the rules that the host has, or of none."""
        return self.with_host(host, change(self.hosts.get(normalize_host(host), NO_RULES)))


def normalize_host(host: str) -> str:
    """Return a host name in lower case and in ASCII, as in URLs; UsageError for an invalid one.

    The ``*.`` of a pattern is dropped: what is said of a host includes its subdomains.
    """
    name = ascii_host(host.strip().removeprefix("*").strip("."))
    if not is_host(name):
        raise UsageError(f"{quote(host.strip())} is not a host name, such as www.example.org")
    return name


def default_rules_path() -> Path:
    """Return the rulebook's path: ``$THRESHER_RULES``, or in the user's configuration."""
    if named := os.environ.get(RULES_VARIABLE):
        return Path(named)
    return config_folder() / "rules.toml"


def write_rulebook(book: Rulebook) -> str:
    """Format a rulebook as TOML, the hosts in alphabetical order."""
    return f"{_HEAD}\nversion = {_VERSION}\n" + write_hosts(book)


def write_hosts(book: Rulebook, table: str = "host") -> str:
    """Format the tables of all hosts, as parts of a larger file: ``[TABLE."HOST"]``."""
    return "".join(f"{line}\n" for line in _write(book, table))


def read_rulebook(path: str | Path) -> Rulebook:
    """Read a rulebook; a missing file gives an empty one.

    UsageError, with the path, if it is not a rulebook or cannot be read.
    """
    try:
        return parse_rulebook(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Rulebook()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {explain_os_error(error)}") from error
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{path} is not a rulebook: {error}") from error


def parse_rulebook(text: str) -> Rulebook:
    """Parse a rulebook; UsageError for an invalid one."""
    return read_hosts(read_toml(text, version=_VERSION, tables={"host"}).get("host", {}))


def read_hosts(tables: object) -> Rulebook:
    """Read a table of hosts, part of a larger file; UsageError for an invalid one."""
    if not isinstance(tables, dict):
        raise UsageError("host must be a table for each host")
    book = Rulebook()
    for host, table in tables.items():
        book = book.with_host(host, _read_host(host, table))
    return book


def save_rulebook(book: Rulebook, path: str | Path) -> None:
    """Write a rulebook to a file atomically, and create its folder; raises OSError."""
    save_text(Path(path), write_rulebook(book))


def change_rulebook(
    path: Path, host: str, change: Callable[[HostRules], HostRules]
) -> tuple[Rulebook, Rulebook]:
    """Change the rules of one host in a file; return the rulebook before and after.

    Changes that other processes make at the same time are kept. Raises what ``change`` raises,
    UsageError for an invalid host or file, OSError if the file cannot be written.
    """
    with lock_file(path):
        before = read_rulebook(path)
        book = before.with_change(host, change)
        save_rulebook(book, path)
    return before, book


def _write(book: Rulebook, table: str) -> Iterator[str]:
    for host, rules in sorted(book.hosts.items()):
        yield f"\n[{table}.{format_value(readable_host(host))}]"
        for name, selectors in (("keep", rules.rules.keep), ("drop", rules.rules.drop)):
            if selectors:
                yield f"{name} = {format_list(selectors, _LINE_CHARS)}"
        for name, value in (("view", rules.view), ("method", rules.method)):
            if value is not None:
                yield f"{name} = {format_value(value)}"
        if rules.filters:
            switches = (
                f"{name if _BARE_KEY.fullmatch(name) else format_value(name)} = "
                f"{format_value(is_on)}"
                for name, is_on in rules.filters
            )
            yield f"filters = {{ {', '.join(switches)} }}"


def _read_host(host: str, table: Any) -> HostRules:
    if not isinstance(table, dict):
        raise UsageError(f"{host}: must be a table, such as [host.{format_value(host)}]")
    if unknown := table.keys() - _KEYS:
        raise UsageError(f"{host}: unknown: {', '.join(sorted(unknown))}")
    lists = []
    for name in ("keep", "drop"):
        values = table.get(name, [])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise UsageError(f"{host}: {name} must be a list of CSS selectors")
        lists.append(tuple(values))
    for name in ("view", "method"):
        if not isinstance(table.get(name, ""), str):
            raise UsageError(f"{host}: {name} must be a name")
    filters = table.get("filters", {})
    if not isinstance(filters, dict) or not all(isinstance(x, bool) for x in filters.values()):
        raise UsageError(f"{host}: filters must be a table of true and false")
    switches = tuple(sorted(filters.items()))
    return HostRules(Rules(*lists), table.get("view"), table.get("method"), switches)
