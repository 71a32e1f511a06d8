"""The page numbers in addresses, and whether one address is the next page of another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from thresher.support.bounded_cache import MAX_ADDRESS_CHARS
from thresher.support.cached import cached_property

_MAX_PAGE: Final = 999
"""Largest page number; larger numbers are those of texts, or dates."""
_MAX_OFFSET: Final = 99_999
"""Largest item offset, where addresses count items."""
_WORDS: Final = (
    r"page(?:s|d|no|num|number|index|nr|id)?|pag(?:e|ina|in)?|p[áà]gina|pagine?|pg|pn|p"
    r"|(?:cur|current|show|this)page|page[-_](?:no|num|number)"
    r"|seite|side|sida|sivu|strana|str[aá]nka|strona|oldal|lap|sayfa|trang|halaman|hal"
    r"|stranica|stran|leht|lehek[uü]lg|puslapis|lapa|faqja|bladsy|sahifa|страница|стр|сторінка"
)
"""Words for “page” in addresses, in several languages."""
_PAGE_KEY: Final = re.compile(rf"(?:{_WORDS})", re.IGNORECASE)
_OFFSET_KEY: Final = re.compile(r"(?:start|offset|from|st|skip|limitstart)", re.IGNORECASE)
"""Query parameters that count items instead of pages, as in forums."""
_PASSING_KEY: Final = re.compile(
    r"utm_\w+|fbclid|gclid|mc_[ce]id|sid|s|phpsessid|jsessionid|ref|source|src|cmpid|ito|ref_\w+|lang",
    re.IGNORECASE,
)
"""Query parameters for tracking and sessions, which do not select content."""
_INDEX: Final = re.compile(r"/(?:index|default)\.\w{2,5}$", re.IGNORECASE)
_SUFFIX: Final = re.compile(r"\.(?:[sx]?html?|php\d?|aspx?|jspx?|do|cfm)$", re.IGNORECASE)
_APPENDED: Final = re.compile(
    rf"(?P<mark>[/\-_,.;~]|/index[-_]?)?(?P<word>(?:{_WORDS})[/\-_=,.]?)?0?(?P<number>\d{{1,3}})/?",
    re.IGNORECASE,
)
"""Suffixes that later pages append to the address of the first one."""
_WORD_BEFORE: Final = re.compile(rf"(?:^|[/\-_,.;~])(?:{_WORDS})[/\-_=,.]?0?$", re.IGNORECASE)
_DIGITS: Final = re.compile(r"(\d+)")


class PageStep(IntEnum):
    """The certainty that one address is the next page of another."""

    NONE = 0
    NUMBER = 1
    """A number increases by one; it could be that of another text."""
    OFFSET = 2
    """An item offset increases; it could be a page further on."""
    APPENDED = 3
    """The second page appends a number to the address of the first."""
    NAMED = 4
    """The number is labelled as a page number."""


_NO_STEP: Final = (PageStep.NONE, 0)


@dataclass(frozen=True)
class PageAddress:
    """A parsed address."""

    url: str
    """Without its fragment."""
    parts: SplitResult

    @cached_property
    def site(self) -> str:
        """Host and port, without ``www.``."""
        return self.parts.netloc.lower().removeprefix("www.")

    @cached_property
    def path(self) -> str:
        """Decoded path without the name of an index file and a trailing slash.

        A query that is a path, as in ``index.php?/topic/1/``, is part of it.
        """
        path = _INDEX.sub("", unquote(self.parts.path)).rstrip("/")
        return f"{path}?{unquote(self.parts.query).rstrip('/')}" if self._has_route else path

    @cached_property
    def query(self) -> dict[str, str]:
        """The query parameters that select content."""
        if self._has_route:
            return {}
        pairs = parse_qsl(self.parts.query.replace(";", "&"), keep_blank_values=True)
        return {key: value for key, value in pairs if not _PASSING_KEY.fullmatch(key)}

    @property
    def _has_route(self) -> bool:
        return self.parts.query.startswith("/")

    def is_same(self, other: PageAddress) -> bool:
        """Return whether both addresses show the same page."""
        # Most differ in their paths, which cost less to read than queries.
        return self.site == other.site and self.path == other.path and self.query == other.query


def read_address(url: str) -> PageAddress | None:
    """Parse an absolute address; None if it is not http or https, or too long."""
    if len(url) > MAX_ADDRESS_CHARS:
        return None
    try:
        parts = urlsplit(url.strip())
        if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
            return None
    except ValueError:
        return None
    return PageAddress(parts._replace(fragment="").geturl(), parts)


def step_between(own: PageAddress, other: PageAddress) -> tuple[PageStep, int]:
    """Return whether ``other`` is the next page of ``own``, and the number in its address.

    The number is that of the page (one-based or zero-based) or of its first item.
    """
    if own.site != other.site or own.is_same(other):
        return PageStep.NONE, 0
    if own.path == other.path:
        step, number = _step_in_query(own.query, other.query)
        # At the root of a blog, `p` is the number of a post.
        is_post = step is PageStep.NAMED and not own.path and "p" in own.query
        return (PageStep.NUMBER if is_post else step), number
    if own.query == other.query:
        return _step_in_path(own.path, other.path)
    return PageStep.NONE, 0


def step_after(first: PageAddress, own: PageAddress, other: PageAddress) -> tuple[PageStep, int]:
    """Do the same if the first page is known: both addresses append a number to its address."""
    if not first.site == own.site == other.site or not first.query == own.query == other.query:
        return PageStep.NONE, 0
    _, before = read_appended(first.path, own.path)
    step, number = read_appended(first.path, other.path)
    return (step, number) if before and number == before + 1 else _NO_STEP


def _step_in_query(own: dict[str, str], other: dict[str, str]) -> tuple[PageStep, int]:
    changed = [key for key in own.keys() | other.keys() if own.get(key) != other.get(key)]
    if len(changed) != 1 or changed[0] not in other:
        return PageStep.NONE, 0
    key = changed[0]
    before, after = own.get(key), _number(other[key])
    if after is None:
        return PageStep.NONE, 0
    if _PAGE_KEY.fullmatch(key) and after <= _MAX_PAGE:
        # Without a number it is the first page; with zero-based numbers, the second is 1.
        is_next = _number(before) == after - 1 if before else after in (1, 2)
        return (PageStep.NAMED, after) if is_next else _NO_STEP
    if _OFFSET_KEY.fullmatch(key) and after <= _MAX_OFFSET:
        start = 0 if before is None else _number(before)
        if start is not None and after > start + 1:
            return PageStep.OFFSET, after
    return PageStep.NONE, 0


def _step_in_path(own: str, other: str) -> tuple[PageStep, int]:
    appended = read_appended(own, other)
    if appended[1] == 2:
        return appended
    mine, theirs = _DIGITS.split(own), _DIGITS.split(other)
    if len(mine) != len(theirs):
        return PageStep.NONE, 0
    changed = [at for at, piece in enumerate(mine) if piece != theirs[at]]
    if len(changed) != 1 or changed[0] % 2 == 0:
        return PageStep.NONE, 0
    at = changed[0]
    number = _number(theirs[at])
    if number is None or _number(mine[at]) != number - 1 or number > _MAX_PAGE:
        return PageStep.NONE, 0
    is_named = _WORD_BEFORE.search(mine[at - 1])
    return (PageStep.NAMED if is_named else PageStep.NUMBER), number


def read_appended(first: str, other: str) -> tuple[PageStep, int]:
    """Read the number that a path appends to the path of a first page, which has none."""
    stem, suffix = _split_suffix(first)
    longer, other_suffix = _split_suffix(other)
    if not longer.startswith(stem) or (suffix and other_suffix not in (suffix, "")):
        return PageStep.NONE, 0
    match = _APPENDED.fullmatch(longer, len(stem))
    if match is None:
        return PageStep.NONE, 0
    if not match["mark"] and (not match["word"] or stem[-1:].isalnum()):
        return PageStep.NONE, 0
    return (PageStep.NAMED if match["word"] else PageStep.APPENDED), int(match["number"])


def _split_suffix(path: str) -> tuple[str, str]:
    match = _SUFFIX.search(path)
    return (path[: match.start()], match[0].lower()) if match else (path, "")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None
