"""One user's profile as a file of its own, which each user can take along and bring back.

version = 1

[profile]
view = "reader"
method = "learned"

[filters]
ads = true

[host."example.org"]
view = "original"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from thresher.errors import UsageError
from thresher.filters.settings import Filters, write_filters
from thresher.proxy.settings import Profile
from thresher.sites import check_rules
from thresher.sites.rulebook import Rulebook, read_hosts, write_hosts
from thresher.support.toml_files import format_value, from_table, read_toml

__all__ = ["parse_profile", "read_profile_table", "write_profile", "write_profile_values"]

_VERSION: Final = 1
_TABLES: Final = frozenset(("profile", "filters", "host"))
_VALUES: Final = frozenset(("view", "method"))
_HEAD: Final = "# A profile of thresher proxy: import it on the page Filters."


def parse_profile(text: str, default: Profile) -> tuple[Profile, Rulebook]:
    """Parse a profile and the choices for single sites; what is missing is as in ``default``.

    UsageError names what is invalid.
    """
    data = read_toml(text, version=_VERSION, tables=_TABLES)
    values = data.get("profile", {})
    if not isinstance(values, dict):
        raise UsageError("profile must be a table")
    if unknown := values.keys() - _VALUES:
        raise UsageError(f"profile: unknown setting: {', '.join(sorted(unknown))}")
    book = read_hosts(data.get("host", {}))
    for rules in book.hosts.values():
        check_rules(rules.rules)
    return read_profile_table({**values, "filters": data.get("filters", {})}, default), book


def read_profile_table(table: Mapping[str, Any], default: Profile) -> Profile:
    """Read view, method and filters of a table; UsageError for invalid ones."""
    filters = table.get("filters", {})
    if not isinstance(filters, dict):
        raise UsageError("filters must be a table")
    return Profile(
        view=table.get("view", default.view),
        method=table.get("method", default.method),
        filters=from_table(Filters, asdict(default.filters) | filters),
    )


def write_profile(profile: Profile, book: Rulebook) -> str:
    """Write a profile as a file; `parse_profile` is the inverse."""
    return (
        f"{_HEAD}\n\nversion = {_VERSION}\n\n[profile]\n{write_profile_values(profile)}\n"
        f"{write_filters(profile.filters)}{write_hosts(book)}"
    )


def write_profile_values(profile: Profile) -> str:
    """Write view and method as lines of a table."""
    return f"view = {format_value(profile.view)}\nmethod = {format_value(profile.method)}\n"
