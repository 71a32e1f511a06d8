"""Deletion of pages to label: a deleted page and its labels can be put back for a day."""

from __future__ import annotations

import time

from thresher.errors import UsageError
from thresher.labelling.store import LabelStore
from thresher.support.databases import UNDO_S, open_database

__all__ = ["delete_page", "restore_page"]


def delete_page(store: LabelStore, page: int) -> None:
    """Take a page from all lists, with its labels; `restore_page` puts it back within a day."""
    now = time.time()
    with open_database(store.path) as db:
        db.execute("UPDATE page SET deleted_at = ? WHERE id = ?", (now, page))
        expired = "SELECT id FROM page WHERE deleted_at < ?"
        for table in ("decision", "label", "reading"):
            db.execute(f"DELETE FROM {table} WHERE page IN ({expired})", (now - UNDO_S,))
        db.execute(f"DELETE FROM page WHERE id IN ({expired})", (now - UNDO_S,))


def restore_page(store: LabelStore, page: int) -> None:
    """Put a deleted page back, with its labels; UsageError if it is gone for good."""
    with open_database(store.path) as db:
        query = "UPDATE page SET deleted_at = NULL WHERE id = ?"
        if not db.execute(query, (page,)).rowcount:
            raise UsageError("the page cannot be put back: it was deleted more than a day ago")
