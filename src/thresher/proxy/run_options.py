"""Options of the command line: they hold for one run and never enter the settings file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from thresher.proxy.settings import ProxySettings, User
from thresher.support.settings import change, describe

__all__ = ["NO_OPTIONS", "RunOptions"]


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
            known = users.get(name)
            users[name] = replace(known, password=user.password) if known else user
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
        each.name
        for each in describe(type(before))
        if getattr(before, each.name) == getattr(after, each.name)
    }
    return {name: value for name, value in values.items() if name in same}
