"""A row of a table, as JSON and Parquet have them, to a page."""

from __future__ import annotations

from collections.abc import Mapping

from thresher.batch.model import Item
from thresher.batch.sources.base import COLUMNS, Entry, Unreadable

__all__ = ["entry_of", "name_columns"]


def name_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the columns to read: those that are named, and `COLUMNS` for the others."""
    return {**COLUMNS, **columns}


def entry_of(row: Mapping[str, object], columns: Mapping[str, str], number: int) -> Entry:
    """Make an entry of a row, the ``number``-th of its file from 1: its id where it has no other.

    The page must be text or bytes; an empty one is left to the reader of pages to refuse.
    """
    id, url = row.get(columns["id"]), row.get(columns["url"])
    name = str(number) if id is None else str(id)
    url = url if isinstance(url, str) else None
    body, charset = row.get(columns["html"]), row.get(columns["charset"])
    if not isinstance(body, str | bytes):
        says = "has no" if body is None else f"has a {type(body).__name__} as"
        return Unreadable(name, f"InputError: the row {says} {columns['html']}", url)
    return Item(name, body, url, charset if isinstance(charset, str) else None)
