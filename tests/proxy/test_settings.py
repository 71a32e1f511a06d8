"""The settings and profiles as files, and checks of their values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.filters import Filters
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import (
    Profile,
    ProxySettings,
    User,
    is_in_networks,
    is_loopback,
    is_named,
    is_within_ports,
    read_host,
    read_network,
    read_ports,
)
from thresher.proxy.settings_store import (
    default_settings_path,
    parse_profile,
    parse_settings,
    read_settings,
    write_profile,
    write_settings,
)
from thresher.sites.rulebook import HostRules, Rulebook, Rules

KEPT = hash_password("grain")


def test_what_is_written_is_read() -> None:
    """Settings survive a round trip."""
    filters = replace(Filters(), ads=False, ad_rules=("||a.example^",))
    settings = ProxySettings(
        view="text",
        listen_host="::1",
        clients=("10.0.0.0/8",),
        hold_s=1.5,
        filters=filters,
        users={
            'an"na.\\': User(KEPT, Profile(view="reader", filters=replace(filters, ads=True))),
            "bert": User(KEPT),
        },
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
        ("version = ", "nvalid value"),
        ("version = 1\nview = 1", "unknown: view"),
        ("version = 1\nproxy = 1", "proxy must be a table"),
        ("version = 1\n[proxy]\nview = 'x'", "view must be one of"),
        ("version = 1\n[proxy]\nmark = 1", "mark must be yes or no"),
        ("version = 1\n[proxy]\nlisten_port = 65536", "listen_port"),
        ("version = 1\n[proxy]\nhold_s = nan", "hold_s"),
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
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    """Errors name the setting."""
    with pytest.raises(UsageError, match=says):
        parse_settings(text)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file yields the defaults; errors name the file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = default_settings_path()
    assert tmp_path / "thresher" / "proxy.toml" == path
    assert ProxySettings() == read_settings(path)
    path.parent.mkdir()
    path.write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"proxy\.toml"):
        read_settings(path)


def test_who_may_listen() -> None:
    """Serving other machines requires users."""
    assert not ProxySettings().is_open
    assert not ProxySettings(listen_host="::1").is_open
    assert ProxySettings(listen_host="192.168.1.2").is_open
    assert ProxySettings(listen_host="").is_open
    assert not ProxySettings(listen_host="0.0.0.0", users={"anna": User(KEPT)}).is_open


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
        ("version = 1\nprofile = 1", "profile must be a table"),
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


def test_networks() -> None:
    """An address is in a network in any notation; names are no networks."""
    networks = ("10.0.0.0/8", "mill.example", "::1")
    assert is_in_networks("10.1.2.3", networks)
    assert is_in_networks("::ffff:10.1.2.3", networks)
    assert is_in_networks("0:0::1", networks)
    assert not is_in_networks("11.1.2.3", networks)
    assert not is_in_networks("mill.example", networks)
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
    for text in (
        "",
        "*",
        "a b",
        "bank.*",
        "a/b",
        "http://a.example",
        "a..b",
        "-a.example",
        "é" * 99,
    ):
        with pytest.raises(UsageError, match="h: "):
            read_host("h", text)


def test_loopback() -> None:
    """Only this machine reaches the loopback addresses."""
    assert is_loopback("127.8.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("")
    assert not is_loopback("0.0.0.0")
