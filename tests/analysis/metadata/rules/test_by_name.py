"""The rules of all fields by name, and values that are decided with them."""

from __future__ import annotations

import dataclasses

import pytest

from tests.helpers.fixture_pages import PAGES
from thresher.analysis.metadata import Metadata, read_metadata, read_values
from thresher.analysis.metadata.rules.by_name import LIST_FIELDS, ORDER, TEXT_FIELDS
from thresher.extraction import extract
from thresher.page.parse import parse

UPDATED_BEFORE = (
    "<meta property='article:published_time' content='2024-05-03'>"
    "<meta property='article:modified_time' content='2024-05-01'>"
    "<meta name=keywords content='mills, rye'><h1>Rye</h1>"
)


def test_every_field_has_one_rule() -> None:
    """A field must be in one of the two tables."""
    assert sorted(ORDER) == sorted([*TEXT_FIELDS, *LIST_FIELDS])
    assert tuple(field.name for field in dataclasses.fields(Metadata)) == ORDER


@pytest.mark.parametrize("name", PAGES)
def test_values_alone_are_those_of_the_metadata(name: str) -> None:
    """Fields, their order and their values must be the same without confidences."""
    page = parse((PAGES[name].folder / "page.html").read_bytes().decode("utf-8", "replace"))
    expected = read_metadata(page).as_dict()
    found = read_values(page)
    assert expected == found
    assert list(expected) == list(found)


def test_an_update_before_publication_is_no_value() -> None:
    """As in the metadata, a date of modification that cannot be right must be left out."""
    values = read_values(parse(UPDATED_BEFORE))
    assert "2024-05-03" == values["published"]
    assert "modified" not in values
    assert ["mills", "rye"] == values["tags"]


def test_document_has_the_same_values_before_and_after_its_metadata_is_read() -> None:
    """It must not matter which of the two is asked for first."""
    first, second = extract(UPDATED_BEFORE), extract(UPDATED_BEFORE)
    assert first.metadata_values == second.metadata.as_dict() == second.metadata_values
