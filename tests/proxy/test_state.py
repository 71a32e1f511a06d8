"""State, statistics and log of the proxy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thresher.filters import BlockList, own_blocklist
from thresher.proxy import settings_store
from thresher.proxy.memory import TemporaryViews
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.settings_store import read_settings
from thresher.proxy.state import ListFile, PageRecord, ProxyState, RequestLog, Statistics, load_list
from thresher.sites.rulebook import HostRules, Rules


def test_rules_are_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulebook is reloaded from its file, and saving a view keeps other rules."""
    monkeypatch.setattr(settings_store, "_CHECK_S", -1.0)
    path = tmp_path / "rules.toml"
    one, other = (ProxyState(ProxySettings(), rules_path=path) for _ in range(2))
    one.change_rules("a.example", lambda _: HostRules(Rules(drop=("p",))))
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
    state.change_rules("a.example", lambda _: shared)
    state.change_choices("anna", "a.example", lambda known: replace(known, view="original"))
    url = "http://www.a.example/"
    assert replace(shared, view="original") == state.rules_of("anna", url)
    assert shared == state.rules_of("bert", url) == state.rules_of(None, url)
    assert state.settings.current == read_settings(path)
    state.change_choices("anna", "a.example", lambda known: replace(known, view=None))
    assert shared == state.rules_of("anna", url)
    assert not state.settings.current.users["anna"].book.hosts


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
    assert 0 == statistics.added_s(50)
    for number in range(5000):
        outcome = "inplace" if number % 2 else "left alone"
        reason = "" if number % 2 else "a portal"
        statistics.count(
            PageRecord(
                "a", outcome, reason, 10, 4, number / 1000, {"ads": 2}, 3, queued_s=number / 10_000
            )
        )
    snapshot = statistics
    assert 5000 == snapshot.pages
    assert {"inplace": 2500, "left alone": 2500} == snapshot.outcomes
    assert {"a portal": 2500} == snapshot.reasons
    assert {"ads": 10_000} == snapshot.removed
    assert (50_000, 20_000, 15_000) == (
        snapshot.n_byte,
        snapshot.n_byte_out,
        snapshot.removed_chars,
    )
    assert (4.488, 0.4488) == (snapshot.added_s(50), snapshot.queued_s(50))
    assert 100 == len(snapshot.recent)
    assert 4.999 == snapshot.recent[0].added_s


def test_the_log_is_bounded() -> None:
    """Only the latest requests are known, with the beginning of their address."""
    log = RequestLog()
    for number in range(600):
        log.add(None, f"http://mill.example/{number}/{'x' * 10_000}", "inplace")
    found = log.find()
    assert (500, 500) == (len(found), len(found[0].url))
    assert found[0].url.startswith("http://mill.example/599/")
    assert 1 == len(log.find("/250/ inplace"))
