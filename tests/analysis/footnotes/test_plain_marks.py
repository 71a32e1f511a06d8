"""Footnotes whose marks are no links."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.analysis.footnotes.references import find_plain_marks
from thresher.page.parse import parse

TEXT: Final = "<p>One.<sup>1</sup> Two.<sup>2</sup> And so on.</p>"
NOTES: Final = "<sup>1</sup> Box 4.<br><sup>2</sup> Page 31."
FOUND: Final = [("1", "1 Box 4."), ("2", "2 Page 31.")]
CASES: Final[dict[str, tuple[str, list[tuple[str, str]]]]] = {
    "lines": (f"{TEXT}<hr><p>{NOTES}</p>", FOUND),
    "paragraphs": (f"{TEXT}<p>{NOTES.replace('<br>', '<p>')}", FOUND),
    "items": (f"{TEXT}<ul><li>{NOTES.replace('<br>', '<li>')}</ul>", FOUND),
    "signs": (
        "<p>a b c price<sup>*</sup></p><small><sup>*</sup> With tax.</small>",
        [("*", "* With tax.")],
    ),
    "brackets": ("<p>a b c done<sup>[1]</sup></p><p><sup>[1]</sup> Box.", [("1", "[1] Box.")]),
    "an exponent before": (
        f"<p>It has 5 m<sup>2</sup> and 10<sup>3</sup>.</p>{TEXT}<p>{NOTES}",
        FOUND,
    ),
    "a numbered list": (
        f"{TEXT}<hr><ol><li>Box 4.<li>Page 31.</ol>",
        [("1", "Box 4."), ("2", "Page 31.")],
    ),
    "numbers below a rule": (
        f"{TEXT}<hr><p><b>1</b> Box 4.<p>2. Page 31.",
        [("1", "1 Box 4."), ("2", "2. Page 31.")],
    ),
    "other text below a rule": (f"{TEXT}<hr><p>1. Box 4.<p>Page 31.", []),
    "other numbers below a rule": (f"{TEXT}<hr><p>1.5 boxes.<p>2.5 pages.", []),
    "numbers without a rule": (f"{TEXT}<p>1. Box 4.<p>2. Page 31.", []),
    "a longer list": (f"{TEXT}<ol><li>Box 4.<li>Page 31.<li>c</ol>", []),
    "a list in the middle": (f"{TEXT}<ol><li>Box 4.<li>Page 31.</ol><p>" + 20 * "word ", []),
    "a mark used twice": (
        f"{TEXT}<p>Three.<sup>1</sup></p><p>{NOTES}</p>",
        [("1", "1 Box 4."), ("1", "1 Box 4."), ("2", "2 Page 31.")],
    ),
    "no notes": (TEXT, []),
    "a note without a reference": (f"{TEXT}<p>{NOTES}<br><sup>3</sup> Box.", []),
    "verses": ("<p><sup>1</sup> In the <sup>2</sup> Now the<p><sup>2</sup> And <sup>3</sup> x", []),
    "exponents only": ("<p>It has 5 m<sup>2</sup>.</p><p><sup>2</sup> Box.", []),
    "affiliations": (f"<p>Ada,<sup>1</sup> Bo<sup>2</sup><p>{NOTES}<p>" + 9 * "word ", []),
    "cells": (f"{TEXT}<table><tr><td><sup>1</sup> Box 4.<td>a</table>", []),
    "ordinals": ("<p>a b c 2<sup>e</sup></p><p><sup>e</sup> Box.", []),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_notes_are_found_when_their_marks_are_in_the_text(
    html: str, expected: list[tuple[str, str]]
) -> None:
    """A raised mark that begins a line at the end is a note if the text has it, and no other."""
    page = parse(f"<body>{html}")
    found = find_plain_marks(page, np.ones(page.leaves.size, np.bool_))
    lines = [page.lines.start[page.lines.of_leaf[each.first] + 1] for each in found]
    spans = [range(each.first, line) for each, line in zip(found, lines, strict=True)]
    texts = ["".join(map(page.leaf_text, span)) for span in spans]
    assert expected == list(zip([each.mark for each in found], texts, strict=True))


def test_notes_are_written_apart_when_they_are_lines() -> None:
    """Each line must be a note, in Markdown, HTML and text, and all else stay in place."""
    document = document_keeping(f"{TEXT}<p>Last.<br>{NOTES}</p>")
    expected = "One.[^1] Two.[^2] And so on.\n\nLast.\n\n[^1]: Box 4.\n\n[^2]: Page 31."
    assert expected == document.markdown
    assert '<sup><a id="fnref-1" href="#fn-1">1</a></sup> Two.' in document.html
    assert '<div id="fn-2">\n<p><sup>2</sup> Page 31.</p>\n</div>' in document.html
    assert "One.[1] Two.[2] And so on.\n\nLast.\n\n[1] Box 4.\n\n[2] Page 31." == document.text


def test_numbers_of_notes_are_written_once() -> None:
    """The number that begins a line of a note is its label."""
    document = document_keeping(f"{TEXT}<hr><p><b>1</b> Box 4.</p><p>[2] Page 31.</p>")
    assert document.markdown.endswith("so on.\n\n[^1]: Box 4.\n\n[^2]: Page 31.")


def test_an_element_around_lines_ends_with_each_note() -> None:
    """Emphasis and the like around several notes must not hold them together."""
    document = document_keeping(f"{TEXT}<p><small><i>{NOTES}</i></small></p>")
    assert document.markdown.endswith("\n\n[^1]: *Box 4.*\n\n[^2]: *Page 31.*")


def test_marks_without_a_text_are_none() -> None:
    """A page of empty elements has no notes, and empty ones at its end are none."""
    assert [] == find_plain_marks(parse("<sup></sup><sup></sup>"), np.zeros(0, np.bool_))
    assert [] == find_plain_marks(parse("a<sup></sup><sup></sup>"), np.ones(1, np.bool_))
