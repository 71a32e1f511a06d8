"""Settings of the app, and the keys of programs with their allowances."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import OpenApp
from thresher.app.settings import Allowance, ApiKey, AppSettings, is_loopback, read_keys
from thresher.errors import UsageError


def test_settings_are_of_this_machine_when_nothing_is_said() -> None:
    """By default, the app is local and fetches public addresses only."""
    settings = AppSettings()
    assert is_loopback(settings.host)
    assert not settings.allow_private
    for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost"):
        assert AppSettings(host=host).token is None


@pytest.mark.parametrize(
    "wrong",
    [
        *({"host": host} for host in ("0.0.0.0", "::", "192.168.1.5", "example.org")),
        *({"token": "short"}, {"n_worker": 0}, {"deadline_s": 0.0}),
    ],
)
def test_settings_refuse_what_makes_no_sense(wrong: dict[str, Any]) -> None:
    """Hosts reachable from outside without a token, short tokens and invalid numbers are errors."""
    with pytest.raises(UsageError):
        AppSettings(**wrong)
    if "host" in wrong:
        assert wrong["host"] == AppSettings(**wrong, token=TOKEN).host


def test_data_dir_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data folder follows XDG_DATA_HOME, unless it is relative."""
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Path("/somewhere/thresher") == AppSettings().data_dir
    monkeypatch.setenv("XDG_DATA_HOME", "here")
    assert Path.home() / ".local" / "share" / "thresher" == AppSettings().data_dir


TOKEN, SECRET = "a token of some length", "a secret of some length"


def bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def test_an_allowance_fills_evenly() -> None:
    """A minute's pages may be sent at once; then one whenever its share of the minute is over."""
    now = [0.0]
    allowance = Allowance(6, clock=lambda: now[0])
    allowance.take(6)
    assert 10 == allowance.wait_s()
    now[0] = 10
    assert 0 == allowance.wait_s()
    allowance.take(3)
    assert 30 == allowance.wait_s()
    now[0] = 1000
    allowance.take(6)
    assert 10 == allowance.wait_s()


def test_keys_are_read(tmp_path: Path) -> None:
    """Each table is a key; the limit may be missing."""
    file = tmp_path / "keys.toml"
    file.write_text(
        f'version = 1\n[keys.a]\nsecret = "{SECRET}"\n[keys.b]\nsecret = "{TOKEN}"\n'
        "pages_per_minute = 60"
    )
    assert (ApiKey("a", SECRET), ApiKey("b", TOKEN, 60)) == read_keys(file)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "version"),
        ("version = 1", r"\[keys.NAME\]"),
        ('version = 1\n[keys.a]\nsecret = "short"', "keys.a: secret"),
        (f'version = 1\n[keys.a]\nsecret = "{SECRET}"\npages_per_minute = 0', "keys.a: pages"),
        (f'version = 1\n[keys.a]\nsecret = "{SECRET}"\nlimit = 1', "keys.a: unknown: limit"),
        (f'version = 1\n[keys]\na.secret = "{SECRET}"\nb.secret = "{SECRET}"', "same secret"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, says: str) -> None:
    """A file that is wrong or missing is an error with its name."""
    file = tmp_path / "keys.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=says) as caught:
        read_keys(file)
    assert str(file) in str(caught.value)
    with pytest.raises(UsageError, match="cannot be read"):
        read_keys(tmp_path / "none.toml")


def test_a_key_opens_the_api_within_its_limit(open_app: OpenApp) -> None:
    """A key is no token: it opens the API only, and until its pages are used up."""
    keys = (ApiKey("a", SECRET, 3), ApiKey("b", f"{SECRET} b"))
    page = {"html": "<p>Rye is sown in autumn."}
    with open_app(token=TOKEN, keys=keys) as client:

        def ask(secret: str, path: str = "/api/extract", body: Any = page) -> Any:
            return client.post(path, json=body, headers=bearer(secret))

        for path in ("/api/extract", "/api/pages"):
            assert 401 == ask("another secret, as long", path).status_code
        assert 303 == client.get("/label", headers=bearer(SECRET)).status_code
        assert 401 == client.get("/metrics", headers=bearer(SECRET)).status_code
        assert 200 == ask(SECRET).status_code
        # A batch counts in full, also beyond what is left.
        assert 3 == len(ask(SECRET, "/api/batch", {"pages": [page] * 3}).json()["records"])
        refused = ask(SECRET)
        assert (429, "TooManyRequests") == (refused.status_code, refused.json()["error"]["type"])
        assert 0 < int(refused.headers["retry-after"]) <= 40
        assert 429 == ask(SECRET, "/api/pages").status_code
        for other in (f"{SECRET} b", TOKEN):
            assert 200 == ask(other).status_code


def test_lines_wait_for_the_allowance(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of lines beyond the limit is slowed down, and loses no line."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("thresher.app.api.requests.anyio.sleep", sleep)
    with open_app(token=TOKEN, keys=(ApiKey("a", SECRET, 2),)) as client:
        lines = json.dumps({"html": "<p>Rye."}).encode() + b"\n"
        answer = client.post("/api/batch", content=lines * 4, headers=bearer(SECRET))
    assert 4 == len(answer.text.splitlines())
    assert [True, True, False, False] == [seconds == 0 for seconds in waits]
