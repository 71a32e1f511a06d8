"""Nothing is lost, doubled or invented, whatever is kept; and what breaks that is seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import document_keeping
from tests.helpers.trees import soups
from thresher import Document, Selection
from thresher.document import Writer
from thresher.evaluation.fidelity.pages import read_cases
from thresher.evaluation.fidelity.properties import PROPERTIES, Violation, check
from thresher.extract import document_of, extract
from thresher.page.parse import parse
from thresher.writers import WRITERS

CASES = {case.id: case for case in read_cases()}


def keeping(html: str, seed: int) -> Document:
    """Keep blocks by lot."""
    page = parse(html, url="https://site.example/")
    n_block = len(page.blocks)
    return document_of(
        Selection.of_blocks(
            page,
            "by lot",
            np.random.default_rng(seed).random(n_block) < 0.6,
            score=np.zeros(n_block, np.float32),
            reason_code=np.zeros(n_block, np.int16),
            reasons=("by lot",),
        )
    )


@given(soups(), st.integers(0, 9))
def test_all_hold_on_soup(html: str, seed: int) -> None:
    """Whatever the page, and whatever is kept of it."""
    assert [] == list(check(keeping(html, seed)))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["keep_all", "learned"])
def test_nothing_is_invented_on_our_pages(name: str, method: str) -> None:
    """Every word that is written is on the page."""
    document = extract(CASES[name].html, url=CASES[name].url, method=method)
    assert [] == [each for each in check(document) if each.property == "invented"]


def spoilt(html: str, format: str, writer: Writer) -> list[tuple[str, str]]:
    """Write one format of a document by another writer; return what does not hold of it."""
    document = document_keeping(html)
    spoilt = Document(document.page, document.selection, {**WRITERS, format: writer})
    return [(each.property, each.format) for each in check(spoilt)]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("rye\n\noats", []),
        ("rye", [("once", "markdown")]),
        ("rye\n\noats\n\noats", [("once", "markdown")]),
        ("rye\n\noats\n\nwheat", [("once", "markdown"), ("invented", "markdown")]),
        ("oats\n\nrye\n\n1985", []),
        ("rye oats", [("blocks", "markdown")]),
        ("r\n\nye\n\noats", [("invented", "markdown"), ("blocks", "markdown")]),
        ("# rye oats", []),
    ],
)
def test_each_property_is_seen_to_break(written: str, expected: list[tuple[str, str]]) -> None:
    """A word lost, doubled or made up is told, and a block cut or grown together; order is free."""
    assert expected == spoilt(
        "<p>rye</p><p>oats</p>", "markdown", lambda document, options: written
    )


def test_a_formula_may_come_of_a_picture() -> None:
    """Its TeX is no text of the page, and none that was made up."""
    html = "<p>rye <img src=/f.png alt='a_{rye}'></p>"
    assert [] == spoilt(html, "markdown", lambda document, options: "rye $a_{rye}$")


def test_other_formats_are_checked_too() -> None:
    """HTML and text have their words counted as well."""
    assert [("once", "html")] == spoilt("<p>rye oats", "html", lambda document, options: "rye")
    assert [("once", "text")] == spoilt("<p>rye oats", "text", lambda document, options: "rye")


def test_a_violation_says_where() -> None:
    """The detail shows what was expected, and what there was."""
    document = document_keeping("<p>rye oats")
    writers = {**WRITERS, "text": lambda document, options: "rye barley"}
    (found,) = check(Document(document.page, document.selection, writers))
    assert found == Violation("once", "text", "'ryeoats' became 'ryebarley'")
    assert found.property in PROPERTIES
