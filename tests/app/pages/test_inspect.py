"""Inspect page without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp
from tests.sites.pages import story
from thresher.app.engine import PageSource
from thresher.sites import HostRules, Rulebook, Rules, save_rulebook

URL = "https://mill.example/1"


def keep(app: TestClient, html: str | bytes | None = None, url: str | None = URL) -> str:
    """Add a page to the cache; return the path of its inspection."""
    context = app.app.state.context
    return f"/inspect/{context.page_cache.put(PageSource(html or story(1), url))}"


def test_a_page_is_shown_with_its_blocks(app: TestClient) -> None:
    """The page shows facts, graph, blocks with links to details, and the result."""
    answer = app.get(keep(app))
    assert 200 == answer.status_code
    for text in ("On barley and brewers", "of words kept", 'class="graph"', 'id="result">Result'):
        assert text in answer.text
    assert re.search(r'<a class="n" id="b0" href="/inspect/[^"]+&amp;block=0#block"', answer.text)


def test_a_block_says_why_when_its_link_is_followed(app: TestClient) -> None:
    """The details show the reasons, the position and proposed selectors."""
    path = keep(app)
    link = re.findall(r'class="n" id="b\d+" href="([^"#]+)', app.get(path).text)[3]
    text = app.get(link.replace("&amp;", "&")).text
    for expected in ("Block 4 ", "<h3>Why</h3>", "XPath", "Rule for mill.example", 'name="pick"'):
        assert expected in text


def test_a_part_of_the_page_is_there_for_scripts(app: TestClient) -> None:
    """The fragment contains the block details only; 404 for an unknown block."""
    path = keep(app)
    part = app.get(f"{path}/block/2?method=slope").text
    assert part.startswith('<div class="bar">')
    assert "Block 3 " in part
    assert 404 == app.get(f"{path}/block/9999").status_code


def test_methods_and_parameters_are_chosen_by_the_form(app: TestClient) -> None:
    """The chosen method is applied, and the form keeps the values."""
    path = keep(app)
    assert "<b>100 %</b>" in app.get(f"{path}?method=keep_all").text.replace("\xa0", " ")
    text = app.get(f"{path}?method=max_density&max_density.cutoff_share=0.9&graph=length").text
    assert 'name="max_density.cutoff_share" value="0.9"' in text
    assert '<option value="length" selected' in text
    assert '<details class="params" open' in text


@pytest.mark.parametrize(
    "query",
    ["method=magic", "method=ccb&ccb.radius=wide", "scope=everything", "favor=-1"],
)
def test_what_cannot_be_is_said_above_the_form(app: TestClient, query: str) -> None:
    """Invalid values show an error, and the page with the defaults."""
    answer = app.get(f"{keep(app)}?{query}")
    assert 200 == answer.status_code
    assert 'role="alert"' in answer.text
    assert 'class="graph"' in answer.text


@pytest.mark.parametrize("query", ["block=x", "block=-1", "block=99999999999", "graph=x&from=7777"])
def test_odd_queries_show_the_page(app: TestClient, query: str) -> None:
    """Invalid query values are ignored."""
    assert 200 == app.get(f"{keep(app)}?{query}").status_code


def test_rules_of_the_host_hold(open_app: OpenApp, tmp_path: Path) -> None:
    """Method and selectors of the host's rules apply, and errors in the file are shown."""
    rules = HostRules(Rules(drop=("article",)), method="keep_all")
    with open_app() as app:
        save_rulebook(Rulebook({"mill.example": rules}), tmp_path / "rules.toml")
        text = app.get(keep(app)).text
        assert '<option value="keep_all" selected' in text
        assert "by your rules" in text
        assert "praised" not in text.split('class="result"')[1]
        (tmp_path / "rules.toml").write_text("version = 1\nhost.'mill.example'.drop = ['p::']")
        assert "is not a CSS selector" in app.get(keep(app)).text
        (tmp_path / "rules.toml").write_text("version = 9")
        assert "is not a rulebook" in app.get(keep(app)).text


def test_a_page_without_address_has_no_rules(app: TestClient) -> None:
    """A page without address shows why rules are not available."""
    text = app.get(f"{keep(app, url=None)}?block=1").text
    assert "no address" in text
    assert 'action="/rules/add"' not in text


def test_a_page_that_is_none_is_a_problem(app: TestClient) -> None:
    """Non-HTML and evicted pages are errors."""
    assert 422 == app.get(keep(app, b"%PDF-1.7")).status_code
    assert 404 == app.get("/inspect/gone").status_code


def test_a_page_without_text(app: TestClient) -> None:
    """A page without text shows a message."""
    assert "has no text" in app.get(keep(app, "<title>None</title>")).text


def test_an_address_is_asked_for(app: TestClient) -> None:
    """The address form reports an address that cannot be fetched."""
    assert "Page address" in app.get("/inspect").text
    answer = app.get("/inspect?url=http://127.0.0.1:1/")
    assert 502 == answer.status_code
    assert 'role="alert"' in answer.text


def test_a_hostile_page_runs_nothing(app: TestClient) -> None:
    """No markup or address of a hostile page is output, in blocks or source."""
    html = (
        "<title></title><script>alert(0)</script><main><p id='\"><script>alert(1)</script>'"
        " class='</pre><script>alert(2)</script>'>A story of the mill <img src=x onerror=alert(3)>"
        "<a href='javascript:alert(4)'>and its wheel</a> &lt;script&gt;alert(5)&lt;/script&gt;"
    )
    url = "https://mill.example/'\"><script>alert(6)</script>"
    path = keep(app, html, url)
    for query in ("", "?block=0", '?block=0&method="><script>alert(7)</script>'):
        text = app.get(path + query).text
        assert not re.search(r"<script>|<script(?! src=\"/static/)", text)
        assert "<img src=x" not in text
        assert 'href="javascript:' not in text
