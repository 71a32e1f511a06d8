"""Label page, without scripts and through the API of its script."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from tests.app.pages.desk import add, exported

Post = Any


def test_page_to_label_is_shown(desk: TestClient) -> None:
    """Blocks are checkboxes preset by the model, and nothing of the page runs."""
    text = desk.get("/label").text
    boxes = re.findall(r'name="b" value="(\d+)"( checked)?', text)
    assert ["0", "1", "2", "3", "4"] == [number for number, _ in boxes]
    assert "" == boxes[0][1]
    assert " checked" == boxes[2][1]
    assert "Letter 0" in text
    assert "alert(1)" not in text


def test_labels_saved_without_scripts(desk: TestClient, post: Post) -> None:
    """Submitted checkboxes are saved as a label, until all pages are labelled."""
    for number in range(3):
        data = {"b": ["1", "2"], "page_type": "article"}
        answer = post(desk, f"/label/{number + 1}", page="/label", data=data)
        assert (303, "/label") == (answer.status_code, answer.headers["location"])
    assert "All 3 pages are labelled" in desk.get("/label").text
    first = exported(desk)[0]
    assert ([1, 2], "article") == (first["blocks"], first["page_type"])
    assert first["text"].startswith("Letter 0\nThe ferryman")


def test_labels_saved_by_the_script(desk: TestClient, post: Post) -> None:
    """The script receives the upcoming pages, the progress and the pace."""
    data = {"keep": "1,3", "seconds": "36"}
    headers = {"accept": "application/json"}
    answer = post(desk, "/label/1", page="/label", data=data, headers=headers).json()
    assert {
        **{
            "page": None,
            "version": 1,
            "ahead": [2, 3],
            "n_page": 3,
            "n_done": 1,
            "pages_per_hour": 100.0,
        },
    } == answer
    assert [1, 3] == exported(desk)[0]["blocks"]
    answer = post(desk, "/label/undo", page="/label", headers=headers).json()
    assert (1, [1, 2, 3], 0) == (answer["page"], answer["ahead"], answer["n_done"])
    assert [] == exported(desk)


def test_page_passed_over(desk: TestClient, post: Post) -> None:
    """A skipped page leaves the queue without a label."""
    post(desk, "/label/1", page="/label", data={"do": "pass"})
    assert 'data-page="2"' in desk.get("/label").text
    assert [] == exported(desk)


def test_label_is_shown_when_it_is_opened_again(desk: TestClient, post: Post) -> None:
    """A saved label takes precedence over the model's suggestion."""
    post(desk, "/label/2", page="/label", data={"keep": "0"})
    text = desk.get("/label?page=2").text
    assert ["0"] == re.findall(r'value="(\d+)" checked', text)
    assert "already labelled" in text


@pytest.mark.parametrize("keep", ["99", "x", "-1", "1e3"])
def test_block_that_there_is_not(desk: TestClient, post: Post, keep: str) -> None:
    """A label with invalid block numbers is rejected."""
    assert 400 == post(desk, "/label/1", page="/label", data={"keep": keep}).status_code
    assert [] == exported(desk)


def test_page_that_there_is_not(desk: TestClient, post: Post) -> None:
    """Unknown pages return 404."""
    for path in ("/label?page=99", "/label/99/sheet", "/label/99/inspect"):
        assert 404 == desk.get(path).status_code
    assert 404 == post(desk, "/label/99", page="/label", data={"keep": ""}).status_code


def test_labels_stay_when_the_server_ends(open_app: OpenApp, post: Post) -> None:
    """Labels persist across restarts."""
    with open_app() as client:
        add(client, post)
        post(client, "/label/1", page="/label", data={"keep": "1"})
    with open_app() as client:
        assert [[1]] == [each["blocks"] for each in exported(client)]


def test_roles_are_saved_without_scripts(desk: TestClient, post: Post) -> None:
    """The form holds the roles that a label has, and sends them unchanged; unknown ones get 400."""
    data = {"keep": "1", "roles": "1 title,2 body"}
    post(desk, "/label/1", page="/label", data=data)
    assert 'name="roles" value="1 title,2 body"' in desk.get("/label?page=1").text
    assert {"title": [1], "body": [2]} == exported(desk)[0]["roles"]
    answer = post(desk, "/label/2", page="/label", data={"keep": "1", "roles": "1 headline"})
    assert 400 == answer.status_code
