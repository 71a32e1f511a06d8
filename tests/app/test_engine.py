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
from thresher.errors import UsageError
from thresher.fetching.model import Fetched
from thresher.limits import Limits
from thresher.request import SelectRequest
from thresher.sites import HostRules, Rules, SiteFolder, learn, write_site


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
    """Equal keys share a document; another method, rules or bytes do not, and no large page."""
    document = open_document(KEY)
    assert document is open_document(replace(KEY))
    for other in (
        replace(KEY, chosen=MethodQuery("slope")),
        replace(KEY, source=PageSource(story(2))),
        replace(KEY, rules=HostRules(Rules(drop=(".about",)))),
    ):
        assert document is not open_document(other)
    page = PageSource("<p>Rye." + " " * 1_000_001)
    large = replace(KEY, source=page, chosen=MethodQuery("keep_all"))
    assert open_document(large) is not open_document(large)


def test_sources_know_their_origin_and_size() -> None:
    """A fetched source keeps address, charset and origin; none is empty, characters are bytes."""
    fetched = Fetched("https://example.org/", b"<p>", "koi8-r", "text/html", 200, is_public=False)
    expected = PageSource(
        b"<p>", "https://example.org/", "koi8-r", is_public=False, is_fetched=True
    )
    assert expected == PageSource.of_fetched(fetched)
    empty, ascii, wide = (PageSource(body).n_bytes for body in ("", "abc", "äöü"))
    assert 0 < empty < ascii < wide


def test_a_query_has_the_parameters_of_its_method() -> None:
    """Those of others are ignored, an empty query is the default, and any survives a round trip."""
    assert MethodQuery() == read_method_query({})
    assert MethodQuery("slope") == read_method_query({}, MethodQuery("slope"))
    query = {
        **{"method": "max_density", "max_density.degree": "2"},
        **{"slope.low_slope": "0.3", "scope": "article", "param.edge": "cutoff"},
    }
    chosen = read_method_query(query)
    assert MethodQuery("max_density", (("degree", "2"),)) == chosen
    assert {"degree": "2"} == chosen.select_request().params
    for query in ({"scope": "thread", "favor": "1.5"}, {"method": "ccb", "ccb.radius": "12"}):
        chosen = read_method_query(query)
        assert chosen.values
        assert chosen == read_method_query(dict(parse_qsl(chosen.query)))
    with pytest.raises(UsageError):
        read_method_query({"method": "link_ratio", "link_ratio.phrases": "x" * 3000})


def test_no_query_names_a_file() -> None:
    """Weights are a file of the server's: no form has them, and an address cannot set them."""
    for name in ("learned.model", "param.model", "model"):
        assert MethodQuery() == read_method_query({name: "/etc/passwd"})
    assert "model" not in [field.name for field in fields_of(MethodQuery())]


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
