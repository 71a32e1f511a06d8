"""Error responses, the whole app, its settings and keys, and the pictures of it in docs."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

import thresher.app
from bench.app_server import find_port
from tests.app.conftest import OpenApp
from tests.app.pictures import PICTURES
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.app.context import (
    CHOICES,
    build_context,
    current_model,
    describe,
    forget_model,
    map_all,
    read_preferences,
    use_model,
    write_preferences,
)
from thresher.app.engine import PageSource, Task
from thresher.app.server import NAV, ROUTES
from thresher.app.settings import Allowance, ApiKey, AppSettings, read_keys
from thresher.errors import UsageError
from thresher.support.hosts import is_loopback

FOLDER = Path(thresher.app.__file__).parent


def test_problems_are_pages_for_people_and_json_for_programs(app: TestClient) -> None:
    """Errors are HTML pages for browsers and JSON for API clients."""
    page = app.get("/nothing")
    assert (404, "text/html; charset=utf-8") == (page.status_code, page.headers["content-type"])
    assert "<h1>Not found</h1>" in page.text
    told = app.get("/api/nothing")
    assert (404, "NotFound") == (told.status_code, told.json()["error"]["type"])
    told = app.get("/nothing", headers={"accept": "application/json"})
    assert "NotFound" == told.json()["error"]["type"]


def test_unexpected_errors_are_answered(
    open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unexpected errors are 500 without details, a full queue 503, a wrong rulebook is named."""
    (tmp_path / "rules.toml").write_text("version = 7")
    with open_app() as client:
        answer = client.post("/api/extract", json={"html": "<p>Rye."})
        assert 400 == answer.status_code
        assert "rules.toml" in answer.json()["error"]["message"]
        (tmp_path / "rules.toml").unlink()
        client.app.state.context.page_cache.get = None
        page = client.get("/read/x")
        assert 500 == page.status_code
        assert "Internal server error." in page.text
        assert 200 == client.get("/").status_code
        monkeypatch.setattr("thresher.app.context._MAX_WAITING", 0)
        answer = client.post("/api/extract", json={"html": "<p>Rye."})
        assert (503, "5") == (answer.status_code, answer.headers["retry-after"])
    assert "secret" not in str(describe(KeyError("secret")))
    assert "secret" in str(describe(UsageError("secret")))


def test_large_pages_have_half_of_the_processes(tmp_path: Path) -> None:
    """Large pages use half of the processes, and too many of them are rejected."""
    context = build_context(AppSettings(n_worker=4, data_dir=tmp_path))
    large = PageSource(b"x" * 2**21)
    at_work: list[Any] = []

    async def run(function: Any, *args: Any) -> None:
        at_work.append(args[0])
        await anyio.sleep_forever()

    async def ask() -> None:
        context.pool.run = run  # type: ignore[assignment, method-assign]
        async with anyio.create_task_group() as group:
            for _ in range(52):
                group.start_soon(context.work, len, Task(large))
            group.start_soon(context.work, len, Task(PageSource("small")))
            await anyio.wait_all_tasks_blocked()
            assert [large, large] == [task.source for task in at_work if task.source is large]
            assert 3 == len(at_work)
            with pytest.raises(HTTPException):
                await context.work(len, large)
            group.cancel_scope.cancel()

    anyio.run(ask)


def test_calls_begin_when_there_is_room() -> None:
    """Of many items only as many are taken as are in progress; results are in their order."""
    taken: list[int] = []

    def take() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    async def square(number: int) -> int:
        assert len(taken) - number <= 4  # three in progress, and the one that waits
        await anyio.sleep(0)
        return number * number

    squares = anyio.run(map_all, square, take(), 3)
    assert [number * number for number in range(20)] == squares


def test_menu_leads_to_pages() -> None:
    """Every menu entry is a route."""
    paths = {route.path for route in ROUTES if isinstance(route, Route | Mount)}
    assert {path for _, path in NAV} <= paths


@pytest.mark.parametrize(
    "file", sorted((FOLDER / "templates").rglob("*.html")), ids=lambda f: f.name
)
def test_templates_are_safe(file: Path) -> None:
    """No inline scripts, styles or handlers; every POST form has the token field."""
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=|javascript:", text)
    for form in re.findall(r"<form[^>]*>.*?</form>", text, re.S):
        assert 'method="post"' not in form or 'name="csrf"' in form, form[:100]


def test_server_stops_when_told(tmp_path: Path) -> None:
    """The command serves, and stops on SIGTERM."""
    port = find_port()
    command = [sys.executable, "-m", "thresher", "app", "--port", str(port), "--workers", "1"]
    process = subprocess.Popen(
        [*command, "--json-logs", "--data", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    try:
        assert "the app is at" in process.stderr.readline()
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
            assert 200 == answer.status
    finally:
        process.send_signal(signal.SIGTERM)
        _, logs = process.communicate(timeout=60)
    assert -signal.SIGTERM == process.returncode
    assert '"route": "/healthz", "status": 200' in logs
    assert "Traceback" not in logs


@given(
    st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()}),
    st.text(),
)
def test_preferences_are_choices_whatever_the_cookie(chosen: dict[str, str], cookie: str) -> None:
    """Preferences survive a round trip, and any other cookie yields valid ones."""
    assert chosen == read_preferences(write_preferences(chosen))
    found = read_preferences(cookie)
    assert CHOICES.keys() == found.keys()
    assert all(found[name] in values for name, values in CHOICES.items())


def make_settings(folder: Path, model: Path | None = None) -> AppSettings:
    return AppSettings(data_dir=folder, rules_path=folder / "rules.toml", model=model)


def test_weights_chosen_and_forgotten(tmp_path: Path) -> None:
    """Chosen weights are used until reset or gone from disk; those named at startup stay.

    A file without weights is rejected.
    """
    settings = make_settings(tmp_path)
    assert "" == current_model(settings)
    mine = tmp_path / "mine.npz"
    shutil.copy(SHIPPED_MODEL, mine)
    use_model(settings, mine)
    assert str(mine) == current_model(settings)
    mine.unlink()
    assert "" == current_model(settings)
    forget_model(settings)
    forget_model(settings)
    assert "" == current_model(settings)
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match="holds no model"):
        use_model(settings, tmp_path / "x.npz")
    assert "" == current_model(settings)
    settings = make_settings(tmp_path, SHIPPED_MODEL)
    assert str(SHIPPED_MODEL) == current_model(settings)
    with pytest.raises(UsageError, match="started with --model"):
        use_model(settings, SHIPPED_MODEL)


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


DOCS = Path(__file__).parents[2] / "docs"


def test_the_docs_show_the_pictures_that_are_made() -> None:
    """Every picture is shown in the docs and there is a file of it, and no other."""
    texts = [path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")]
    shown = {name for text in texts for name in re.findall(r"images/app/([\w.-]+)", text)}
    made = {picture.file_name for picture in PICTURES}
    assert made == shown
    assert made == {path.name for path in (DOCS / "images" / "app").iterdir()}
