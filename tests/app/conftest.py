"""Fixtures of the app: one shared in-process server with one worker."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from tests.app.serving import serving
from tests.helpers.browser import browsing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page
    from starlette.testclient import TestClient

OpenApp = Callable[..., AbstractContextManager["TestClient"]]
Post = Callable[..., Any]

collect_ignore_glob = [] if find_spec("starlette") and find_spec("uvicorn") else ["*"]
"""Everything here needs the extra app."""


@contextmanager
def open_client(folder: Path, **settings: Any) -> Iterator[TestClient]:
    """Open a separate app, with user data in a folder; its worker starts with the first page."""
    pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")
    from starlette.testclient import TestClient

    from thresher.app.server import build_app
    from thresher.app.settings import AppSettings
    from thresher.serving.pool import Pool

    known = {
        **{"n_worker": 1, "data_dir": folder, "rules_path": folder / "rules.toml"},
        "deadline_s": 100.0,  # which no page exceeds, though a worker has to start first
        **settings,
    }
    with (
        mock.patch.object(Pool, "warm"),
        TestClient(
            build_app(AppSettings(**known)),
            base_url="http://127.0.0.1:8765",
            raise_server_exceptions=False,
            follow_redirects=False,
        ) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def shared_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The shared app with default settings."""
    with open_client(tmp_path_factory.mktemp("app")) as client:
        yield client


@pytest.fixture
def app(shared_app: TestClient) -> TestClient:
    """The shared app, without cookies."""
    shared_app.cookies.clear()
    return shared_app


@pytest.fixture
def open_app(tmp_path: Path) -> OpenApp:
    """Return a function that opens an app with other settings."""
    return lambda **settings: open_client(tmp_path, **settings)


@pytest.fixture
def post() -> Post:
    """Return a function that posts a form with the CSRF token of its page."""

    def send(client: TestClient, path: str, *, page: str = "/", **options: Any) -> Any:
        token = re.search(r'name="csrf" content="([^"]+)"', client.get(page).text)
        assert token
        data = {"csrf": token[1], **options.pop("data", {})}
        return client.post(path, data=data, **options)

    return send


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of an app for browser tests."""
    with serving(tmp_path_factory.mktemp("site")) as (address, _):
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Browser shared by a module; while it is open, no other test can run an event loop."""
    with browsing() as opened:
        yield opened


@pytest.fixture
def tab(browser: Browser, site: str) -> Iterator[Page]:
    """New tab without cookies; console errors fail the test."""
    context = browser.new_context(base_url=site, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    said: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            said.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert [] == said
