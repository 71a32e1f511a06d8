"""Fixtures of the app: one shared in-process server with one worker."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock
from zlib import crc32

import pytest

from tests.app.serving import serving, settings_of
from tests.helpers.browser import browsing
from thresher.errors import FetchError
from thresher.fetching.model import Fetched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page
    from starlette.testclient import TestClient


class Web:
    """The web, in place of fetching: bodies by address; what has none is not found."""

    def __init__(self) -> None:
        self.pages: dict[str, str | bytes] = {}
        self.moved: dict[str, str] = {}
        """Address → the one that it leads to."""
        self.asked: list[tuple[str, dict[str, Any]]] = []
        """What was fetched, each with its options."""

    @property
    def urls(self) -> list[str]:
        """What was fetched."""
        return [url for url, _ in self.asked]

    def __call__(self, url: str, **options: Any) -> Fetched:
        self.asked.append((url, options))
        final = self.moved.get(url, url)
        if final not in self.pages:
            raise FetchError("HTTP 404 Not Found", url=url, status=404)
        found = self.pages[final]
        body = found.encode() if isinstance(found, str) else found
        etag = f'"{crc32(body)}"'
        if options["headers"].get("If-None-Match") == etag:
            raise FetchError("HTTP 304 Not Modified", url=url, status=304)
        return Fetched(final, body, "utf-8", "text/html", 200, is_public=True, etag=etag)


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
    from thresher.serving.pool import Pool

    with (
        mock.patch.object(Pool, "warm"),
        TestClient(
            build_app(settings_of(folder, **settings)),
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
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    """A web without pages, which the app fetches from."""
    made = Web()
    monkeypatch.setattr("thresher.fetching.fetch.fetch", made)
    return made


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
