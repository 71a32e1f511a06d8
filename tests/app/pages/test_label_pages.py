"""Adding, listing and inspecting pages to label."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from tests.app.pages.desk import add, exported, write_page
from tests.helpers.archives import mhtml
from thresher.app.pages import label_pages

Post = Any


def test_empty_queue_asks_for_pages(open_app: OpenApp, post: Post) -> None:
    """Pages are added by upload; duplicates and non-HTML files are reported."""
    with open_app() as client:
        assert "Add pages" in client.get("/label").text
        assert "3 pages added" in add(client, post).text
        again = add(client, post, 4).text
        assert "1 pages added, 3 already present" in again
        files = [("files", ("x.html", b"%PDF-1.7", "text/html"))]
        refused = post(client, "/label/add", page="/label", files=files).text
        assert "0 pages added" in refused
        assert "PDF" in refused


def test_page_saved_as_mhtml_is_added(open_app: OpenApp, post: Post) -> None:
    """It is labelled as its page, with its address."""
    with open_app() as client:
        body = mhtml(write_page(1).decode(), url="https://mill.example/7")
        files = [("files", ("x.mhtml", body, "multipart/related"))]
        text = post(client, "/label/add", page="/label", files=files).text
        assert "1 pages added" in text
        assert "https://mill.example/7" in text


def test_address_that_is_private_is_not_fetched(desk: TestClient, post: Post) -> None:
    """Private addresses are not fetched."""
    data = {"urls": "http://127.0.0.1:9/x"}
    answer = post(desk, "/label/add", page="/label", data=data).text
    assert "0 pages added" in answer
    assert "127.0.0.1" in answer


def test_page_opens_in_inspect(desk: TestClient, post: Post) -> None:
    """A page of the queue opens in Inspect, with its label beside the result."""
    answer = desk.get("/label/1/inspect")
    assert 303 == answer.status_code
    assert re.fullmatch(r"/inspect/[\w-]+", answer.headers["location"])
    assert 'id="label"' not in desk.get(answer.headers["location"]).text
    post(desk, "/label/1", page="/label", data={"b": "1"})
    shown = desk.get(desk.get("/label/1/inspect").headers["location"]).text
    assert "Word F1 of the result 0." in shown and "Every line is in the result." in shown


def test_name_of_an_upload_leads_nowhere(desk: TestClient, post: Post, tmp_path: Path) -> None:
    """The name of an upload does not determine its path."""
    files = [("files", ("../../evil.html", write_page(9), "text/html"))]
    assert "1 pages added" in post(desk, "/label/add", page="/label", files=files).text
    assert not list(tmp_path.parent.glob("evil.html"))


def test_page_is_deleted_and_put_back(
    desk: TestClient, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deleting keeps the choice and the part of the list, and offers to undo it."""
    monkeypatch.setattr(label_pages, "_N_SHOWN", 2)
    shown = desk.get("/label/pages").text
    assert "Pages 1 to 2 of 3" in shown and 'href="/label/pages?start=2#all">Further' in shown
    assert "You have been through 0 of 3 pages, 3 to go." in shown
    answer = post(desk, "/label/2/delete?q=html&start=2", page="/label/pages")
    assert "/label/pages?q=html&start=2&deleted=2#all" == answer.headers["location"]
    shown = desk.get("/label/pages?q=html&deleted=2").text
    assert 'action="/label/2/restore?q=html"' in shown and "2 of 2 pages" in shown
    assert 404 == desk.get("/label?page=2").status_code
    answer = post(desk, "/label/2/restore?q=html", page="/label/pages")
    assert "/label/pages?q=html#page-2" == answer.headers["location"]
    assert "3 of 3 pages" in desk.get("/label/pages?q=html").text


def test_listed_pages_are_chosen(desk: TestClient) -> None:
    """The list holds the chosen pages; where there are none, the form stays with what was asked."""
    assert 3 == desk.get("/label/pages").text.count('class="name"')
    assert 3 == desk.get("/label/pages?state=unlabelled&order=latest").text.count('class="name"')
    shown = desk.get("/label/pages?q=barley-not-there&state=labelled").text
    assert 'class="name"' not in shown
    assert "0 of 3 pages" in shown
    assert 'value="barley-not-there"' in shown
    assert '<option value="labelled" selected>' in shown


def test_labels_are_exported_for_other_tools(desk: TestClient, post: Post) -> None:
    """Plain JSON lines hold what the packed corpus does; a task has the labels of its blocks."""
    marks = {"b": ["1"], "roles": "1 title", "page_type": "article"}
    post(desk, "/label/1", page="/label", data=marks)
    lines = desk.get("/label/export?format=jsonl").text.splitlines()
    assert exported(desk) == [json.loads(line) for line in lines]
    answer = desk.get("/label/export?format=label-studio")
    assert "labels-label-studio.json" in answer.headers["content-disposition"]
    [task] = answer.json()
    assert ["me"] == task["data"]["labellers"]
    assert {"kind": "heading", "text": "Letter 0"} == task["data"]["blocks"][1]
    [annotation] = task["annotations"]
    regions = annotation["result"]
    assert ["content", "title"] == [
        each["value"]["paragraphlabels"][0] for each in regions if each["from_name"] == "kind"
    ]
    assert {"start": "1", "end": "1", "startOffset": 0, "endOffset": 8} == {
        name: regions[0]["value"][name] for name in ("start", "end", "startOffset", "endOffset")
    }
    assert ["article"] == regions[-1]["value"]["choices"]
    assert [] == desk.get("/label/export?format=label-studio&who=Tom").json()
    assert 400 == desk.get("/label/export?format=docx").status_code
