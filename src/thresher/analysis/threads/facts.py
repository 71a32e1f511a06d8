"""Facts of a post: author, date, score and permalink."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.links import find_base, resolve_link
from thresher.analysis.metadata.dates import read_date
from thresher.analysis.metadata.normalise import plain_text
from thresher.analysis.metadata.people import AuthorStatement, read_names
from thresher.analysis.threads import PostDate
from thresher.analysis.threads.hints import AUTHOR_ATTRIBUTES, MarkupHints
from thresher.analysis.threads.names import (
    AUTHOR,
    DATE,
    MAYBE_AUTHOR,
    NAME,
    PROFILE,
    SCORE,
    RowNames,
)
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT, flags_of

MAX_NAME_CHARS: Final = 60
MAX_LONE_LEAVES: Final = 8
"""First texts of a post that may be an unmarked name."""
MAX_LONE_CHARS: Final = 40
MIN_LONE_SHARE: Final = 0.8
_OF_EDIT: Final = "datemodified"
MAX_LEAVES: Final = 24
"""Texts of one element examined for a name."""


MAX_SCORE_CHARS: Final = 40
MAX_CANDIDATES: Final = 24
"""First rows of one kind examined in a post."""
MIN_SIGNED: Final = 0.3
"""Share of posts with a marked author below which names are looked for without marks."""
_DATE_VALUES: Final = ("created-timestamp", "created", "data-timestamp", "data-date", "data-time")
_SCORE_VALUES: Final = ("score", "data-score", "data-votes", "data-vote-count", "data-likes")
_LINK_VALUES: Final = ("permalink", "data-permalink", "data-href", "data-url")
_NUMBER: Final = re.compile(
    r"(?<![\w.])([-−+]?)\s?(\d{1,3}(?:[,.\u202f\u00a0]\d{3})+|\d+)([.,]\d+)?\s?([kKmM万])?"
)
_THOUSANDS: Final = {"k": 1_000, "m": 1_000_000, "万": 10_000}
_OTHER_FACT: Final = re.compile(
    r"author-?(?:joined|likes|location|mood|picture|registered|title|(?:total-?)?posts)"
)
"""Classes of what is said of an author beside the name."""
_STATES_AUTHOR: Final = rb"(?<![a-z])(?:author|creator)(?![a-z])"
"""Properties of elements about the author, also of those too long to be a name."""
_STATES_COUNT: Final = rb"userinteractioncount"
_IS_OF_LIKES: Final = rb"(?<![a-z])(?:like|(?:up)?vote|agree)action"
"""Kinds of counts that are scores; others are of dislikes, answers or views."""
_VOTED_DOWN: Final = "dislikes"
"""The class of the score that old Reddit shows a reader who has voted against a post."""
_MAX_SCORE: Final = 10**9
_ORDINAL: Final = re.compile(r"#?\s*\d+")
_QUOTES: Final = flags_of("blockquote q")
_QUOTE_NAME: Final = re.compile(rb"quote(?!d-?post-?body|-selection)")
_A: Final = CODE_OF["a"]


@dataclass(frozen=True, slots=True)
class PostFacts:
    """The facts stated by one post, and their rows."""

    author: str | None
    date: PostDate | None
    score: int | None
    permalink: str | None
    rows: tuple[int, ...]


@dataclass(frozen=True)
class FactReader:
    """Reader of the facts of posts from the rows that may state them."""

    hints: MarkupHints
    date_of: dict[int, PostDate]
    post_of_row: IntArray
    """The post of each row; int32[n_row]."""
    starts: npt.NDArray[np.int64]
    """The first row of each post."""

    def read(self, quoted: npt.NDArray[np.bool_]) -> list[PostFacts]:
        """Read the facts of every post; ``quoted`` flags rows quoted from other posts."""
        hints, page = self.hints, self.hints.page
        n_post = self.starts.size
        authors = self._by_post(np.flatnonzero(hints.authors & ~quoted), n_post)
        dated = np.array([row for row in self.date_of if not quoted[row]], np.int64)
        is_edit = np.array([self._is_of_edit(row) for row in dated.tolist()], np.bool_)
        dates, edits = (self._by_post(dated[flags], n_post) for flags in (~is_edit, is_edit))
        scored = hints.marked(SCORE) | page.flag(_find_like_counts(page))
        scores = self._by_post(np.flatnonzero(scored & ~quoted), n_post)
        links = self._by_post(np.flatnonzero((page.tag == _A) & ~quoted), n_post)
        in_profile = page.within(hints.marked(PROFILE))
        of_author = page.flag(page.attributes.rows_matching("itemprop", _STATES_AUTHOR))
        is_stated = page.within(of_author)
        worth = self._weigh_slots(dates, in_profile)
        hrefs = page.attributes.values("href")
        base = find_base(page)
        signed = sum(bool(rows) for rows in authors)
        lone = self._find_lone_names(n_post) if signed < MIN_SIGNED * n_post else {}
        facts = []
        for post in watch(range(n_post)):
            attrs = page.attrs(int(self.starts[post]))
            date_row = max(
                dates[post], key=lambda row: (worth[self._slot(row)], -row), default=None
            )
            name, name_row = self._read_author(authors[post], is_stated, date_row)
            if name is None and lone:
                name, name_row = lone.get(post, (None, None))
            score, score_row = self._read_score(scores[post], in_profile)
            stated = next((attrs[key] for key in AUTHOR_ATTRIBUTES if attrs.get(key)), None)
            if stated and len(stated) <= MAX_NAME_CHARS and not stated.isdigit():
                name = plain_text(stated) or name
            if score is None:
                values = (attrs[key] for key in _SCORE_VALUES if attrs.get(key))
                score = next((n for value in values if (n := read_number(value)) is not None), None)
            permalink = self._find_permalink(attrs, links[post], date_row, hrefs)
            rows = (row for row in (name_row, date_row, score_row) if row is not None)
            facts.append(
                PostFacts(
                    author=name,
                    date=self._stated_date(attrs) if date_row is None else self.date_of[date_row],
                    score=score,
                    permalink=resolve_link(permalink, base) if permalink else None,
                    rows=(*rows, *edits[post]),
                )
            )
        return facts

    def _by_post(self, rows: npt.NDArray[np.integer], n_post: int) -> list[list[int]]:
        rows_of_post: list[list[int]] = [[] for _ in range(n_post)]
        for row, post in zip(rows.tolist(), self.post_of_row[rows].tolist(), strict=True):
            if post >= 0 and len(rows_of_post[post]) < MAX_CANDIDATES:
                rows_of_post[post].append(row)
        return rows_of_post

    # -- author ----------------------------------------------------------------------------------

    def _read_author(
        self, rows: list[int], is_stated: npt.NDArray[np.bool_], date_row: int | None
    ) -> tuple[str | None, int | None]:
        """Read the name: from marked elements first, then links, then the rest.

        Links and the rest inside an element that is stated to be about the author come before all
        others.
        """
        bits, links = self.hints.bits, self.hints.links.profiles

        def trust(row: int) -> tuple[bool, ...]:
            if bits[row] & (AUTHOR | NAME):
                return ()
            return not is_stated[row], not links[row]

        letter: tuple[str, int] | None = None
        for row in sorted(rows, key=lambda row: (trust(row), row)):
            if row == date_row or (bits[row] & DATE and not bits[row] & (AUTHOR | NAME)):
                continue
            if _OTHER_FACT.search(self.hints.classes.get(row, "")):
                continue
            if name := self._name_in(row, date_row):
                if len(name) > 1:
                    return name, row
                # A single letter usually replaces a picture, but can be a name.
                letter = letter or (name, row)
        return letter or (None, None)

    def _find_lone_names(self, n_post: int) -> dict[int, tuple[str, int]]:
        """Find unmarked names: the first short text in one place of all posts that differs."""
        page = self.hints.page
        slots: dict[tuple[str, ...], dict[int, tuple[str, int]]] = {}
        seen = np.zeros(n_post, np.int64)
        dated = page.within(page.flag(list(self.date_of)))
        for leaf, row in enumerate(watch(page.leaves.tolist())):
            post = int(self.post_of_row[row])
            if post < 0 or seen[post] >= MAX_LONE_LEAVES or dated[row]:
                continue
            seen[post] += 1
            text = plain_text(page.leaf_text(leaf)).strip(" ,:;·•|-–—()[]")
            if not 1 < len(text) <= MAX_LONE_CHARS or not any(map(str.isalpha, text)):
                continue
            parent = int(page.parent[row])
            around = int(page.parent[parent])
            slot = tuple(
                part
                for ancestor in (parent, around)
                if ancestor >= 0
                for part in (page.name(ancestor), self.hints.classes.get(ancestor, ""))
            )
            slots.setdefault(slot, {}).setdefault(post, (text, row))
        for names in slots.values():
            n_name = len({name for name, _ in names.values()})
            if len(names) >= MIN_LONE_SHARE * n_post and n_name > 1 and 5 * n_name >= len(names):
                return names
        return {}

    def _name_in(self, row: int, date_row: int | None) -> str | None:
        """Return the first name in an element: the text of a link, else the first text."""
        page = self.hints.page
        first, last = int(page.leaf_offset[row]), int(page.leaf_offset[page.end[row]])
        leaves = [
            leaf
            for leaf in range(first, min(last, first + MAX_LEAVES))
            if page.leaf_chars[leaf] and not self._is_date(int(page.leaves[leaf]), date_row)
        ]
        linked = [leaf for leaf in leaves if page.in_link[page.leaves[leaf]]]
        for leaf in linked or leaves:
            text = plain_text(page.leaf_text(leaf))
            if leaf not in linked and leaf + 1 < last and text.endswith((":", "：")):
                return self._name_behind_label(row)
            text = text.strip(" ,:;·•|-–—()[]")
            # A name may be of signs; a lone sign is a button.
            may_be_signs = leaf in linked and self.hints.links.profiles[row] and len(text) > 1
            if 0 < len(text) <= MAX_NAME_CHARS and (may_be_signs or any(map(str.isalnum, text))):
                if leaf in linked or self.hints.bits[row] & NAME or " " not in text:
                    return text
                names, _ = read_names((AuthorStatement(text, is_single=True),))
                if names or ":" not in text:
                    return names[0] if names else text
        return None

    def _name_behind_label(self, row: int) -> str | None:
        """Return the name in "By: Ann"; None of another fact, such as "Joined: May 2021"."""
        text = plain_text(self.hints.page.text_of(row))[:MAX_NAME_CHARS]
        names, _ = read_names((AuthorStatement(text, is_single=True),))
        return next((name for name in names if ":" not in name), None)

    def _is_date(self, leaf_row: int, date_row: int | None) -> bool:
        return date_row is not None and date_row <= leaf_row < self.hints.page.end[date_row]

    # -- date ------------------------------------------------------------------------------------

    def _slot(self, row: int) -> tuple[str, str, str]:
        """Return the slot of a date in a post: a key shared by all posts of a thread."""
        page, classes = self.hints.page, self.hints.classes
        parent = int(page.parent[row])
        return page.name(row), classes.get(row, ""), classes.get(parent) or page.name(parent)

    def _weigh_slots(
        self, dates: list[list[int]], in_profile: npt.NDArray[np.bool_]
    ) -> dict[tuple[str, str, str], float]:
        """Score how likely each slot holds the date of the post; most posts are in order of it."""
        page, bits = self.hints.page, self.hints.bits
        days: dict[tuple[str, str, str], list[str]] = {}
        worth: dict[tuple[str, str, str], float] = {}
        for rows in watch(dates):
            seen = set()
            for row in rows:
                slot = self._slot(row)
                if slot in seen:
                    continue
                seen.add(slot)
                days.setdefault(slot, []).append((self.date_of[row].iso or "")[:10])
                named = page.tag[row] != TEXT and bool(bits[row] & DATE)
                stated = named and row in self.hints.properties
                worth.setdefault(slot, 0.25 * named + 1.0 * stated - 1.0 * bool(in_profile[row]))
        n_post = max(1, sum(bool(rows) for rows in dates))
        for slot, values in days.items():
            exact = [day for day in values if day]
            pairs = list(pairwise(exact))
            rising = sum(a <= b for a, b in pairs) / len(pairs) if pairs else 0.5
            worth[slot] += len(values) / n_post + 0.5 * len(exact) / len(values) + 0.5 * rising
        return worth

    def _is_of_edit(self, row: int) -> bool:
        return self.hints.properties.get(row, "").lower() == _OF_EDIT

    def _stated_date(self, attrs: dict[str, str]) -> PostDate | None:
        values = (attrs[key] for key in _DATE_VALUES if attrs.get(key))
        dates = (PostDate(iso, value) for value in values if (iso := read_date(value)))
        return next(dates, None)

    # -- score -----------------------------------------------------------------------------------

    def _read_score(
        self, rows: list[int], in_profile: npt.NDArray[np.bool_]
    ) -> tuple[int | None, int | None]:
        page = self.hints.page
        for row in rows:
            if in_profile[row] or self.hints.bits[row] & (DATE | MAYBE_AUTHOR):
                continue
            if _VOTED_DOWN in self.hints.classes.get(row, "").split():
                continue
            attrs = page.attrs(row)
            names = ("content", *_SCORE_VALUES, "data-value")
            values = [attrs[name] for name in names if name in attrs]
            if page.chars_before[page.end[row]] - page.chars_before[row] <= MAX_SCORE_CHARS:
                values.append(plain_text(page.text_of(row)))
            for value in values:
                if (number := read_number(value)) is not None:
                    return number, row
        return None, None

    # -- permalink -------------------------------------------------------------------------------

    def _find_permalink(
        self, attrs: dict[str, str], links: list[int], date_row: int | None, hrefs: dict[int, str]
    ) -> str | None:
        page = self.hints.page
        for key in _LINK_VALUES:
            if attrs.get(key):
                return attrs[key]
        if date_row is not None:
            for link in links:
                inside = date_row <= link < page.end[date_row]
                if (inside or link <= date_row < page.end[link]) and _leads(hrefs.get(link)):
                    return hrefs[link]
        for link in links:
            href = hrefs.get(link, "")
            is_numbered = any(map(str.isdigit, href.partition("#")[2]))
            if is_numbered and _ORDINAL.fullmatch(plain_text(page.text_of(link))):
                return href
        name = attrs.get("id")
        return f"#{name}" if name and any(map(str.isdigit, name)) else None


def _find_like_counts(page: Page) -> IntArray:
    """Find the counts of readers who like a post; their kind is stated beside them."""
    counts = page.attributes.rows_matching("itemprop", _STATES_COUNT)
    if not counts.size:
        return counts
    kinds = page.attributes.rows_matching("content", _IS_OF_LIKES)
    return counts[np.isin(page.parent[counts], page.parent[kinds])]


def read_number(text: str) -> int | None:
    """Read the first number of a text as a score: 12, −3, 1,204, 1.2k."""
    number = _NUMBER.search(text[:MAX_SCORE_CHARS])
    if not number:
        return None
    sign, whole, fraction, unit = number.groups()
    digits = "".join(filter(str.isdigit, whole))
    value = float(f"{int(digits)}.{(fraction or '.0')[1:]}")
    value *= _THOUSANDS.get((unit or "").lower(), 1)
    return round(-value if sign in ("-", "−") and sign else value) if value <= _MAX_SCORE else None


def _leads(href: str | None) -> bool:
    return bool(href) and href not in ("#", "javascript:;", "javascript:void(0)")


def find_quotes(page: Page, names: RowNames) -> npt.NDArray[np.bool_]:
    """Flag the rows that are quoted from other posts; bool[n_row]."""
    flags = _QUOTES[page.tag]
    quotes = [bool(_QUOTE_NAME.search(value.lower())) for value in watch(names.texts())]
    flags[names.row[np.array(quotes, np.bool_)[names.value]]] = True
    return page.within(flags)
