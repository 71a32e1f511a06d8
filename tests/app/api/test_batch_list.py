"""`POST /api/batch` with one object: a list of pages in, a list of records out."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra app is not installed")

from starlette.testclient import TestClient


def page(html: str, **more: Any) -> dict[str, Any]:
    return {"html": html, "method": "keep_all", "formats": ["text"], **more}


def test_each_page_has_its_record_or_error(app: TestClient) -> None:
    """Records and errors are in the order of the pages, with their numbers and ids."""
    pages = [page("<p>one", id="a"), page("%PDF-1.7", id=2), "no page", page("<p>four"), {}]
    answer = app.post("/api/batch", json={"pages": pages})
    assert (200, "application/json") == (answer.status_code, answer.headers["content-type"])
    records = answer.json()["records"]
    assert [1, 2, 3, 4, 5] == [record["line"] for record in records]
    assert ["a", 2, None, None, None] == [record.get("id") for record in records]
    kinds = [record.get("error", {}).get("type") for record in records]
    assert [None, "InputError", "UsageError", None, "UsageError"] == kinds
    assert ["one", "four"] == [records[n]["output"]["text"].strip() for n in (0, 3)]


def test_large_batches_are_read(app: TestClient) -> None:
    """A body that is parsed in a worker has the same result; an empty batch has no records."""
    pages = [page(f"<p>page {n}<!--{'x' * 50_000}-->") for n in range(8)]
    records = app.post("/api/batch", json={"pages": pages}).json()["records"]
    assert [f"page {n}" for n in range(8)] == [each["output"]["text"].strip() for each in records]
    assert {"records": []} == app.post("/api/batch", json={"pages": []}).json()


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"pages": {}}', b'{"html": "<p>a"}\n{}'])
def test_other_bodies_are_refused(app: TestClient, body: bytes) -> None:
    """What is no batch is an error, which names the two forms of one."""
    headers = {"content-type": "application/json"}
    answer = app.post("/api/batch", content=body, headers=headers)
    assert (400, "UsageError") == (answer.status_code, answer.json()["error"]["type"])
    assert "pages" in answer.json()["error"]["message"]


def test_a_body_is_limited_as_any_other(open_app: Any) -> None:
    """A batch in one object is as large as one request may be, unlike a batch of lines."""
    with open_app(max_bytes=1000) as client:
        pages = [page("<p>" + "x" * 1_500_000)]
        assert 413 == client.post("/api/batch", json={"pages": pages}).status_code
