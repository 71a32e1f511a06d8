"""YAML front matter."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import judged
from tests.helpers.fixture_pages import document_keeping
from tests.helpers.hostile_metadata import FORBIDDEN_CHARS
from thresher.analysis.metadata import Field, Metadata
from thresher.extraction import extract
from thresher.writers.shared.front_matter import format_value, write_front_matter

NASTY = [
    "a: b # c",
    "- a",
    '"a"',
    "a\nb",
    "yes",
    "2024-05-03",
    "",
    "\\",
    "茶",
    "\u2028\x85",
    "'",
    "{a}",
]


@pytest.mark.parametrize("value", NASTY)
def test_value_is_read_back_when_it_is_nasty(value: str) -> None:
    """Any string must be read back from the front matter unchanged."""
    document = document_keeping("<p>a")
    known = Metadata(title=Field(value, "test", 1.0), tags=Field((value, "b"), "test", 1.0))
    # A cached property keeps its value in the instance's dict.
    document.__dict__["metadata"] = known
    lines = write_front_matter(document).split("\n")
    assert ["---", "---", "", ""] == [lines[0], *lines[4:]]
    assert value == json.loads(lines[1].removeprefix("title: "))
    assert [value, "b"] == json.loads(lines[2].removeprefix("tags: "))


def test_front_matter_is_the_verdict_when_nothing_else_is_known() -> None:
    """Without metadata, and with a method that does not judge, there must be only a verdict."""
    document = document_keeping("<p>a")
    document.__dict__["metadata"] = Metadata()
    assert '---\nverdict: "content"\n---\n\n' == write_front_matter(document)


def test_front_matter_ends_with_the_judgement_when_there_is_one() -> None:
    """The method's judgement of the page must come last, the confidence with two digits."""
    document = extract("<p>a", method=judged.select, params=judged.Params())
    document.__dict__["metadata"] = Metadata(title=Field("Rye", "test", 1.0))
    assert [
        "---",
        'title: "Rye"',
        'verdict: "content"',
        'page_type: "article"',
        "confidence: 0.88",
        "---",
        "",
        "",
    ] == write_front_matter(document).split("\n")


SIGNS = "]([:`<\\\"'\x00\x7f\x85\u2028\ud800\ufeff\uffff"


@given(st.text(st.characters(codec=None) | st.sampled_from(SIGNS)))
def test_value_is_read_back_and_has_no_markup(text: str) -> None:
    """Any text comes back from one line without tags, code and links, in characters of YAML."""
    written = format_value([text])
    assert [text] == json.loads(written)
    assert not re.search(f"[<`\n{FORBIDDEN_CHARS}]|\\][(\\[:]", written)
