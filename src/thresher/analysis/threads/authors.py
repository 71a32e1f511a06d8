"""Authors of posts: elements marked as author, links to profiles, unmarked names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from thresher.analysis.metadata.normalise import plain_text
from thresher.analysis.metadata.people import AuthorStatement, read_names
from thresher.analysis.threads.markup_hints import MarkupHints
from thresher.analysis.threads.markup_names import AUTHOR, DATE, NAME
from thresher.analysis.threads.model import PostDate
from thresher.deadline import watch
from thresher.page.scan import IntArray

__all__ = ["MAX_NAME_CHARS", "Authors"]

MAX_NAME_CHARS: Final = 60
"""Longest name, in characters."""
MAX_LONE_LEAVES: Final = 8
"""First texts of a post that may be an unmarked name."""
MAX_LONE_CHARS: Final = 40
MIN_LONE_SHARE: Final = 0.8
MAX_LEAVES: Final = 24
"""Texts of one element examined for a name."""


@dataclass(frozen=True)
class Authors:
    """Reader of the author names of a page's posts."""

    hints: MarkupHints
    date_of: dict[int, PostDate]
    post_of_row: IntArray
    """The post of each row; int32[n_row]."""

    def read(self, rows: list[int], date_row: int | None) -> tuple[str | None, int | None]:
        """Read the name: from marked elements first, then links, then the rest."""
        bits, links = self.hints.bits, self.hints.links.profiles

        def trust(row: int) -> int:
            if bits[row] & (AUTHOR | NAME):
                return 0
            return 1 if links[row] else 2

        letter: tuple[str, int] | None = None
        for row in sorted(rows, key=lambda row: (trust(row), row)):
            if row == date_row or (bits[row] & DATE and not bits[row] & (AUTHOR | NAME)):
                continue
            if name := self._name_in(row, date_row):
                if len(name) > 1:
                    return name, row
                # A single letter usually replaces a picture, but can be a name.
                letter = letter or (name, row)
        return letter or (None, None)

    def find_lone(self, n_post: int) -> dict[int, tuple[str, int]]:
        """Find unmarked names: the first short text at the same position of all posts.

        Names differ from post to post, unlike the labels of boards.
        """
        page = self.hints.page
        slots: dict[tuple[str, ...], dict[int, tuple[str, int]]] = {}
        seen = np.zeros(n_post, np.int64)
        dated = np.zeros(len(page), np.bool_)
        dated[list(self.date_of)] = True
        dated = page.within(dated)
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
                for each in (parent, around)
                if each >= 0
                for part in (page.name(each), self.hints.classes.get(each, ""))
            )
            slots.setdefault(slot, {}).setdefault(post, (text, row))
        for found in slots.values():
            n_name = len({name for name, _ in found.values()})
            if len(found) >= MIN_LONE_SHARE * n_post and n_name > 1 and 5 * n_name >= len(found):
                return found
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
            text = plain_text(page.leaf_text(leaf)).strip(" ,:;·•|-–—()[]")
            if 0 < len(text) <= MAX_NAME_CHARS and any(map(str.isalnum, text)):
                if leaf in linked or self.hints.bits[row] & NAME or " " not in text:
                    return text
                names, _ = read_names((AuthorStatement(text, is_single=True),))
                return names[0] if names else text
        return None

    def _is_date(self, leaf_row: int, date_row: int | None) -> bool:
        return date_row is not None and date_row <= leaf_row < self.hints.page.end[date_row]
