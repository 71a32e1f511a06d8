"""Settings of the app: what is safe, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.app.settings import AppSettings, is_loopback
from thresher.errors import UsageError

TOKEN = "a token of some length"


def test_settings_are_of_this_machine_when_nothing_is_said() -> None:
    """By default nobody else can reach the app, and it reaches nothing that is not public."""
    settings = AppSettings()
    assert is_loopback(settings.host)
    assert not settings.allow_private
    assert settings.limits.deadline_s


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_settings_need_a_token_when_others_can_ask(host: str) -> None:
    """Another host than this machine's is refused without a token, and the message says so."""
    with pytest.raises(UsageError, match="token"):
        AppSettings(host=host)
    assert host == AppSettings(host=host, token=TOKEN).host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_settings_need_no_token_when_only_this_machine_can_ask(host: str) -> None:
    """Every name of this machine alone will do."""
    assert AppSettings(host=host).token is None


@pytest.mark.parametrize("wrong", [{"token": "short"}, {"n_worker": 0}, {"deadline_s": 0.0}])
def test_settings_refuse_what_makes_no_sense(wrong: dict[str, object]) -> None:
    """A token that can be guessed, and numbers that are none, are errors of the call."""
    with pytest.raises(UsageError):
        AppSettings(**wrong)  # type: ignore[arg-type]


def test_data_dir_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is where the user's environment has such folders; a relative one counts not."""
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Path("/somewhere/thresher") == AppSettings().data_dir
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    assert Path.home() / ".local" / "share" / "thresher" == AppSettings().data_dir
