"""Reading of lists that programs export.

Those programs are Pocket, Instapaper, Readwise Reader, Wallabag, browsers (bookmarks), readers of
feeds (OPML) and the saved list itself. Lists are told apart by what is in them, not by their names:
tables have a column of addresses, Wallabag writes JSON, browsers and OPML write tags with links.
A ZIP archive holds some of these.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from thresher.app.engine import PageSource
from thresher.app.saved_changes import MAX_TAG_CHARS, MAX_TAGS, NewHighlight, unite_tags
from thresher.errors import InputError, LimitError, ThresherError
from thresher.extraction import extract
from thresher.support.hosts import is_web

LIST_FILE: Final = "saved.json"
"""File of our own archives that lists the pages."""
_MAX_UNPACKED_BYTES: Final = 2**28
"""Bytes of all files of an archive, unpacked."""
_MAX_ENTRIES: Final = 20_000
"""Entries that are read; the saved list holds fewer."""
MAX_LINE_CHARS: Final = 1000
"""Characters of a title."""
_MAX_URL_CHARS: Final = 8000
"""Characters of an address, the number that servers are asked to take at least (RFC 9110, 4.1)."""
_PLACES: Final = frozenset(("unread", "new", "later", "inbox", ""))
"""Names that other programs have for the list itself; another place becomes a tag."""
_ROOTS: Final = ("personal_toolbar_folder", "unfiled_bookmarks_folder")
"""Attributes of the folders that a browser itself makes."""


@dataclass(frozen=True, slots=True)
class ImportedPage:
    """A page of another list."""

    url: str | None
    title: str
    tags: tuple[str, ...] = ()
    saved_at: float | None = None
    progress: float = 0.0
    is_archived: bool = False
    is_favourite: bool = False
    source: PageSource | None = None
    """The page itself; None if there is only its address."""
    text: str = ""
    highlights: tuple[tuple[NewHighlight, str], ...] = ()
    """Passages, each with a note."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedFeed:
    """A subscription."""

    url: str
    title: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Imports:
    """What a file holds."""

    pages: tuple[ImportedPage, ...] = ()
    feeds: tuple[ImportedFeed, ...] = ()
    n_left_out: int = 0
    """Entries without a web address."""


def read_imports(body: bytes) -> Imports:
    """Read the export of another program; InputError if it is none that is known.

    Raises LimitError for an archive that is too large when it is unpacked.
    """
    if body.startswith(b"PK\x03\x04"):
        entries = list(_read_archive(body))
    else:
        entries = list(_read_text(body))
    pages = [entry for entry in entries if isinstance(entry, ImportedPage)]
    feeds = [entry for entry in entries if isinstance(entry, ImportedFeed) and _leads(entry.url)]
    whole = tuple(entry for entry in pages if _leads(entry.url) or entry.source is not None)
    return Imports(
        whole[:_MAX_ENTRIES], tuple(feeds[:_MAX_ENTRIES]), len(entries) - len(whole) - len(feeds)
    )


def _leads(url: str | None) -> bool:
    """Return whether an address is one that can be fetched."""
    return url is not None and len(url) <= _MAX_URL_CHARS and is_web(url)


_Entries = Iterable[ImportedPage | ImportedFeed]


def _read_text(body: bytes) -> _Entries:
    """Read a file that is no archive, by what it begins with."""
    text = body.decode("utf-8-sig", "replace").lstrip()
    if text.startswith(("[", "{")):
        return _read_json(text)
    if text.startswith("<"):
        reader = _LinkReader()
        reader.feed(text)
        reader.close()
        if not reader.entries:
            raise InputError("there are no links in this file")
        return reader.entries
    return _read_table(text)


def _read_archive(body: bytes) -> Iterator[ImportedPage | ImportedFeed]:
    """Read our own archive, or each table and list in that of another program."""
    try:
        with ZipFile(io.BytesIO(body)) as archive:
            n_bytes = sum(member.file_size for member in archive.infolist())
            if n_bytes > _MAX_UNPACKED_BYTES:
                raise LimitError(
                    "unpacked bytes of an archive", limit=_MAX_UNPACKED_BYTES, value=n_bytes
                )
            names = archive.namelist()
            if LIST_FILE in names:
                yield from _read_own(json.loads(archive.read(LIST_FILE)), archive.read)
                return
            for name in names:
                if name.endswith((".csv", ".html", ".json", ".opml")):
                    yield from _read_text(archive.read(name))
    except (
        BadZipFile,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        RuntimeError,
        EOFError,
    ) as error:
        raise InputError(f"this archive cannot be read: {error}") from error


def _read_own(listed: Any, read: Callable[[str], bytes]) -> Iterator[ImportedPage]:
    """Read the pages of `thresher.app.saved_files`."""
    for page in listed["pages"]:
        url = None if page["url"] is None else str(page["url"])
        source = PageSource.of_stored(read(page["file"]), page) if page["file"] else None
        yield ImportedPage(
            url,
            cut_line(page["title"]),
            _clean_tags(page["tags"]),
            _moment(page["saved_at"]),
            _share(page["progress"]),
            bool(page["is_archived"]),
            bool(page["is_favourite"]),
            source,
            str(page["text"]),
            tuple(
                (
                    NewHighlight(
                        str(one["quote"]), str(one["before"]), str(one["after"]), int(one["start"])
                    ),
                    str(one["note"]),
                )
                for one in page["highlights"]
            ),
            {url: read(name) for url, name in page["pictures"].items()},
        )


def _read_json(text: str) -> Iterator[ImportedPage]:
    """Read Wallabag's export: a list of entries, with their content."""
    try:
        entries = json.loads(text)
        if isinstance(entries, dict):
            entries = entries["_embedded"]["items"]
        for entry in entries:
            url, html = str(entry["url"]), str(entry.get("content") or "")
            tags = [
                one.get("label", "") if isinstance(one, dict) else one
                for one in entry.get("tags") or ()
            ]
            title = cut_line(entry.get("title") or "")
            source, content = _read_content(html, url, title)
            yield ImportedPage(
                url,
                title,
                _clean_tags(tags),
                _moment(entry.get("created_at")),
                0.0,
                bool(entry.get("is_archived")),
                bool(entry.get("is_starred")),
                source,
                content,
                tuple(
                    (NewHighlight(str(one.get("quote", "")), "", "", 0), str(one.get("text", "")))
                    for one in entry.get("annotations") or ()
                ),
            )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("this JSON is no export of Wallabag: its entries have no url") from error


def _read_content(html: str, url: str, title: str) -> tuple[PageSource | None, str]:
    """Return the page that an entry holds, and its text; nothing if it holds none."""
    if not html.strip():
        return None, ""
    source = PageSource.of_content(html, title, url)
    try:
        return source, extract(source.body, url=url, method="keep_all").text
    except ThresherError:
        return None, ""


def _read_table(text: str) -> Iterator[ImportedPage]:
    """Read the tables of Pocket, Instapaper and Readwise Reader, by the names of their columns."""
    try:
        table = csv.DictReader(io.StringIO(text, newline=""))
        if "url" not in [name.strip().lower() for name in table.fieldnames or ()]:
            raise InputError("this file has no column of addresses, whose name is URL")
        for row in table:
            fields = {(name or "").strip().lower(): value for name, value in row.items()}
            place = cut_line(
                fields.get("status") or fields.get("folder") or fields.get("location") or ""
            )
            tags = _split_tags(fields.get("tags") or fields.get("document tags") or "")
            is_place = place.lower() in _PLACES or place.lower() in ("archive", "starred")
            selection = fields.get("selection") or ""
            yield ImportedPage(
                (fields["url"] or "").strip(),
                cut_line(fields.get("title") or ""),
                _clean_tags([*tags, *([] if is_place else [place])]),
                _moment(
                    fields.get("time_added") or fields.get("timestamp") or fields.get("saved date")
                ),
                _share(fields.get("reading progress")),
                place.lower() == "archive",
                place.lower() == "starred",
                highlights=((NewHighlight(selection, "", "", 0), ""),) if selection else (),
            )
    except csv.Error as error:
        raise InputError(f"this is no table of addresses: {error}") from error


class _LinkReader(HTMLParser):
    """Collects the links of bookmarks and of Pocket's page, and the outlines of OPML.

    Headings and outlines around links are their folders.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.entries: list[ImportedPage | ImportedFeed] = []
        self._folders: list[str] = []
        self._heading = ""
        """The last heading: of the folder that follows, or of Pocket's list."""
        self._words: list[str] | None = None
        """Texts of an open heading or link."""
        self._link: dict[str, str] | None = None
        self._is_root = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a link, a heading or a folder."""
        given = {name: value or "" for name, value in attrs}
        if tag == "outline":
            title = cut_line(given.get("title") or given.get("text") or "")
            if "xmlurl" in given:
                folder = next(filter(None, reversed(self._folders)), "")
                self.entries.append(ImportedFeed(given["xmlurl"].strip(), title, folder))
            self._folders.append("" if "xmlurl" in given else title)
        elif tag == "a" and "href" in given:
            self._link, self._words = given, []
        elif tag in ("h1", "h3"):
            self._words = []
            self._is_root = tag == "h1" or any(name in given for name in _ROOTS)
        elif tag == "dl":
            self._folders.append("" if self._is_root else self._heading)

    def handle_endtag(self, tag: str) -> None:
        """End a link, a heading or a folder."""
        words = cut_line("".join(self._words or ()))
        if tag in ("a", "h1", "h3"):
            self._words = None
        if tag == "a" and self._link is not None:
            given, self._link = self._link, None
            tags = [*_split_tags(given.get("tags", "")), *self._folders]
            self.entries.append(
                ImportedPage(
                    given["href"].strip(),
                    words,
                    _clean_tags(tags),
                    _moment(given.get("time_added") or given.get("add_date")),
                    is_archived="archive" in self._heading.lower() and not self._folders,
                )
            )
        elif tag in ("h1", "h3"):
            self._heading = words
        elif tag in ("dl", "outline") and self._folders:
            self._folders.pop()

    def handle_data(self, data: str) -> None:
        """Note the text of a heading or a link."""
        if self._words is not None:
            self._words.append(data)


def cut_line(text: object) -> str:
    """Return a text on one line, cut to what a title may have."""
    return " ".join(str(text)[:MAX_LINE_CHARS].split())


def _split_tags(text: str) -> list[str]:
    """Return the tags of a field: a list in brackets, or separated by bars or commas."""
    if text.startswith("["):
        return [tag.strip().strip("\"'") for tag in text.strip("[]").split(",")]
    return re.split(r"[|,]", text)


def _clean_tags(tags: Iterable[object]) -> tuple[str, ...]:
    """Return tags as the saved list has them: short, each once, without commas."""
    lines = (cut_line(str(tag).replace(",", " "))[:MAX_TAG_CHARS] for tag in tags)
    return unite_tags(lines)[:MAX_TAGS]


def _moment(stated: object) -> float | None:
    text = str(stated or "").strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            day = datetime.fromisoformat(text)
            seconds = (day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
    return seconds if 0 < seconds < datetime.now(UTC).timestamp() else None


def _share(stated: object) -> float:
    """Return a share from 0 to 1; 0 for anything else."""
    try:
        share = float(str(stated or 0))
    except ValueError:
        return 0.0
    return min(max(share, 0.0), 1.0) if math.isfinite(share) else 0.0
