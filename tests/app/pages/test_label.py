"""The labelling page, asked as a browser without scripts does, and as its script does."""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp

SAYS = "The ferryman counted the sacks twice while the others waited at the bridge, and more. "
Post = Any


def write_page(number: int) -> bytes:
    return (
        f"<title>Letter {number}</title><nav><ul><li><a href=/>Home</a></ul></nav>"
        f"<main><h1>Letter {number}</h1><p>{SAYS * 3}</p><p>{SAYS * 2} {number}</p></main>"
        "<p hidden>Unseen <script>alert(1)</script></p>"
    ).encode()


def add(client: TestClient, post: Post, count: int = 3) -> Any:
    files = [("files", (f"{n}.html", write_page(n), "text/html")) for n in range(count)]
    return post(client, "/label/add", page="/label", files=files)


@pytest.fixture
def desk(open_app: OpenApp, post: Post) -> Iterator[TestClient]:
    """An app with three pages to label."""
    with open_app() as client:
        assert 200 == add(client, post).status_code
        yield client


def exported(client: TestClient, query: str = "") -> list[dict[str, Any]]:
    text = lzma.decompress(client.get(f"/label/export{query}").content).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_empty_queue_asks_for_pages(open_app: OpenApp, post: Post) -> None:
    """Pages are added by upload; the same again, and what is no page, is told."""
    with open_app() as client:
        assert "Add pages" in client.get("/label").text
        assert "3 pages added" in add(client, post).text
        again = add(client, post, 4).text
        assert "1 pages added, 3 were there already" in again
        files = [("files", ("x.html", b"%PDF-1.7", "text/html"))]
        refused = post(client, "/label/add", page="/label", files=files).text
        assert "0 pages added" in refused
        assert "PDF" in refused


def test_address_that_is_private_is_not_fetched(desk: TestClient, post: Post) -> None:
    """The guard of the engine's fetcher holds here too."""
    data = {"urls": "http://127.0.0.1:9/x"}
    answer = post(desk, "/label/add", page="/label", data=data).text
    assert "0 pages added" in answer
    assert "127.0.0.1" in answer


def test_page_to_label_is_shown(desk: TestClient) -> None:
    """Blocks are boxes to tick, ticked as the model suggests; nothing of the page runs."""
    text = desk.get("/label").text
    boxes = re.findall(r'name="b" value="(\d+)"( checked)?', text)
    assert ["0", "1", "2", "3", "4"] == [number for number, _ in boxes]
    assert "" == boxes[0][1]
    assert " checked" == boxes[2][1]
    assert "Letter 0" in text
    assert "alert(1)" not in text


def test_labels_saved_without_scripts(desk: TestClient, post: Post) -> None:
    """A form of boxes is a label; the next page follows, and at last there is none."""
    for number in range(3):
        data = {"b": ["1", "2"], "page_type": "article"}
        answer = post(desk, f"/label/{number + 1}", page="/label", data=data)
        assert (303, "/label") == (answer.status_code, answer.headers["location"])
    assert "All 3 pages are labelled" in desk.get("/label").text
    first = exported(desk)[0]
    assert ([1, 2], "article") == (first["blocks"], first["page_type"])
    assert first["text"].startswith("Letter 0\nThe ferryman")


def test_labels_saved_by_the_script(desk: TestClient, post: Post) -> None:
    """It gets what comes next, how far the labeller is, and how fast."""
    data = {"keep": "1,3", "seconds": "36"}
    headers = {"accept": "application/json"}
    answer = post(desk, "/label/1", page="/label", data=data, headers=headers).json()
    assert {
        **{"page": None, "ahead": [2, 3], "n_page": 3, "n_done": 1, "pages_per_hour": 100.0},
    } == answer
    assert [1, 3] == exported(desk)[0]["blocks"]
    answer = post(desk, "/label/undo", page="/label", headers=headers).json()
    assert (1, [1, 2, 3], 0) == (answer["page"], answer["ahead"], answer["n_done"])
    assert [] == exported(desk)


def test_page_passed_over(desk: TestClient, post: Post) -> None:
    """It does not come again, and is no label."""
    post(desk, "/label/1", page="/label", data={"do": "pass"})
    assert 'data-page="2"' in desk.get("/label").text
    assert [] == exported(desk)


def test_label_is_shown_when_it_is_opened_again(desk: TestClient, post: Post) -> None:
    """What was said is ticked, not what the model suggests."""
    post(desk, "/label/2", page="/label", data={"keep": "0"})
    text = desk.get("/label?page=2").text
    assert ["0"] == re.findall(r'value="(\d+)" checked', text)
    assert "labelled before" in text


@pytest.mark.parametrize("keep", ["99", "x", "-1", "1e3"])
def test_block_that_there_is_not(desk: TestClient, post: Post, keep: str) -> None:
    """A label of other blocks is refused."""
    assert 400 == post(desk, "/label/1", page="/label", data={"keep": keep}).status_code
    assert [] == exported(desk)


def test_page_that_there_is_not(desk: TestClient, post: Post) -> None:
    """It is not there."""
    for path in ("/label?page=99", "/label/99/sheet", "/label/99/inspect"):
        assert 404 == desk.get(path).status_code
    assert 404 == post(desk, "/label/99", page="/label", data={"keep": ""}).status_code


def test_two_labellers(desk: TestClient, post: Post) -> None:
    """Each has a queue; where both have labelled, their agreement is told."""
    post(desk, "/label/1", page="/label", data={"keep": "1,2"})
    post(desk, "/label/who", page="/label", data={"who": "  Ida & Tom ", "order": "uncertain"})
    text = desk.get("/label").text
    assert "Ida &amp; Tom, least confident first" in text
    assert "0</span> of" in text
    post(desk, "/label/1", page="/label", data={"keep": "2"})
    text = desk.get("/label/pages").text
    assert "Cohen" in text
    assert "0.55" in text
    assert [[2]] == [each["blocks"] for each in exported(desk, "?who=Ida%20%26%20Tom")]


def test_page_opens_in_inspect(desk: TestClient) -> None:
    """It is kept like any page that is read."""
    answer = desk.get("/label/1/inspect")
    assert 303 == answer.status_code
    assert re.fullmatch(r"/inspect/[\w-]+", answer.headers["location"])


def test_labels_stay_when_the_server_ends(open_app: OpenApp, post: Post) -> None:
    """They are in a file."""
    with open_app() as client:
        add(client, post)
        post(client, "/label/1", page="/label", data={"keep": "1"})
    with open_app() as client:
        assert [[1]] == [each["blocks"] for each in exported(client)]


def test_name_of_an_upload_leads_nowhere(desk: TestClient, post: Post, tmp_path: Path) -> None:
    """A file is called what its browser says, and lies where we say."""
    files = [("files", ("../../evil.html", write_page(9), "text/html"))]
    assert "1 pages added" in post(desk, "/label/add", page="/label", files=files).text
    assert not list(tmp_path.parent.glob("evil.html"))
