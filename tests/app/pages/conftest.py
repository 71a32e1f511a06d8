"""App with pages to label, for the tests of labelling, training and the leaderboard."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.conftest import OpenApp, Post

if TYPE_CHECKING:
    from starlette.testclient import TestClient

SAYS = "The ferryman counted the sacks twice while the others waited at the bridge, and more. "


def write_page(number: int) -> bytes:
    return (
        f"<title>Letter {number}</title><nav><ul><li><a href=/>Home</a></ul></nav>"
        f"<main><h1>Letter {number}</h1><p>{SAYS * 3}</p><p>{SAYS * 2} {number}</p></main>"
        "<p hidden>Unseen <script>alert(1)</script></p>"
    ).encode()


def add(client: TestClient, post: Post, count: int = 3) -> Any:
    files = [("files", (f"{n}.html", write_page(n), "text/html")) for n in range(count)]
    return post(client, "/label/add", page="/label", files=files)


def exported(client: TestClient, query: str = "") -> list[dict[str, Any]]:
    text = lzma.decompress(client.get(f"/label/export{query}").content).decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def desk(open_app: OpenApp, post: Post) -> Iterator[TestClient]:
    """An app with three pages to label."""
    with open_app() as client:
        assert 200 == add(client, post).status_code
        yield client
