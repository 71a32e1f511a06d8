"""State of the proxy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thresher.filters import BlockList, own_blocklist
from thresher.proxy import state as state_module
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.settings_file import read_settings
from thresher.proxy.state import ListFile, ProxyState, load_list
from thresher.proxy.statistics import PageRecord, Statistics
from thresher.proxy.temporary_views import TemporaryViews
from thresher.sites.rulebook import HostRules, Rules


def test_settings_are_saved(tmp_path: Path) -> None:
    """Settings are saved in a file with restricted permissions."""
    path = tmp_path / "a" / "proxy.toml"
    state = ProxyState(ProxySettings(), settings_path=path)
    state.replace_settings(replace(state.settings, view="text"))
    assert "text" == read_settings(path).view == state.settings.view
    assert 0o600 == path.stat().st_mode & 0o777


def test_rules_are_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulebook is reloaded from its file, and saving a view keeps other rules."""
    monkeypatch.setattr(state_module, "_RULES_CHECK_S", -1.0)
    path = tmp_path / "rules.toml"
    one, other = (ProxyState(ProxySettings(), rules_path=path) for _ in range(2))
    one.replace_rules("a.example", HostRules(Rules(drop=("p",))))
    other.change_choices(None, "a.example", lambda known: replace(known, view="reader"))
    assert HostRules(Rules(drop=("p",)), "reader") == one.rulebook.of("http://www.a.example/")
    path.write_text("no rulebook")
    assert "reader" == one.rulebook.of("http://a.example/").view
    assert "rules.toml" in one.rules_error


def test_users_choose_for_themselves(tmp_path: Path) -> None:
    """A user's view of a site is their own, precedes everybody's, and is in the settings file."""
    path = tmp_path / "proxy.toml"
    users = {name: User(hash_password("grain")) for name in ("anna", "bert")}
    state = ProxyState(ProxySettings(users=users), settings_path=path)
    shared = HostRules(Rules(drop=("p",)), "reader")
    state.replace_rules("a.example", shared)
    state.change_choices("anna", "a.example", lambda known: replace(known, view="original"))
    url = "http://www.a.example/"
    assert replace(shared, view="original") == state.rules_of("anna", url)
    assert shared == state.rules_of("bert", url) == state.rules_of(None, url)
    assert state.settings == read_settings(path)
    state.change_choices("anna", "a.example", lambda known: replace(known, view=None))
    assert shared == state.rules_of("anna", url)
    assert not state.settings.users["anna"].book.hosts


def test_block_lists_reach_workers(tmp_path: Path) -> None:
    """Workers load a replaced block list from its file, or the built-in one."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path, tmp_path / "file", None):  # the second takes no files
        state = ProxyState(ProxySettings(), data_dir=folder)
        assert own_blocklist() == load_list(state.list_file)
        blocklist = BlockList.parse(["||a.example^", "@@||b.a.example^"])
        state.replace_blocklist(blocklist)
        assert blocklist == load_list(state.list_file) == state.blocklist
    assert own_blocklist() == load_list(ListFile(tmp_path / "not there", "x"))


def test_tokens() -> None:
    """A token is valid for one user, purpose and proxy."""
    state = ProxyState(ProxySettings())
    token = state.token("anna", "view")
    assert state.is_token(token, "anna", "view")
    assert not state.is_token(token, "bert", "view")
    assert not state.is_token(token, "anna", "remember")
    assert not state.is_token("é", "anna", "view")
    assert not ProxyState(ProxySettings()).is_token(token, "anna", "view")


def test_views_for_once() -> None:
    """Temporary views are per user and page, expire, and are bounded."""
    now = [0.0]
    views = TemporaryViews(lambda: now[0])
    views.put("anna", "http://a/b#c", "text")
    assert "text" == views.get("anna", "http://a/b")
    assert views.get("bert", "http://a/b") is None
    assert views.get("anna", "http://a/") is None
    now[0] = 601.0
    assert views.get("anna", "http://a/b") is None
    for number in range(1001):
        views.put("anna", f"http://a/{number}", "text")
    assert views.get("anna", "http://a/0") is None
    assert "text" == views.get("anna", "http://a/1")


def test_statistics_are_bounded() -> None:
    """Counts add up, and the list of recent pages is bounded."""
    statistics = Statistics()
    assert 0 == statistics.snapshot().median_added_s
    for number in range(5000):
        outcome = "inplace" if number % 2 else "left alone"
        reason = "" if number % 2 else "a portal"
        statistics.count(
            PageRecord(
                "a", outcome, reason, 10, 4, number / 1000, {"ads": 2}, 3, queued_s=number / 10_000
            )
        )
    snapshot = statistics.snapshot()
    assert 5000 == snapshot.pages
    assert {"inplace": 2500, "left alone": 2500} == snapshot.outcomes
    assert {"a portal": 2500} == snapshot.reasons
    assert {"ads": 10_000} == snapshot.removed
    assert (50_000, 20_000, 15_000) == (
        snapshot.n_byte,
        snapshot.n_byte_out,
        snapshot.removed_chars,
    )
    assert (4.488, 0.4488) == (snapshot.median_added_s, snapshot.median_queued_s)
    assert 100 == len(snapshot.recent)
    assert 4.999 == snapshot.recent[0].added_s
