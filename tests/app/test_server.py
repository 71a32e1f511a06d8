"""Error responses, and tests of the whole app."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

import anyio
from starlette.exceptions import HTTPException
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

import thresher.app
from thresher.app.context import build_context
from thresher.app.engine import PageSource, Task
from thresher.app.problems import describe
from thresher.app.routes import NAV, ROUTES
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


def test_unexpected_errors_are_answered(open_app: Callable[..., Any]) -> None:
    """Unexpected errors return 500, and the server keeps running."""
    with open_app() as client:
        client.app.state.context.page_cache.get = None
        page = client.get("/read/x")
        assert 500 == page.status_code
        assert "Internal server error." in page.text
        assert 200 == client.get("/").status_code


def test_rules_that_cannot_be_read_are_told(open_app: Callable[..., Any], tmp_path: Path) -> None:
    """An invalid rulebook is an error that names the file."""
    (tmp_path / "rules.toml").write_text("version = 7")
    with open_app() as client:
        answer = client.post("/api/extract", json={"html": "<p>Rye."})
        assert 400 == answer.status_code
        assert "rules.toml" in answer.json()["error"]["message"]


def test_too_busy_is_said(open_app: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_templates_have_nothing_inline(file: Path) -> None:
    """Templates have no inline scripts, styles or handlers."""
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=|javascript:", text)


@pytest.mark.parametrize(
    "file", sorted((FOLDER / "templates").rglob("*.html")), ids=lambda f: f.name
)
def test_forms_carry_their_token(file: Path) -> None:
    """Every POST form has the token field."""
    for form in re.findall(r"<form[^>]*>.*?</form>", file.read_text(encoding="utf-8"), re.S):
        if re.search(r'<form[^>]*method="post"', form):
            assert 'name="csrf"' in form, form[:100]


def test_server_stops_when_told(tmp_path: Path) -> None:
    """The command serves, and stops on SIGTERM."""
    pytest.importorskip("uvicorn", reason="the extra app is not installed")
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
