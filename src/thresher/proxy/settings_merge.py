"""Merging of changes to settings, so that a save keeps what others wrote to the file meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from thresher.proxy.run_options import RunOptions
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.sites.rulebook import Rulebook
from thresher.support.settings import describe

__all__ = ["merge"]

_T = TypeVar("_T")


def merge(
    before: ProxySettings, after: ProxySettings, stored: ProxySettings, run: RunOptions
) -> ProxySettings:
    """Return the settings of the file with the changes that a person has made.

    ``before`` and ``after`` are settings of the run, which include its options; only what differs
    between them is changed in ``stored``, setting by setting and user by user.
    """
    changed = _merge_values(before, after, stored)
    added = set(run.never_intercept) - set(stored.never_intercept)
    return replace(
        changed,
        never_intercept=tuple(host for host in changed.never_intercept if host not in added),
        filters=_merge_values(before.filters, after.filters, stored.filters),
        users=dict(_merge_users(before.users, after.users, stored.users, run)),
    )


def _merge_values(before: _T, after: _T, stored: _T) -> _T:
    changes: dict[str, Any] = {}
    for each in describe(type(after)):
        value = getattr(after, each.name)
        if value != getattr(before, each.name):
            changes[each.name] = value
    return replace(stored, **changes)  # type: ignore[type-var]


def _merge_users(
    before: Mapping[str, User],
    after: Mapping[str, User],
    stored: Mapping[str, User],
    run: RunOptions,
) -> Iterator[tuple[str, User]]:
    for name in {**stored, **after}:
        was, now, known = before.get(name), after.get(name), stored.get(name)
        if now == was:
            if known:
                yield name, known
        elif now is None:
            continue
        elif was is None or (known is None and now.password != was.password):
            yield name, now
        elif known is not None:
            yield name, _merge_user(was, now, known)
        elif name not in run.users:
            yield name, now


def _merge_user(was: User, now: User, known: User) -> User:
    return User(
        now.password if now.password != was.password else known.password,
        _merge_profile(was.profile, now.profile, known.profile),
        _merge_book(was.book, now.book, known.book),
        now.is_admin if now.is_admin != was.is_admin else known.is_admin,
    )


def _merge_profile(
    was: Profile | None, now: Profile | None, known: Profile | None
) -> Profile | None:
    if now == was:
        return known
    if not (was and now and known):
        return now
    filters = _merge_values(was.filters, now.filters, known.filters)
    return replace(_merge_values(was, now, known), filters=filters)


def _merge_book(was: Rulebook, now: Rulebook, known: Rulebook) -> Rulebook:
    hosts = dict(known.hosts)
    for host in {**was.hosts, **now.hosts}:
        if (rules := now.hosts.get(host)) == was.hosts.get(host):
            continue
        if rules:
            hosts[host] = rules
        else:
            hosts.pop(host, None)
    return Rulebook(hosts)
