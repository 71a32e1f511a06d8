"""Parsing of Next.js's stream of rows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.embedded.scripts import is_flight, read_flight


def push(piece: str) -> str:
    return f"self.__next_f.push([1,{json.dumps(piece)}])"


def test_is_flight() -> None:
    """A call is recognised by its name."""
    assert [True, False] == [is_flight(text) for text in (push("x"), "window.__next = 1")]


def test_read_flight_across_calls() -> None:
    """A row may be split anywhere; invalid JSON is skipped."""
    stream = '1:I["module"]\n2:{"a":["b",null]}\n3:"$Sreact"\n:HL["x"]'
    pieces = [stream[:9], stream[9:30], stream[30:]]
    rows = read_flight([push(piece) for piece in pieces])
    assert {"2": {"a": ["b", None]}} == rows


def test_read_flight_texts_by_their_bytes() -> None:
    """A text has the length in bytes stated by its row, including line breaks."""
    text = "für\n1:x"
    rows = read_flight([push(f"a:T{len(text.encode()):x},{text}b:[1]\n")])
    assert {"a": text, "b": [1]} == rows


def test_read_flight_references_and_elements() -> None:
    """References are resolved, and elements become objects with a type."""
    element = '["$","p",null,{"children":"$2"}]'
    stream = f'0:[{element},"$L3","$undefined","$$5","$9"]\n2:T3,abc3:{element}\n'
    rows = read_flight([push(stream)])
    assert isinstance(rows, dict)
    written = {"children": "abc", "type": "p"}
    assert [written, written, None, "$5", None] == rows["0"]


def test_read_flight_when_a_row_names_itself() -> None:
    """A cycle stays a cycle and is not followed."""
    rows = read_flight([push('1:{"a":"$1","b":["$1"]}\n')])
    assert isinstance(rows, dict)
    own = rows["1"]
    assert isinstance(own, dict)
    assert own["a"] is own


HOSTILE = ["", "1:", "1:Tffffffff,x", "1:T,", "1:" + "[" * 100_000, "1:[\n" * 1_000, "1:{\ud800}"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_read_flight_when_broken(piece: str) -> None:
    """No stream raises an error."""
    assert isinstance(read_flight([push(piece), "self.__next_f.push([1", "x"]), dict)


@given(st.lists(st.text('0123ab:T,[]{}"$\n', max_size=30), max_size=5))
def test_read_flight_of_anything(pieces: list[str]) -> None:
    """Any pieces give rows."""
    assert isinstance(read_flight(map(push, pieces)), dict)
