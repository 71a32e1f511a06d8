"""JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.helpers import judged
from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from tests.helpers.fixture_pages import document_keeping
from thresher import Selection
from thresher.extraction import document_of, extract
from thresher.native import REFUSALS
from thresher.page.parse import parse
from thresher.writers.json import join_literals, write_blocks, write_links
from thresher.writers.shared.added import read_links


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
        "path": {"css": "html > body > p:nth-of-type(2)", "xpath": "/html[1]/body[1]/p[2]"},
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
    page = parse("<p>a<p>b<p>c<p>d<p>e")
    selection = Selection(
        page,
        "odd",
        np.ones(5, np.bool_),
        np.array([np.nan, np.inf, -np.inf, 0.25, 0.5], np.float32),
        np.zeros(5, np.int16),
        ("odd",),
    )
    blocks = json.loads(document_of(selection).json())["blocks"]
    assert [None, None, None, 0.25, 0.5] == [block["score"] for block in blocks]


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
    """Writing item by item must give the same as the standard library, with letters as they are."""
    written = document_keeping('<p>a "b"</p><a href=/c>\u4e2d</a>', ["p"]).json()
    assert written == json.dumps(json.loads(written), ensure_ascii=False)


def test_every_combination_of_hiding_is_named() -> None:
    """The names of a block's flags must be those of `Hidden`, in order."""
    record = json.loads(document_keeping("<p hidden style='display:none'>a", []).json())
    assert ["attribute", "style"] == record["blocks"][0]["hidden"]


PAGES = {
    "nothing": "",
    "gaps": "<p> one<b>two</b> <i>three</i><br><br><p>four<br> five <br>six<img alt=x>",
    "levels": "<div><ul><li>one<div>two</div>three</ul>four</div><p>five",
    "escapes": '<p>a "quoted" \\ path\x01, tab\t and bell\x07 &lt;b&gt;</p>',
    "letters": "<p>mühle <b>日本</b><p>🎉 день<p>last",
    "elements": '<my-card><p>a</p></my-card><x"y><div>b</div></x"y><fo:o>c</fo:o>',
    "foreign": "<p>a<svg><desc>b</desc><foreignObject><p>c</p></foreignObject></svg><math><mi>x",
    "hidden": "<p hidden>a<p style='display:none'>b<noscript><p>c</noscript><template><p>d",
    "deep": "<div>" * 250 + "<p>bottom" + "</div>" * 100 + "<p>higher",
}


def keep_nothing(html: str) -> Selection:
    return Selection.of_nothing(parse(html), "none", reason='a "reason"')


@needs_steps
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_step_writes_the_same_blocks_as_python(html: str) -> None:
    """The compiled step must refuse none of these pages, and write the same bytes."""
    selection = keep_nothing(html)
    before = REFUSALS.copy()
    written = write_blocks(selection)
    assert before == REFUSALS
    with without_compiled_steps():
        assert written == write_blocks(selection)
    assert len(selection.page.blocks) == len(json.loads(written))


@pytest.mark.parametrize("n_level", [510, 188])
def test_many_deep_blocks_are_written(n_level: int) -> None:
    """The paths of very many blocks must not need more room than a step may have."""
    n_block = 75_000
    selection = keep_nothing("<div>" * n_level + "<p>a" * n_block)
    assert n_block == len(json.loads(write_blocks(selection)))


@needs_steps
def test_scores_are_written_as_python_writes_them() -> None:
    """The step must write every score of a learned method as `repr` does, and others too."""
    steps = np.arange(2**16 + 1) / 2**16
    others = [-0.0, 0.0, -0.5, 1.5, 1e-30, 1e30, 2**-17, 0.1, np.nextafter(np.float32(1), 0), -7]
    scores = np.concatenate((steps, others)).astype(np.float32)
    selection = replace(keep_nothing("<p>a" * scores.size), score=scores)
    before = REFUSALS.copy()
    written = re.findall(r'"score": ([^,]*)', write_blocks(selection))
    assert before == REFUSALS
    assert list(map(repr, scores.tolist())) == written


def test_blocks_read_from_scripts_have_their_origin_and_no_path() -> None:
    """The rows that complete a page must be written as what they are."""
    text = "A long story about a mill that was sold to its miller in the spring. " * 30
    data = json.dumps({"@type": "NewsArticle", "headline": "Mill", "articleBody": text})
    html = f'<title>Mill</title><h1>Mill</h1><script type="application/ld+json">{data}</script>'
    blocks = json.loads(write_blocks(extract(html).selection))
    assert [("markup", True), ("json-ld", False)] == [
        (block["origin"], block["path"] is not None) for block in (blocks[0], blocks[-1])
    ]


LINKED = (
    "<p>none<a href=#x>x</a><a href=javascript:y>y</a><a href=mailto:z@z.test>z</a>",
    "<a href=/a>a</a><a href=https://b.test/b>b</a><a href=c>c</a><a href='/d?e=1'>d</a>",
    "<a href=/a><h3> Title </h3><p>one<br><br>two <b>3</b></p></a><a href=/b>4\n5</a>",
    "<a href='/\"x\\'>a \"quoted\" \\ path\x01</a><a href='https://b.test/\\x'>b</a>",
    "<p>mühle <a href=/日本>日本</a> день <a href=/x>🎉</a>",
    "<a href='/a?utm_source=x&amp;b=1'>a</a><a href='?gclid=1'>b</a>",
    "<a href='https://www.google.com/url?q=https://x.test/%00%22y'>a</a>",
    "<a href=/a>" + "\x01" * 400 + "</a>",
)
URLS = ["https://site.test/a/", "https://u@site.test/", "https://site.test/\ud800/", None]


@pytest.mark.parametrize("tracking", [False, True])
@pytest.mark.parametrize("url", URLS)
def test_removed_links_are_listed(url: str | None, tracking: bool) -> None:
    """All must be in the list as the document has them, their addresses cleaned unless asked."""
    page = parse("".join(LINKED), url=url)
    document = document_of(Selection.of_nothing(page, "none", reason="none"))
    links = json.loads(write_links(document, tracking=tracking))
    expected = [link._asdict() for link in read_links(document, tracking=tracking)]
    assert expected == [{name: link[name] for name in ("text", "url", "block")} for link in links]


def test_literals_are_found_by_their_offsets() -> None:
    """Each literal must be cut out by its number, whatever letters it has."""
    literals = ["", "a", "", "mühle", "\ud800", "z"]
    joined, offset = join_literals(literals[2:], join_literals(literals[:2]))
    places = offset.tolist()
    cut = [joined[place : places[number + 1]] for number, place in enumerate(places[:-1])]
    assert literals == [each.decode("utf-8", "surrogatepass") for each in cut]
    assert len(joined) == places[-1]
