"""JSON."""

from __future__ import annotations

import json

import numpy as np

from tests.helpers import judged
from tests.helpers.fixture_pages import document_keeping
from thresher import Selection
from thresher.extraction import document_of, extract
from thresher.page.parse import parse


def test_record_has_all_fields_when_written() -> None:
    """The record must have the fields of docs/formats.md, in order."""
    record = json.loads(document_keeping("<p>a</p><p hidden>b</p>", ["p:first-child"]).json())
    assert list(record) == [
        "url", "encoding", "method", "verdict", "page_type", "confidence", "obstacle",
        "metadata", "text", "truncated", "blocks", "removed_links",
        "threads",
    ]  # fmt: skip
    assert [None] * 3 == [record[name] for name in ("page_type", "confidence", "obstacle")]
    assert {
        "index": 1,
        "text": "b",
        "tag": "p",
        "kept": False,
        "score": 0.0,
        "reason": "chosen by hand",
        "role": None,
        "hidden": ["attribute"],
        "path": {
            "css": "html > body > p:nth-of-type(2)",
            "xpath": "/html[1]/body[1]/p[2]",
        },
        "source": [18, 19],
        "origin": "markup",
    } == record["blocks"][1]


def test_judgement_is_written_when_there_is_one() -> None:
    """Page type, confidence and verdict of a method that judges must be in the record."""
    params = judged.Params(page_type="listing", probability=0.75)
    record = json.loads(extract("<p>a<p>b", method=judged.select, params=params).json())
    assert {"name": "listing", "probability": 0.75} == record["page_type"]
    assert (judged.CONFIDENCE, "listing only") == (record["confidence"], record["verdict"])


def test_roles_are_written_when_the_method_predicts_them() -> None:
    """Each block of the record must have its role, whether it is kept or not."""
    document = extract("<p>a mill<p>b", method=judged.select, params=judged.Params())
    record = json.loads(document.json())
    assert [("body", True), ("related", False)] == [
        (block["role"], block["kept"]) for block in record["blocks"]
    ]


def test_obstacle_is_written_when_there_is_one() -> None:
    """Kind, evidence and confidence of an obstacle must be in the record."""
    document = document_keeping("<title>404 Not Found</title><h1>Page not found</h1>")
    record = json.loads(document.json())
    assert document.obstacle is not None
    assert {
        "kind": "blocked or error page",
        "evidence": document.obstacle.evidence,
        "confidence": document.obstacle.confidence,
    } == record["obstacle"]
    assert record["obstacle"]["kind"] == record["verdict"]


def test_scores_are_null_when_they_are_no_numbers() -> None:
    """JSON supports neither NaN nor infinity."""
    page = parse("<p>a<p>b<p>c")
    selection = Selection(
        page,
        "odd",
        np.ones(3, np.bool_),
        np.array([np.nan, np.inf, 0.5], np.float32),
        np.zeros(3, np.int16),
        ("odd",),
    )
    blocks = json.loads(document_of(selection).json())["blocks"]
    assert [None, None, 0.5] == [block["score"] for block in blocks]


def test_letters_are_not_escaped_when_not_latin() -> None:
    """Text in any script must be readable in the JSON."""
    assert "茶" in document_keeping("<p>茶</p>").json()


def test_threads_are_described_when_there_are_some() -> None:
    """Each post must have its facts, its own text, whether it was kept, and its position."""
    html = "".join(
        f"<div class=comment id=c{i}><b class=author>Ann</b> <time datetime=2021-03-0{i}>then"
        f"</time><p>words of post {i}</p></div>"
        for i in (1, 2)
    )
    document = document_keeping(html, ["#c2"], url="https://mill.example/")
    (thread,) = json.loads(document.json())["threads"]
    assert "forum" == thread["kind"]
    assert [False, True] == [post["kept"] for post in thread["posts"]]
    first = thread["posts"][0]
    assert "body > div:nth-of-type(1)" in first.pop("path")["css"]
    assert {
        "author": "Ann",
        "date": {"iso": "2021-03-01", "raw": "then"},
        "depth": 0,
        "parent": None,
        "score": None,
        "is_question": False,
        "is_answer": False,
        "accepted": False,
        "permalink": "https://mill.example/#c1",
        "text": "words of post 1",
        "kept": False,
    } == first


def test_written_as_one_dump_would_write_it() -> None:
    """Writing item by item must give the same as the standard library."""
    written = document_keeping('<p>a "b"</p><a href=/c>\u4e2d</a>', ["p"]).json()
    assert written == json.dumps(json.loads(written), ensure_ascii=False)


def test_every_combination_of_hiding_is_named() -> None:
    """The names of a block's flags must be those of `Hidden`, in order."""
    record = json.loads(document_keeping("<p hidden style='display:none'>a", []).json())
    assert ["attribute", "style"] == record["blocks"][0]["hidden"]
