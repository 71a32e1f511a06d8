"""The settings and profiles: values, files, options and changes of a run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.filters.settings import Filters
from thresher.proxy import settings_store
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import (
    Profile,
    ProxySettings,
    User,
    is_in_networks,
    is_named,
    is_within_ports,
    read_host,
    read_network,
    read_ports,
)
from thresher.proxy.settings_store import (
    NO_OPTIONS,
    RunOptions,
    SettingsStore,
    default_settings_path,
    merge,
    parse_profile,
    parse_settings,
    read_settings,
    write_profile,
    write_settings,
)
from thresher.sites.rulebook import HostRules, Rulebook, Rules
from thresher.support.files import lock_file
from thresher.support.hosts import is_loopback

KEPT = hash_password("grain")


def test_what_is_written_is_read() -> None:
    """Settings survive a round trip."""
    filters = replace(Filters(), ads=False, ad_rules=("||a.example^",))
    anna = User(KEPT, Profile(view="reader", filters=replace(filters, ads=True)))
    settings = ProxySettings(
        view="text",
        listen_host="::1",
        clients=("10.0.0.0/8",),
        hold_s=1.5,
        filters=filters,
        users={'an"na.\\': anna, "bert": User(KEPT)},
    )
    assert settings == parse_settings(write_settings(settings))
    assert ProxySettings() == parse_settings(write_settings(ProxySettings()))


def test_a_profile_begins_with_everybodys() -> None:
    """A profile inherits from the default one."""
    settings = parse_settings(
        'version = 1\n[proxy]\nview = "text"\n[filters]\nads = false\n'
        f'[user.anna]\npassword = "{KEPT}"\nmethod = "bte"\n[user.anna.filters]\nimages = true'
    )
    profile = settings.profile_of("anna")
    assert ("text", "bte") == (profile.view, profile.method)
    assert (False, True) == (profile.filters.ads, profile.filters.images)
    assert "learned" == settings.profile_of("bert").method


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "version"),
        ("version = 2", "version"),
        ("version = 1\nview = 1", "unknown: view"),
        ("version = 1\n[proxy]\nview = 'x'", "view must be one of"),
        ("version = 1\n[proxy]\nlisten_port = 65536", "listen_port"),
        ("version = 1\n[proxy]\nclients = ['home']", "clients"),
        ("version = 1\n[proxy]\nnever_intercept = ['a/b']", "never_intercept"),
        ("version = 1\n[proxy]\nlist_urls = ['ftp://a/']", "list_urls"),
        ("version = 1\n[filters]\nads = 'x'", "ads"),
        ("version = 1\n[user.anna]", "missing password"),
        ("version = 1\n[user.anna]\npassword = 'grain'", "password"),
        (f"version = 1\n[user.'a:b']\npassword = '{KEPT}'", "user name"),
        (f"version = 1\n[user.anna]\npassword = '{KEPT}'\nage = 1", "unknown setting: age"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, says: str) -> None:
    """Errors name the setting, and of a file its name."""
    with pytest.raises(UsageError, match=says):
        parse_settings(text)
    path = tmp_path / "proxy.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=r"proxy\.toml"):
        read_settings(path)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual file is in the user's folder; a missing one yields the defaults."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert tmp_path / "thresher" / "proxy.toml" == default_settings_path()
    assert ProxySettings() == read_settings(default_settings_path())


def test_a_profile_there_and_back() -> None:
    """What is written is read again; what is missing is as for everybody."""
    profile = Profile("reader", "bte", Filters(images=True, ad_rules=('||a.example^$~"',)))
    book = Rulebook({"a.example": HostRules(Rules((), (".promo",)), "text")})
    assert (profile, book) == parse_profile(write_profile(profile, book), Profile())
    assert (profile, Rulebook()) == parse_profile("version = 1", profile)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "version"),
        ("version = 1\npassword = 'x'", "unknown: password"),
        ("version = 1\n[profile]\nfilters = {}", "unknown setting: filters"),
        ("version = 1\n[profile]\nview = 'glasses'", "view must be"),
        ("version = 1\nfilters = 1", "filters must be a table"),
        ("version = 1\n[host.'a b']\nview = 'text'", "not a host name"),
        ("version = 1\n[host.'a.example']\ndrop = ['p:[']", "p:\\["),
    ],
)
def test_what_is_wrong_in_a_profile_is_named(text: str, says: str) -> None:
    """Errors name what is invalid."""
    with pytest.raises(UsageError, match=says):
        parse_profile(text, Profile())


@pytest.mark.parametrize(
    ("address", "is_inside"),
    [
        *(("10.1.2.3", True), ("::ffff:10.1.2.3", True), ("0:0::1", True)),
        *(("11.1.2.3", False), ("mill.example", False)),
    ],
)
def test_networks(address: str, is_inside: bool) -> None:
    """An address is in a network in any notation; names are no networks."""
    assert is_inside == is_in_networks(address, ("10.0.0.0/8", "mill.example", "::1"))
    with pytest.raises(UsageError, match='clients: "home" is not an address'):
        read_network("clients", "home")


def test_ports() -> None:
    """Ports are single or ranges."""
    assert range(443, 444) == read_ports("p", "443")
    assert is_within_ports(8001, ("443", "8000-8001"))
    assert not is_within_ports(8002, ("443", "8000-8001"))
    for text in ("", "0", "65536", "9-8", "http", "1-", "-1", "1-2-3", "²", "999999999999"):
        with pytest.raises(UsageError, match=r"p: .* is not a port"):
            read_ports("p", text)


def test_hosts() -> None:
    """Hosts include their subdomains, in either spelling; anything else is an error."""
    assert "bank.example" == read_host("h", "*.Bank.example.") == read_host("h", ".bank.example")
    assert "mühle.example" == read_host("h", "xn--mhle-0ra.example")
    assert is_named("www.xn--mhle-0ra.example", ("mühle.example",))
    assert is_named("MÜHLE.example.", ("xn--mhle-0ra.example",))
    assert not is_named("notbank.example", ("bank.example",))
    wrong = "* bank.* a/b http://a.example a..b -a.example".split()
    for text in ("", "a b", "é" * 99, *wrong):
        with pytest.raises(UsageError, match="h: "):
            read_host("h", text)


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        *(("127.8.0.1", True), ("::1", True), ("localhost", True)),
        *(("", False), ("0.0.0.0", False), ("192.168.1.2", False)),
    ],
)
def test_loopback(host: str, is_own: bool) -> None:
    """Only this machine reaches the loopback addresses; serving others requires users."""
    assert is_own == is_loopback(host)
    assert is_own != ProxySettings(listen_host=host).is_open
    assert not ProxySettings(listen_host=host, users={"anna": User(KEPT)}).is_open


ANNA, BERT = User(hash_password("grain")), User(hash_password("chaff"))
OPTIONS = RunOptions(
    {"view": "reader", "listen_port": "0"}, {"ads": "no"}, {"anna": ANNA}, ("bank.example",)
)


def test_options_precede_the_file() -> None:
    """Options set values, filters, users and hosts on top of the file's; its profiles stay."""
    profile = Profile(view="text")
    users = {"anna": replace(BERT, profile=profile), "bert": BERT}
    stored = ProxySettings(view="text", hold_s=1.0, never_intercept=("pay.example",), users=users)
    expected = replace(
        stored,
        view="reader",
        listen_port=0,
        filters=Filters(ads=False),
        never_intercept=("pay.example", "bank.example"),
        users={"anna": replace(ANNA, profile=profile), "bert": BERT},
    )
    assert expected == OPTIONS.apply(stored)
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
    """What others changed in the file stays, and what was changed here is added, by user too."""
    before = ProxySettings(view="reader")
    after = replace(before, hold_s=1.0, filters=Filters(ads=False))
    stored = ProxySettings(view="text", hold_s=3.0, filters=Filters(images=True))
    expected = replace(stored, hold_s=1.0, filters=Filters(ads=False, images=True))
    assert expected == merge(before, after, stored, NO_OPTIONS)
    assert stored == merge(before, before, stored, NO_OPTIONS)
    before = ProxySettings(users={"anna": ANNA, "bert": BERT})
    reader = Profile(view="reader")
    after = replace(before, users={"anna": replace(ANNA, profile=reader), "carl": BERT})
    others = {"anna": replace(ANNA, password=BERT.password), "bert": BERT, "dora": ANNA}
    users = {"anna": replace(BERT, profile=reader), "carl": BERT, "dora": ANNA}
    assert users == merge(before, after, replace(before, users=others), NO_OPTIONS).users


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
    """A save or import on the settings page keeps options out of the file, and in effect."""
    path = tmp_path / "proxy.toml"
    run = RunOptions({"listen_host": "::1", "view": "text"}, {"ads": "no"}, {"anna": ANNA})
    store = SettingsStore(ProxySettings(mark=False), run, path)
    store.replace_file(ProxySettings())
    assert ("text", True, ["anna"]) == (
        store.current.view,
        store.current.mark,
        list(store.current.users),
    )
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
    assert ("text", "") == (store.current.view, store.error)


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
