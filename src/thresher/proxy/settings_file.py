"""Settings as a readable TOML file, and one user's profile as a file that they can take along.

    version = 1

    [proxy]
    view = "inplace"
    clients = ["192.168.0.0/16"]

    [filters]
    ads = true

    [user."anna"]
    password = "scrypt$…"
    admin = true
    view = "reader"

    [user."anna".filters]
    ads = false

    [user."anna".host."example.org"]
    view = "original"

Settings not listed have their defaults. A user whose table has view, method or filters has a
profile, which inherits from the default one; ``host`` is what the user chose for single sites, as
in the rulebook. ``admin`` users may change everything. The file of a profile has the tables
``profile`` (view and method), ``filters`` and ``host``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from thresher.errors import UsageError
from thresher.filters.settings import Filters, filters_from_table, write_filters
from thresher.proxy.passwords import check_password
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.sites import check_rules
from thresher.sites.rulebook import Rulebook, read_hosts, write_hosts
from thresher.support.files import config_folder
from thresher.support.toml_files import format_value, from_table, read_toml, write_table

_VERSION: Final = 1
_PROFILE_TABLES: Final = frozenset(("profile", "filters", "host"))
_VALUES: Final = frozenset(("view", "method"))
_PROFILE_HEAD: Final = "# A profile of thresher proxy: import it on the page Filters."


def parse_profile(text: str, default: Profile) -> tuple[Profile, Rulebook]:
    """Parse a profile and the choices for single sites; what is missing is as in ``default``.

    UsageError names what is invalid.
    """
    data = read_toml(text, version=_VERSION, tables=_PROFILE_TABLES)
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
        f"{_PROFILE_HEAD}\n\nversion = {_VERSION}\n\n[profile]\n{write_profile_values(profile)}\n"
        f"{write_filters(profile.filters)}{write_hosts(book)}"
    )


def write_profile_values(profile: Profile) -> str:
    """Write view and method as lines of a table."""
    return f"view = {format_value(profile.view)}\nmethod = {format_value(profile.method)}\n"


_HEAD: Final = """\
# Settings of thresher proxy. You can edit this file; the settings page overwrites it without your
# comments.
"""
_TABLES: Final = frozenset(("proxy", "filters", "user"))
_PROFILE: Final = frozenset(("view", "method", "filters"))


def default_settings_path() -> Path:
    """Return the default path, in the folder thresher of the user's configuration."""
    return config_folder() / "proxy.toml"


def read_settings(path: Path) -> ProxySettings:
    """Read a file; return the defaults if it does not exist. UsageError names the file."""
    try:
        return parse_settings(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ProxySettings()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except (UnicodeDecodeError, UsageError) as error:
        raise UsageError(f"{path}: {error}") from error


def parse_settings(text: str) -> ProxySettings:
    """Parse settings; UsageError names the invalid one."""
    data = read_toml(text, version=_VERSION, tables=_TABLES)
    everybody = replace(
        from_table(ProxySettings, _table(data, "proxy")),
        filters=filters_from_table(_table(data, "filters")),
    )
    base = everybody.profile_of(None)
    users = _table(data, "user")
    return replace(
        everybody, users={name: _read_user(name, _table(users, name), base) for name in users}
    )


def write_settings(settings: ProxySettings) -> str:
    """Serialize settings; `parse_settings` is the inverse."""
    return "\n".join(_write(settings))


def _write(settings: ProxySettings) -> Iterator[str]:
    yield f"{_HEAD}\nversion = {_VERSION}\n"
    yield write_table(settings, "proxy")
    yield write_filters(settings.filters)
    for name, user in sorted(settings.users.items()):
        table = f"user.{format_value(name)}"
        yield f"[{table}]\npassword = {format_value(user.password)}"
        if user.is_admin:
            yield "admin = true"
        if profile := user.profile:
            yield write_profile_values(profile)
            yield write_table(profile.filters, f"{table}.filters")
        yield write_hosts(user.book, f"{table}.host")


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"{name} must be a table")
    return table


def _read_user(name: str, table: dict[str, Any], everybody: Profile) -> User:
    password = table.get("password")
    if not isinstance(password, str):
        raise UsageError(f"user {name}: missing password")
    if unknown := table.keys() - _PROFILE - {"password", "admin", "host"}:
        raise UsageError(f"user {name}: unknown setting: {', '.join(sorted(unknown))}")
    check_password("", password)
    profile = read_profile_table(table, everybody) if table.keys() & _PROFILE else None
    is_admin = table.get("admin", False)
    if not isinstance(is_admin, bool):
        raise UsageError(f"user {name}: admin must be true or false")
    return User(password, profile, read_hosts(_table(table, "host")), is_admin)
