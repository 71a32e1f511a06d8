"""Pages made to hurt, at a small size, through every method and every writer."""

from __future__ import annotations

import numpy as np
import pytest

import thresher
from tests.helpers.hostile import SHAPES
from tests.helpers.outputs import check_output, check_words, words_of
from thresher.errors import ThresherError

SMALL = 40
WRITTEN_TWICE = {"spaces in a formula", "formulas in signs"}
"""Shapes whose TeX the page has in an attribute or writes once, and the output twice."""

shapes = pytest.mark.parametrize("name", SHAPES)


@shapes
def test_every_method_selects_consistently(name: str) -> None:
    """Each method gives a mask of the right size, finite scores, reasons, and the same again."""
    page = thresher.read_page(SHAPES[name].build(SMALL))
    for method in thresher.ALGORITHMS:
        selection = thresher.select(page, method)
        assert page.leaves.size == selection.keep.size, method
        assert len(page.blocks) == selection.score.size, method
        assert np.isfinite(selection.score).all(), method
        assert all(selection.reason(block) for block in range(len(page.blocks))), method
        assert np.array_equal(selection.keep, thresher.select(page, method).keep), method


@shapes
def test_every_output_is_valid(name: str) -> None:
    """Every format is valid, the same when written again, and has no word that the page lacks."""
    document = thresher.extract(SHAPES[name].build(SMALL), method="keep_all")
    for format in thresher.FORMATS:
        options = thresher.WriteOptions(metadata=True, removed_links=True)
        check_output(document, format, options)
    check_output(document, "html", thresher.WriteOptions())
    if name not in WRITTEN_TWICE:
        check_words(document)


@shapes
def test_verdict_agrees_with_what_is_kept(name: str) -> None:
    """A page without main content has no word and no confidence; one of content keeps something."""
    document = thresher.extract(SHAPES[name].build(SMALL))
    if document.verdict is thresher.Verdict.NO_MAIN_CONTENT:
        assert ([], None) == (words_of(document.text), document.confidence)
    if not document.selection.keep.any():
        assert document.verdict is not thresher.Verdict.CONTENT
    if document.confidence is not None:
        assert 0 <= document.confidence <= 1
    assert any(block.kept for block in document.blocks) == bool(document.selection.keep.any())


@shapes
def test_deadline_is_kept_or_work_is_done(name: str) -> None:
    """With hardly any time there is a whole document or a LimitError, and nothing in between."""
    try:
        document = thresher.extract(SHAPES[name].build(SMALL), deadline_s=0.0005)
    except ThresherError as error:
        assert isinstance(error, thresher.LimitError)
    else:
        assert document.limit is None
