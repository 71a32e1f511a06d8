"""Inspect, Compare and Rules without scripts."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.app.conftest import OpenApp, Post
from tests.sites.pages import NOTICE, story
from thresher.app.engine import PageSource
from thresher.sites import HostRules, Rulebook, Rules, read_rulebook, save_rulebook

URL = "https://mill.example/1"


def keep(app: TestClient, html: str | bytes | None = None, url: str | None = URL) -> str:
    """Add a page to the cache; return the path of its inspection."""
    context = app.app.state.context
    return f"/inspect/{context.page_cache.put(PageSource(html or story(1), url))}"


def test_a_block_says_why_when_its_link_is_followed(app: TestClient) -> None:
    """The page shows facts, graph, blocks and result; details have reasons, place and selectors.

    The fragment for scripts contains the details only; an unknown block is 404.
    """
    path = keep(app)
    shown = app.get(path).text
    for text in ("On barley and brewers", "of words kept", 'class="graph"', 'id="result">Result'):
        assert text in shown
    link = re.findall(r'<a class="n" id="b\d+" href="([^"#]+)#block', shown)[3]
    text = app.get(link.replace("&amp;", "&")).text
    for expected in ("Block 4 ", "<h3>Why</h3>", "XPath", "Rule for mill.example", 'name="pick"'):
        assert expected in text
    part = app.get(f"{path}/block/2?method=slope").text
    assert part.startswith('<div class="bar">')
    assert "Block 3 " in part
    assert 404 == app.get(f"{path}/block/9999").status_code


def test_methods_and_parameters_are_chosen_by_the_form(app: TestClient) -> None:
    """The chosen method is applied, and the form keeps the values; odd ones are ignored."""
    path = keep(app)
    assert "<b>100 %</b>" in app.get(f"{path}?method=keep_all").text.replace("\xa0", " ")
    text = app.get(f"{path}?method=max_density&max_density.cutoff_share=0.9&graph=length").text
    assert 'name="max_density.cutoff_share" value="0.9"' in text
    assert '<option value="length" selected' in text
    assert '<details class="params" open' in text
    for method, graph in (("learned", "score"), ("max_density", "density")):  # what each decides by
        assert f'<option value="{graph}" selected' in app.get(f"{path}?method={method}").text
    for odd in ("block=x", "block=-1", "block=99999999999", "graph=x&from=7777"):
        assert 200 == app.get(f"{path}?{odd}").status_code


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


def test_what_a_page_lacks_is_said(app: TestClient) -> None:
    """A page without text says so, and one without an address why it has no rules."""
    empty = keep(app, "<title>None</title>")
    for path in (empty, empty.replace("/inspect/", "/compare/")):
        assert "has no text" in app.get(path).text
    text = app.get(f"{keep(app, url=None)}?block=1").text
    assert "no address" in text
    assert 'action="/rules/add"' not in text


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


def test_two_methods_side_by_side(open_app: OpenApp, tmp_path: Path) -> None:
    """The page shows shares, counts and blocks kept by only one method; rules hold on request."""
    rules = HostRules(Rules(drop=("article", ".top", ".about", "footer")))
    save_rulebook(Rulebook({"mill.example": rules}), tmp_path / "rules.toml")
    with open_app() as app:
        path = keep(app).replace("/inspect/", "/compare/")
        text = app.get(f"{path}?a=learned&b=keep_all").text
        for expected in ("Agreement (word F1)", "keep_all keeps", "learned drops", "Both keep"):
            assert expected in text
        assert 'class="only right"' in text
        assert 'class="only left"' not in text
        assert "<title>learned and slope" in app.get(path).text
        assert "<title>bte and learned" in app.get(f"{path}?a=bte").text
        assert "unknown method" in app.get(f"{path}?a=magic").text
        assert "keep_all keeps" not in app.get(f"{path}?b=keep_all&rules=on").text
        assert 404 == app.get("/compare/gone").status_code == app.get("/inspect/gone").status_code


HOST = "mill.example"


@pytest.fixture
def own(open_app: OpenApp) -> Iterator[TestClient]:
    """Open an app with its own rulebook."""
    with open_app() as app:
        yield app


def was_in(text: str) -> str:
    """Return the digest in the first form of the page."""
    found = re.search(r'name="was" value="(\w+)"', text)
    assert found
    return found[1]


def rules_in(folder: Path) -> HostRules | None:
    """Return the rules of the host in the file."""
    return read_rulebook(folder / "rules.toml").hosts.get(HOST)


def test_rules_are_made_changed_and_removed(own: TestClient, post: Post, tmp_path: Path) -> None:
    """Rules are created, changed and removed in the file through one form per host."""
    data = {"host": " Mill.Example ", "drop": ".about\n\n .about \n#x", "keep": "h1", "act": "save"}
    answer = post(own, "/rules", data={**data, "view": "reader", "method": "slope"})
    assert 303 == answer.status_code
    made = HostRules(Rules(("h1",), (".about", "#x")), "reader", "slope")
    assert made == rules_in(tmp_path)
    text = own.get(answer.headers["location"]).text
    assert "Rules for mill.example saved" in text
    assert ".about\n#x</textarea>" in text
    assert f"thresher extract --rules {tmp_path / 'rules.toml'}" in text
    answer = post(own, "/rules", data={"host": HOST, "was": was_in(text), "act": "remove"})
    assert "The rules for mill.example have been removed" in answer.text
    assert rules_in(tmp_path) is None
    undo = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', answer.text))
    assert 303 == post(own, "/rules", data={**undo, "act": "save"}).status_code
    assert made == rules_in(tmp_path)


def test_rules_of_a_host_that_has_some_are_added(
    own: TestClient, post: Post, tmp_path: Path
) -> None:
    """Rules for a host join those that are there, however its name is spelled.

    The newer of two on a selector counts.
    """
    there = HostRules(Rules(keep=("h1", ".x"), drop=("#old",)), "reader", None)
    save_rulebook(Rulebook({"mühle.example": there}), tmp_path / "rules.toml")
    host = "xn--mhle-0ra.example"
    assert 303 == post(own, "/rules", data={"host": host, "drop": ".x\n.new"}).status_code
    rules = read_rulebook(tmp_path / "rules.toml").of(f"https://{host}/1")
    assert HostRules(Rules(("h1",), ("#old", ".x", ".new")), "reader") == rules
    assert "<h2>mühle.example</h2>" in own.get("/rules").text
    assert "enter a selector" in post(own, "/rules", data={"host": HOST}).text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"drop": "p::"}, "is not a CSS selector"),
        ({"keep": "x" * 3000}, "at most 2000 characters"),
        ({"keep": "\n".join(f".a{n}" for n in range(501))}, "at most 500 selectors"),
        ({"host": "no host"}, "is not a host name"),
        ({"view": "all"}, "view must be one of"),
        ({"method": "magic"}, "unknown method"),
        ({"was": "0"}, "changed elsewhere"),
        ({"was": "0"}, "<dd>#old</dd>"),
    ],
)
def test_what_is_wrong_is_said_beside_what_was_typed(
    own: TestClient, post: Post, tmp_path: Path, change: dict[str, str], message: str
) -> None:
    """Invalid rules are not saved, and the form keeps the input."""
    save_rulebook(Rulebook({HOST: HostRules(Rules(drop=("#old",)))}), tmp_path / "rules.toml")
    answer = post(own, "/rules", data={"host": HOST, "keep": "h1", "drop": ".typed", **change})
    assert 400 == answer.status_code
    assert message in answer.text
    assert change.get("drop", ".typed") in answer.text
    assert HostRules(Rules(drop=("#old",))) == rules_in(tmp_path)


def test_a_change_is_tried_on_the_pages_of_the_host(own: TestClient, post: Post) -> None:
    """A preview covers the open pages of the host only, and does not change the file."""
    first, second = keep(own, story(1)), keep(own, story(2), "https://www.mill.example/2")
    other = keep(own, story(3), "https://oven.example/")
    assert first != keep(own, story(1))  # the same address once more
    own.get(first)
    text = post(own, "/rules/preview", data={"host": HOST, "drop": ".about"}).text
    assert "Changes on 2 open pages of mill.example" in text
    assert first in text
    assert second in text
    assert other not in text
    assert 2 == text.count("−1 block (")
    assert NOTICE[:60] in text
    assert "No rules yet" in text
    text = post(own, "/rules/preview", data={"host": HOST, "drop": "body"}).text
    assert "Nothing would be left of this page" in text
    text = post(own, "/rules/preview", data={"host": "barn.example", "drop": "p"}).text
    assert "No pages of barn.example are open" in text


def test_a_block_is_ruled_on_from_its_inspection(
    own: TestClient, post: Post, tmp_path: Path
) -> None:
    """Rule saved, the way leads back, and the block is gone; an own selector counts too."""
    path = keep(own)
    data = {"host": HOST, "pick": ".about", "back": f"{path}?method=learned&block=3"}
    answer = post(own, "/rules/add", data={**data, "kind": "drop"})
    assert 303 == answer.status_code
    assert HostRules(Rules(drop=(".about",))) == rules_in(tmp_path)
    text = own.get(answer.headers["location"]).text
    assert "Rule saved" in text
    assert "1 block by your rules" in text
    assert "forced" in text
    post(own, "/rules/add", data={**data, "kind": "keep"})
    assert HostRules(Rules(keep=(".about",))) == rules_in(tmp_path)
    data = {"host": HOST, "pick": "", "selector": "p.x", "kind": "keep", "back": "//evil.example/"}
    answer = post(own, "/rules/add", data=data)
    assert "/rules#mill.example" == answer.headers["location"]
    assert HostRules(Rules(keep=(".about", "p.x"))) == rules_in(tmp_path)


@pytest.mark.parametrize("change", [{"pick": "p::"}, {"pick": ""}, {"kind": "eat"}, {"host": ""}])
def test_a_rule_that_is_none_is_not_added(
    own: TestClient, post: Post, tmp_path: Path, change: dict[str, str]
) -> None:
    """Invalid rules from Inspect are rejected; the part for scripts has the outcome alone."""
    data = {"host": HOST, "pick": ".about", "kind": "drop", "page": keep(own).rpartition("/")[2]}
    for path in ("/rules/add", "/rules/preview"):
        assert 400 == post(own, path, data=data | change).status_code
    assert rules_in(tmp_path) is None
    part = {"X-Part": "1"}
    assert "−1 block (" in post(own, "/rules/preview", data=data, headers=part).text
    told = post(own, "/rules/preview", data=data | change, headers=part).text
    assert "<html" not in told
    assert change != {"pick": "p::"} or "is not a CSS selector" in told


def test_rules_that_cannot_be_saved_are_kept_in_their_form(
    open_app: OpenApp, post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invalid file is not overwritten; a path that cannot be written, or a full disk, is named.

    A form of another site changes nothing.
    """
    path = tmp_path / "rules.toml"
    data = {"host": HOST, "drop": ".x"}
    with open_app() as app:
        assert 403 == app.post("/rules", data=data).status_code
        assert rules_in(tmp_path) is None

        def fail(book: Rulebook, path: Path) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as full:
            full.setattr("thresher.sites.rulebook.save_rulebook", fail)
            answer = post(app, "/rules", data=data)
        assert "rules.toml: the disk is full" in answer.text and ".x</textarea>" in answer.text
        path.write_text("version = 1\n[host.'mill.example'\n", encoding="utf-8")
        before = path.read_bytes()
        assert "is not a rulebook" in app.get("/rules").text
        assert 400 == post(app, "/rules", data=data).status_code
        added = {"host": HOST, "pick": "p", "kind": "keep"}
        assert 400 == post(app, "/rules/add", data=added).status_code
        assert before == path.read_bytes()
    with open_app(rules_path=path / "rules.toml") as app:
        answer = post(app, "/rules", data=data)
        assert 400 == answer.status_code
        assert "rules.toml cannot be read: Not a directory" in answer.text
