"""Fragments read as tags and texts."""

from __future__ import annotations

from html import escape
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.writers.stream.markup import read_attributes, read_markup

CASES: Final[dict[str, tuple[str, list[tuple[str, str]]]]] = {
    "a text": ("a &lt; b", [("", "a < b")]),
    "an element": ('<p id="a">b</p>', [("p", 'id="a"'), ("", "b"), ("/p", "")]),
    "signs in values": ('<p title="a > b < =">c', [("p", 'title="a > b < ="'), ("", "c")]),
    "quotes in names": (
        '<p style="a: " b",="" ="="c" ="d="">e</p>f',
        [("p", 'style="a: " b",="" ="="c" ="d=""'), ("", "e"), ("/p", ""), ("", "f")],
    ),
    "an obsolete name": ("<tt>a</tt>", [("code", ""), ("", "a"), ("/code", "")]),
    "a script": ("a<script>b<style>c</style></script>d", [("", "a"), ("", "d")]),
}


@pytest.mark.parametrize(("markup", "expected"), CASES.values(), ids=list(CASES))
def test_tags_and_texts_are_in_order_when_markup_is_read(
    markup: str, expected: list[tuple[str, str]]
) -> None:
    """Each tag has its attributes as written, each text its characters."""
    assert expected == list(read_markup(markup))


NAMES: Final = st.from_regex(r"""=?[ab"'<:,]+""", fullmatch=True)
"""Names that attributes can have (HTML Living Standard, 13.2.5.33)."""
VALUES: Final = st.text(st.sampled_from("ab\"'<>=/ &"))


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_attributes_are_as_given_when_read(given: dict[str, str]) -> None:
    """Whatever the names and values, a tag must end where it does and have these attributes."""
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in given.items())
    tag, *others = read_markup(f"<p {attributes}>a</p>")
    assert [("", "a"), ("/p", "")] == others
    assert given == read_attributes(tag[1])
