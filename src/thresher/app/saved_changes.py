"""Changes of saved pages, one or many at a time, and their highlights.

Pages are archived, read, favourite or deleted, tagged, fetched, and kept with their pictures. A
highlight is a passage that a person marked, with the words around it. It is found again by its
words, as the selectors of quotes of the Web Annotation Data Model
(https://www.w3.org/TR/annotation-model/#text-quote-selector) are, so it survives a new version of
Thresher, another scope, and a page that is saved anew.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import quote

from thresher.app.engine import excerpt
from thresher.app.saved import SavedList, SavedPage, check_room, remove_pages, tags_of
from thresher.errors import LimitError, ThresherError, UsageError
from thresher.support.databases import UNDO_S, open_database, storable
from thresher.writers.commonmark.signs import escape_line_start, escape_words, format_url

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
        query = "SELECT 1 FROM page WHERE id = ? AND deleted_at IS NULL"
        if db.execute(query, (page,)).fetchone() is None:
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
    tags = unite_tags(typed.split(","))
    if len(tags) > MAX_TAGS:
        raise UsageError(f"a page can have {MAX_TAGS} tags, these are {len(tags)}")
    for tag in tags:
        if len(tag) > MAX_TAG_CHARS:
            raise UsageError(
                f"a tag can have {MAX_TAG_CHARS} characters, “{excerpt(tag, 30)}” has {len(tag)}"
            )
    return tags


def unite_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags on one line each, those that differ only in case once, without empty ones."""
    by_key: dict[str, str] = {}
    for words in map(str.split, tags):
        if tag := " ".join(words):
            by_key.setdefault(tag.casefold(), tag)
    return tuple(by_key.values())


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


_MAX_HIGHLIGHTS: Final = 500
"""Maximum number of highlights of one page."""
_MAX_QUOTE_CHARS: Final = 10_000
_MAX_CONTEXT_CHARS: Final = 100
"""Characters kept before and after a passage, which tell it from others of the same words."""
_MAX_NOTE_CHARS: Final = 10_000
_NOT_IN_URL: Final = re.compile(r"[\s<>]")


@dataclass(frozen=True, slots=True)
class NewHighlight:
    """A passage as it was selected."""

    quote: str
    before: str
    after: str
    start: int
    """Characters of the text before it, which only put highlights in order."""


@dataclass(frozen=True, slots=True)
class SavedHighlight:
    """A passage of a saved page."""

    id: int
    quote: str
    before: str
    after: str
    note: str = ""
    """What the reader wrote about it."""


def add_highlight(saved: SavedList, page: int, new: NewHighlight) -> int:
    """Store a highlight and return its number; one that is there stays.

    Raises UsageError if it is empty, too long, or the page is not in the list, and LimitError if
    the page has too many.
    """
    passage = storable(new.quote.strip())
    if not passage:
        raise UsageError("the passage has no text")
    if len(passage) > _MAX_QUOTE_CHARS:
        raise UsageError(
            f"a highlight can have {_MAX_QUOTE_CHARS:,} characters, this has {len(passage):,}"
        )
    before = storable(new.before[-_MAX_CONTEXT_CHARS:])
    after = storable(new.after[:_MAX_CONTEXT_CHARS])
    with open_database(saved.path) as db:
        db.execute("BEGIN IMMEDIATE")
        query = "SELECT 1 FROM page WHERE id = ? AND deleted_at IS NULL"
        if db.execute(query, (page,)).fetchone() is None:
            raise UsageError("the page was deleted from the saved list")
        same = db.execute(
            "SELECT id FROM highlight WHERE page = ? AND quote = ? AND before = ? AND after = ?"
            " AND deleted_at IS NULL",
            (page, passage, before, after),
        ).fetchone()
        if same is not None:
            return int(same[0])
        n_highlight = db.execute(
            "SELECT count(*) FROM highlight WHERE page = ? AND deleted_at IS NULL", (page,)
        ).fetchone()[0]
        if n_highlight >= _MAX_HIGHLIGHTS:
            raise LimitError("highlights of a page", limit=_MAX_HIGHLIGHTS)
        added = db.execute(
            "INSERT INTO highlight (page, quote, before, after, start, made_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (page, passage, before, after, new.start, time.time()),
        )
        return int(added.lastrowid or 0)


def list_highlights(saved: SavedList, page: int) -> tuple[SavedHighlight, ...]:
    """Return the highlights of a page in the order of its text."""
    with open_database(saved.path) as db:
        rows = db.execute(
            "SELECT id, quote, before, after, note FROM highlight"
            " WHERE page = ? AND deleted_at IS NULL ORDER BY start, id",
            (page,),
        )
        return tuple(SavedHighlight(*row) for row in rows)


def note_highlight(saved: SavedList, highlight: int, note: str) -> None:
    """Store a note on a highlight in place of the one it has; UsageError if it is too long."""
    text = storable("\n".join(map(str.rstrip, note.strip().splitlines())))
    if len(text) > _MAX_NOTE_CHARS:
        raise UsageError(f"a note can have {_MAX_NOTE_CHARS:,} characters, this has {len(text):,}")
    with open_database(saved.path) as db:
        query = "UPDATE highlight SET note = ? WHERE id = ? AND deleted_at IS NULL"
        if not db.execute(query, (text, highlight)).rowcount:
            raise UsageError("the highlight was removed")


def remove_highlight(saved: SavedList, highlight: int) -> None:
    """Remove a highlight; `restore_highlight` puts it back within a day."""
    now = time.time()
    with open_database(saved.path) as db:
        db.execute("UPDATE highlight SET deleted_at = ? WHERE id = ?", (now, highlight))
        db.execute("DELETE FROM highlight WHERE deleted_at < ?", (now - UNDO_S,))


def restore_highlight(saved: SavedList, highlight: int) -> None:
    """Put a removed highlight back; UsageError if it is gone for good."""
    with open_database(saved.path) as db:
        query = "UPDATE highlight SET deleted_at = NULL WHERE id = ?"
        if not db.execute(query, (highlight,)).rowcount:
            raise UsageError("the highlight cannot be put back: it was removed more than a day ago")


def write_highlights(pages: Iterable[tuple[SavedPage, Sequence[SavedHighlight]]]) -> str:
    """Write the highlights of pages as Markdown; pages without any are left out."""
    lines = ["# Highlights"]
    for page, highlights in pages:
        if highlights:
            lines += ["", f"## {_link_to(page)}"]
        for highlight in highlights:
            lines += ["", "\n>\n".join(f"> {words}" for words in _paragraphs(highlight.quote))]
            lines += [part for words in _paragraphs(highlight.note) for part in ("", words)]
    return "\n".join(lines) + "\n"


def _link_to(page: SavedPage) -> str:
    if not page.web_url:
        return escape_words(page.title, in_cell=False)
    title = escape_words(page.title, in_cell=False, in_link=True)
    url = _NOT_IN_URL.sub(lambda sign: quote(sign[0]), page.web_url)
    return f"[{title}]({format_url(url)})"


def _paragraphs(text: str) -> Iterable[str]:
    """Return the lines of a text as paragraphs of Markdown."""
    for words in filter(None, map(str.strip, text.splitlines())):
        sign, others = escape_line_start(words)
        yield sign + escape_words(others, in_cell=False)
