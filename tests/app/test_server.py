"""Error responses, tests of the whole app, preferences and the choice of weights."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
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
from tests.app.conftest import OpenApp
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.app.context import (
    CHOICES,
    build_context,
    current_model,
    describe,
    forget_model,
    read_preferences,
    use_model,
    write_preferences,
)
from thresher.app.engine import PageSource, Task
from thresher.app.server import NAV, ROUTES
from thresher.app.settings import AppSettings
from thresher.errors import UsageError

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


def test_problems_tell_strangers_nothing_of_the_inside() -> None:
    """Unexpected errors do not disclose details."""
    assert "secret" not in str(describe(KeyError("secret")))
    assert "secret" in str(describe(UsageError("secret")))


def test_unexpected_errors_are_answered(open_app: OpenApp) -> None:
    """Unexpected errors return 500, and the server keeps running."""
    with open_app() as client:
        client.app.state.context.page_cache.get = None
        page = client.get("/read/x")
        assert 500 == page.status_code
        assert "Internal server error." in page.text
        assert 200 == client.get("/").status_code


def test_rules_that_cannot_be_read_are_told(open_app: OpenApp, tmp_path: Path) -> None:
    """An invalid rulebook is an error that names the file."""
    (tmp_path / "rules.toml").write_text("version = 7")
    with open_app() as client:
        answer = client.post("/api/extract", json={"html": "<p>Rye."})
        assert 400 == answer.status_code
        assert "rules.toml" in answer.json()["error"]["message"]


def test_too_busy_is_said(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are rejected when the queue is full."""
    with open_app() as client:
        monkeypatch.setattr("thresher.app.context._MAX_WAITING", 0)
        answer = client.post("/api/extract", json={"html": "<p>Rye."})
        assert (503, "5") == (answer.status_code, answer.headers["retry-after"])


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
    port = _free_port()
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


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


@given(st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()}))
def test_preferences_come_back_when_written(chosen: dict[str, str]) -> None:
    """Preferences survive a round trip."""
    assert chosen == read_preferences(write_preferences(chosen))


@given(st.text())
def test_preferences_are_choices_whatever_the_cookie(cookie: str) -> None:
    """Any cookie yields valid preferences."""
    found = read_preferences(cookie)
    assert CHOICES.keys() == found.keys()
    assert all(found[name] in values for name, values in CHOICES.items())


def make_settings(folder: Path, model: Path | None = None) -> AppSettings:
    return AppSettings(data_dir=folder, rules_path=folder / "rules.toml", model=model)


def test_weights_chosen_and_forgotten(tmp_path: Path) -> None:
    """Chosen weights are used until they are reset or the file is gone."""
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


def test_weights_named_at_the_start(tmp_path: Path) -> None:
    """Weights set at startup cannot be changed."""
    settings = make_settings(tmp_path, SHIPPED_MODEL)
    assert str(SHIPPED_MODEL) == current_model(settings)
    with pytest.raises(UsageError, match="started with --model"):
        use_model(settings, SHIPPED_MODEL)


def test_file_without_weights(tmp_path: Path) -> None:
    """An invalid file is rejected."""
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(UsageError, match="holds no model"):
        use_model(make_settings(tmp_path), tmp_path / "x.npz")
    assert "" == current_model(make_settings(tmp_path))
