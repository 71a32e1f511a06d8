"""Texts in script data: read, attached to pages, and in complete extractions."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.embedded.pages import (
    HTML_BODY,
    NODES,
    OTHER,
    PARAGRAPHS,
    STORY,
    TEASER,
    TITLE,
    article_json_ld,
    dumps,
    json_script,
    next_data,
    page,
)
from tests.helpers.trees import NASTY_PAGES, PLAIN_PAGE, soups
from thresher import ALGORITHMS, FORMATS, Verdict, extract
from thresher.algorithms import MethodName
from thresher.analysis.embedded import Embedded, Origin, attach, complete, read_embedded
from thresher.document import Document
from thresher.page import Page
from thresher.page.parse import parse
from thresher.roles import ROLES
from thresher.selection import Effect, KnownRoles, Selection
from thresher.writers.formats import FormatName

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


TEXTS = (
    Embedded(Origin.STATE, "<h2>a</h2><p>b <b>c</b>d", "x.y", 4),
    Embedded(Origin.JSON_LD, "<p>e", "[0].articleBody", 1),
)
COLUMNS = ("tag", "parent", "depth", "open_start", "open_stop")


def check(page: Page, whole: Page) -> None:
    """Check that the page's own rows, leaves and blocks are the first of the attached page's."""
    n_row, n_leaf, n_block = len(page), page.leaves.size, len(page.blocks)
    for column in COLUMNS:
        assert (getattr(page, column) == getattr(whole, column)[:n_row]).all()
    assert n_row == whole.n_own_row
    assert (page.leaves == whole.leaves[:n_leaf]).all()
    assert (page.blocks.start[:-1] == whole.blocks.start[:n_block]).all()
    assert (page.source_spans == whole.source_spans[:n_row]).all()
    assert (whole.source_spans[n_row:] == -1).all()
    texts = ["a", "b ", "c", "d", "e"]
    assert texts == [whole.leaf_text(n) for n in range(n_leaf, whole.leaves.size)]


@given(st.sampled_from([PLAIN_PAGE, *NASTY_PAGES.values()]) | soups())
def test_attach_leaves_any_page_as_it_was(html: str) -> None:
    """New rows come last on any page with a body."""
    page = parse(html)
    whole = attach(page, TEXTS)
    if whole is not page:
        check(page, whole)


def test_attach_says_where_rows_are_from() -> None:
    """Each row knows its origin; only the page's own rows have a path and a source."""
    page = parse(PLAIN_PAGE)
    whole = attach(page, TEXTS)
    origins = [whole.origin(row) for row in range(len(page), len(whole))]
    assert [Origin.STATE] * 8 + [Origin.JSON_LD] * 3 == origins
    assert {Origin.MARKUP} == {whole.origin(row) for row in range(len(page))}
    assert ["x.y", "[0].articleBody"] == [each.path for each in whole.attached]
    assert (None, None) == (whole.path(len(page)), whole.source_span(len(page)))
    assert page.path(len(page) - 1) == whole.path(len(page) - 1)


def test_attach_twice() -> None:
    """Texts can be attached after others."""
    page = parse(PLAIN_PAGE)
    whole = attach(attach(page, TEXTS[:1]), TEXTS[1:])
    assert attach(page, TEXTS).buffer == whole.buffer
    assert attach(page, TEXTS).attached == whole.attached


def test_attach_pickles() -> None:
    """A page with attached rows travels between processes."""
    whole = attach(parse(PLAIN_PAGE), TEXTS)
    copy = pickle.loads(pickle.dumps(whole))
    assert (whole.attached, whole.text) == (copy.attached, copy.text)
    assert np.array_equal(whole.source_spans, copy.source_spans)


def test_attach_nothing() -> None:
    """Without texts or without a body, the same page is returned."""
    page, frames = parse(PLAIN_PAGE), parse("<frameset><frame src=a></frameset>")
    assert page is attach(page, ())
    assert frames is attach(frames, TEXTS)


def test_attach_leaves_scripts_out() -> None:
    """Scripts and styles in a text's markup are no rows, and unclosed markup ends with it."""
    markup = "<p>a<script>b()</script><style>c{}</style><!-- d --><svg><script>e()</script></svg>"
    markup += "<plaintext>f"
    whole = attach(parse("<p>x"), [Embedded(Origin.STATE, markup, "", 1), TEXTS[1]])
    assert "xafe" == whole.text
    assert not whole.tagged(["script", "style", "plaintext"]).any()


def test_attach_deep_markup() -> None:
    """Extremely deep nesting is handled."""
    deep = Embedded(Origin.STATE, "<div>" * 50_000 + "x", "", 1)
    whole = attach(parse("<p>y"), [deep])
    assert "yx" == whole.text


HEADING = f"<h1>{TITLE}</h1>"
ARTICLE = f"<article>{HEADING}{HTML_BODY}</article>"
FOOTER = "<footer><p>The Harrow Post, est. 1902</footer>"
LONG = "".join(f"<p>{text} And so it went on day {n}.</p>" for n in range(3) for text in OTHER)


def keep(html: str, *texts: str) -> Selection:
    """Keep the blocks of a page that have one of the texts in them."""
    of = parse(html)
    kept = np.array([any(text in block for text in texts) for block in of.block_texts()], np.bool_)
    score, code = kept.astype(np.float32), kept.astype(np.int16)
    reasons = ("dropped", "kept")
    return Selection.of_blocks(of, "test", kept, score=score, reason_code=code, reasons=reasons)


def texts_of(selection: Selection) -> list[str]:
    of = selection.page
    return [of.block_text(int(block)) for block in np.flatnonzero(selection.block_keep)]


COMPLETED = {
    "nothing is shown": (page(article_json_ld()), (), []),
    "a teaser": (
        page(article_json_ld(), body=f"{HEADING}<p>{TEASER}</p>{FOOTER}"),
        (TITLE, TEASER),
        [TITLE],
    ),
    "a teaser cut short": (
        page(article_json_ld(), body=f"{HEADING}<p>{TEASER[:140]} …</p>"),
        (TITLE, TEASER[:100]),
        [TITLE],
    ),
    "a lead of its own": (
        page(next_data(STORY), body=f"{HEADING}<p>A town that kept its flames.</p>"),
        (TITLE, "A town"),
        [TITLE, "A town that kept its flames."],
    ),
    "much beside": (page(next_data(STORY), body=LONG), (), []),
}


@pytest.mark.parametrize(("html", "kept", "left"), COMPLETED.values(), ids=COMPLETED)
def test_complete(html: str, kept: Iterable[str], left: list[str]) -> None:
    """The text is kept whole: it replaces blocks that it repeats and follows the others."""
    assert [*left, *PARAGRAPHS] == texts_of(complete(keep(html, *kept)))


UNTOUCHED = {
    "no scripts": (page(body=HEADING), (TITLE,)),
    "the same text is shown": (page(article_json_ld(), body=ARTICLE), (TITLE, *PARAGRAPHS)),
    "the same text is shown, and nothing kept": (page(article_json_ld(), body=ARTICLE), ()),
    "the same text is hidden": (
        page(next_data(STORY), body=f"<div hidden>{ARTICLE}</div>"),
        (TITLE,),
    ),
    "another text is shown": (page(article_json_ld(), body=LONG), ("Ferries",)),
    "a short other text is shown": (
        page(article_json_ld(), body=f"<p>{' '.join(OTHER[:4])}</p>"),
        ("Ferries",),
    ),
    "only a description": (page(article_json_ld(TEASER)), ()),
    "several articles": (page(article_json_ld(), article_json_ld(" ".join(OTHER) * 2)), ()),
    "data of another page": (page(next_data(STORY), title="Ferries leave from the pier"), ()),
    "an error page": (
        page(next_data({**STORY, "headline": "404 Not Found"}), title="404 Not Found"),
        (),
    ),
    "a frameset": ("<frameset><frame src=a></frameset>" + article_json_ld(), ()),
    "broken data": (page(article_json_ld()).replace('"articleBody":', '"articleBody"'), ()),
}


@pytest.mark.parametrize(("html", "kept"), UNTOUCHED.values(), ids=UNTOUCHED)
def test_complete_when_nothing_is_missing(html: str, kept: Iterable[str]) -> None:
    """The same selection is returned."""
    selection = keep(html, *kept)
    assert selection is complete(selection)


def test_complete_twice() -> None:
    """A completed selection is not completed again."""
    once = complete(keep(page(article_json_ld())))
    assert once is complete(once)


def test_complete_gives_reasons() -> None:
    """Every block has a reason, the page's own blocks the same as before."""
    html = page(article_json_ld(), body=f"{HEADING}<p>{TEASER}</p>{FOOTER}")
    whole = complete(keep(html, TITLE, TEASER))
    reasons = [whole.reason(block) for block in range(len(whole.page.blocks))]
    added = "from JSON-LD, [0].articleBody: the page's own text lacks it"
    assert ["kept", "repeated by the text from JSON-LD", "dropped", *[added] * 5] == reasons


def test_complete_explains_the_page_only() -> None:
    """Effects on the page's own blocks stay; on the others there are none."""
    selection = keep(page(article_json_ld(), body=HEADING), TITLE)
    effect = Effect("words", 1.0, 0.5)
    object.__setattr__(selection, "explain", lambda block: (effect,) * (block + 1))
    whole = complete(selection)
    assert [1, 0] == [len(whole.effects(block)) for block in (0, 1)]
    assert whole.keep.tolist() == pickle.loads(pickle.dumps(whole)).keep.tolist()


def test_complete_tells_roles_of_what_is_behind() -> None:
    """Blocks of the page keep their roles, and a text from its scripts is the body."""
    html, kept, _ = COMPLETED["a teaser"]
    selection = keep(html, *kept)
    n_block = len(selection.page.blocks)
    codes = np.full(n_block, ROLES.index("title"), np.int8)
    whole = complete(replace(selection, predict_roles=KnownRoles(codes)))
    roles = [whole.role(block) for block in range(len(whole.page.blocks))]
    assert len(roles) > n_block
    assert ["title"] * n_block + ["body"] * (len(roles) - n_block) == roles
    assert complete(selection).role_code is None


ROOT = '<div id="__next"></div>'
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
