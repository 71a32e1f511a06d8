"""Changes of saved pages: archived, read, favourite or deleted, one or many at a time."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from thresher.app.saved import SavedList
from thresher.app.saved_index import remove_pages
from thresher.errors import UsageError
from thresher.support.databases import UNDO_S, open_database

__all__ = ["CHANGES", "PageChange", "change_pages", "set_progress"]

_READ: Final = 0.97
"""Share from which a page counts as read: what follows are the last lines in sight."""


class PageChange(NamedTuple):
    """A change that people can make to pages."""

    name: str
    """As a button has it."""
    done: str
    """What has happened to the pages."""
    values: str
    """The columns that it sets."""
    where: str
    """The pages that are not like that yet."""
    undo: str | None
    """The change that takes it back exactly; None if there is none."""


_LISTED: Final = "deleted_at IS NULL AND "
CHANGES: Final[Mapping[str, PageChange]] = {
    "archive": PageChange(
        "Archive", "archived", "is_archived = 1", _LISTED + "NOT is_archived", "unarchive"
    ),
    "unarchive": PageChange(
        "Back to the list",
        "put back into the list",
        "is_archived = 0",
        _LISTED + "is_archived",
        "archive",
    ),
    "favourite": PageChange(
        "Favourite",
        "made favourites",
        "is_favourite = 1",
        _LISTED + "NOT is_favourite",
        "unfavourite",
    ),
    "unfavourite": PageChange(
        "Unfavourite",
        "no longer favourites",
        "is_favourite = 0",
        _LISTED + "is_favourite",
        "favourite",
    ),
    "read": PageChange("Mark read", "marked read", "progress = 1", _LISTED + "progress < 1", None),
    "unread": PageChange(
        "Mark unread", "marked unread", "progress = 0", _LISTED + "progress > 0", None
    ),
    "keep": PageChange(
        "Keep offline",
        "will be fetched with their pictures",
        "is_wanted = 1, trouble = ''",
        _LISTED + "NOT is_wanted",
        None,
    ),
    "delete": PageChange("Delete", "deleted", "deleted_at = :now", _LISTED + "1", "restore"),
    "restore": PageChange(
        "Put back", "put back", "deleted_at = NULL", "deleted_at IS NOT NULL", "delete"
    ),
}
"""Changes by the names that forms have."""


def change_pages(saved: SavedList, pages: Sequence[int], name: str) -> tuple[int, ...]:
    """Make a change of `CHANGES` to pages; return those that were not like that before.

    Deleted pages can be put back for a day, with their tags and highlights. Raises UsageError if
    there is no such change, or if none of the pages can be put back.
    """
    if name not in CHANGES:
        raise UsageError(f"unknown change; one of {', '.join(CHANGES)}")
    change, now = CHANGES[name], time.time()
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        query = f"UPDATE page SET {change.values} WHERE id = :page AND {change.where}"
        changed = tuple(
            page
            for page in dict.fromkeys(pages)
            if db.execute(query, {"page": page, "now": now}).rowcount
        )
        if name == "delete":
            remove_pages(db, "deleted_at < ?", now - UNDO_S)
    if name == "restore" and not changed:
        raise UsageError("the page cannot be put back: it was deleted more than a day ago")
    return changed


def set_progress(saved: SavedList, page: int, progress: float) -> None:
    """Note how far a page was read; one that was read to its end stays read."""
    if not math.isfinite(progress):
        raise UsageError("the progress must be a number from 0 to 1")
    share = 1.0 if progress >= _READ else max(progress, 0.0)
    with open_database(saved.path) as db:
        db.execute("UPDATE page SET progress = ? WHERE id = ? AND progress < 1", (share, page))
