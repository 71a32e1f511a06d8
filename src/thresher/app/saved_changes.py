"""Changes of saved pages, one or many at a time.

They are archived, read, favourite or deleted, tagged, fetched, and kept with their pictures.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from thresher.app.saved import SavedList, check_room, remove_pages, tags_of
from thresher.app.texts import excerpt
from thresher.errors import ThresherError, UsageError
from thresher.support.databases import UNDO_S, open_database, storable

_READ: Final = 0.97
"""Share from which a page counts as read: what follows are the last lines in sight."""


class PageChange(NamedTuple):
    """A change that people can make to pages."""

    name: str
    """As a button has it."""
    done: str
    """What has happened to the pages."""
    column: str
    """What it sets."""
    value: str
    undo: str | None = None
    """The change that takes it back exactly; None if there is none."""


CHANGES: Final[Mapping[str, PageChange]] = {
    "archive": PageChange("Archive", "archived", "is_archived", "1", "unarchive"),
    "unarchive": PageChange(
        "Back to the list", "put back into the list", "is_archived", "0", "archive"
    ),
    "favourite": PageChange("Favourite", "made favourites", "is_favourite", "1", "unfavourite"),
    "unfavourite": PageChange(
        "Unfavourite", "no longer favourites", "is_favourite", "0", "favourite"
    ),
    "read": PageChange("Mark read", "marked read", "progress", "1"),
    "unread": PageChange("Mark unread", "marked unread", "progress", "0"),
    "keep": PageChange("Keep offline", "will be fetched with their pictures", "is_wanted", "1"),
    "delete": PageChange("Delete", "deleted", "deleted_at", ":now", "restore"),
    "restore": PageChange("Put back", "put back", "deleted_at", "NULL", "delete"),
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
        # Those that are not like that yet.
        others = "deleted_at IS NOT NULL" if name == "restore" else "deleted_at IS NULL"
        if change.column != "deleted_at":
            others += f" AND {change.column} <> {change.value}"
        values = f"{change.column} = {change.value}" + (", trouble = ''" if name == "keep" else "")
        query = f"UPDATE page SET {values} WHERE id = :page AND {others}"
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


MAX_TAGS: Final = 20
MAX_TAG_CHARS: Final = 50


class TagConflictError(ThresherError):
    """The tags of a page were changed elsewhere since they were shown."""

    def __init__(self, stored: tuple[str, ...]) -> None:
        super().__init__("the tags were changed elsewhere meanwhile")
        self.stored = stored


def list_tags(saved: SavedList) -> dict[str, int]:
    """Return all tags with the number of pages that have them, in alphabetical order."""
    with open_database(saved.path) as db:
        rows = db.execute(
            "SELECT tag.name, count(*) FROM tag JOIN page ON page.id = tag.page"
            " WHERE deleted_at IS NULL GROUP BY tag.name ORDER BY tag.name"
        )
        return {row[0]: row[1] for row in rows}


def set_tags(saved: SavedList, page: int, tags: Sequence[str], *, was: Sequence[str]) -> None:
    """Replace the tags of a page.

    ``was`` are those that were shown; raises TagConflictError if others are stored by now,
    and UsageError if the page is no longer in the list.
    """
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        known = "SELECT 1 FROM page WHERE id = ? AND deleted_at IS NULL"
        if db.execute(known, (page,)).fetchone() is None:
            raise UsageError("the page was deleted")
        stored = tags_of(db, page)
        if set(stored) not in (set(was), set(tags)):
            raise TagConflictError(stored)
        db.execute("DELETE FROM tag WHERE page = ?", (page,))
        db.executemany("INSERT INTO tag VALUES (?, ?)", [(page, storable(tag)) for tag in tags])


def add_tags(saved: SavedList, pages: Sequence[int], tags: Sequence[str]) -> None:
    """Give pages further tags; UsageError if one of them would have too many."""
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        for page in pages:
            query = (
                "INSERT OR IGNORE INTO tag SELECT id, ? FROM page"
                " WHERE id = ? AND deleted_at IS NULL"
            )
            db.executemany(query, [(storable(tag), page) for tag in tags])
            parse_tags(",".join(tags_of(db, page)))


def parse_tags(typed: str) -> tuple[str, ...]:
    """Split tags at commas; each once, whatever its case. UsageError if there are too many."""
    found: dict[str, str] = {}
    for part in typed.split(","):
        if tag := " ".join(part.split()):
            found.setdefault(tag.casefold(), tag)
    if len(found) > MAX_TAGS:
        raise UsageError(f"a page can have {MAX_TAGS} tags, these are {len(found)}")
    for tag in found.values():
        if len(tag) > MAX_TAG_CHARS:
            raise UsageError(
                f"a tag can have {MAX_TAG_CHARS} characters, “{excerpt(tag, 30)}” has {len(tag)}"
            )
    return tuple(found.values())


_N_AT_A_TIME: Final = 200
"""Pages that are looked up at a time."""


class WantedPage(NamedTuple):
    """A page that is to be kept offline."""

    id: int
    url: str | None
    host: str
    is_link: bool
    is_public: bool
    """Whether it must not lead to private addresses, as what was imported must not."""


def list_wanted(saved: SavedList) -> tuple[WantedPage, ...]:
    """Return pages that are to be fetched, or their pictures; the first ones."""
    with open_database(saved.path) as db:
        rows = db.execute(
            "SELECT id, url, host, is_link, is_public FROM page"
            " WHERE is_wanted AND deleted_at IS NULL ORDER BY id LIMIT ?",
            (_N_AT_A_TIME,),
        )
        return tuple(WantedPage(row[0], row[1], row[2], bool(row[3]), bool(row[4])) for row in rows)


def note_trouble(saved: SavedList, page: int, reason: str) -> None:
    """Note why a page could not be fetched; it is no longer tried."""
    with open_database(saved.path) as db:
        query = "UPDATE page SET is_wanted = 0, trouble = ? WHERE id = ?"
        db.execute(query, (storable(reason), page))


def keep_pictures(saved: SavedList, page: int, pictures: Mapping[str, bytes]) -> None:
    """Store the pictures of a page in place of those it has; LimitError if there is no room."""
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        if db.execute("SELECT 1 FROM page WHERE id = ?", (page,)).fetchone() is None:
            return  # deleted meanwhile
        db.execute("DELETE FROM picture WHERE page = ?", (page,))
        check_room(db, sum(map(len, pictures.values())))
        rows = [(page, storable(url), body) for url, body in pictures.items()]
        db.executemany("INSERT OR IGNORE INTO picture VALUES (?, ?, ?)", rows)
        db.execute("UPDATE page SET is_wanted = 0, trouble = '' WHERE id = ?", (page,))


def load_pictures(saved: SavedList, page: int, url: str | None = None) -> dict[str, bytes]:
    """Return the pictures that are kept with a page by their addresses, or one of them."""
    with open_database(saved.path) as db:
        query = "SELECT url, body FROM picture WHERE page = ? AND ifnull(url = ?, 1)"
        return dict(map(tuple, db.execute(query, (page, url))))
