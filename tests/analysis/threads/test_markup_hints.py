"""Hints about rows."""

from __future__ import annotations

import numpy as np

from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.names import ACCEPTED, BOILERPLATE, DATE
from thresher.page import Page
from thresher.page.parse import parse


def names(page: Page, flags: np.ndarray) -> list[str]:
    """Return the ids of flagged elements."""
    return [page.attrs(row).get("id", "") for row in np.flatnonzero(flags).tolist()]


def test_marks_come_from_tags_and_properties() -> None:
    """Times, buttons and schema.org properties need no class."""
    page = parse("<time id=a>x</time><p><button id=b>y</button><p itemprop='acceptedAnswer' id=c>z")
    hints = MarkupHints(page)
    assert [["a"], ["b"], ["c"]] == [
        names(page, hints.marked(bit)) for bit in (DATE, BOILERPLATE, ACCEPTED)
    ]


def test_authors_are_short_and_shown() -> None:
    """A name is short, and what a template holds is no author."""
    page = parse(
        f"<b class=author id=a>Ann</b><b class=author id=b>{'words ' * 40}</b>"
        "<template><b class=author id=c>{name}</b></template>"
    )
    assert ["a"] == names(page, MarkupHints(page).authors)


def test_attributes_name_authors() -> None:
    """Elements can name their author in an attribute; the page's own metadata does not count."""
    page = parse("<meta author=x><div data-author=y></div><p author=''>z</p>")
    assert ["div"] == [page.name(row) for row in MarkupHints(page).signed]


def test_schema_types_are_those_of_posts() -> None:
    """Only schema.org types of posts must be found, with http: and https: addresses alike."""
    page = parse(
        "<p itemtype='http://schema.org/Comment'>a</p><p itemtype='https://schema.org/Recipe'>b</p>"
    )
    assert ["comment"] == list(MarkupHints(page).schema.values())
