"""Decide page without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.pages.desk import exported

Post = Any
ASKED = "/label/1/decide?a=Ida&b=Tom"


@pytest.fixture
def both(desk: TestClient, post: Post) -> TestClient:
    """Two people have labelled the first page differently."""
    for who, keep in (("Ida", "0,1"), ("Tom", "1,2")):
        post(desk, "/label/1", page="/label", data={"who": who, "keep": keep, "do": "save"})
    return desk


def hidden(text: str) -> dict[str, str]:
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', text))
    return {name: found[name] for name in ("a", "b", "first", "second", "version", "blocks")}


def test_label_that_is_taken_is_exported(both: TestClient, post: Post) -> None:
    """The label of one of both holds, with the name of who decided."""
    assert "differ on 2 of" in both.get(ASKED).text
    data = {**hidden(both.get(ASKED).text), "do": "b", "who": "Eva"}
    answer = post(both, "/label/1/decide", page=ASKED, data=data)
    assert "/label/pages?a=Ida&b=Tom" == answer.headers["location"]
    (record,) = exported(both)
    assert ([1, 2], "Eva", ["Ida", "Tom"]) == (
        record["blocks"],
        record["labeller"],
        record["decided_between"],
    )
    assert "decided by Eva" in both.get("/label/pages?a=Ida&b=Tom").text
    assert "Decided by Eva" in both.get(ASKED).text


def test_choices_are_kept_if_some_are_missing(both: TestClient, post: Post) -> None:
    """What was chosen comes back with the number of blocks that are open."""
    data = {**hidden(both.get(ASKED).text), "do": "save", "block0": "keep", "block1": "drop"}
    answer = post(both, "/label/1/decide", page=ASKED, data=data)
    assert 400 == answer.status_code
    assert re.search(r"Not saved: \d+ blocks? (is|are) not decided yet", answer.text)
    assert re.search(r'name="block1" value="drop" checked', answer.text)
    assert exported(both)[0]["decided_between"] is None


def test_pages_without_a_disagreement_are_not_shown(both: TestClient) -> None:
    """Nor those of people who are unknown."""
    assert 404 == both.get("/label/2/decide?a=Ida&b=Tom").status_code
    assert 404 == both.get("/label/1/decide?a=Ida&b=Eva").status_code
    assert 404 == both.get("/label/9/decide?a=Ida&b=Tom").status_code


def test_decision_on_labels_that_changed_is_refused(both: TestClient, post: Post) -> None:
    """The page comes back with the labels that hold now."""
    data = {**hidden(both.get(ASKED).text), "do": "a"}
    post(both, "/label/1", page="/label", data={"who": "Tom", "keep": "2", "do": "save"})
    answer = post(both, "/label/1/decide", page=ASKED, data=data)
    assert 409 == answer.status_code
    assert "labelled again in the meantime" in answer.text
    assert data["second"] != hidden(answer.text)["second"]
