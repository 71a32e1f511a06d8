"""The blocks of a page as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from thresher.extraction import extract
from thresher.native import REFUSALS
from thresher.page.parse import parse
from thresher.selection import Selection
from thresher.writers.json import write_blocks

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


def test_scores_that_are_no_numbers_are_null() -> None:
    """JSON has no NaN and no infinity."""
    selection = keep_nothing("<p>a<p>b<p>c")
    scores = np.array([np.nan, -np.inf, 0.25], np.float32)
    blocks = json.loads(write_blocks(replace(selection, score=scores)))
    assert [None, None, 0.25] == [block["score"] for block in blocks]


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
