"""Footnotes: references, notes and links back."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.analysis.footnotes import Footnotes, find_footnotes
from thresher.analysis.links import find_inner_links
from thresher.page.parse import parse


def read(html: str) -> Footnotes:
    page = parse(f"<body>{html}")
    keep = np.ones(page.leaves.size, np.bool_)
    return find_footnotes(page, keep, find_inner_links(page, keep))


NOTE = "<p id=n>a b</p>"


@pytest.mark.parametrize(
    "reference",
    [
        "<a href=#n><sup>1</sup></a>",
        "<sup><a href=#n>1</a></sup>",
        "<a href=#n>[1]</a>",
        "[<a href=#n>1</a>]",
        "<a role=doc-noteref href=#n>1</a>",
        "<a data-footnote-ref href=#n>1</a>",
        "<a class=noteref href=#n>note 1</a>",
    ],
)
def test_reference_is_found_when_one_sign_tells(reference: str) -> None:
    """A short link to a note further down is a reference if there is further evidence."""
    found = read(f"<p>x {reference}.</p>{NOTE}")
    assert 1 == len(found.references)
    assert [("a b", 0)] == [("a b", note) for note in found.references.values()]


@pytest.mark.parametrize(
    "html",
    [
        f"<p>x <a href=#n>1</a></p>{NOTE}",
        f"<p>x <sup><a href=#n>see below</a></sup></p>{NOTE}",
        f"{NOTE}<p>x <sup><a href=#n>1</a></sup></p>",
        "<p>x <sup><a href=#n>1</a></sup></p><h2 id=n>a b</h2>",
        "<p>x <sup><a href=#n>1</a></sup></p><div id=n><h3>a</h3><p>b c</div>",
        "<p>x <sup><a href=#n>1</a></sup></p><p>a <b id=n>b</b> c</p>",
        "<div id=n><p>x <sup><a href=#n>1</a></sup> b</p></div>",
    ],
)
def test_nothing_is_found_when_a_link_is_no_reference(html: str) -> None:
    """Links without evidence, with words, upwards, and to sections are not references."""
    assert Footnotes() == read(html)


def test_links_back_are_found_when_they_lead_to_the_reference() -> None:
    """A link in the note to the reference leads back; another link does not."""
    found = read(
        "<p id=top>x <sup id=r><a href=#n>1</a></sup></p>"
        "<p>y</p><p id=n>a b <a href=#r>up</a> <a href=/z>c</a></p>"
    )
    assert [0] == list(found.back_links.values())


def test_labels_differ_when_two_notes_have_one_mark() -> None:
    """Each note has a unique label of letters and digits."""
    notes = "".join(
        f"<p>x<sup><a href=#n{i}>{mark}</a></sup></p><p id=n{i}>a b</p>"
        for i, mark in enumerate(("1", "1", "*", "2"))
    )
    assert ["1", "3", "4", "2"] == [note.label for note in read(notes).notes]
