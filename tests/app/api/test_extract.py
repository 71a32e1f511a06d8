"""POST /api/extract and /api/batch: a page in and its record out, or many."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Web
from thresher.app.api.batches import BatchResponse
from thresher.app.api.openapi import describe_api
from thresher.app.context import build_context
from thresher.app.settings import AppSettings
from thresher.serving.connections import ConnectionLimits
from thresher.sites.rulebook import HostRules, Rulebook, Rules, save_rulebook

PAGE = """<title>Rye</title><nav><a href="/x">Home page</a></nav><article><h1>Rye</h1><p>Rye is sown
in autumn, and stands green through the winter while other fields lie bare, as the
<a href="/oats">oats</a> do until March.</p><p class="promo">Buy our seeds.</p></article>"""


def ask(app: TestClient, **request: Any) -> Any:
    """Send JSON and return the record."""
    answer = app.post("/api/extract", json=request)
    assert 200 == answer.status_code, answer.text
    return answer.json()


def test_record_has_every_field(app: TestClient) -> None:
    """A record has exactly the documented fields, in order."""
    formats = ["markdown", "json", "text"]
    record = ask(app, id="7", html=PAGE, url="https://e.org/rye", formats=formats)
    schemas = describe_api(AppSettings())["components"]["schemas"]
    assert list(schemas["Record"]["properties"]) == list(record)
    assert ("https://e.org/rye", "learned") == (record["url"], record["method"])
    assert "Rye" == record["metadata"]["title"]
    assert ["markdown", "json", "text"] == list(record["output"])
    assert "[oats](https://e.org/oats)" in record["output"]["markdown"]
    assert record["output"]["json"]["blocks"][0]["text"]


def test_options_count(app: TestClient) -> None:
    """Options of extraction and output take effect."""
    output = ask(app, html=PAGE, method="keep_all", links=False, title=True)["output"]["markdown"]
    assert "Home page" in output and "](" not in output
    assert "Home page" not in ask(app, html=PAGE)["output"]["markdown"]
    found = ask(app, html=PAGE * 9, method="keep_all", max_chars=200, formats=["text"])
    assert len(found["output"]["text"]) <= 200
    params = {"method": "largest_body", "params": {}}
    assert "largest_body" == ask(app, html=PAGE, **params)["method"]
    partial = ask(app, html=PAGE, max_bytes=150, on_limit="partial")
    assert "partial" == partial["verdict"]
    assert "150" in partial["limit"]


def test_pages_are_taken_as_they_are(app: TestClient) -> None:
    """HTML is decoded by the charset of its header, with options from the query."""
    answer = app.post(
        "/api/extract?formats=text,html&method=keep_all&url=https://e.org/",
        content="<p>Рожь".encode("koi8-r"),
        headers={"content-type": 'text/html; charset="koi8-r"'},
    )
    assert "Рожь" == answer.json()["output"]["text"].strip()
    assert {"text", "html"} == answer.json()["output"].keys()
    assert "koi8-r" == answer.json()["encoding"].lower()


def test_addresses_are_fetched(app: TestClient, web: Web) -> None:
    """A page given by address is fetched, and the record has the address after redirects."""
    web.moved["https://e.org/rye"] = "https://e.org/rye?2"
    web.pages["https://e.org/rye?2"] = PAGE
    assert "https://e.org/rye?2" == ask(app, url="https://e.org/rye")["url"]
    assert not web.asked[0][1]["allow_private"]
    error = app.post("/api/extract", json={"url": "https://e.org/gone"}).json()["error"]
    expected = {"type": "FetchError", "status": 502, "http_status": 404}
    assert expected == {name: error[name] for name in expected}


@pytest.mark.parametrize(
    ("request_", "status", "kind"),
    [
        ({}, 400, "UsageError"),
        ({"html": ""}, 422, "InputError"),
        ({"html": "%PDF-1.7"}, 422, "InputError"),
        ({"html": PAGE, "max_bytes": 10}, 413, "LimitError"),
        ({"html": PAGE, "max_nodes": 1}, 413, "LimitError"),
        ({"html": PAGE, "deadline_s": 1e-9}, 413, "LimitError"),
        ({"html": PAGE, "method": "bte", "scope": "page"}, 400, "UsageError"),
        ({"html": PAGE, "params": {"model": "/etc/passwd"}}, 400, "UsageError"),
        ({"url": "http://169.254.169.254/latest/meta-data/"}, 502, "FetchError"),
        ({"url": "http://localhost:8765/"}, 502, "FetchError"),
        ({"url": "http://[::ffff:10.0.0.1]/"}, 502, "FetchError"),
        ({"url": "file:///etc/passwd"}, 502, "FetchError"),
        ([PAGE], 400, "UsageError"),
        ({"html": PAGE, "format": "text"}, 400, "UsageError"),
    ],
)
def test_errors_have_their_names(app: TestClient, request_: object, status: int, kind: str) -> None:
    """Each error has its type and matching status, and those of pages are counted."""
    answer = app.post("/api/extract", json=request_)
    error = answer.json()["error"]
    assert (status, kind, status) == (answer.status_code, error["type"], error["status"])
    if kind == "InputError":
        assert f'thresher_pages_total{{outcome="{kind}"}}' in app.get("/metrics").text


@pytest.mark.parametrize(
    ("method", "path", "content", "media_type", "status"),
    [
        *(
            ("POST", "", body, "application/json", 400)
            for body in (b"", b"{", b"[" * 100_000, b'{"html": "' + b"x" * 300_000)
        ),
        ("POST", "?scope=page", b'{"html": "<p>a"}', "application/json", 400),
        ("POST", "", b"html=a", "application/x-www-form-urlencoded", 415),
        ("POST", "", b"x", None, 415),
        ("GET", "", b"", None, 405),
    ],
    ids=["empty", "open", "deep", "long", "misplaced option", "form", "no type", "GET"],
)
def test_other_bodies_are_refused(
    app: TestClient, *, method: str, path: str, content: bytes, media_type: str | None, status: int
) -> None:
    """Invalid JSON, other media types and methods, and misplaced options are rejected."""
    headers = {"content-type": media_type} if media_type else {}
    answer = app.request(method, f"/api/extract{path}", content=content, headers=headers)
    assert status == answer.status_code
    assert status == answer.json()["error"]["status"]


def test_rules_of_the_user_count(open_app: OpenApp, tmp_path: Path) -> None:
    """The user's rules apply unless the request disables them."""
    book = Rulebook({"e.org": HostRules(Rules(drop=(".promo",)))})
    save_rulebook(book, tmp_path / "rules.toml")
    asked = {"html": PAGE, "url": "https://www.e.org/", "method": "keep_all"}
    with open_app() as client:
        assert "seeds" not in ask(client, **asked)["output"]["markdown"]
        assert "seeds" in ask(client, **asked, rules=False)["output"]["markdown"]


def test_weights_of_the_user_count(open_app: OpenApp, tmp_path: Path) -> None:
    """The weights that the server was started with are used."""
    with open_app(model=tmp_path / "none.npz") as client:
        error = client.post("/api/extract", json={"html": PAGE}).json()["error"]
        assert "none.npz" in error["message"]
        assert "bte" == ask(client, html=PAGE, method="bte")["method"]


def test_output_is_json_whatever_the_page(app: TestClient) -> None:
    """Quotes, lone surrogates and control characters yield valid JSON."""
    html = '<p>"rye" \\ \x01 \u2028 </p>'
    body = json.dumps({"html": html + "\ud800", "method": "keep_all", "formats": ["text", "json"]})
    headers = {"content-type": "application/json"}
    answer = app.post("/api/extract", content=body, headers=headers)
    assert '"rye" \\' in answer.json()["output"]["text"]


def send_lines(app: TestClient, body: bytes) -> list[dict[str, Any]]:
    """Send lines and return the records."""
    answer = app.post("/api/batch", content=body)
    assert (200, "application/jsonl") == (answer.status_code, answer.headers["content-type"])
    return [json.loads(line) for line in answer.text.splitlines()]


def page(html: str, **more: Any) -> dict[str, Any]:
    return {"html": html, "method": "keep_all", "formats": ["text"], **more}


def line(html: str) -> bytes:
    """Return the request of a page."""
    return json.dumps(page(html)).encode() + b"\n"


def test_records_come_in_order(app: TestClient) -> None:
    """Records are in the order of the lines, with their numbers, however long each page takes."""
    pages = ["<p>slow" + "<p>x" * 3_000 if n % 5 == 0 else f"<p>page {n}" for n in range(20)]
    records = send_lines(app, b"".join(map(line, pages)))
    assert list(range(1, 21)) == [record["line"] for record in records]
    for n, record in enumerate(records):
        expected = "slow" if n % 5 == 0 else f"page {n}"
        assert record["output"]["text"].startswith(expected)


@pytest.mark.parametrize("form", ["lines", "object"])
def test_each_page_has_its_record_or_error(app: TestClient, form: str) -> None:
    """Records and errors are in the order of the pages, with their numbers and ids."""
    pages = [
        page("<p>one", id="ä"),
        page("%PDF-1.7", id=7),
        "no page",
        page("<p>four"),
        {"id": [1]},
    ]
    if form == "lines":
        lines = b"\n  \r\n".join(json.dumps(each).encode() for each in pages)
        records = send_lines(app, lines.replace(b'"no page"', b"nonsense"))
    else:
        answer = app.post("/api/batch", json={"pages": pages})
        assert (200, "application/json") == (answer.status_code, answer.headers["content-type"])
        records = answer.json()["records"]
    assert [1, 2, 3, 4, 5] == [record["line"] for record in records]
    assert ["ä", 7, None, None, None] == [record.get("id") for record in records]
    kinds = [record.get("error", {}).get("type") for record in records]
    assert [None, "InputError", "UsageError", None, "UsageError"] == kinds
    assert ["one", "four"] == [records[n]["output"]["text"].strip() for n in (0, 3)]


def test_lines_are_refused_when_too_long(open_app: OpenApp) -> None:
    """A line beyond the limit ends the batch with an error; one object is as large as others."""
    with open_app(max_bytes=500) as client:
        records = send_lines(client, line("<p>a") + b"x" * 5_000 + b"\n" + line("<p>b"))
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
        context = build_context(AppSettings(n_worker=1, max_bytes=5_000, **known))
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
            await BatchResponse(context)(scope, receive, send)

    anyio.run(answer)
    return sent


async def take_all(message: Any, waiting: list[Any]) -> None:
    """Read whatever is sent."""


def test_a_client_that_leaves_is_given_up() -> None:
    """Nothing is sent to a disconnected client, and no error is raised."""
    sent = run([line("<p>1")], take_all, leaves=True)
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
    monkeypatch.setattr("thresher.app.api.batches._MAX_AHEAD_BYTES", 1_000)
    least: list[int] = []

    async def take(message: Any, waiting: list[Any]) -> None:
        if message.get("body") and not least:
            await anyio.sleep(1)
            least.append(len(waiting))

    run([line(f"<p>{n}") for n in range(40)], take)
    assert least[0] > 20


def test_a_line_that_dribbles_ends_a_batch() -> None:
    """The time for a line begins with the line, not with each of its bytes."""
    limits = ConnectionLimits(body_s=0.5)
    sent = run([line("<p>1"), *[b"x"] * 10_000], take_all, connections=limits, every_s=0.01)
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


def test_large_batches_are_read(app: TestClient) -> None:
    """A body that is parsed in a worker has the same result; an empty batch has no records."""
    pages = [page(f"<p>page {n}<!--{'x' * 50_000}-->") for n in range(8)]
    records = app.post("/api/batch", json={"pages": pages}).json()["records"]
    assert [f"page {n}" for n in range(8)] == [each["output"]["text"].strip() for each in records]
    assert {"records": []} == app.post("/api/batch", json={"pages": []}).json()
    assert [] == send_lines(app, b"")


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"pages": {}}', b'{"html": "<p>a"}\n{}'])
def test_what_is_no_batch_is_refused(app: TestClient, body: bytes) -> None:
    """What is no batch is an error, which names the two forms of one."""
    headers = {"content-type": "application/json"}
    answer = app.post("/api/batch", content=body, headers=headers)
    assert (400, "UsageError") == (answer.status_code, answer.json()["error"]["type"])
    assert "pages" in answer.json()["error"]["message"]
