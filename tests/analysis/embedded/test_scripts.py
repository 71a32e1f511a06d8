"""The values of scripts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.embedded.scripts import MAX_FAILURES, read_values
from thresher.analysis.script_elements import Script

PLAIN = "<script>"
VALUE = {"a": ["x", "y'\"\\\n</"], "b": {"c": "é"}}
JSON = json.dumps(VALUE)
SLASHED = JSON.replace("\\", "\\\\")
JSON_TAG = "<script type=application/json>"
NUXT_TAG = "<script id=__nuxt_data__>"


def read(text: str, tag: str = PLAIN) -> list[object]:
    return list(read_values(Script(tag, text)))


WRITTEN = {
    "assigned": f"window.STATE = {JSON};",
    "assigned to a key": f'window["__S__"]={JSON}',
    "handed to a call": f"load({JSON})",
    "second argument": f"load(1, {JSON})",
    "pushed": f"q = q || []; q.push({JSON})",
    "parsed, double quotes": f"window.S = JSON.parse({json.dumps(JSON)})",
    "parsed, single quotes": "S=JSON.parse('" + SLASHED.replace("'", "\\'") + "')",
    "parsed, hexadecimal": "S=JSON.parse('" + SLASHED.replace("'", "\\x27") + "')",
    "after code": f"if (a < b) {{ c = d[0]; }} S = {JSON}",
    "after a list that is none": f"a = [[b]]; S = {JSON}",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_read_values_of_a_plain_script(text: str) -> None:
    """Data is found wherever it is assigned or handed to a call, spelled as JSON or as a string."""
    assert VALUE in read(text)


def test_read_values_when_uri_encoded() -> None:
    """A string of JSON may be encoded as an address."""
    assert [{"a": "b c"}] == read("S=JSON.parse(decodeURIComponent('%7B%22a%22%3A%22b%20c%22%7D'))")


def test_read_values_with_undefined() -> None:
    """An undefined value must be read as null, and reading must continue after it."""
    assert [{"a": None, "b": [None, 1]}] == read('S={"a":undefined,"b":[undefined,1]};')


def test_read_values_of_a_json_script() -> None:
    """A script of JSON is one value, whatever is around it."""
    assert [VALUE] == read(f"\n<!-- {JSON} -->", '<script type="application/json">')


def test_read_values_when_no_json() -> None:
    """Data that is JavaScript gives its long strings, unescaped."""
    text = "word " * 100
    assert [[text + '"<p>']] == read(f'S=[["a",b]];T={{a:"{text}\\"\\u003cp\\x3e",b:1}}')


def test_read_values_of_nuxt_3_are_put_together() -> None:
    """The flat list of Nuxt 3 becomes what it stands for, cycles included."""
    flat = [["Reactive", 1], {"title": 2, "tags": 3, "self": 1, "bad": 99, "on": True}, "T", [2, 2]]
    [value] = read(json.dumps(flat), '<script id="__nuxt_data__" type="application/json">')
    assert isinstance(value, list)
    found = value[1]
    assert ("T", ["T", "T"], None) == (found["title"], found["tags"], found["bad"])
    assert found["self"] is found


HOSTILE = {
    "open brackets": 'S = [["' + "[" * 200_000,
    "nested": "S = [" + "[" * 200_000 + "]" * 200_000,
    "nested objects": "S = " + '{"a":' * 100_000 + "1" + "}" * 100_000,
    "open string": 'S=JSON.parse("' + "x\\" * 100_000,
    "assignments": '={"' * 100_000,
    "undefined": '={"a":undefined' + ",undefined" * 100_000,
    "digits": '={"a":' + "9" * 100_000 + "}",
    "half a character": 'S={"a":"\\ud800"}',
    "spaces": ("=" + " " * 50_000) * 10,
    "quotes": '="' * 100_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("tag", [PLAIN, JSON_TAG, NUXT_TAG])
def test_read_values_of_hostile_scripts(text: str, tag: str) -> None:
    """No script raises an error or is read repeatedly."""
    assert MAX_FAILURES >= len(read(text, tag))


@given(st.text(max_size=200), st.integers(0, 60))
def test_read_values_of_damaged_json(noise: str, at: int) -> None:
    """Every value read from damaged JSON must be a list or an object."""
    for value in read(f"S={JSON[:at]}{noise}{JSON[at:]}"):
        assert isinstance(value, list | dict)
