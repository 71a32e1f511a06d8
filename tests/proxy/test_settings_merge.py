"""Merging of changes to settings."""

from __future__ import annotations

from dataclasses import replace

from thresher.filters.settings import Filters
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.proxy.settings_store import NO_OPTIONS, RunOptions, merge
from thresher.sites.rulebook import HostRules, Rulebook

ANNA, BERT = User(hash_password("grain")), User(hash_password("chaff"))


def test_only_changes_are_merged() -> None:
    """What others changed in the file stays; what was changed here is added."""
    before = ProxySettings(view="reader")
    after = replace(before, hold_s=1.0, filters=Filters(ads=False))
    stored = ProxySettings(view="text", hold_s=3.0, filters=Filters(images=True))
    expected = replace(stored, hold_s=1.0, filters=Filters(ads=False, images=True))
    assert expected == merge(before, after, stored, NO_OPTIONS)
    assert stored == merge(before, before, stored, NO_OPTIONS)


def test_users_are_merged_one_by_one() -> None:
    """Users added, removed and changed by both sides are all right."""
    before = ProxySettings(users={"anna": ANNA, "bert": BERT})
    reader = Profile(view="reader")
    after = replace(before, users={"anna": replace(ANNA, profile=reader), "carl": BERT})
    stored = replace(
        before, users={"anna": replace(ANNA, password=BERT.password), "bert": BERT, "dora": ANNA}
    )
    expected = {"anna": replace(BERT, profile=reader), "carl": BERT, "dora": ANNA}
    assert expected == merge(before, after, stored, NO_OPTIONS).users


def test_profiles_and_sites_are_merged() -> None:
    """Settings of one profile and choices for sites are merged one by one."""

    def user(view: str, *, images: bool, **hosts: str) -> User:
        book = Rulebook({name: HostRules(view=each) for name, each in hosts.items()})
        return User(ANNA.password, Profile(view=view, filters=Filters(images=images)), book)

    before, after, stored = (
        ProxySettings(users={"anna": each})
        for each in (
            user("inplace", images=False, a="text", b="text"),
            user("reader", images=False, a="reader"),
            user("inplace", images=True, a="text", b="text", c="text"),
        )
    )
    merged = merge(before, after, stored, NO_OPTIONS).users["anna"]
    assert user("reader", images=True, a="reader", c="text") == merged


def test_options_stay_out_of_the_file() -> None:
    """Users, hosts and values of the command line are not written, not even with a profile."""
    run = RunOptions({"view": "text"}, {}, {"anna": ANNA}, ("bank.example",))
    stored = ProxySettings(never_intercept=("pay.example",))
    before = run.apply(stored)
    after = replace(
        before,
        hold_s=1.0,
        never_intercept=(*before.never_intercept, "till.example"),
        users={"anna": replace(ANNA, profile=Profile(view="reader"))},
    )
    expected = replace(stored, hold_s=1.0, never_intercept=("pay.example", "till.example"))
    assert expected == merge(before, after, stored, run)
