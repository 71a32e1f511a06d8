"""read_json_ld(): the objects of one script, however sloppy."""

from __future__ import annotations

import json

import pytest

from thresher.analysis.structured import MAX_DEPTH, Entity, read_json_ld

# A JSON-LD script that is not quite JSON, and the headline that must still be read from it.
SLOPPY = (
    ('{"headline": "one\ntwo"}', "one\ntwo"),
    ('//<![CDATA[\n{"headline": "Rye"}\n//]]>', "Rye"),
    ('<!-- {"headline": "Rye"} -->', "Rye"),
    ('{"headline": "Rye"};', "Rye"),
    ('{"headline": "Rye"}}}', "Rye"),
    ('\ufeff {"headline": "Rye"}', "Rye"),
    ('{"headline": "Rye", "ratingValue": NaN}', "Rye"),
    ('{"headline": "R\\ud800e"}', "R\ufffde"),
)

# A JSON-LD script that no reader can make sense of.
BROKEN = (
    "",
    "{",
    "Rye",
    "{'headline': 'Rye'}",
    '{"headline": "Rye"',
    "[" * 100_000,
    "[" * 100_000 + "]" * 100_000,
    '{"a":' * 100_000 + "1" + "}" * 100_000,
    '{"price": ' + "9" * 10_000 + "}",
    "null",
    "[1, 2, [3]]",
)


def read(script: str) -> list[Entity]:
    return list(read_json_ld(script))


def test_json_ld_when_a_graph_has_own_properties_keeps_them() -> None:
    """An object that has a graph and a name of its own comes out before its graph's."""
    found = read('{"name": "a", "@graph": [{"name": "b"}]}')
    assert [{"name": "a"}, {"name": "b"}] == found


@pytest.mark.parametrize(("content", "headline"), SLOPPY)
def test_json_ld_when_sloppy_is_read(content: str, headline: str) -> None:
    """Common errors of real pages do not lose the object."""
    assert headline == read(content)[0]["headline"]


def test_json_ld_when_deep_is_cut_at_the_limit() -> None:
    """Objects keep only so many levels, so that whoever walks them may recurse."""
    value: object = "leaf"
    for _ in range(3 * MAX_DEPTH):
        value = {"in": value}
    (entity,) = read(json.dumps(value))
    assert "leaf" not in json.dumps(entity)
    assert MAX_DEPTH == json.dumps(entity).count("{")


def test_json_ld_when_numbers_are_beyond_floats_has_none() -> None:
    """Infinity, which JSON cannot write, does not come out."""
    assert [{"a": None, "b": 1.5}] == read('{"a": 1e999, "b": 1.5}')


@pytest.mark.parametrize("content", BROKEN)
def test_json_ld_when_broken_is_nothing(content: str) -> None:
    """Invalid JSON yields no object."""
    assert [] == read(content)
