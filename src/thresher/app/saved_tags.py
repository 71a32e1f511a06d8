"""Tags of saved pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thresher.app.excerpt import excerpt
from thresher.app.saved import SavedList, tags_of
from thresher.errors import ThresherError, UsageError
from thresher.support.databases import open_database, storable

__all__ = [
    "MAX_TAGS",
    "MAX_TAG_CHARS",
    "TagConflictError",
    "add_tags",
    "list_tags",
    "parse_tags",
    "set_tags",
]

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
