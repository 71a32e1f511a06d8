"""Opened pages, the choice of a method, and the extraction of both."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.sites.pages import NOTICE, story
from thresher import read_page
from thresher.algorithms import ALGORITHMS
from thresher.app.engine import (
    DocumentKey,
    MethodQuery,
    PageSource,
    Task,
    extract_task,
    fields_of,
    open_document,
    read_method_query,
    with_model,
)
from thresher.errors import LimitError, UsageError
from thresher.fetching.model import Fetched
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.sites import HostRules, Rulebook, Rules, SiteFolder, learn, write_site

PAGE = PageSource("<p>One.</p><p class=x>Two.</p>", "https://example.org/")


def test_tasks_are_extracted_as_they_say() -> None:
    """Method, parameters, limits and rules of a task are applied."""
    everything = extract_task(Task(PAGE, SelectRequest("keep_all")))
    assert "One.\n\nTwo." == everything.markdown
    rules = Rulebook({"example.org": HostRules(Rules(drop=(".x",)))})
    assert "One." == extract_task(Task(PAGE, SelectRequest("keep_all", rules=rules))).markdown
    with pytest.raises(LimitError):
        extract_task(Task(PAGE, limits=Limits(max_bytes=3)))


def test_what_is_known_of_the_site_counts(tmp_path: Path) -> None:
    """Content repeated on other pages of the site is dropped."""
    sites = SiteFolder(tmp_path)
    url = "https://mill.example/4"
    known = learn(read_page(story(number)) for number in (1, 2, 3))
    sites.file_of("mill.example").write_text(write_site(known), encoding="utf-8")
    source = PageSource(story(4), url)
    assert NOTICE in extract_task(Task(source)).text
    assert NOTICE not in extract_task(Task(source, sites=sites)).text


def test_model_counts_where_the_method_has_one() -> None:
    """Weights are set only for methods that have them."""
    assert {"model": "a.npz"} == with_model(SelectRequest("learned"), "a.npz").params
    given = SelectRequest("learned", {"model": "b", "scope": "page"})
    assert {"model": "b", "scope": "page"} == with_model(given, "a.npz").params
    assert SelectRequest("bte") == with_model(SelectRequest("bte"), "a.npz")
    assert SelectRequest() == with_model(SelectRequest(), "")
    assert "nothing" == with_model(SelectRequest("nothing"), "a.npz").method


KEY = DocumentKey(
    PageSource(story(1), "https://www.mill.example/1"), MethodQuery(), Limits(), HostRules()
)


def test_the_same_look_is_the_same_document() -> None:
    """Equal keys share a document; another method, rules or bytes do not."""
    document = open_document(KEY)
    assert document is open_document(replace(KEY))
    for other in (
        replace(KEY, chosen=MethodQuery("slope")),
        replace(KEY, source=PageSource(story(2))),
        replace(KEY, rules=HostRules(Rules(drop=(".about",)))),
    ):
        assert document is not open_document(other)


def test_large_pages_are_not_remembered() -> None:
    """Large pages are not cached."""
    large = replace(
        KEY, source=PageSource("<p>Rye." + " " * 1_000_001), chosen=MethodQuery("keep_all")
    )
    assert open_document(large) is not open_document(large)


def test_source_knows_where_it_is_from_when_fetched() -> None:
    """A source keeps the address, charset and origin of the fetched page."""
    fetched = Fetched("https://example.org/", b"<p>", "koi8-r", "text/html", 200, is_public=False)
    expected = PageSource(
        b"<p>", "https://example.org/", "koi8-r", is_public=False, is_fetched=True
    )
    assert expected == PageSource.of_fetched(fetched)


def test_the_size_of_a_source_is_never_0() -> None:
    """Empty pages count too, and text outside ASCII takes more than a byte per character."""
    empty, ascii, wide = (PageSource(body).n_bytes for body in ("", "abc", "äöü"))
    assert 0 < empty < ascii < wide


def test_an_empty_query_is_the_default() -> None:
    """An empty query yields the default."""
    assert MethodQuery() == read_method_query({})
    assert MethodQuery("slope") == read_method_query({}, MethodQuery("slope"))


def test_parameters_are_those_of_the_method() -> None:
    """Parameters of other methods are ignored."""
    query = {
        "method": "max_density",
        "max_density.degree": "2",
        "slope.low_slope": "0.3",
        "scope": "article",
        "param.edge": "cutoff",
    }
    chosen = read_method_query(query)
    assert MethodQuery("max_density", (("degree", "2"),)) == chosen
    assert {"degree": "2"} == chosen.select_request().params


def test_a_query_comes_back() -> None:
    """A method query survives a round trip."""
    for query in ({"scope": "thread", "favor": "1.5"}, {"method": "ccb", "ccb.radius": "12"}):
        chosen = read_method_query(query)
        assert chosen.values
        assert chosen == read_method_query(dict(parse_qsl(chosen.query)))


@pytest.mark.parametrize("method", ALGORITHMS)
def test_a_form_as_it_was_sent_sets_nothing(method: str) -> None:
    """Submitting the default form yields the default query."""
    fields = fields_of(MethodQuery(method))
    values = {field.key: field.value for field in fields}
    assert MethodQuery(method) == read_method_query({"method": method, **values})
    for field in fields:
        assert field.is_default
        if field.choices:
            assert field.value in field.choices


def test_a_list_can_be_emptied() -> None:
    """The text "(none)" sets an empty list."""
    chosen = read_method_query(
        {"method": "prune_shake_purify", "prune_shake_purify.poison_words": "(none)"}
    )
    assert {"poison_words": ","} == chosen.select_request().params
    (field,) = (each for each in fields_of(chosen) if "poison_words" == each.name)
    assert ("(none)", False) == (field.value, field.is_default)


@pytest.mark.parametrize(
    "query",
    [
        {"method": "magic"},
        {"method": "ccb", "ccb.radius": "wide"},
        {"method": "link_ratio", "link_ratio.phrases": "x" * 3000},
    ],
)
def test_what_cannot_be_is_a_usage_error(query: dict[str, str]) -> None:
    """Invalid values raise UsageError."""
    with pytest.raises(UsageError):
        read_method_query(query)


def test_no_query_names_a_file() -> None:
    """A query cannot set a file name."""
    for name in ("learned.model", "param.model", "model"):
        assert MethodQuery() == read_method_query({name: "/etc/passwd"})
    assert all("model" != field.name for field in fields_of(MethodQuery()))
    assert {"model": "mine.npz"} == MethodQuery().select_request("mine.npz").params
    assert {} == MethodQuery("slope").select_request("mine.npz").params
