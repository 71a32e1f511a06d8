"""`POST /api/extract`: one page in, its record out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from thresher.app.api.handlers import describe_api
from thresher.app.settings import AppSettings
from thresher.errors import FetchError
from thresher.fetching.model import Fetched
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


def test_addresses_are_fetched(app: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page given by address is fetched, and the record has the address after redirects."""

    def fetch(url: str, **options: Any) -> Fetched:
        assert not options["allow_private"]
        if "gone" in url:
            raise FetchError("HTTP 410 Gone", url=url, status=410)
        return Fetched(f"{url}?2", PAGE.encode(), None, "text/html", 200, is_public=True)

    monkeypatch.setattr("thresher.fetching.fetch.fetch", fetch)
    assert "https://e.org/rye?2" == ask(app, url="https://e.org/rye")["url"]
    error = app.post("/api/extract", json={"url": "https://e.org/gone"}).json()["error"]
    expected = {"type": "FetchError", "status": 502, "http_status": 410}
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
    """Each error has its type and matching status."""
    answer = app.post("/api/extract", json=request_)
    error = answer.json()["error"]
    assert (status, kind, status) == (answer.status_code, error["type"], error["status"])


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b'{"html": "' + b"x" * 300_000])
def test_what_is_no_json_is_refused(app: TestClient, body: bytes) -> None:
    """Invalid JSON is rejected, small or large, shallow or deep."""
    headers = {"content-type": "application/json"}
    answer = app.post("/api/extract", content=body, headers=headers)
    assert (400, "UsageError") == (answer.status_code, answer.json()["error"]["type"])


def test_other_bodies_are_refused(app: TestClient) -> None:
    """Other media types, methods and misplaced options are rejected."""
    assert 415 == app.post("/api/extract", data={"html": PAGE}).status_code
    assert 415 == app.post("/api/extract", content=b"x").status_code
    assert 400 == app.post("/api/extract?scope=page", json={"html": PAGE}).status_code
    assert 405 == app.get("/api/extract").status_code


def test_large_requests_are_read(app: TestClient) -> None:
    """Large JSON bodies are parsed in a worker with the same result."""
    record = ask(app, html=PAGE + "<!--" + "x" * 400_000 + "-->", formats=["text"])
    assert "stands green" in record["output"]["text"]


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


def test_outcomes_are_counted(app: TestClient) -> None:
    """Verdicts and errors are counted in the metrics."""
    ask(app, html=PAGE)
    app.post("/api/extract", json={"html": "%PDF-1.7"})
    text = app.get("/metrics").text
    assert 'thresher_pages_total{outcome="InputError"}' in text
    assert 'thresher_pages_total{outcome="content"}' in text
