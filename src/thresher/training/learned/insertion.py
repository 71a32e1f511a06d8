"""Short structures inserted behind the paragraphs of labelled pages, to train on.

Lists, tables, boxes and captions of a few words stand within many texts, as do teasers and pleas,
but each kind within few labelled ones. A page is varied by inserting some, filled with its words,
behind paragraphs of the content that stand together, the last of them included.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.tags import flags_of
from thresher.roles import ROLES

_TABLE: Final = Path(__file__).with_name("insertions.toml")
MAX_INSERTED: Final = 3
"""Maximum number of structures inserted into a page, each in a place of its own."""
_LAST_SHARE: Final = 0.5
"""Share of pages on which something is inserted behind the last paragraph, where short blocks are
boilerplate on most pages, and content on some."""
_PARAGRAPH: Final = flags_of("p")
_MIN_WORDS: Final = 15
"""Minimum words of a paragraph after which something is inserted."""
_END_LENGTH: Final = 24
"""Characters at the end of a paragraph by which it is located in the HTML."""
_BRACES: Final = re.compile(r"\{([^{}]+)\}")
_CLOSING: Final = r"(?:\s|</\w+>)*?</p>"
_NUMBERS: Final = (1, 2_000)
"""The smallest and the largest number drawn."""


class Insertion(NamedTuple):
    """A row of the table."""

    html: str
    role: str


@dataclass(frozen=True, slots=True)
class VariedPage:
    """A page with insertions."""

    page: Page
    origin: npt.NDArray[np.intp]
    """Number of each block on the original page, −1 if inserted; intp[n_block]."""
    role: npt.NDArray[np.int8]
    """Code of the role of each inserted block, meaningless for others; int8[n_block]."""


@cache
def read_insertions() -> tuple[Insertion, ...]:
    """Read the table of structures."""
    rows = tomllib.loads(_TABLE.read_text(encoding="utf-8")).values()
    return tuple(Insertion(row["html"], row.get("role", "body")) for row in rows)


def vary(
    page: Page, html: str, is_content: npt.NDArray[np.bool_], random: Random
) -> VariedPage | None:
    """Insert structures behind paragraphs of the content; None without a place for them.

    ``is_content`` bool[n_block] tells which blocks are certainly content.
    """
    places = _find_places(page, html, is_content)
    if not places:
        return None
    chosen = random.sample(places, min(MAX_INSERTED, len(places)))
    if random.random() < _LAST_SHARE and places[-1] not in chosen:
        chosen[0] = places[-1]
    chosen.sort()
    structures = random.sample(read_insertions(), len(chosen))
    contents = np.flatnonzero(is_content).tolist()
    words = " ".join(page.block_text(block) for block in contents).split()
    pieces, start = [], 0
    role_after = {}
    for (block, offset), structure in zip(chosen, structures, strict=True):
        pieces += [html[start:offset], fill(structure.html, words, random)]
        role_after[block] = ROLES.index(structure.role)
        start = offset
    varied = parse("".join((*pieces, html[start:])), url=page.url)
    return _align(page, varied, role_after)


def fill(html: str, words: Sequence[str], random: Random) -> str:
    """Fill the braces of a structure; the same choice is the same wherever it stands."""
    choices: dict[str, str] = {}

    def draw(match: re.Match[str]) -> str:
        what = match[1]
        if what == "word":
            return _draw_words(words, 1, random)
        if what == "phrase":
            return _draw_words(words, random.randint(2, 6), random)
        if what == "sentence":
            return f"{_draw_words(words, random.randint(5, 16), random)}."
        if what == "number":
            return str(random.randint(*_NUMBERS))
        return choices.setdefault(what, random.choice(what.split("|")))

    return _BRACES.sub(draw, html)


def _draw_words(words: Sequence[str], count: int, random: Random) -> str:
    start = random.randrange(max(1, len(words) - count))
    drawn = " ".join(words[start : start + count]).strip(".,;:!?\"“”„'’()")
    return escape(drawn[:1].upper() + drawn[1:])


def _find_places(page: Page, html: str, is_content: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return blocks after which structures can stand, with their offset in the HTML."""
    rows = page.block_row
    is_paragraph = is_content & _PARAGRAPH[page.tag[rows]]
    parents = page.parent[rows]
    is_joined = is_paragraph[:-1] & is_paragraph[1:] & (parents[:-1] == parents[1:])
    is_place = np.append(is_joined, False) | np.append(False, is_joined)
    places = []
    for block in np.flatnonzero(is_place).tolist():
        text = page.block_text(block)
        if len(text.split()) < _MIN_WORDS:
            continue
        end = re.compile(f"{re.escape(text[-_END_LENGTH:])}{_CLOSING}", re.IGNORECASE)
        ends = [match.end() for match in islice(end.finditer(html), 2)]
        if len(ends) == 1:
            places.append((block, ends[0]))
    return places


def _align(page: Page, varied: Page, role_after: dict[int, int]) -> VariedPage | None:
    """Match the blocks with the original ones; None if more than the insertions has changed.

    ``role_after`` is the role code of what was inserted, by the original block before it.
    """
    old, new = tuple(page.block_texts()), tuple(varied.block_texts())
    origin = np.full(len(new), -1, np.intp)
    role = np.zeros(len(new), np.int8)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, start, stop, new_start, new_stop in matcher.get_opcodes():
        if kind == "equal":
            origin[new_start:new_stop] = range(start, stop)
        elif kind != "insert" or start - 1 not in role_after:
            return None
        else:
            role[new_start:new_stop] = role_after[start - 1]
    return VariedPage(varied, origin, role)
