"""Highlights of saved pages: passages that a person marked, each with the words around it.

A passage is found again by its words, as the selectors of quotes of the Web Annotation Data Model
(https://www.w3.org/TR/annotation-model/#text-quote-selector) are, so it survives a new version of
Thresher, another scope, and a page that is saved anew.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from thresher.app.saved import SavedList, SavedPage
from thresher.errors import LimitError, UsageError
from thresher.support.databases import UNDO_S, open_database, storable
from thresher.support.hosts import is_web
from thresher.writers.commonmark.signs import escape_line_start, escape_words, format_url

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
        known = "SELECT 1 FROM page WHERE id = ? AND deleted_at IS NULL"
        if db.execute(known, (page,)).fetchone() is None:
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
        for each in highlights:
            lines += ["", "\n>\n".join(f"> {words}" for words in _paragraphs(each.quote))]
            lines += [part for words in _paragraphs(each.note) for part in ("", words)]
    return "\n".join(lines) + "\n"


def _link_to(page: SavedPage) -> str:
    if not page.url or not is_web(page.url):
        return escape_words(page.title, in_cell=False)
    title = escape_words(page.title, in_cell=False, in_link=True)
    url = _NOT_IN_URL.sub(lambda sign: quote(sign[0]), page.url)
    return f"[{title}]({format_url(url)})"


def _paragraphs(text: str) -> Iterable[str]:
    """Return the lines of a text as paragraphs of Markdown."""
    for words in filter(None, map(str.strip, text.splitlines())):
        sign, others = escape_line_start(words)
        yield sign + escape_words(others, in_cell=False)
