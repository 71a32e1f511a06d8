"""Fixtures of the settings pages, without a running proxy."""

from __future__ import annotations

import warnings
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from thresher.filters.lists import ListState
from thresher.proxy.passwords import hash_password
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.state import ProxyState
from thresher.support.settings import format_values

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from thresher.proxy.list_updates import ListUpdates
    from thresher.serving.pool import Pool

BY_PORT = "http://127.0.0.1:8081"
BY_PROXY = "http://thresher.internal"
PASSWORD = hash_password("grain")
START = ProxySettings(settings_port=8081)
"""Settings with which the proxy starts."""


class InProcess:
    """Pool that runs calls in this process."""

    async def run(self, function: Callable[..., Any], *args: object) -> Any:
        return function(*args)


class Lists:
    """Stands for the updates of lists: counts what is asked of it."""

    is_updating = False
    n_asked = n_applied = 0
    states: tuple[ListState, ...] = ()

    def update_now(self) -> None:
        self.n_asked += 1
        self.is_updating = True

    def apply(self) -> None:
        self.n_applied += 1


@dataclass
class Pages:
    """Settings pages of a proxy, and their visitors."""

    state: ProxyState
    lists: Lists
    ca_dir: Path
    app: Any

    def by(self, base_url: str, user: str | None = None) -> TestClient:
        """Return a client on the port, or through the proxy as a user."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of httpx, which fits beside mitmproxy
            from starlette.testclient import TestClient

        async def ask(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
            scope["state"] = {"user": user, "is_port": base_url == BY_PORT}
            await self.app(scope, receive, send)

        return TestClient(
            ask, base_url=base_url, raise_server_exceptions=False, follow_redirects=False
        )

    @property
    def admin(self) -> TestClient:
        """Client on the port."""
        return self.by(BY_PORT)

    def set(self, **changes: Any) -> None:
        """Change settings of the proxy."""
        self.state.settings.replace(replace(self.state.settings.current, **changes))

    def add_users(self, *names: str) -> None:
        """Define users."""
        self.set(users={name: User(PASSWORD) for name in names})

    def post(self, client: TestClient, path: str, user: str | None = None, /, **fields: Any) -> Any:
        """Submit a form with its token."""
        files = fields.pop("files", None)
        data = {"csrf": self.state.token(user, "settings"), **fields}
        return client.post(path, data=data, files=files)

    def spelled(self) -> dict[str, str]:
        """Return the fields of the filters form, as submitted by browsers."""
        profile = self.state.settings.current.profile_of(None)
        values = format_values(profile) | format_values(profile.filters)
        return {name: value for name, value in values.items() if value != "no"}


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    """Build the settings pages of a local proxy, with files."""
    pytest.importorskip("starlette", reason="the settings page needs the extra proxy")
    pytest.importorskip("jinja2", reason="the settings page needs the extra proxy")
    pytest.importorskip("python_multipart", reason="the settings page needs the extra proxy")
    from thresher.proxy.pages import build_pages

    state = ProxyState(
        START,
        settings_path=tmp_path / "proxy.toml",
        rules_path=tmp_path / "rules.toml",
        data_dir=tmp_path,
    )
    pool, lists = InProcess(), Lists()
    app = build_pages(state, cast("Pool", pool), cast("ListUpdates", lists), tmp_path)
    return Pages(state, lists, tmp_path, app)
