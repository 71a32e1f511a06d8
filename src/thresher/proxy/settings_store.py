"""Settings of a running proxy: those of a readable TOML file, and the options of the command line.

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
in the rulebook. ``admin`` users may change everything. The file of a profile, which its user can
take along, has the tables ``profile`` (view and method), ``filters`` and ``host``.

The file is read again when it changes. Options hold for one run and never enter the file. Several
proxies and people may write the same file. A save therefore locks it, reads it again and changes
only what was changed here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from thresher.errors import UsageError
from thresher.filters.settings import Filters, filters_from_table, write_filters
from thresher.proxy.passwords import check_password
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.sites import check_rules
from thresher.sites.rulebook import Rulebook, read_hosts, write_hosts
from thresher.support.files import config_folder, lock_file, save_text, stamp_of
from thresher.support.hosts import is_loopback
from thresher.support.settings import change, describe
from thresher.support.toml_files import format_value, from_table, read_toml, write_table

_VERSION: Final = 1
_PROFILE_TABLES: Final = frozenset(("profile", "filters", "host"))
_PROFILE_HEAD: Final = "# A profile of thresher proxy: import it on the page Filters."


def parse_profile(text: str, default: Profile) -> tuple[Profile, Rulebook]:
    """Parse a profile and the choices for single sites; what is missing is as in ``default``.

    UsageError names what is invalid.
    """
    data = read_toml(text, version=_VERSION, tables=_PROFILE_TABLES)
    values = _table(data, "profile")
    _check_names("profile", values, {"view", "method"})
    book = read_hosts(data.get("host", {}))
    for rules in book.hosts.values():
        check_rules(rules.rules)
    return _read_profile({**values, "filters": data.get("filters", {})}, default), book


def _read_profile(table: Mapping[str, Any], default: Profile) -> Profile:
    """Read view, method and filters of a table; UsageError for invalid ones."""
    return Profile(
        view=table.get("view", default.view),
        method=table.get("method", default.method),
        filters=from_table(Filters, asdict(default.filters) | _table(table, "filters")),
    )


def write_profile(profile: Profile, book: Rulebook) -> str:
    """Write a profile as a file; `parse_profile` is the inverse."""
    return (
        f"{_PROFILE_HEAD}\n\nversion = {_VERSION}\n\n[profile]\n{_write_values(profile)}\n"
        f"{write_filters(profile.filters)}{write_hosts(book)}"
    )


def _write_values(profile: Profile) -> str:
    return f"view = {format_value(profile.view)}\nmethod = {format_value(profile.method)}\n"


_HEAD: Final = """\
# Settings of thresher proxy. You can edit this file; the settings page overwrites it without your
# comments.
"""
_TABLES: Final = frozenset(("proxy", "filters", "user"))
_PROFILE: Final = {"view", "method", "filters"}


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
            yield _write_values(profile)
            yield write_table(profile.filters, f"{table}.filters")
        yield write_hosts(user.book, f"{table}.host")


def _check_names(what: str, table: Mapping[str, Any], names: set[str]) -> None:
    if unknown := table.keys() - names:
        raise UsageError(f"{what}: unknown setting: {', '.join(sorted(unknown))}")


def _table(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise UsageError(f"{name} must be a table")
    return table


def _read_user(name: str, table: dict[str, Any], everybody: Profile) -> User:
    password = table.get("password")
    if not isinstance(password, str):
        raise UsageError(f"user {name}: missing password")
    _check_names(f"user {name}", table, _PROFILE | {"password", "admin", "host"})
    check_password("", password)
    profile = _read_profile(table, everybody) if table.keys() & _PROFILE else None
    is_admin = table.get("admin", False)
    if not isinstance(is_admin, bool):
        raise UsageError(f"user {name}: admin must be true or false")
    return User(password, profile, read_hosts(_table(table, "host")), is_admin)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Settings of the command line, which precede the file; immutable."""

    settings: Mapping[str, str] = field(default_factory=dict)
    """Setting of the proxy → value as text."""
    filters: Mapping[str, str] = field(default_factory=dict)
    """Setting of the filters → value as text."""
    users: Mapping[str, User] = field(default_factory=dict)
    never_intercept: tuple[str, ...] = ()
    """Hosts in addition to those of the setting."""

    def apply(self, stored: ProxySettings) -> ProxySettings:
        """Return the settings of the run: those of the file with the options on top.

        A user of both has the password of the option and, if it has one, the profile of the file.
        UsageError if they are invalid together.
        """
        changed = change(stored, self.settings)
        users = {**stored.users}
        for name, user in self.users.items():
            stored_user = users.get(name)
            users[name] = replace(stored_user, password=user.password) if stored_user else user
        return replace(
            changed,
            filters=change(stored.filters, self.filters),
            users=users,
            never_intercept=tuple(dict.fromkeys((*changed.never_intercept, *self.never_intercept))),
        )

    def without_changes(self, before: ProxySettings, after: ProxySettings) -> RunOptions:
        """Return the options that still hold after a person has changed settings.

        A setting that was changed on purpose is no longer the option's. What a user of the command
        line has chosen stays in the options, as the file does not know the user.
        """
        return RunOptions(
            _unchanged(self.settings, before, after),
            _unchanged(self.filters, before.filters, after.filters),
            {
                name: after.users[name]
                for name in self.users
                if name in after.users and after.users[name].password == before.users[name].password
            },
            tuple(host for host in self.never_intercept if host in after.never_intercept),
        )


NO_OPTIONS: Final = RunOptions()


def _unchanged(values: Mapping[str, str], before: object, after: object) -> dict[str, str]:
    same = {
        setting.name
        for setting in describe(type(before))
        if getattr(before, setting.name) == getattr(after, setting.name)
    }
    return {name: value for name, value in values.items() if name in same}


_MERGED: Final = (ProxySettings, Profile, Filters, User, Rulebook)
"""Types whose parts are merged one by one."""


def merge(
    before: ProxySettings, after: ProxySettings, stored: ProxySettings, run: RunOptions
) -> ProxySettings:
    """Return the settings of the file with the changes that a person has made.

    ``before`` and ``after`` are settings of the run, which include its options; only what differs
    between them is changed in ``stored``, setting by setting and user by user.
    """
    changed: ProxySettings = _merge(before, after, stored)
    added = set(run.never_intercept) - set(stored.never_intercept)
    return replace(
        changed,
        never_intercept=tuple(host for host in changed.never_intercept if host not in added),
        users=dict(_merge_users(before.users, after.users, stored.users, run)),
    )


def _merge(before: Any, after: Any, stored: Any) -> Any:
    if after == before:
        return stored
    if type(after) not in _MERGED or not type(before) is type(after) is type(stored):
        return after
    if isinstance(after, Rulebook):
        hosts = {**stored.hosts, **after.hosts}
        of_host = {
            host: _merge(before.hosts.get(host), after.hosts.get(host), stored.hosts.get(host))
            for host in hosts
        }
        return Rulebook({host: rules for host, rules in of_host.items() if rules})
    values = {
        name: _merge(getattr(before, name), getattr(after, name), getattr(stored, name))
        for name in (part.name for part in fields(after))
    }
    return replace(stored, **values)


def _merge_users(
    before: Mapping[str, User],
    after: Mapping[str, User],
    stored: Mapping[str, User],
    run: RunOptions,
) -> Iterator[tuple[str, User]]:
    for name in {**stored, **after}:
        was, now, saved = before.get(name), after.get(name), stored.get(name)
        if now == was:
            if saved:
                yield name, saved
            continue
        # Of a user whom only the command line knows, nothing is saved but a new password.
        is_of_run = saved is None and name in run.users
        if now and (was is None or now.password != was.password or not is_of_run):
            yield name, _merge(was, now, saved)


_CHECK_S: Final = 1.0
"""Seconds between checks of the file."""


class WatchedFile:
    """A file that others may change, which is looked at once a second at most."""

    def __init__(self, path: Path | None) -> None:
        """A path of None stands for no file, which never changes."""
        self._path = path
        self._stamp = stamp_of(path)
        self._checked_s = time.monotonic()

    def has_changed(self) -> bool:
        """Return whether the file differs from when it was last looked at."""
        now = time.monotonic()
        if self._path is None or now - self._checked_s <= _CHECK_S:
            return False
        before, self._checked_s = self._stamp, now
        self.note()
        return self._stamp != before

    def note(self) -> None:
        """Take the file as it is for known, after a change of our own."""
        self._stamp = stamp_of(self._path)


class SettingsStore:
    """The settings of one run, in memory and in their file."""

    def __init__(
        self, stored: ProxySettings, run: RunOptions = NO_OPTIONS, path: Path | None = None
    ) -> None:
        """``stored`` are the settings of the file; UsageError if the options do not fit them.

        A path of None disables saving.
        """
        self.path = path
        self.error = ""
        """Why the last change of the file could not be read; empty if it could."""
        self.of_run = run
        """The options of the command line that still hold."""
        self.stored = stored
        """The settings of the file, without the options of the run."""
        self._current = run.apply(stored)
        self._is_local = is_loopback(self._current.listen_host)
        """Whether only this machine reaches the proxy, which listens as at its start."""
        self._file = WatchedFile(path)

    @property
    def current(self) -> ProxySettings:
        """The settings of the run; the file is read again if it has changed."""
        if self.path and self._file.has_changed():
            self._read_again(self.path)
        return self._current

    def replace(self, settings: ProxySettings) -> None:
        """Apply settings of the run and save what is changed.

        Raises UsageError if the file has become invalid or the proxy would serve other machines
        without authentication, OSError if it cannot be written; then nothing has changed.
        """
        with lock_file(self.path) if self.path else nullcontext():
            saved = read_settings(self.path) if self.path and self.path.exists() else self.stored
            stored = merge(self._current, settings, saved, self.of_run)
            self._apply(stored, self.of_run.without_changes(self._current, settings))

    def replace_file(self, stored: ProxySettings) -> None:
        """Replace what the file says; the options of the run still hold. Raises as above."""
        with lock_file(self.path) if self.path else nullcontext():
            self._apply(stored, self.of_run)

    def _apply(self, stored: ProxySettings, run: RunOptions) -> None:
        current = run.apply(stored)
        self._check(current)
        if self.path:
            # The file contains password hashes.
            save_text(self.path, write_settings(stored), mode=0o600)
            self._file.note()
        self.stored, self.of_run, self._current, self.error = stored, run, current, ""

    def _read_again(self, path: Path) -> None:
        self.error = ""
        try:
            # An editor may replace the file in two steps; a file that is gone changes nothing.
            stored = read_settings(path) if path.exists() else self.stored
            current = self.of_run.apply(stored)
            self._check(current)
        except UsageError as error:
            self.error = str(error)
        else:
            self.stored, self._current = stored, current

    def _check(self, settings: ProxySettings) -> None:
        """Raise UsageError if other machines could use the proxy without a password."""
        if not settings.users and not (is_loopback(settings.listen_host) and self._is_local):
            raise UsageError(
                "users: the proxy serves other machines, so it needs at least one user"
            )
