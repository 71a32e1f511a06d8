"""Settings of the app, and rejection of unsafe ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.app.settings import AppSettings, is_loopback
from thresher.errors import UsageError

TOKEN = "a token of some length"


def test_settings_are_of_this_machine_when_nothing_is_said() -> None:
    """By default, the app is local and fetches public addresses only."""
    settings = AppSettings()
    assert is_loopback(settings.host)
    assert not settings.allow_private
    assert settings.limits.deadline_s


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_settings_need_a_token_when_others_can_ask(host: str) -> None:
    """A host reachable from outside requires a token."""
    with pytest.raises(UsageError, match="token"):
        AppSettings(host=host)
    assert host == AppSettings(host=host, token=TOKEN).host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_settings_need_no_token_when_only_this_machine_can_ask(host: str) -> None:
    """Loopback hosts require no token."""
    assert AppSettings(host=host).token is None


@pytest.mark.parametrize("wrong", [{"token": "short"}, {"n_worker": 0}, {"deadline_s": 0.0}])
def test_settings_refuse_what_makes_no_sense(wrong: dict[str, object]) -> None:
    """Short tokens and invalid numbers raise UsageError."""
    with pytest.raises(UsageError):
        AppSettings(**wrong)  # type: ignore[arg-type]


def test_data_dir_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder follows XDG_DATA_HOME, unless it is relative."""
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Path("/somewhere/thresher") == AppSettings().data_dir
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    assert Path.home() / ".local" / "share" / "thresher" == AppSettings().data_dir
