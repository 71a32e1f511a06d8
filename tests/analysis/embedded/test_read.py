"""Reading of the texts in a page's scripts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.embedded.pages import (
    HTML_BODY,
    NODES,
    OTHER,
    STORY,
    TITLE,
    article_json_ld,
    dumps,
    json_script,
    next_data,
    page,
)
from thresher.analysis.embedded import Origin, read_embedded
from thresher.page.parse import parse

FLIGHT = "".join(
    f"<script>self.__next_f.push([1,{dumps(piece)}])</script>"
    for piece in (f'2:{{"headline":"{TITLE}","body":"$3"}}\n3:T{len(HTML_BODY):x},', HTML_BODY)
)
NUXT_2 = (
    "<script>window.__NUXT__=(function(a,b){return {data:[{title:a,body:"
    f'{dumps(HTML_BODY)}}}],x:b}}}}("x",null))</script>'
)
NUXT_3 = json_script(
    [["Reactive", 1], {"headline": 2, "body": 3}, TITLE, HTML_BODY],
    "application/json",
    ' id="__NUXT_DATA__"',
)
SCRIPTS = {
    "json-ld": (article_json_ld(), Origin.JSON_LD, "[0].articleBody"),
    "next.js": (next_data(STORY), Origin.STATE, "props.pageProps.story.body"),
    "next.js stream": (FLIGHT, Origin.STATE, "3"),
    "nuxt 2": (NUXT_2, Origin.STATE, "[0]"),
    "nuxt 3": (NUXT_3, Origin.STATE, "[1].body"),
    "assigned": (f"<script>window.S={dumps({'a': STORY})}</script>", Origin.STATE, "a.body"),
    "parsed": (
        f"<script>window.S=JSON.parse({dumps(json.dumps(STORY))})</script>",
        Origin.STATE,
        "body",
    ),
    "editor's nodes": (
        next_data({"headline": TITLE, "doc": NODES}),
        Origin.STATE,
        "props.pageProps.story.doc",
    ),
}


@pytest.mark.parametrize(("script", "origin", "path"), SCRIPTS.values(), ids=SCRIPTS)
def test_read_embedded(script: str, origin: Origin, path: str) -> None:
    """The article is read from wherever it is, whole and in order."""
    [text] = read_embedded(parse(page(script)))
    assert (origin, path, HTML_BODY) == (text.origin, text.path, text.markup)


def test_read_embedded_when_both() -> None:
    """Texts of both sources are returned, the longer first."""
    scripts = (article_json_ld(), next_data({**STORY, "body": HTML_BODY + HTML_BODY}))
    found = read_embedded(parse(page(*scripts)))
    assert [Origin.STATE, Origin.JSON_LD] == [text.origin for text in found]


def test_read_embedded_of_a_list_of_articles() -> None:
    """Several articles in JSON-LD are those a page leads to; the same one twice is one."""
    other = article_json_ld(" ".join(OTHER))
    assert () == read_embedded(parse(page(article_json_ld(), other)))
    assert 1 == len(read_embedded(parse(page(article_json_ld(), article_json_ld()))))


def test_read_embedded_when_short() -> None:
    """A text with fewer words than requested is not returned."""
    html = page(article_json_ld(), next_data(STORY))
    assert () == read_embedded(parse(html), min_words=1_000)


@given(st.text(max_size=40), st.integers(0, 1_200))
def test_read_embedded_of_damaged_pages(noise: str, at: int) -> None:
    """Damaged data must not make reading fail, and every text found must have words."""
    html = page(article_json_ld(), next_data(STORY), FLIGHT)
    for text in read_embedded(parse(html[:at] + noise + html[at:])):
        assert text.words > 0


@given(st.binary(max_size=300))
def test_read_embedded_of_any_script(noise: bytes) -> None:
    """No content of a script raises an error."""
    content = (noise * 10).decode("utf-8", "surrogateescape")
    kinds = ("", ' type="application/json"', ' type="application/ld+json"', ' id="__NUXT_DATA__"')
    html = "".join(f"<script{kind}>{content}</script>" for kind in kinds)
    assert () == read_embedded(parse(html))
