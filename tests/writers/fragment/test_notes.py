"""Markup of footnotes in a fragment."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.writers.shared.note_marks import is_mark, note_id, strip_mark


def test_notes_are_separated_when_they_share_a_paragraph() -> None:
    """Each note between two anchors must get an element of its own."""
    html = document_keeping(
        "<p>a<sup><a href=#x>1</a></sup> b<sup><a href=#y>2</a></sup></p>"
        "<div><a name=x></a>c d<br><br><a name=y></a>e f</div>"
    ).html
    assert '<div id="fn-1">\n<p>c d</p>\n</div>\n<div id="fn-2">\n<p>e f</p>\n</div>' in html


@pytest.mark.parametrize(
    ("text", "mark", "expected"),
    [
        ("1. a", "1", "a"),
        ("[1] a", "1", "a"),
        ("1 a", "1", "1 a"),
        ("10. a", "1", "10. a"),
        ("* a", "*", "a"),
        ("] a", "1", "a"),
        ("1.5 a", "1", "1.5 a"),
    ],
)
def test_mark_is_stripped_when_a_note_repeats_it(text: str, mark: str, expected: str) -> None:
    """A note must not have its number twice, nor lose a number that is not its own."""
    assert expected == strip_mark(text, mark)


def test_ids_of_pages_are_not_marks() -> None:
    """Only ids that this module made must count."""
    assert is_mark(note_id("1", "*"))
    assert not is_mark("fn-1")
