"""State, memory, statistics, log and passwords of the proxy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.filters import BlockList, own_blocklist
from thresher.filters.settings import NO_FILTERS, Filters
from thresher.proxy import settings_store
from thresher.proxy.memory import (
    EarlyHeads,
    OwnedPage,
    OwnedPages,
    PostResult,
    PostResults,
    SiteKinds,
    TemporaryViews,
    leaves_heads,
)
from thresher.proxy.passwords import Lockout, check_password, hash_password
from thresher.proxy.rewrite_model import ReceivedPage
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
    """Counts add up; of recent pages and requests only the latest are known."""
    statistics = Statistics()
    assert 0 == statistics.added_s(50)
    odd, even = ("inplace", ""), ("left alone", "a portal")
    for n in range(5000):
        page = PageRecord("a", *(odd if n % 2 else even), 10, 4, n / 1000, {"ads": 2}, 3)
        statistics.count(replace(page, queued_s=n / 10_000))
    assert 5000 == statistics.pages
    assert {"inplace": 2500, "left alone": 2500} == statistics.outcomes
    assert {"a portal": 2500} == statistics.reasons
    assert {"ads": 10_000} == statistics.removed
    sizes = (statistics.n_byte, statistics.n_byte_out, statistics.removed_chars)
    assert (50_000, 20_000, 15_000) == sizes
    assert (4.488, 0.4488) == (statistics.added_s(50), statistics.queued_s(50))
    assert (100, 4.999) == (len(statistics.recent), statistics.recent[0].added_s)
    log = RequestLog()
    for n in range(600):
        log.add(None, f"http://mill.example/{n}/{'x' * 10_000}", "inplace")
    found = log.find()
    assert (500, 500) == (len(found), len(found[0].url))
    assert found[0].url.startswith("http://mill.example/599/")
    assert 1 == len(log.find("/250/ inplace"))


@pytest.mark.parametrize(
    ("filters", "stops_requests", "expected"),
    [
        (Filters(), True, True),
        (Filters(), False, False),
        (Filters(ads=False), False, False),
        (NO_FILTERS, False, True),
        (replace(Filters(), external_styles=True), True, False),
        (replace(Filters(), backgrounds=True), True, False),
        (replace(Filters(), images=True), True, True),
    ],
)
def test_heads_that_stay(filters: Filters, stops_requests: bool, expected: bool) -> None:
    """They stay if what the filters would remove is stopped when it is asked for."""
    assert expected == leaves_heads(filters, stops_requests=stops_requests)


def test_misfits_are_remembered() -> None:
    """A host is buffered for good after a page that its head did not fit; the oldest go first."""
    heads = EarlyHeads()
    for number in range(10_001):
        assert heads.fits(f"{number}.example")
        heads.note_misfit(f"{number}.example")
    assert [True, False] == [heads.fits(host) for host in ("0.example", "1.example")]


def kept(n_byte: int) -> OwnedPage:
    """Return a page of a size."""
    return OwnedPage("anna", ReceivedPage(b"x" * n_byte, "text/html", "https://a.example/"))


def test_pages_are_kept_within_bounds() -> None:
    """The oldest go first; one that is too large is kept only if asked for, and until the next."""
    pages = OwnedPages[OwnedPage](max_bytes=100)
    for name, n_byte in (("a", 40), ("b", 40), ("c", 40), ("d", 101)):
        pages.keep(name, kept(n_byte))
    assert [False, True, True, False] == [pages.get(name, "anna") is not None for name in "abcd"]
    assert pages.get("b", "bert") is None
    large = pages.put(kept(101))
    assert pages.get(large, "anna") and not pages.get("c", "anna")
    pages.put(kept(4))
    assert not pages.get(large, "anna")


URL = "http://mill.example/search"
RESULT = PostResult("anna", ReceivedPage(b"x", "text/html", URL), ())


def test_a_result_answers_once() -> None:
    """A chosen result answers the next request of its user for its address, and only that one."""
    results = PostResults()
    results.keep("one", RESULT)
    assert results.take("anna", URL) is None
    for user, name, url in (("bert", "one", URL), ("anna", "two", URL), ("anna", "one", URL[:-1])):
        results.choose(user, name, url)
        assert results.take(user, url) is None
    results.choose("anna", "one", f"{URL}#top")
    assert results.take("bert", URL) is None
    assert results.take("anna", "http://mill.example/") is None
    assert ("one", RESULT) == results.take("anna", URL)
    assert results.take("anna", URL) is None


def test_results_expire() -> None:
    """Results are forgotten after ten minutes."""
    now = [0.0]
    results = PostResults(lambda: now[0])
    results.keep("one", RESULT)
    results.choose("anna", "one", URL)
    now[0] = 601.0
    results.choose("anna", "one", URL)
    assert results.take("anna", URL) is None


SHOP = "https://www.shop.example/"


def test_a_site_is_what_most_of_its_pages_are() -> None:
    """One page of an application makes a site one; among many articles it does not."""
    kinds = SiteKinds()
    assert not kinds.is_application(SHOP)
    kinds.note(SHOP, is_application=True)
    assert kinds.is_application("https://shop.example/about?x=1")
    assert not kinds.is_application("https://news.example/")
    for _ in range(9):
        kinds.note("https://news.example/", is_application=False)
    kinds.note("https://news.example/", is_application=True)
    assert not kinds.is_application("https://news.example/")


def test_a_menu_does_not_come_and_go() -> None:
    """A site changes back only after many more pages than it needed to become an application."""
    kinds = SiteKinds()
    seen = []
    for number in range(12):
        kinds.note(SHOP, is_application=number % 3 == 0)
        seen.append(kinds.is_application(SHOP))
    assert all(seen)
    for _ in range(9):
        kinds.note(SHOP, is_application=False)
    assert not kinds.is_application(SHOP)


def test_applications_are_known_after_a_start(tmp_path: Path) -> None:
    """They, and only they, are kept in a file; whatever that holds or is, the proxy goes on."""
    path = tmp_path / "applications.json"
    kinds = SiteKinds(path)
    kinds.note("https://news.example/", is_application=False)
    assert not path.exists()
    kinds.note(SHOP, is_application=True)
    assert "news.example" not in path.read_text()
    assert SiteKinds(path).is_application(SHOP)
    for text in ("", "[]", "{", '{"a": 1}', '{"a": ["x", 1]}', "\ud800".join("ab")):
        path.write_text(text, errors="replace")
        assert not SiteKinds(path).is_application("https://a/")
    kinds = SiteKinds(path / "applications.json")
    kinds.note(SHOP, is_application=True)
    assert kinds.is_application(SHOP)


def test_passwords() -> None:
    """Only the right password matches a salted hash; invalid passwords and hashes are errors."""
    kept = hash_password("grain é")
    assert "grain" not in kept
    assert check_password("grain é", kept)
    assert not check_password("chaff", kept)
    assert kept != hash_password("grain é")
    for password in ("", "a:b"):
        with pytest.raises(UsageError):
            hash_password(password)
    for wrong in ("", "grain", "md5$a$b", "scrypt$a", "scrypt$é$b"):
        with pytest.raises(UsageError):
            check_password("grain", wrong)


def test_time_doubles_with_each_failure() -> None:
    """Four failures are free; from the fifth on the time doubles, up to an hour."""
    now = [0.0]
    lockout = Lockout(lambda: now[0])
    found = []
    for _ in range(20):
        lockout.fail("a")
        found.append(lockout.left_s("a"))
    assert [0, 0, 0, 0, 30, 60, 120] == found[:7]
    assert 3600 == found[-1]
    assert 0 == lockout.left_s("b")
    now[0] = 3600.0
    assert 0 == lockout.left_s("a")
    lockout.fail("a")
    assert 3600 == lockout.left_s("a")


def test_failures_are_forgotten() -> None:
    """A right password, a day, or ten thousand others end the count."""
    now = [0.0]
    lockout = Lockout(lambda: now[0])
    for _ in range(4):
        lockout.fail("a")
    lockout.succeed("a")
    lockout.fail("a")
    assert 0 == lockout.left_s("a")
    for _ in range(9):
        lockout.fail("a")
    now[0] = 100_000.0
    lockout.fail("a")
    assert 0 == lockout.left_s("a")
    for _ in range(4):
        lockout.fail("a")
    assert 0 < lockout.left_s("a")
    for number in range(10_000):
        lockout.fail(number)
    assert 0 == lockout.left_s("a")
