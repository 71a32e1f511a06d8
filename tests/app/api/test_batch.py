"""`POST /api/batch`: lines or one object with pages in, a record or an error for each out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from thresher.app.api.handlers import BatchResponse
from thresher.app.context import build_context
from thresher.app.settings import AppSettings
from thresher.serving.connections import ConnectionLimits


def ask(app: TestClient, body: bytes) -> list[dict[str, Any]]:
    """Send lines and return the records."""
    answer = app.post("/api/batch", content=body)
    assert (200, "application/jsonl") == (answer.status_code, answer.headers["content-type"])
    return [json.loads(line) for line in answer.text.splitlines()]


def line(html: str) -> bytes:
    """Return the request of a page."""
    return json.dumps({"html": html, "method": "keep_all", "formats": ["text"]}).encode() + b"\n"


def test_records_come_in_order(app: TestClient) -> None:
    """Records are in the order of the lines, with their numbers, however long each page takes."""
    pages = ["<p>slow" + "<p>x" * 3_000 if n % 5 == 0 else f"<p>page {n}" for n in range(20)]
    records = ask(app, b"".join(map(line, pages)))
    assert list(range(1, 21)) == [record["line"] for record in records]
    for n, record in enumerate(records):
        expected = "slow" if n % 5 == 0 else f"page {n}"
        assert record["output"]["text"].startswith(expected)


def test_errors_stand_at_their_place(app: TestClient) -> None:
    """Invalid lines and non-HTML pages produce an error each, and the other lines are processed."""
    lines = [
        line("<p>a"),
        b"nonsense\n",
        b"  \r\n",
        line("%PDF-1.7"),
        b'{"url": "x:"}\n',
        line("b"),
    ]
    records = ask(app, b"".join(lines).rstrip(b"\n"))
    kinds = [record.get("error", {}).get("type") for record in records]
    assert [None, "UsageError", "InputError", "FetchError", None] == kinds
    assert [1, 2, 3, 4, 5] == [record["line"] for record in records]


def test_ids_are_given_back(app: TestClient) -> None:
    """Ids are returned unchanged in records and errors; lines without an id have none."""
    pages = [{"id": "ä", "html": "<p>a"}, {"id": 7, "html": ""}, {"html": "<p>b"}, {"id": [1]}]
    records = ask(app, b"\n".join(json.dumps(page).encode() for page in pages))
    assert ["ä", 7, None, None] == [record.get("id") for record in records]
    assert ["output", "error", "output", "error"] == [list(record)[-1] for record in records]
    one = app.post("/api/extract", json={"id": "ä", "html": "<p>a"}).json()
    assert ("ä", "content") == (one["id"], one["verdict"])
    assert [] == ask(app, b"")


def test_lines_are_refused_when_too_long(open_app: OpenApp) -> None:
    """A line beyond the limit ends the batch with an error; one object is as large as others."""
    with open_app(max_bytes=500) as client:
        records = ask(client, line("<p>a") + b"x" * 5_000 + b"\n" + line("<p>b"))
        assert [None, 413] == [record.get("error", {}).get("status") for record in records]
        pages = [page("<p>" + "x" * 1_500_000)]
        assert 413 == client.post("/api/batch", json={"pages": pages}).status_code


def run(
    chunks: list[bytes],
    take: Callable[[Any, list[Any]], Any],
    every_s: float = 0,
    *,
    leaves: bool = False,
    **known: Any,
) -> list[Any]:
    """Answer a batch that arrives in chunks; ``take`` is called with every message.

    A client that leaves does so when more of the body is expected.
    """
    sent: list[Any] = []

    async def answer() -> None:
        context = build_context(AppSettings(n_worker=1, **known))
        waiting = list(chunks)

        async def receive() -> Any:
            await anyio.sleep(every_s)
            if waiting:
                return {
                    "type": "http.request",
                    "body": waiting.pop(0),
                    "more_body": leaves or bool(waiting),
                }
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            await take(message, waiting)

        with anyio.fail_after(60):
            scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
            await BatchResponse(context, 10_000)(scope, receive, send)

    anyio.run(answer)
    return sent


def test_a_client_that_leaves_is_given_up() -> None:
    """Nothing is sent to a disconnected client, and no error is raised."""

    async def take(message: Any, waiting: list[Any]) -> None:
        pass

    sent = run([line("<p>1")], take, leaves=True)
    assert ["http.response.start"] == [each["type"] for each in sent]


def test_records_come_while_lines_come() -> None:
    """The first record is sent before the last line is read."""
    left: list[int] = []

    async def take(message: Any, waiting: list[Any]) -> None:
        if message.get("body"):
            left.append(len(waiting))

    sent = run([line(f"<p>{n}") for n in range(12)], take)
    assert 12 == len(left)
    assert left[0] > 0
    assert not sent[-1]["more_body"]


@pytest.mark.slow
def test_nothing_more_is_read_when_records_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading pauses while the client does not read records."""
    monkeypatch.setattr("thresher.app.api.handlers._MAX_AHEAD_BYTES", 1_000)
    least: list[int] = []

    async def take(message: Any, waiting: list[Any]) -> None:
        if message.get("body") and not least:
            await anyio.sleep(1)
            least.append(len(waiting))

    run([line(f"<p>{n}") for n in range(40)], take)
    assert least[0] > 20


def test_a_line_that_dribbles_ends_a_batch() -> None:
    """The time for a line begins with the line, not with each of its bytes."""

    async def take(message: Any, waiting: list[Any]) -> None:
        pass

    limits = ConnectionLimits(body_s=0.5)
    sent = run([line("<p>1"), *[b"x"] * 10_000], take, connections=limits, every_s=0.01)
    records = [json.loads(each["body"]) for each in sent if each.get("body")]
    assert [None, 408] == [each.get("error", {}).get("status") for each in records]


@pytest.mark.slow
def test_a_client_that_takes_nothing_is_given_up() -> None:
    """A client that does not read is dropped after a timeout, without an end of the response."""

    async def take(message: Any, waiting: list[Any]) -> None:
        if message.get("body"):
            await anyio.sleep_forever()

    limits = ConnectionLimits(response_s=1.0)
    sent = run([line("<p>1"), line("<p>2")], take, connections=limits)
    assert ["http.response.start", "http.response.body"] == [each["type"] for each in sent]


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
