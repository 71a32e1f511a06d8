"""A web server with applications, and a browser to show them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.fetching.web import Web

APPS: Final = Path(__file__).parent / "apps" / "built"
PARAGRAPHS: Final = [
    f"On day {day} the ferry to the island leaves at seven, waits for the tide at the pier, and "
    "comes back at noon with the post, the milk and whoever has finished on the island."
    for day in range(1, 9)
]
STORY: Final = {"title": "The last ferry", "paragraphs": PARAGRAPHS}


@pytest.fixture
def web(web: Web) -> Web:
    web.serve("/robots.txt", status=404)
    web.serve("/story.json", json.dumps(STORY).encode(), Content_Type="application/json")
    for app in APPS.glob("*.js"):
        web.serve(f"/{app.name}", app.read_bytes(), Content_Type="text/javascript")
        web.serve(
            f"/{app.stem}",
            b"<!doctype html><title>Ferries</title><div id=root></div>"
            b"<script src=/%s></script>" % app.name.encode(),
        )
    return web


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip where there is no browser to render with."""
    pytest.importorskip("playwright", reason="Playwright is not installed")
    if not (os.environ.get("THRESHER_CHROMIUM") or shutil.which("chromium")):
        pytest.skip("there is no chromium on the path, and none in THRESHER_CHROMIUM")
