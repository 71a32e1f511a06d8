"""`thresher app`, `serve` and `mcp`: their settings, and what is wrong with their options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from thresher.agents import guarded
from thresher.agents.guarded import GuardedTools
from thresher.app.settings import DEADLINE_S, AppSettings
from thresher.cli.app import find_problems, read_api_settings, read_settings
from thresher.cli.arguments import build_parser
from thresher.cli.console import Exit
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
    assert AppSettings(only_api=True) == read_api_settings(build_parser().parse_args(["serve"]))


def test_options_are_read(tmp_path: Path) -> None:
    """Each option is passed on to the settings."""
    settings = settings_of(
        *("--host", "::1", "--port", "99", "--workers", "3", "--deadline", "2", "--no-images"),
        *("--max-bytes", "1000", "--on-limit", "partial", "--allow-private", "--json-logs"),
        *("--allow-host", "a.example", "--allow-host", "b.example", "--data", str(tmp_path)),
        *("--max-connections", "40", "--max-connections-per-client", "4"),
        *("--rules", "r.toml", "--model", "m.npz", "--corpora", "c", "--timeout", "5"),
    )
    assert (1000, True, 2.0) == (
        settings.limits.max_bytes,
        settings.limits.partial,
        settings.limits.deadline_s,
    )
    assert (40, 4) == (settings.connections.max_connections, settings.connections.max_per_client)
    expected = {
        **{"host": "::1", "port": 99, "n_worker": 3, "deadline_s": 2.0, "timeout_s": 5.0},
        **{"images": False, "allow_private": True, "json_logs": True},
        **{"hosts": ("a.example", "b.example"), "data_dir": tmp_path, "corpora": Path("c")},
        **{"rules_path": Path("r.toml"), "model": Path("m.npz")},
    }
    assert expected == {name: getattr(settings, name) for name in expected}


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
    ("argv", "begins"),
    [
        (
            ["serve", "--host", "0.0.0.0", "--model", "{none}"],
            ["0.0.0.0 is reachable from other machines", "--model"],
        ),
        (
            ["app", "--token", "short", "--sites", "{none}", "--corpora", "{none}"],
            ["a token must have at least 16 characters", "--sites", "--corpora"],
        ),
    ],
)
def test_all_problems_are_said_at_once(
    tmp_path: Path, command: Command, argv: list[str], begins: list[str]
) -> None:
    """Nothing starts with unsafe or wrong options, and each has a line."""
    none = str(tmp_path / "none")
    own = ("--data", tmp_path, "--rules", tmp_path / "rules.toml") if argv[0] == "app" else ()
    ran = command(*(word.format(none=none) for word in argv), *own)
    said = [line.removeprefix("thresher: ").partition(":")[0] for line in ran.errors]
    assert (2, begins) == (ran.status, said)


def problems_of(folder: Path, *options: str) -> list[str]:
    """Check a command line whose user data is in a folder."""
    own = ("--data", str(folder / "data"), "--rules", str(folder / "rules.toml"))
    return find_problems(build_parser().parse_args(["app", *own, *options]))


def test_what_can_be_made_or_corrected_is_no_problem(tmp_path: Path) -> None:
    """The data folder is created, and the rules page shows what is wrong with rules."""
    (tmp_path / "rules.toml").write_text("version = 1\n[host")
    assert [] == problems_of(tmp_path)
    assert (tmp_path / "data").is_dir()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--data", "{file}"), "--data: {file} is a file; name a folder"),
        (("--data", "{file}/x"), "--data: {file}/x cannot be created: Not a directory"),
        (("--data", "{other}"), "--data: {other}/labels.sqlite holds no labels"),
        (("--rules", "{folder}"), "--rules: {folder} is a folder; name a file"),
        (("--rules", "{file}/r.toml"), "--rules: {file} is a file, so {file}/r.toml"),
        (("--sites", "{none}"), "--sites: {none} is no folder of sites"),
        (("--corpora", "{none}"), "--corpora: {none}: no such folder"),
        (("--corpora", "{folder}"), "--corpora: {folder} holds neither"),
        (("--model", "{none}"), "--model: {none} does not exist; name a file"),
        (("--model", "{file}"), "--model: {file} holds no model"),
        (("--label", "{none}"), "--label: {none}: no such file or folder"),
    ],
)
def test_each_problem_names_option_and_path(
    tmp_path: Path, options: tuple[str, str], message: str
) -> None:
    """Each message must name the command line's option and the path at fault."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "labels.sqlite").write_text("these are no labels " * 100)
    (tmp_path / "file").write_text("rye")
    names = {name: str(tmp_path / name) for name in ("file", "none", "other")}
    names["folder"] = str(tmp_path)
    option, value = options
    (problem,) = problems_of(tmp_path, option, value.format(**names))
    assert problem.startswith(message.format(**names))


class Server:
    """Stands in for the SDK's server."""

    def __init__(self) -> None:
        self.tools: GuardedTools | None = None
        self.ran: list[tuple[str, dict[str, Any]]] = []

    def build(self, tools: GuardedTools) -> Server:
        self.tools = tools
        return self

    def run(self, transport: str, **options: Any) -> None:
        self.ran.append((transport, options))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    stand_in = Server()
    monkeypatch.setattr("thresher.agents.server.build_server", stand_in.build)
    return stand_in


def test_mcp_serves_what_it_is_told(command: Command, server: Server) -> None:
    """The default is standard input and output, HTTP is of this machine; limits are passed on."""
    assert Exit.OK == command("mcp", "--max-bytes", "1000", "--timeout", "5").status
    assert server.tools is not None
    limits = server.tools.limits
    assert (1000, 5.0, guarded.DEADLINE_S) == (
        limits.max_bytes,
        server.tools.timeout_s,
        limits.deadline_s,
    )
    assert Exit.OK == command("mcp", "--deadline", "3", "--http", "8123").status
    assert 3 == server.tools.limits.deadline_s
    over_http = ("streamable-http", {"host": "127.0.0.1", "port": 8123})
    assert [("stdio", {}), over_http] == server.ran


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_mcp_refuses_what_is_no_port(command: Command, server: Server, port: str) -> None:
    """A port is a number from 1 to 65535."""
    assert Exit.USAGE == command("mcp", "--http", port).status
    assert [] == server.ran
