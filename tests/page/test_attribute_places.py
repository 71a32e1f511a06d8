"""Attributes found in bytes are those of the parser."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import NASTY_PAGES, soups, walk_rows
from thresher.page import Page
from thresher.page.attributes import Attributes
from thresher.page.parse import parse

QUOTE_MIX = '<p a="x" b>1<a href="x"">2<a="q">3<a="q" c="d">4<i =\'"\' e=\'"\'>5<p f=" =">6'


def spelled(page: Page) -> list[tuple[int, str, str]]:
    """Return row, name and value of every entry of the page's attributes."""
    found = page.attributes
    places = zip(found.row.tolist(), found.name_start.tolist(), found.start.tolist(), strict=True)
    return [
        (row, page.buffer[name_start : start - 2].decode(), found.value(entry))
        for entry, (row, name_start, start) in enumerate(places)
    ]


def expected_of(page: Page) -> list[tuple[int, str, str]]:
    """Return row, name and value of every attribute in the parser's tree."""
    rows = enumerate(walk_rows(page.source))
    return [(row, *attribute) for row, spec in rows for attribute in spec.attrs.items()]


@pytest.mark.parametrize("html", [*NASTY_PAGES.values(), QUOTE_MIX], ids=[*NASTY_PAGES, "quotes"])
def test_attributes_of_nasty_pages(html: str) -> None:
    """Every attribute is found at its row, in order, whatever is in names and values."""
    page = parse(html)
    assert expected_of(page) == spelled(page)


@given(soups())
def test_attributes_of_soup(html: str) -> None:
    """Every attribute of any soup is found at its row, in order."""
    page = parse(html)
    assert expected_of(page) == spelled(page)


@given(soups())
def test_columns_of_attributes_are_sorted(html: str) -> None:
    """Entries lie in document order and their spans do not overlap."""
    found = parse(html).attributes
    assert (found.name_start + 2 < found.start + 1).all()
    assert (found.start <= found.stop).all()
    assert (found.stop[:-1] < found.name_start[1:]).all()
    assert (np.diff(found.row) >= 0).all()


def test_attributes_of_a_page_without_any() -> None:
    """A page without attributes has columns without entries."""
    found = parse('text with "quotes" = and > signs').attributes
    columns = [getattr(found, column.name) for column in fields(Attributes)[1:]]
    assert [0, 0, 0, 0] == [column.size for column in columns]
