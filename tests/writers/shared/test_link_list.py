"""The removed links of a page as JSON."""

from __future__ import annotations

import json

import pytest

from tests.helpers.compiled_steps import needs_steps, without_compiled_steps
from thresher import Document
from thresher.extraction import document_of
from thresher.native import REFUSALS
from thresher.page.parse import parse
from thresher.selection import Selection
from thresher.writers.json import write_links

PAGES = {
    "nothing": "<p>none",
    "nowhere": "<a href=#x>x</a><a href=javascript:y>y</a><a href=mailto:z@z.test>z</a>",
    "kinds": "<a href=/a>a</a><a href=https://b.test/b>b</a><a href=c>c</a><a href='/d?e=1'>d</a>",
    "texts": "<a href=/a><h3> Title </h3><p>one<br><br>two <b>3</b></p></a><a href=/b>4\n5</a>",
    "escapes": "<a href='/\"x\\'>a \"quoted\" \\ path\x01</a><a href='https://b.test/\\x'>b</a>",
    "letters": "<p>mühle <a href=/日本>日本</a> день <a href=/x>🎉</a>",
    "tracking": "<a href='/a?utm_source=x&amp;b=1'>a</a><a href='?gclid=1'>b</a>",
    "redirect": "<a href='https://www.google.com/url?q=https://x.test/%00%22y'>a</a>",
    "control": "<a href=/a>" + "\x01" * 400 + "</a>",
}
URLS = ["https://site.test/a/", "https://u@site.test/", "https://site.test/\ud800/", None]


def drop_all(html: str, url: str | None) -> Document:
    return document_of(Selection.of_nothing(parse(html, url=url), "none", reason="none"))


@needs_steps
@pytest.mark.parametrize("tracking", [False, True])
@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_step_writes_the_same_links_as_python(html: str, url: str | None, tracking: bool) -> None:
    """The compiled step must write the same bytes, with the page's address and without."""
    document = drop_all(html, url)
    written = write_links(document, tracking=tracking)
    with without_compiled_steps():
        assert written == write_links(drop_all(html, url), tracking=tracking)
    links = json.loads(written)
    listed = [(link["text"], link["block"]) for link in links]
    assert [(link.text, link.block) for link in document.removed_links] == listed


@needs_steps
@pytest.mark.parametrize("name", sorted(set(PAGES) - {"control"}))
def test_step_refuses_no_ordinary_page(name: str) -> None:
    """Only texts that escapes make many times as long need more room."""
    before = REFUSALS.copy()
    write_links(drop_all(PAGES[name], URLS[0]), tracking=False)
    assert before == REFUSALS
