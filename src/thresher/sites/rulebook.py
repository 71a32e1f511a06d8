"""The rulebook: what the user says of all hosts, in one file that every part of Thresher shares.

A table a host, each with CSS selectors of what is always kept and always dropped:

    version = 1
    [host."example.org"]
    keep = ["article .figure"]
    drop = [".promo"]
    view = "reader"
    method = "slope"

``view`` is what the proxy shows, ``method`` what it and the app begin with; both may be missing.
Rules of a host hold for its subdomains too, but where these have a table of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from thresher.errors import UsageError
from thresher.sites.model import Rules
from thresher.support.atomic import save_text
from thresher.support.hosts import host_of
from thresher.support.toml_files import read_toml, spell
from thresher.support.user_folders import RULES_VARIABLE, config_folder

__all__ = [
    "NO_RULES",
    "VIEWS",
    "HostRules",
    "Rulebook",
    "default_rules_path",
    "parse_rulebook",
    "read_rulebook",
    "save_rulebook",
    "write_rulebook",
]

VIEWS: Final = ("original", "inplace", "reader", "text")
"""What the proxy can show of a page."""
_VERSION: Final = 1
_KEYS: Final = frozenset(("keep", "drop", "view", "method"))
_LINE_CHARS: Final = 90
"""Characters from which on a list has a line for each selector."""
_HEAD: Final = """\
# Rules of Thresher: CSS selectors of what is always kept or dropped on the pages of a host.
# Change it by hand as you like; comments are lost when the app or the proxy writes it anew.
"""


@dataclass(frozen=True, slots=True)
class HostRules:
    """What the user says of one host."""

    rules: Rules = field(default_factory=Rules)
    view: str | None = None
    """One of `VIEWS`, for the proxy."""
    method: str | None = None
    """Name of the method to begin with; whoever runs it knows which there are."""


NO_RULES: Final = HostRules()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of all hosts; immutable."""

    hosts: Mapping[str, HostRules] = field(default_factory=dict)
    """By host name, in lower case."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hosts", MappingProxyType(dict(self.hosts)))

    def __reduce__(self) -> tuple[type[Rulebook], tuple[dict[str, HostRules]]]:
        # A mapping proxy does not pickle.
        return Rulebook, (dict(self.hosts),)

    def of(self, url: str | None) -> HostRules:
        """Return the rules of a page's host, or of the nearest domain above it that has any."""
        return self.hosts.get(self.host_for(url), NO_RULES)

    def host_for(self, url: str | None) -> str:
        """Return the host of the table that counts for a page, or that is to be begun for it.

        A new table is for the host without ``www.``; empty where the page has no host.
        """
        own = host = host_of(url).rstrip(".")
        while host and host not in self.hosts:
            host = host.partition(".")[2]
        return host or own.removeprefix("www.") or own

    def with_host(self, host: str, rules: HostRules) -> Rulebook:
        """Return a rulebook with other rules for one host; none take its table out.

        Raises UsageError for what is not a host name, and for an unknown view.
        """
        name = _check_host(host)
        _check_view(name, rules.view)
        hosts = {each: known for each, known in self.hosts.items() if each != name}
        return Rulebook(hosts if rules == NO_RULES else hosts | {name: rules})


def default_rules_path() -> Path:
    """Return where the rulebook is: ``$THRESHER_RULES``, else in the user's configuration."""
    if named := os.environ.get(RULES_VARIABLE):
        return Path(named)
    return config_folder() / "rules.toml"


def write_rulebook(book: Rulebook) -> str:
    """Write a rulebook as TOML, the hosts in alphabetical order."""
    return "\n".join(_write(book)) + "\n"


def read_rulebook(path: str | Path) -> Rulebook:
    """Read a rulebook; a file that is not there is an empty one.

    Raises UsageError, naming the file, where it is something else or cannot be read.
    """
    try:
        return parse_rulebook(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Rulebook()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{path} is not a rulebook: {error}") from error


def parse_rulebook(text: str) -> Rulebook:
    """Read a rulebook; UsageError says what is wrong with a text that is none."""
    data = read_toml(text, version=_VERSION, tables={"host"})
    tables = data.get("host", {})
    if not isinstance(tables, dict):
        raise UsageError("host must be a table for each host")
    book = Rulebook()
    for host, table in tables.items():
        book = book.with_host(host, _read_host(host, table))
    return book


def save_rulebook(book: Rulebook, path: str | Path) -> None:
    """Write a rulebook to a file, whole or not at all, and make its folder; raises OSError."""
    save_text(Path(path), write_rulebook(book))


def _write(book: Rulebook) -> Iterator[str]:
    yield f"{_HEAD}\nversion = {_VERSION}"
    for host, known in sorted(book.hosts.items()):
        yield f"\n[host.{spell(host)}]"
        for name, selectors in (("keep", known.rules.keep), ("drop", known.rules.drop)):
            if selectors:
                yield f"{name} = {_list(selectors)}"
        for name, value in (("view", known.view), ("method", known.method)):
            if value is not None:
                yield f"{name} = {spell(value)}"


def _read_host(host: str, table: Any) -> HostRules:
    if not isinstance(table, dict):
        raise UsageError(f"{host}: must be a table, such as [host.{spell(host)}]")
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
    return HostRules(Rules(*lists), table.get("view"), table.get("method"))


def _check_host(host: str) -> str:
    """Return the name of a host as addresses spell it; UsageError for what no address has."""
    name = host.strip().lower().rstrip(".")
    bracketed = f"[{name}]" if ":" in name else name
    if not name or host_of(f"http://{bracketed}/") != name or any(map(str.isspace, name)):
        raise UsageError(f"{host!r} is not a host name, such as www.example.org")
    return name


def _check_view(host: str, view: str | None) -> None:
    if view is not None and view not in VIEWS:
        raise UsageError(f"{host}: view must be one of {', '.join(VIEWS)}, not {view!r}")


def _list(values: tuple[str, ...]) -> str:
    quoted = [spell(value) for value in values]
    line = f"[{', '.join(quoted)}]"
    if len(line) <= _LINE_CHARS:
        return line
    return "[\n" + "".join(f"  {value},\n" for value in quoted) + "]"
