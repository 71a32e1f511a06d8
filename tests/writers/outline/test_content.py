"""The content to be written."""

from __future__ import annotations

import numpy as np

from tests.helpers.fixture_pages import document_keeping
from thresher.page.parse import parse
from thresher.writers.outline.content import moves_notes, read_content

NOTE = "<p>a<sup>[<a href=#n>1</a>]</sup></p><p id=n>b c</p>"


def test_brackets_are_silent_when_a_reference_has_them() -> None:
    """The brackets around a reference must be kept in the layout but not be written."""
    page = parse(f"<body>{NOTE}")
    content = read_content(page, np.ones(page.leaves.size, np.bool_))
    assert content.keep.all()
    assert ["[", "]"] == [page.leaf_text(leaf) for leaf in sorted(content.silent)]


def test_a_formula_is_whole_when_one_form_is_kept() -> None:
    """The MathML of a formula must be written if any of its representations was kept."""
    page = parse("<body><span class=katex><math><mi>x</mi></math><b>x</b></span>")
    content = read_content(page, np.array([False, True]))
    assert [True, True] == content.keep.tolist()
    assert {1: 0} == content.repeated


def test_notes_move_when_something_follows_them() -> None:
    """Only notes that precede other content must be moved."""

    def moves(html: str) -> bool:
        document = document_keeping(html)
        return moves_notes(read_content(document.page, document.selection.keep))

    assert not moves(NOTE)
    assert moves(f"{NOTE}<p>d")
