"""Embedded content in a complete extraction."""

from __future__ import annotations

import json
import re

import pytest

from tests.analysis.embedded.pages import (
    HTML_BODY,
    PARAGRAPHS,
    STORY,
    TEASER,
    TITLE,
    article_json_ld,
    json_script,
    next_data,
    page,
)
from thresher import ALGORITHMS, FORMATS, Verdict, extract
from thresher.algorithms import MethodName
from thresher.analysis.embedded import Origin
from thresher.document import Document
from thresher.writers.formats import FormatName

ROOT = '<div id="__next"></div>'
ARTICLE = f"<article><h1>{TITLE}</h1>{HTML_BODY}</article>"
NAV = "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"
HIDING = {
    "noscript": f"<noscript>{ARTICLE}</noscript>",
    "template": f"<template>{ARTICLE}</template>",
    "open shadow root": (
        f"<story-view><template shadowrootmode=open>{ARTICLE}</template></story-view>"
    ),
    "closed shadow root": (
        f"<story-view><template shadowrootmode=closed>{ARTICLE}</template></story-view>"
    ),
    "shadow root with a slot": (
        "<story-view><template shadowrootmode=open><style>p{}</style><slot></slot></template>"
        f"{ARTICLE}</story-view>"
    ),
    "amp": f"<amp-story><amp-layout layout=fill>{ARTICLE}</amp-layout></amp-story>",
    "amp access": f"<section amp-access='access' amp-access-hide>{ARTICLE}</section>",
    "amp list": (
        f"<amp-list src=/x.json><template type=amp-mustache>{ARTICLE}</template></amp-list>"
    ),
    "hidden": f"<div hidden>{ARTICLE}</div>",
}


def paragraphs_of(document: Document) -> list[str]:
    return [block.text for block in document.blocks if block.kept and block.text in PARAGRAPHS]


@pytest.mark.parametrize("body", HIDING.values(), ids=HIDING)
def test_markup_that_is_not_shown_comes_out(body: str) -> None:
    """An article that only unshown markup holds is the content, once and in order."""
    document = extract(page(body=NAV + body))
    assert list(PARAGRAPHS) == paragraphs_of(document)
    assert Verdict.CONTENT is document.verdict


@pytest.mark.parametrize("method", ALGORITHMS)
def test_extract_completes_whatever_the_method(method: MethodName) -> None:
    """A page that is a root and data gives the data's article."""
    document = extract(page(next_data(STORY), body=ROOT), method=method)
    assert list(PARAGRAPHS) == paragraphs_of(document)
    assert (Verdict.CONTENT, None) == (document.verdict, document.obstacle)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_has_the_text(format: FormatName) -> None:
    """Every format must contain the text that completed the page."""
    html = page(article_json_ld(), body=f"<h1>{TITLE}</h1><p>{TEASER}</p>{NAV}")
    written = extract(html).write(format)
    for text in PARAGRAPHS[1:]:
        assert text in " ".join(written.replace(">", " ").split())


def test_json_names_origins() -> None:
    """Each block in JSON says what it was read from; what is not of the markup has no place."""
    blocks = json.loads(extract(page(next_data(STORY), body=NAV)).json())["blocks"]
    assert {"markup", "state"} == {block["origin"] for block in blocks}
    for block in blocks:
        is_own = block["origin"] == Origin.MARKUP.value
        assert (is_own, is_own) == (block["path"] is not None, block["source"] is not None)


EMPTY = {
    "data without text": (next_data({"id": 7, "flags": ["a"] * 400}), ROOT),
    "data of another page": (next_data(STORY).replace(TITLE, "Ferries"), ROOT),
    "data that is cut": (next_data(STORY).replace("</script>", "")[:-40] + "</script>", ROOT),
}


@pytest.mark.parametrize(("script", "body"), EMPTY.values(), ids=EMPTY)
def test_verdict_when_only_a_browser_can_tell(script: str, body: str) -> None:
    """A page whose data has no readable text of its own must get the verdict NEEDS_BROWSER."""
    document = extract(page(script, body=body, title="A place in the sun"))
    assert Verdict.NEEDS_BROWSER is document.verdict


HOSTILE = (
    "<p onclick=steal()>Lamps</p><script>steal()</script><iframe srcdoc='<script>steal()</script>'>"
    "</iframe><svg><script>steal()</script></svg><a href='javascript:steal()'>x</a>"
    "<img src=x onerror=steal()><style>p{background:url(steal())}</style><plaintext><script>"
)


@pytest.mark.parametrize("format", ["markdown", "html", "inplace"])
@pytest.mark.parametrize("at", ["json-ld", "state"])
def test_embedded_markup_is_made_safe(format: FormatName, at: str) -> None:
    """Nothing in data comes out as a script, a handler or a style."""
    body = HTML_BODY + HOSTILE
    script = article_json_ld(body) if at == "json-ld" else next_data({**STORY, "body": body})
    document = extract(page(body=NAV) + script)
    written = document.write(format)
    assert PARAGRAPHS[0] in written
    # In place, the page's own scripts stay as they were.
    assert "steal" not in re.sub("<script type=.*?</script>", "", written, flags=re.DOTALL)


def test_judgement_of_a_completed_page() -> None:
    """No method has judged what was added: there is no confidence, and it is no listing."""
    shown = extract(page(body=ARTICLE))
    completed = extract(page(next_data(STORY), body=NAV))
    assert shown.confidence is not None
    assert (None, Verdict.CONTENT) == (completed.confidence, completed.verdict)


def test_a_product_whose_description_is_data_only() -> None:
    """JSON-LD's description of a product is its content where nothing else is."""
    product = {"@type": "Product", "name": TITLE, "description": " ".join(PARAGRAPHS)}
    document = extract(page(json_script(product), body=NAV, title=TITLE))
    assert [" ".join(PARAGRAPHS)] == [block.text for block in document.blocks if block.kept]
