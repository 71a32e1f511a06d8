"""Rows of tables."""

from __future__ import annotations

from thresher.batch.model import Item
from thresher.batch.sources.base import Unreadable
from thresher.batch.sources.rows import entry_of, name_columns


def test_columns_can_be_named_otherwise() -> None:
    """Columns that are not mapped have their default names."""
    columns = name_columns({"html": "content"})
    row = {"id": 7, "content": "<p>rye", "url": "http://farm.example/", "html": "no", "more": 1}
    assert Item("7", "<p>rye", "http://farm.example/") == entry_of(row, columns, 3)


def test_a_row_without_an_id_has_its_number() -> None:
    """A row without an id is numbered; bytes are kept unchanged, with the charset of the row."""
    row = {"html": b"<p>\xe9", "charset": "latin-1"}
    assert Item("3", b"<p>\xe9", None, "latin-1") == entry_of(row, name_columns({}), 3)


def test_a_row_without_a_page_is_an_error() -> None:
    """A missing or non-text page is an error that says which."""
    missing = entry_of({"id": "a", "url": "u"}, name_columns({}), 1)
    assert Unreadable("a", "InputError: the row has no html", "u") == missing
    number = entry_of({"html": 5}, name_columns({}), 1)
    assert Unreadable("1", "InputError: the row has a int as html") == number
