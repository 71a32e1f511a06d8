"""Labeller's name and order, stored in cookies."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from tests.app.pages.desk import exported

Post = Any


def test_two_labellers(desk: TestClient, post: Post) -> None:
    """Each labeller has a queue, and their agreement is shown."""
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
