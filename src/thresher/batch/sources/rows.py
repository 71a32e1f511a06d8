"""Conversion of a row of JSON or Parquet to a page."""

from __future__ import annotations

from collections.abc import Mapping

from thresher.batch.model import Item
from thresher.batch.sources.base import COLUMNS, Entry, Unreadable

__all__ = ["entry_of", "name_columns"]


def name_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each field: as given, or from `COLUMNS`."""
    return {**COLUMNS, **columns}


def entry_of(row: Mapping[str, object], columns: Mapping[str, str], number: int) -> Entry:
    """Convert a row, the ``number``-th of its file from 1, which is the default id.

    The page must be text or bytes; an empty page is rejected later.
    """
    id, url = row.get(columns["id"]), row.get(columns["url"])
    name = str(number) if id is None else str(id)
    url = url if isinstance(url, str) else None
    body, charset = row.get(columns["html"]), row.get(columns["charset"])
    if not isinstance(body, str | bytes):
        says = "has no" if body is None else f"has a {type(body).__name__} as"
        return Unreadable(name, f"InputError: the row {says} {columns['html']}", url)
    return Item(name, body, url, charset if isinstance(charset, str) else None)
