"""Leaderboard page, from a background evaluation to links to Inspect."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from tests.app.pages.desk import add, write_page
from tests.app.pages.test_train import wait_for

Post = Any


def measure(client: TestClient, post: Post, **data: Any) -> tuple[str, str]:
    started = post(client, "/leaderboard", page="/leaderboard", data=data)
    assert 303 == started.status_code, started.text
    path = started.headers["location"]
    return path, wait_for(client, path)


def test_board_of_own_labels(open_app: OpenApp, post: Post) -> None:
    """Each method has a row, a dot and its worst pages, which open in Inspect."""
    with open_app() as client:
        add(client, post, 2)
        for number in (1, 2):
            post(client, f"/label/{number}", page="/label", data={"keep": "2,3"})
        path, text = measure(client, post, corpus="labels", methods=["bte", "learned"])
        assert "My labels, 2 pages" in text
        assert {"keep_all", "bte", "learned"} == set(re.findall(r"\?method=(\w+)#worst", text))
        assert 3 == text.count("<circle")
        assert "Worst pages for learned" in text
        assert "Letter 1" in text
        assert "Worst pages for bte" in client.get(f"{path}?method=bte").text
        link = re.search(r'href="(/leaderboard/[^"]+/inspect[^"]+)"', text)
        assert link
        answer = client.get(unescape(link[1]))
        assert 303 == answer.status_code
        assert re.fullmatch(r"/inspect/[\w-]+\?method=learned", answer.headers["location"])
        assert 404 == client.get(f"{path}/inspect?corpus=labels&page=99").status_code
        assert path in client.get("/leaderboard").text


def test_board_of_a_corpus(open_app: OpenApp, post: Post, tmp_path: Path) -> None:
    """A corpus of the configured folder can be evaluated."""
    folder = tmp_path / "mills"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_bytes(write_page(number))
        (folder / f"{number}.txt").write_text(f"Letter {number}")
    with open_app(corpora=folder) as client:
        assert "mills" in client.get("/leaderboard").text
        _, text = measure(client, post, corpus="mills", n_page="2", methods=["bte"])
        assert "mills, 2 pages" in text


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "label some pages first"),
        ({"corpus": "absent"}, "no corpus"),
        ({"n_page": "0"}, "from 1 to"),
    ],
)
def test_form_refused(open_app: OpenApp, post: Post, data: dict[str, str], says: str) -> None:
    """Invalid forms are reported, and no run is created."""
    with open_app() as client:
        assert "requires labelled pages" in client.get("/leaderboard").text
        answer = post(client, "/leaderboard", page="/leaderboard", data=data)
        assert 400 == answer.status_code
        assert says in answer.text
        assert "Earlier runs" not in client.get("/leaderboard").text
