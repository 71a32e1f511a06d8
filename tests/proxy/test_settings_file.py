"""The settings as a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from thresher.errors import UsageError
from thresher.filters import Filters
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import Profile, ProxySettings, User
from thresher.proxy.settings_file import (
    default_settings_path,
    parse_settings,
    read_settings,
    write_settings,
)

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
