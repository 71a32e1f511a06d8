"""Label, its list of pages and Decide, without scripts and through the API of their scripts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from tests.app.pages.conftest import add, exported, write_page
from tests.helpers.archives import mhtml
from thresher.app.pages import label_pages
from thresher.errors import StorageError
from thresher.labelling.store import LabelStore


def test_page_to_label_is_shown(desk: TestClient, post: Post) -> None:
    """Blocks are checkboxes preset by the label or else the model; nothing of the page runs."""
    text = desk.get("/label").text
    boxes = re.findall(r'name="b" value="(\d+)"( checked)?', text)
    assert ["0", "1", "2", "3", "4"] == [number for number, _ in boxes]
    assert ("", " checked") == (boxes[0][1], boxes[2][1])
    assert "Letter 0" in text
    assert "alert(1)" not in text
    post(desk, "/label/2", page="/label", data={"keep": "0"})
    text = desk.get("/label?page=2").text
    assert ["0"] == re.findall(r'value="(\d+)" checked', text)
    assert "already labelled" in text


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
    """The script receives the upcoming pages, the progress and the pace; a page can be skipped."""
    data = {"keep": "1,3", "seconds": "36"}
    headers = {"accept": "application/json"}
    answer = post(desk, "/label/1", page="/label", data=data, headers=headers).json()
    assert {
        **{"page": None, "version": 1, "ahead": [2, 3]},
        **{"n_page": 3, "n_done": 1, "pages_per_hour": 100.0},
    } == answer
    assert [1, 3] == exported(desk)[0]["blocks"]
    answer = post(desk, "/label/undo", page="/label", headers=headers).json()
    assert (1, [1, 2, 3], 0) == (answer["page"], answer["ahead"], answer["n_done"])
    post(desk, "/label/1", page="/label", data={"do": "pass"})
    assert 'data-page="2"' in desk.get("/label").text
    assert [] == exported(desk)


@pytest.mark.parametrize("keep", ["99", "x", "-1", "1e3"])
def test_block_that_there_is_not(desk: TestClient, post: Post, keep: str) -> None:
    """A label with invalid block numbers is rejected, and one of an unknown page."""
    assert 400 == post(desk, "/label/1", page="/label", data={"keep": keep}).status_code
    assert 404 == post(desk, "/label/99", page="/label", data={"keep": ""}).status_code
    assert [] == exported(desk)
    for path in ("/label?page=99", "/label/99/sheet", "/label/99/inspect"):
        assert 404 == desk.get(path).status_code


def test_roles_are_saved_without_scripts(desk: TestClient, post: Post) -> None:
    """The form holds the roles that a label has, and sends them unchanged; unknown ones get 400."""
    data = {"keep": "1", "roles": "1 title,2 body"}
    post(desk, "/label/1", page="/label", data=data)
    assert 'name="roles" value="1 title,2 body"' in desk.get("/label?page=1").text
    assert {"title": [1], "body": [2]} == exported(desk)[0]["roles"]
    answer = post(desk, "/label/2", page="/label", data={"keep": "1", "roles": "1 headline"})
    assert 400 == answer.status_code


def test_label_saved_elsewhere_is_not_overwritten(desk: TestClient, post: Post) -> None:
    """The form comes back with its marks; sending it again keeps them."""
    post(desk, "/label/1", page="/label", data={"keep": "1"})
    mine = {"keep": "0", "version": "0"}
    answer = post(desk, "/label/1", page="/label", data=mine)
    assert 409 == answer.status_code
    assert "labelled elsewhere in the meantime" in answer.text and "Load theirs" in answer.text
    assert ["0"] == re.findall(r'value="(\d+)" checked', answer.text)
    assert [1] == exported(desk)[0]["blocks"]
    (version,) = re.findall(r'name="version" value="(\d+)"', answer.text)
    answer = post(desk, "/label/1", page="/label", data=mine | {"version": version})
    assert 303 == answer.status_code
    assert [0] == exported(desk)[0]["blocks"]


def test_empty_queue_asks_for_pages(open_app: OpenApp, post: Post, tmp_path: Path) -> None:
    """Pages and archives are added by upload, and stay; duplicates and other files are reported."""
    with open_app() as client:

        def upload(name: str, body: bytes) -> str:
            sent = [("files", (name, body, "text/html"))]
            return str(post(client, "/label/add", page="/label", files=sent).text)

        assert "Add pages" in client.get("/label").text
        assert "3 pages added" in add(client, post).text
        assert "1 pages added, 3 already present" in add(client, post, 4).text
        refused = upload("x.html", b"%PDF-1.7")
        assert "0 pages added" in refused and "PDF" in refused
        text = upload("x.mhtml", mhtml(write_page(7).decode(), url="https://mill.example/7"))
        assert "1 pages added" in text and "https://mill.example/7" in text
        # The name of an upload does not determine its path.
        assert "1 pages added" in upload("../../evil.html", write_page(9))
        assert not list(tmp_path.parent.glob("evil.html"))
    with open_app() as client:
        assert "6 of 6 pages" in client.get("/label/pages?q=html").text


def test_addresses_that_cannot_be_added_stay(
    desk: TestClient, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many, a full disk or a failed fetch: they are in their field, with the reason."""

    def add_urls(urls: str, says: str, status: int = 200) -> None:
        answer = post(desk, "/label/add", page="/label", data={"urls": urls})
        assert status == answer.status_code
        assert says in answer.text
        assert urls in answer.text.partition("<textarea")[2]

    urls = "http://127.0.0.1:9/x\nhttp://127.0.0.1:9/y"
    add_urls(urls, "0 pages added")
    many = "\n".join(f"https://mill.example/{n}" for n in range(201))
    add_urls(many, "Not added: addresses at a time: 201, the limit is 200", 413)

    def fill(*given: object) -> None:
        raise StorageError("labels.sqlite: the disk is full")

    monkeypatch.setattr(LabelStore, "add", fill)
    add_urls(urls, "the disk is full", 507)


def test_page_opens_in_inspect(desk: TestClient, post: Post) -> None:
    """A page of the queue opens in Inspect, with its label beside the result."""
    answer = desk.get("/label/1/inspect")
    assert 303 == answer.status_code
    assert re.fullmatch(r"/inspect/[\w-]+", answer.headers["location"])
    assert 'id="label"' not in desk.get(answer.headers["location"]).text
    post(desk, "/label/1", page="/label", data={"b": "2"})
    shown = desk.get(desk.get("/label/1/inspect").headers["location"]).text
    assert "Word F1 of the result 0." in shown and "Every line is in the result." in shown


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
    """The label of one of both holds, with the name of who decided; others have no page."""
    for path in ("2/decide?a=Ida&b=Tom", "1/decide?a=Ida&b=Eva", "9/decide?a=Ida&b=Tom"):
        assert 404 == both.get(f"/label/{path}").status_code
    assert "differ on 2 of" in both.get(ASKED).text
    data = {**hidden(both.get(ASKED).text), "do": "b", "who": "Eva"}
    answer = post(both, "/label/1/decide", page=ASKED, data=data)
    assert "/label/pages?a=Ida&b=Tom" == answer.headers["location"]
    (record,) = exported(both)
    decided = ([1, 2], "Eva", ["Ida", "Tom"])
    assert decided == tuple(record[name] for name in ("blocks", "labeller", "decided_between"))
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


def test_decision_on_labels_that_changed_is_refused(both: TestClient, post: Post) -> None:
    """The page comes back with the labels that hold now."""
    data = {**hidden(both.get(ASKED).text), "do": "a"}
    post(both, "/label/1", page="/label", data={"who": "Tom", "keep": "2", "do": "save"})
    answer = post(both, "/label/1/decide", page=ASKED, data=data)
    assert 409 == answer.status_code
    assert "labelled again in the meantime" in answer.text
    assert data["second"] != hidden(answer.text)["second"]
