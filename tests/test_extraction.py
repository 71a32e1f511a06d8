"""Extraction: bytes or text in, a document or a Thresher error out."""

from __future__ import annotations

import contextlib
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import thresher
from tests.analysis.embedded import pages
from tests.analysis.embedded.pages import OTHER
from tests.helpers import judged
from thresher.algorithms.base import FavorName
from thresher.analysis.script_elements import MIN_SCRIPT_CHARS
from thresher.errors import InputError, UsageError
from thresher.extraction import extract_request
from thresher.request import SelectRequest
from thresher.roles import ScopeName
from thresher.sites import HostRules, Rulebook, Rules

STORY = (
    "<html><head><title>Rain at last</title></head><body><div><a href=/>Home</a></div>"
    "<div><p>It rained for the first time in months, and <a href=/town>the town</a> came out to "
    "stand in it.</p></div></body></html>"
)


def test_document_offers_every_format_when_extracted() -> None:
    """One call gives the content in every format, metadata, blocks and verdict."""
    document = thresher.extract(STORY, url="https://rain.example/a/")
    assert "[the town](https://rain.example/town)" in document.markdown
    assert "the town came out" in document.text
    assert '<a href="https://rain.example/town"' in document.html
    assert '"verdict": "content"' in document.json()
    assert thresher.Verdict.CONTENT is document.verdict
    assert "Home" not in document.text
    assert [False, True] == [block.kept for block in document.blocks]


def test_bytes_decoded_when_encoding_is_declared() -> None:
    """Bytes are decoded as declared, here by the HTTP charset, which the page names."""
    page = thresher.read_page("<p>水車の朝</p>".encode("shift_jis"), http_charset="shift_jis")
    assert ("水車の朝", "shift_jis") == (page.text, page.encoding)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        ("   ", "empty"),
        (b"%PDF-1.7\n...", "PDF"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "PNG"),
        (b"\x1f\x8b\x08" + bytes(20), "gzip"),
        (b'{"title": "x", "body": [1, 2]}', "JSON"),
    ],
)
def test_input_error_when_it_is_no_page(data: bytes | str, message: str) -> None:
    """Non-HTML input is rejected with a message that names the format."""
    with pytest.raises(thresher.InputError, match=message):
        thresher.extract(data)


@pytest.mark.parametrize("html", [None, 5, [], bytearray(b"<p>a"), memoryview(b"<p>a")])
def test_usage_error_when_html_is_neither_text_nor_bytes(html: Any) -> None:
    """What is often passed by mistake is refused by its type, by each call that takes a page."""
    message = f"html must be str or bytes, not {type(html).__name__}"
    for call in (thresher.extract, thresher.read_page):
        with pytest.raises(thresher.UsageError, match=message):
            call(html)


def test_usage_error_when_url_or_params_have_another_type() -> None:
    """An address that is no str, and params of another method, are refused by their type."""
    url: Any = Path("page.html")
    with pytest.raises(thresher.UsageError, match="url must be str or None, not"):
        thresher.extract(STORY, url=url)
    with pytest.raises(thresher.UsageError, match="params must be a mapping of names to values"):
        thresher.extract(STORY, params=thresher.ALGORITHMS["link_ratio"].params())


def test_params_reach_the_method_when_given_by_name_or_as_its_dataclass() -> None:
    """Parameters go by name, in their spelling, or as the algorithm's own params."""
    by_name = thresher.extract(STORY, method="link_ratio", params={"min_chars": "500"})
    built = thresher.ALGORITHMS["link_ratio"].build_params({"min_chars": 500.0})
    assert "" == by_name.text == thresher.extract(STORY, method="link_ratio", params=built).text
    assert thresher.Verdict.NO_MAIN_CONTENT is by_name.verdict


JUDGED: Any = "judged"
"""A name that no type knows."""


@pytest.fixture
def with_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a method with a scope and a favor under the name `judged`."""
    monkeypatch.setitem(thresher.ALGORITHMS, "judged", judged.JUDGED)


@pytest.mark.usefixtures("with_judged")
@pytest.mark.parametrize(
    ("params", "scope", "favor", "reason"),
    [
        (None, None, None, "auto, balanced"),
        (None, "thread", None, "thread, balanced"),
        (None, "page", "recall", "page, recall"),
        (None, None, 0.5, "auto, 0.5"),
        ({"favor": "recall"}, "page", None, "page, recall"),
        ({"scope": "page"}, "page", "2", "page, 2"),
        (judged.Params(favor="recall"), "page", None, "page, recall"),
        (judged.Params(scope="page"), "page", 2.0, "page, 2.0"),
    ],
)
def test_scope_and_favor_reach_the_method_when_given(
    params: object, scope: ScopeName | None, favor: FavorName | float | None, reason: str
) -> None:
    """Both are parameters of the method, beside those in params; a favor may be a number."""
    document = thresher.extract(STORY, method=JUDGED, params=params, scope=scope, favor=favor)
    assert {reason} == {block.reason for block in document.blocks}


@pytest.mark.usefixtures("with_judged")
@pytest.mark.parametrize(
    "params", [{"scope": "page"}, {"scope": "auto"}, judged.Params(scope="page")]
)
def test_usage_error_when_scope_is_given_twice(params: object) -> None:
    """A scope that contradicts the one in params is a mistake; the message has both."""
    with pytest.raises(thresher.UsageError, match='scope is given twice: "thread", and "'):
        thresher.extract(STORY, method=JUDGED, params=params, scope="thread")


def test_document_survives_pickling_when_sent_to_another_process() -> None:
    """A document is the same after pickling."""
    document = thresher.extract(STORY, url="https://rain.example/")
    unpickled = pickle.loads(pickle.dumps(document))
    assert document.json() == unpickled.json()
    assert document.markdown == unpickled.markdown


@given(url=st.text(alphabet=st.characters(), max_size=20).map("https://rain.example/{}".format))
@example(url="https://rain.example/\ud800")
@example(url="http://[\udfff")
def test_every_format_is_utf8_when_the_address_is_any_text(url: str) -> None:
    """Whatever the address of a page, lone surrogates included, each format encodes as UTF-8."""
    document = thresher.extract(STORY, url=url)
    options = thresher.WriteOptions(metadata=True)
    for format in thresher.FORMATS:
        assert document.write(format, options).encode().decode()


@given(data=st.binary(max_size=200))
def test_result_or_input_error_when_bytes_are_arbitrary(data: bytes) -> None:
    """Any bytes give a document or an InputError."""
    with contextlib.suppress(thresher.InputError):
        thresher.extract(data).json()


def test_script_data_is_no_cure_for_what_a_rule_took() -> None:
    """A page that shows its content is not completed because a rule of its site drops that."""
    shown = "".join(f"<p class=text>{text}" for text in OTHER)
    html = pages.page(pages.article_json_ld(), body=f"<main>{shown}<p>Ask at the pier.</main>")
    url = "https://ferries.example/times"
    drop = Rulebook({"ferries.example": HostRules(Rules(drop=(".text",)))})
    ruled = thresher.extract(html, url=url, rules=drop)
    assert "Ferries" not in ruled.text
    assert "lamplighters" not in ruled.text
    teaser = pages.page(pages.article_json_ld(), body=f"<p class=text>{pages.TEASER}")
    assert "lighthouse" in thresher.extract(teaser, url=url, rules=drop).text


def test_selection_stays_when_the_time_is_up_while_completing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With partial results, what was selected before the limit is kept."""

    def dawdle(_: object) -> thresher.Selection:
        raise thresher.LimitError("seconds of work", limit=1)

    monkeypatch.setattr("thresher.analysis.embedded.complete", dawdle)
    story = f"{STORY}<script>{'x' * MIN_SCRIPT_CHARS}</script>"
    document = thresher.extract(story, method="keep_all", on_limit="partial")
    assert thresher.Verdict.PARTIAL is document.verdict
    assert "It rained" in document.text
    with pytest.raises(thresher.LimitError):
        thresher.extract(story, method="keep_all")


NAMES = {
    "page.html": "file",
    "saved/deep/page.HTM": "file",
    "C:\\pages\\page.xhtml": "file",
    "page.mhtml\n": "file",
    "https://site.example/a?b=c&d": "address",
    "  HTTP://site.example/\n": "address",
    "file:///home/ada/page.html": "address",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_place_of_html_is_an_error(name: str) -> None:
    """Who passes the address or the file name of a page is told what to pass."""
    with pytest.raises(UsageError, match=f"{NAMES[name]}.*, not its HTML: .*pass"):
        thresher.extract(name)
    with pytest.raises(InputError):  # among many pages it is one that cannot be read
        thresher.extract(name)
    # What comes from standard input, a batch or a request is a page.
    assert extract_request(name, SelectRequest()).text


FRAGMENTS = (
    *("See page.html", "<p>page.html", "page.html</p>", "a.b", "harvest.html5", "page.html page"),
    *("https://site.example/ is the address", "https://a.example/\nhttps://b.example/"),
    *("<a href=/>https://site.example/</a>", "html", ".html and more"),
)


@pytest.mark.parametrize("html", FRAGMENTS)
def test_texts_that_name_pages_are_pages(html: str) -> None:
    """A text is only taken for a name if it is nothing else, and bytes never are."""
    assert thresher.extract(html).page
    assert thresher.extract(b"page.html").text
