"""Words in classes and ids that mark parts of a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.parts import find_parts_in
from thresher.analysis.metadata.visible import (
    BYLINES,
    DATELINES,
    PARTS,
    UNRELATED,
    NameMarks,
    find_named,
)
from thresher.page.parse import parse


@pytest.mark.parametrize("marks", [BYLINES, DATELINES, UNRELATED], ids=["by", "date", "other"])
@given(data=st.data())
def test_names_that_match_have_a_part_to_look_for(marks: NameMarks, data: st.DataObject) -> None:
    """Whatever matches a pattern of names contains one of its parts."""
    name = data.draw(st.from_regex(marks.pattern))
    assert find_parts_in([name], PARTS)[0] & marks.parts


def test_elements_are_found_once_in_order() -> None:
    """By class and by id, also where both have a mark; the same class on several elements."""
    page = parse("<p id=byline>a<p class=byline>b<p class=byline id=author>c<p class=lead>d")
    assert ["a", "b", "c"] == [page.text_of(row) for row in find_named(page, BYLINES).tolist()]


def test_parts_that_mark_match_wherever_they_occur() -> None:
    """So names with them need not be matched."""
    marking = [part for part in PARTS.texts if PARTS.bits(part) & UNRELATED.marking]
    assert b"comment" in marking
    for part in marking:
        assert UNRELATED.pattern.search(b"x" + part + b"x")
    assert not (BYLINES.marking or DATELINES.marking)
