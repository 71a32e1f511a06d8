"""A browser for the tests of flows: Chromium through Playwright, and the app on a port.

Who has neither Playwright nor Chromium skips these tests. ``THRESHER_CHROMIUM`` names the browser
where it is not found.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from thresher.app.context import Context

SEVERE = ("serious", "critical")
"""Impacts of what axe finds that are not let through."""


@contextmanager
def serving(folder: Path, **settings: Any) -> Iterator[tuple[str, Context]]:
    """Serve the app on a free port in a thread; yields its address, and what its pages share."""
    pytest.importorskip("starlette", reason="the extra app is not installed")
    uvicorn = pytest.importorskip("uvicorn", reason="the extra app is not installed")
    from thresher.app.server import build_app
    from thresher.app.settings import AppSettings

    known = {"n_worker": 1, "data_dir": folder, "rules_path": folder / "rules.toml", **settings}
    app = build_app(AppSettings(**known))
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, log_config=None, lifespan="on", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until_s = time.monotonic() + 60
        while not server.started:
            assert thread.is_alive() and time.monotonic() < until_s, "the app does not start"
            time.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}", app.state.context
    finally:
        server.should_exit = True
        thread.join(timeout=60)


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start the browser; skips where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    path = os.environ.get("THRESHER_CHROMIUM") or shutil.which("chromium")
    if not path:
        pytest.skip("there is no chromium on the path, and none in THRESHER_CHROMIUM")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def check_accessibility(page: Page) -> None:
    """Fail where axe finds something severe on a page; skips where there is no axe."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core")
    # The debugger runs it: the policy of the page lets no foreign script in.
    found = axe.Axe().run(page).response["violations"]
    assert [] == [
        (each["id"], [node["html"][:200] for node in each["nodes"]][:3])
        for each in found
        if each["impact"] in SEVERE
    ]
