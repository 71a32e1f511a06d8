"""`thresher app`: its options."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from thresher.app.settings import DEADLINE_S, AppSettings
from thresher.cli import main
from thresher.cli.app import read_settings
from thresher.cli.arguments import build_parser
from thresher.errors import UsageError

TOKEN = "a token of some length"


def settings_of(*options: str) -> AppSettings:
    """Read a command line."""
    return read_settings(build_parser().parse_args(["app", *options]))


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THRESHER_TOKEN", raising=False)


def test_defaults_are_those_of_the_settings() -> None:
    """Without options, all settings have their own defaults."""
    assert AppSettings() == settings_of()
    assert DEADLINE_S == settings_of().limits.deadline_s


def test_options_are_read(tmp_path: Path) -> None:
    """Each option is passed on to the settings."""
    settings = settings_of(
        *("--host", "::1", "--port", "99", "--workers", "3", "--deadline", "2", "--no-images"),
        *("--max-bytes", "1000", "--on-limit", "partial", "--allow-private", "--json-logs"),
        *("--allow-host", "a.example", "--allow-host", "b.example", "--data", str(tmp_path)),
        *("--max-connections", "40", "--max-connections-per-client", "4"),
        *("--rules", "r.toml", "--model", "m.npz", "--corpora", "c", "--timeout", "5"),
    )
    assert ("::1", 99, 3, 2.0) == (
        settings.host,
        settings.port,
        settings.n_worker,
        settings.deadline_s,
    )
    assert (1000, True, 5.0) == (
        settings.limits.max_bytes,
        settings.limits.partial,
        settings.timeout_s,
    )
    limits = settings.connections
    assert (40, 4) == (limits.max_connections, limits.max_per_client)
    assert settings.allow_private and settings.json_logs and not settings.images
    assert ("a.example", "b.example") == settings.hosts
    assert (tmp_path, Path("r.toml"), Path("m.npz"), Path("c")) == (
        settings.data_dir,
        settings.rules_path,
        settings.model,
        settings.corpora,
    )


def test_token_comes_from_option_file_or_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--token has priority over --token-file, which has priority over the environment variable."""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN} of a file\n")
    monkeypatch.setenv("THRESHER_TOKEN", f"{TOKEN} of the environment")
    assert f"{TOKEN} of the environment" == settings_of().token
    assert f"{TOKEN} of a file" == settings_of("--token-file", str(file)).token
    assert TOKEN == settings_of("--token-file", str(file), "--token", TOKEN).token


def test_keys_are_read_from_their_file(tmp_path: Path) -> None:
    """--keys names the file, and needs a token."""
    file = tmp_path / "keys.toml"
    file.write_text(f'version = 1\n[keys.crawler]\nsecret = "{TOKEN} for the crawler"\n')
    found = settings_of("--keys", str(file), "--token", TOKEN).keys
    assert [f"{TOKEN} for the crawler"] == [key.secret for key in found]
    with pytest.raises(UsageError, match="keys require a token"):
        settings_of("--keys", str(file))


@pytest.mark.parametrize(
    "options",
    [
        ("--host", "0.0.0.0"),
        ("--token", "short"),
        ("--token-file", "/nowhere/token"),
        ("--token", TOKEN, "--keys", "/nowhere/keys.toml"),
        ("--port", "0"),
        ("--workers", "none"),
    ],
)
def test_command_refuses_what_is_not_safe(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Unsafe options are incorrect usage, explained in one line."""
    assert 2 == main(["app", *options])
    assert capsys.readouterr().err


def test_command_names_the_extra_when_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without its packages the command names the extra to install."""
    for name in list(sys.modules):
        if name.startswith(("thresher.app.server", "thresher.serving.http_server")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert 2 == main(["app"])
    assert "thresher[app]" in capsys.readouterr().err
