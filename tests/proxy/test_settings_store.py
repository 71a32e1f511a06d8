"""Settings of a run and their file: options, changes and saves."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.proxy import settings_store
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.proxy.settings_store import (
    NO_OPTIONS,
    RunOptions,
    SettingsStore,
    merge,
    read_settings,
    write_settings,
)
from thresher.sites.rulebook import HostRules, Rulebook
from thresher.support.files import lock_file

ANNA, BERT = User(hash_password("grain")), User(hash_password("chaff"))
OPTIONS = RunOptions(
    {"view": "reader", "listen_port": "0"}, {"ads": "no"}, {"anna": ANNA}, ("bank.example",)
)


def test_options_precede_the_file() -> None:
    """Options set values, filters, users and hosts on top of the file's; its profiles stay."""
    profile = Profile(view="text")
    stored = ProxySettings(
        view="text",
        hold_s=1.0,
        never_intercept=("pay.example",),
        users={"anna": replace(BERT, profile=profile), "bert": BERT},
    )
    expected = replace(
        stored,
        view="reader",
        listen_port=0,
        filters=Filters(ads=False),
        never_intercept=("pay.example", "bank.example"),
        users={"anna": replace(ANNA, profile=profile), "bert": BERT},
    )
    assert expected == OPTIONS.apply(stored)


def test_options_that_do_not_fit() -> None:
    """Options that contradict the file are an error."""
    with pytest.raises(UsageError, match="upstream requires mode regular"):
        RunOptions({"upstream": "http://a.example"}).apply(ProxySettings(mode="transparent"))


def test_what_a_person_changes_is_no_longer_the_options() -> None:
    """A setting changed on the page ends its option; a profile stays with a user of the run."""
    before = OPTIONS.apply(ProxySettings())
    profile = Profile(view="text")
    after = replace(
        before, view="inplace", never_intercept=(), users={"anna": replace(ANNA, profile=profile)}
    )
    expected = RunOptions({"listen_port": "0"}, {"ads": "no"}, {"anna": after.users["anna"]})
    assert expected == OPTIONS.without_changes(before, after)
    other = replace(before, users={"anna": BERT}, filters=Filters())
    assert not OPTIONS.without_changes(before, other).users
    assert not OPTIONS.without_changes(before, other).filters


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


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the file with every access."""
    monkeypatch.setattr(settings_store, "_CHECK_S", -1.0)


def test_options_hold_for_the_run(tmp_path: Path) -> None:
    """A save on the settings page keeps options out of the file, and in effect."""
    path = tmp_path / "proxy.toml"
    run = RunOptions({"listen_host": "::1", "view": "text"}, {"ads": "no"}, {"anna": ANNA})
    store = SettingsStore(ProxySettings(), run, path)
    store.replace(replace(store.current, hold_s=1.0))
    assert ProxySettings(hold_s=1.0) == read_settings(path) == store.stored
    assert 0o600 == path.stat().st_mode & 0o777
    assert run.apply(ProxySettings(hold_s=1.0)) == store.current
    store.replace(replace(store.current, view="reader"))
    assert "reader" == read_settings(path).view == store.current.view
    assert "127.0.0.1" == read_settings(path).listen_host


def test_two_proxies_and_a_hand(tmp_path: Path) -> None:
    """Changes of two proxies and of an editor add up, and each sees those of the others."""
    path = tmp_path / "proxy.toml"
    path.write_text(write_settings(ProxySettings()))
    one, other = (SettingsStore(read_settings(path), path=path) for _ in range(2))
    one.replace(replace(one.current, view="reader"))
    other._file._stamp = None  # as if both saved in the same second, before either looked
    other._file._checked_s = float("inf")
    other.replace(replace(other.current, mark=False))
    path.write_text(path.read_text().replace("hold_s = 3.0", "hold_s = 1.5"))
    other._file._checked_s = 0.0
    expected = ProxySettings(view="reader", mark=False, hold_s=1.5)
    assert expected == one.current == other.current


def test_a_save_waits_for_that_of_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process changes the file, nothing is read that it is about to replace."""
    path = tmp_path / "proxy.toml"
    store = SettingsStore(ProxySettings(), path=path)
    with lock_file(path):
        monkeypatch.setattr(settings_store, "lock_file", partial(lock_file, wait_s=0.0))
        with pytest.raises(TimeoutError):
            store.replace(replace(store.current, view="reader"))
        assert not path.exists()
    store.replace(replace(store.current, view="reader"))
    assert "reader" == read_settings(path).view


def test_a_file_that_became_invalid(tmp_path: Path) -> None:
    """The last valid settings apply, the error is known, and nothing overwrites the file."""
    path = tmp_path / "proxy.toml"
    store = SettingsStore(ProxySettings(), path=path)
    path.write_text("version = 1\n[proxy]\nview = 'glasses'")
    assert ProxySettings() == store.current
    assert "view must be" in store.error
    with pytest.raises(UsageError, match="view must be"):
        store.replace(replace(store.current, mark=False))
    assert "glasses" in path.read_text()
    path.write_text("version = 1\n[proxy]\nview = 'text'")
    assert "text" == store.current.view
    assert not store.error


def test_a_file_cannot_open_the_proxy(tmp_path: Path) -> None:
    """A proxy for other machines keeps its users, whatever is written to the file or removed."""
    path = tmp_path / "proxy.toml"
    stored = ProxySettings(listen_host="0.0.0.0", users={"anna": ANNA})
    path.write_text(write_settings(stored))
    store = SettingsStore(stored, path=path)
    path.write_text(write_settings(ProxySettings()))
    assert stored == store.current
    assert "needs at least one user" in store.error
    path.unlink()
    assert stored == store.current
    with pytest.raises(UsageError, match="needs at least one user"):
        store.replace(replace(stored, users={}))


def test_an_imported_file(tmp_path: Path) -> None:
    """An imported file replaces the settings, and the options still hold."""
    path = tmp_path / "proxy.toml"
    store = SettingsStore(
        ProxySettings(mark=False), RunOptions({"view": "text"}, {}, {"anna": ANNA}), path
    )
    store.replace_file(ProxySettings(view="reader"))
    assert ProxySettings(view="reader") == read_settings(path)
    assert ("text", True, ["anna"]) == (
        store.current.view,
        store.current.mark,
        list(store.current.users),
    )
