"""What the app lets in, how it reads bodies, and what it logs and counts."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from thresher import __version__
from thresher.app.guards import COOKIE, POLICY, SESSION, LimitBody, is_token, session_of
from thresher.app.logs import CONTENT_TYPE, JsonLines, Metrics, Observe
from thresher.app.pages.visitors import local_path

TOKEN = "the token of this server"


@pytest.mark.parametrize("path", ["/", "/nothing", "/healthz", "/static/base.css", "/api/methods"])
def test_every_answer_keeps_the_browser_from_loading_elsewhere(app: TestClient, path: str) -> None:
    """Pages, errors, files and the API have the policy, and are not cached."""
    headers = app.get(path).headers
    assert POLICY == headers["content-security-policy"]
    assert "nosniff" == headers["x-content-type-options"]
    assert "DENY" == headers["x-frame-options"]
    assert "no-store" == headers["cache-control"]


@pytest.mark.parametrize("host", ["127.0.0.1.evil.example:8765", "user@localhost", "127.1"])
def test_other_names_are_refused(app: TestClient, host: str) -> None:
    """Unknown host names are rejected."""
    assert 403 == app.get("/", headers={"host": host}).status_code
    assert 403 == app.post("/api/extract", headers={"host": host}, json={}).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://user@127.0.0.1:8765"},
    ],
)
def test_other_sites_can_send_nothing(app: TestClient, headers: dict[str, str]) -> None:
    """Cross-site requests are rejected, for forms and the API."""
    for path in ("/read", "/preferences", "/api/extract"):
        assert 403 == app.post(path, headers=headers, content="{}").status_code


def test_own_pages_and_programs_can_send(app: TestClient) -> None:
    """Requests by our own pages and by other clients are accepted, under every loopback name."""
    body = {"html": "<p>Rye."}
    own = {"origin": "http://127.0.0.1:8765"}
    for headers in ({}, own, own | {"sec-fetch-site": "same-origin"}):
        assert 200 == app.post("/api/extract", json=body, headers=headers).status_code
    for host in ("localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:8765"):
        assert 200 == app.get("/healthz", headers={"host": host}).status_code


def test_token_is_asked_for_everywhere(open_app: OpenApp) -> None:
    """Without the token, browsers are sent to the login and API clients get 401.

    With a token, any host name is accepted unless names are configured.
    """
    with open_app(token=TOKEN, host="0.0.0.0") as client:
        page = client.get("/read?url=a")
        login = (303, "/login?next=%2Fread%3Furl%3Da")
        assert login == (page.status_code, page.headers["location"])
        for path in ("/api/methods", "/metrics"):
            answer = client.get(path)
            assert (401, "Bearer") == (answer.status_code, answer.headers["www-authenticate"])
        assert 401 == client.post("/api/extract", json={"html": "<p>"}).status_code
        assert 401 == client.post("/read").status_code
        assert 200 == client.get("/healthz", headers={"host": "reader.example"}).status_code
        for status, said in ((401, "Bearer another"), (200, f"bearer {TOKEN}")):
            asked = client.get("/api/methods", headers={"authorization": said})
            assert status == asked.status_code
    with open_app(token=TOKEN, host="0.0.0.0", hosts=("reader.example",)) as client:
        assert 200 == client.get("/healthz", headers={"host": "reader.example"}).status_code
        assert 403 == client.get("/healthz", headers={"host": "evil.example"}).status_code
    assert session_of(TOKEN) == session_of(TOKEN) != session_of(TOKEN + "x")
    assert is_token("ä", "ä") and not is_token("\udcff", "ä")


def test_people_log_in_with_the_token(open_app: OpenApp, post: Post) -> None:
    """A wrong token is rejected; the right one redirects to a target of this app, until logout."""
    with open_app(token=TOKEN) as client:
        page = "/login?next=/api"
        wrong = post(client, "/login", page=page, data={"token": "x", "next": "/api"})
        assert 401 == wrong.status_code
        assert "Wrong token" in wrong.text
        assert 303 == client.get("/").status_code
        right = post(client, "/login", page=page, data={"token": f" {TOKEN} ", "next": "/api"})
        assert (303, "/api") == (right.status_code, right.headers["location"])
        assert "HttpOnly" in right.headers["set-cookie"]
        assert TOKEN not in right.headers["set-cookie"]
        assert "Log out" in client.get("/").text
        post(client, "/logout")
        assert SESSION not in client.cookies
        assert 303 == client.get("/").status_code
        data = {"token": TOKEN, "next": "//evil.example/"}
        answer = post(client, "/login", page="/login", data=data)
        assert "/" == answer.headers["location"]


@pytest.mark.parametrize(
    ("path", "local"),
    [
        ("/read/1?a=b", "/read/1?a=b"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example", "/"),
        ("/a\r\nSet-Cookie: b", "/"),
        ("", "/"),
        (None, "/"),
    ],
)
def test_local_path_is_of_this_server(path: str | None, local: str) -> None:
    """Paths that are not local are replaced by the start page."""
    assert local == local_path(path)


def test_preferences_hold_without_scripts(app: TestClient, post: Post) -> None:
    """A choice applies to the next page and leaves the other preferences unchanged."""
    answer = post(app, "/preferences", data={"theme": "dark", "next": "/api"})
    assert "/api" == answer.headers["location"]
    post(app, "/preferences", data={"size": "5", "width": "nonsense"})
    text = app.get("/").text
    assert 'data-theme="dark" data-face="serif" data-size="5" data-width="normal"' in text
    assert 'value="dark" aria-pressed="true"' in text


def test_forms_need_their_token(app: TestClient, post: Post) -> None:
    """Forms without a matching token and cookie are rejected; it may be in a header."""
    assert 403 == app.post("/preferences", data={"theme": "dark"}).status_code
    app.get("/")
    assert 403 == app.post("/preferences", data={"theme": "dark"}).status_code
    assert 403 == app.post("/preferences", data={"csrf": "x", "theme": "dark"}).status_code
    token = app.cookies[COOKIE]
    app.cookies.clear()
    assert 403 == app.post("/preferences", data={"csrf": token}).status_code
    assert 303 == post(app, "/preferences", data={"theme": "dark"}).status_code
    answer = post(app, "/read", files={"file": ("a.html", b"<p>Rye.", "text/html")})
    assert 303 == answer.status_code
    assert "set-cookie" not in app.get("/").headers  # there is one
    header = {"x-csrf-token": app.cookies[COOKIE]}
    assert 303 == app.post("/preferences", data={"theme": "light"}, headers=header).status_code


def test_bodies_are_refused_when_too_large(open_app: OpenApp) -> None:
    """Bodies that are too large are rejected by length, while reading, or while decompressing."""
    with open_app(max_bytes=1_000) as client:
        large = b"x" * 3_000_000
        headers = {"content-type": "text/html"}
        answer = client.post("/api/extract", content=large, headers=headers)
        assert (413, "close") == (answer.status_code, answer.headers["connection"])
        answer = client.post("/api/extract", content=iter([large]), headers=headers)
        assert 413 == answer.status_code
        assert "RequestEntityTooLarge" == answer.json()["error"]["type"]
        fits = client.post("/api/extract", content=b"<p>Rye.", headers=headers)
        assert 200 == fits.status_code
        assert 413 == send(client, gzip.compress(b"<p>" + b"x" * 50_000_000)).status_code


def test_bodies_are_given_up_when_too_slow() -> None:
    """A body that is sent too slowly is rejected."""

    async def read(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def never(*_: Any) -> Any:
        await anyio.sleep_forever()

    async def ask() -> int:
        scope = {"type": "http", "path": "/x", "method": "POST", "headers": []}
        with anyio.fail_after(30), pytest.raises(HTTPException) as caught:
            await LimitBody(read, 10, 0.01, 100)(scope, never, never)
        return caught.value.status_code

    assert 408 == anyio.run(ask)


def test_bodies_are_refused_when_all_are_too_much() -> None:
    """The total of concurrent bodies is limited, and released afterwards."""

    async def ask() -> list[int]:
        statuses = []
        goes_on = anyio.Event()

        async def read(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await goes_on.wait()

        async def receive() -> Any:
            return {"type": "http.request", "body": b"x" * 6, "more_body": False}

        async def send(_: Any) -> None:
            raise AssertionError("nothing is sent here")

        limit = LimitBody(read, 10, 10.0, 10)
        scope = {"type": "http", "path": "/x", "method": "POST", "headers": []}
        async with anyio.create_task_group() as group:
            group.start_soon(limit, scope, receive, send)
            await anyio.wait_all_tasks_blocked()
            try:
                await limit(scope, receive, send)
            except HTTPException as error:
                statuses.append(error.status_code)
            goes_on.set()
        await limit(scope, receive, send)
        return statuses

    assert [503] == anyio.run(ask)


PAGE = b"<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn.</p></article>"
ZIP = gzip.compress(PAGE)
ZIPPED = {"content-type": "text/html", "content-encoding": "gzip"}


def send(app: TestClient, body: bytes | Iterator[bytes], **headers: str) -> Any:
    return app.post("/api/extract?formats=text", content=body, headers=ZIPPED | headers)


def test_pages_and_batches_may_be_compressed(app: TestClient) -> None:
    """A page, JSON and lines are read as if they were not compressed."""
    assert "autumn" in send(app, gzip.compress(PAGE)).json()["output"]["text"]
    body = gzip.compress(json.dumps({"html": PAGE.decode()}).encode())
    headers = {"content-type": "application/json", "content-encoding": "GZip"}
    assert 200 == app.post("/api/extract", content=body, headers=headers).status_code
    lines = json.dumps({"html": PAGE.decode()}).encode() + b"\n"
    headers["content-type"] = "application/jsonl"
    answer = app.post("/api/batch", content=gzip.compress(lines * 30), headers=headers)
    assert list(range(1, 31)) == [json.loads(line)["line"] for line in answer.text.splitlines()]


def test_bodies_arrive_in_parts(app: TestClient) -> None:
    """Members that follow each other are one body, wherever its parts are cut."""
    page = PAGE + b"<p>" + b"rye " * 100_000 + b"The last words."
    body = gzip.compress(page[:5000]) + gzip.compress(page[5000:])
    for n_byte in (1, 7, 4096):
        parts = (body[at : at + n_byte] for at in range(0, len(body), n_byte))
        assert "The last words." in send(app, parts).json()["output"]["text"]


@pytest.mark.parametrize(
    ("body", "says"),
    [(PAGE, "not gzip"), (ZIP[:-9], "cut off"), (ZIP + b"rye", "not gzip")],
    ids=["plain", "cut off", "with something after it"],
)
def test_what_is_not_gzip_is_refused(app: TestClient, body: bytes, says: str) -> None:
    """A body that is not what it says is an error; to others the answer names the known coding."""
    answer = send(app, body)
    assert 400 == answer.status_code
    assert says in answer.json()["error"]["message"]
    answer = send(app, body, **{"content-encoding": "zstd"})
    assert (415, "gzip") == (answer.status_code, answer.headers["accept-encoding"])
    assert 200 == send(app, PAGE, **{"content-encoding": "identity"}).status_code


def test_requests_are_logged_by_route(app: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    """A line has the route and status, but not the requested address."""
    with caplog.at_level(logging.INFO, "thresher.app.logs"):
        app.get("/read/secret?theme=secret")
    (line,) = [record for record in caplog.records if record.name == "thresher.app.logs"]
    assert "GET /read/{page} 404" in line.getMessage()
    assert "secret" not in line.getMessage()


def test_json_lines_have_every_fact() -> None:
    """A record is one JSON object, with request fields and exceptions."""
    record = logging.LogRecord("thresher", logging.INFO, "", 1, "said %d", (3,), None)
    record.status = 200
    found = json.loads(JsonLines().format(record))
    assert ("info", "said 3", 200) == (found["level"], found["message"], found["status"])
    try:
        raise ValueError("broken\nin two")
    except ValueError as error:
        record.exc_info = (ValueError, error, error.__traceback__)
    line = JsonLines().format(record)
    assert "\n" not in line
    assert "broken" in json.loads(line)["exception"]


def test_a_client_that_leaves_has_one_line(caplog: pytest.LogCaptureFixture) -> None:
    """A connection that ends within a body is a line of the log, and no error of the app."""

    async def read(scope: Any, receive: Any, send: Any) -> None:
        await Request(scope, receive).body()

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def ask() -> None:
        scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
        await Observe(read, Metrics())(scope, receive, receive)

    with caplog.at_level(logging.INFO, "thresher.app.logs"):
        anyio.run(ask)
    (line,) = caplog.records
    assert "POST (none) 499" in line.getMessage()


def test_metrics_are_written_as_prometheus_reads_them() -> None:
    """Counters with labels, a cumulative histogram with inclusive bounds, and gauges."""
    metrics = Metrics()
    metrics.count_request("GET", "/read/{page}", 200, 0.025)
    metrics.count_request("GET", "/read/{page}", 200, 3.0)
    metrics.count_request("POST", 'a"b\\c\n', 500, 99.0)
    metrics.pages["content"] += 2
    expected = r"""thresher_requests_total{method="GET",route="/read/{page}",status="200"} 2
thresher_requests_total{method="POST",route="a\"b\\c\n",status="500"} 1
thresher_pages_total{outcome="content"} 2
thresher_request_seconds_bucket{le="0.01"} 0
thresher_request_seconds_bucket{le="0.025"} 1
thresher_request_seconds_bucket{le="5.0"} 2
thresher_request_seconds_bucket{le="+Inf"} 3
thresher_request_seconds_sum 102.025000
thresher_request_seconds_count 3
thresher_workers 2"""
    assert {*expected.splitlines()} <= {*metrics.write({"thresher_workers": 2}).splitlines()}


def test_metrics_are_those_of_the_server(app: TestClient) -> None:
    """Requests are counted by route, and gauges are reported; health is status and version."""
    assert {"status": "ok", "version": __version__} == app.get("/healthz").json()
    app.get("/read/anything")
    answer = app.get("/metrics")
    assert CONTENT_TYPE == answer.headers["content-type"]
    assert 'thresher_requests_total{method="GET",route="/healthz",status="200"}' in answer.text
    assert 'route="/read/{page}",status="404"' in answer.text
    for name in ("kept_bytes", "kept_pages", "calls_waiting", "workers", "requests_in_flight"):
        assert f"\nthresher_{name} " in answer.text
