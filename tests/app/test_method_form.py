"""Method and parameters in query strings and forms."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from thresher.algorithms import ALGORITHMS
from thresher.app.method_form import MethodQuery, fields_of, read_method_query
from thresher.errors import UsageError


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
