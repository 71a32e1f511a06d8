"""The page, settings and shared look-ups that every filter receives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.crunch.ads import host_of
from thresher.algorithms.crunch.params import Params
from thresher.filters.blocklist import BlockList
from thresher.filters.settings import Filters
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.source_positions import locate_tags
from thresher.page.tags import CODE_OF, TEXT
from thresher.support.cached import cached_property
from thresher.writers.shared.forms import Forms

IntArray = npt.NDArray[np.int32]

_TEMPLATE: Final = CODE_OF["template"]
_OWN_MARK: Final = "data-thresher"
"""Attribute of elements that Thresher itself added to a page, which no filter touches."""


@dataclass(frozen=True, slots=True)
class Forced:
    """Elements that the user's rules decide on; bool[n_row] each."""

    kept: BoolArray
    """No filter removes these. What is in them stays too if a filter would have removed them."""
    dropped: BoolArray
    """These are removed whatever the filters are."""


@dataclass(frozen=True)
class FilterContext:
    """A page to be filtered, with its settings and cached look-ups."""

    page: Page
    filters: Filters
    blocklist: BlockList
    keep: BoolArray | None
    """The leaves that a method selected; bool[n_leaf], None without a method."""
    forms: Forms
    """The forms that are kept or removed whole."""
    forced: Forced | None = None
    """What the user's rules keep and drop; None without rules."""
    n_fixed_char: int = 0
    """Characters at the beginning of the source that stay as they are: they were already sent."""

    @cached_property
    def host(self) -> str | None:
        """The host of the page."""
        return host_of(self.page.url or "")

    @cached_property
    def params(self) -> Params:
        """The settings as parameters of the method crunch, whose measures are used.

        Which filters are on is not decided there.
        """
        filters = self.filters
        return Params(
            max_link_ratio=filters.max_link_ratio,
            letters_per_word=filters.letters_per_word,
            cell_tags=filters.cell_tags,
            box_tags=filters.box_tags,
            remove_text_links=True,
            substance_tags=filters.substance_tags,
            min_table_chars=filters.min_table_chars,
            keep_portals=filters.keep_portals,
        )

    @cached_property
    def untouched(self) -> BoolArray:
        """Flags the rows that no filter may touch; bool[n_row].

        These are `aside`, and elements and their texts at the fixed beginning of the source.
        """
        return self.aside | self._find_fixed() if self.n_fixed_char else self.aside

    @cached_property
    def aside(self) -> BoolArray:
        """Flags the rows that are no part of the page that is shown and run; bool[n_row].

        These are the contents of templates, which scripts use (except declarative shadow roots,
        which are shown), and elements that Thresher itself added.
        """
        page = self.page
        templates = page.tag == _TEMPLATE
        templates[page.attributes.rows_named("shadowrootmode")] = False
        own = page.flag(page.attributes.rows_named(_OWN_MARK))
        if not (templates.any() or own.any()):
            return own
        return page.within(templates | own)

    def _find_fixed(self) -> BoolArray:
        """Flag the rows at the beginning of the source that are not to be changed."""
        page = self.page
        opened = locate_tags(page)[:, 0]
        fixed: BoolArray = (opened >= 0) & (opened < self.n_fixed_char)
        fixed |= (page.tag == TEXT) & fixed[page.parent]
        return fixed

    def values(self, name: str) -> dict[int, str]:
        """Return row → value of an attribute, read once."""
        return self.page.attributes.values(name)

    def holds_word(self, words: tuple[bytes, ...]) -> bool:
        """Return whether any class or id contains one of some words, given in lower case."""
        searches = map(self.page.attributes.search, ("class", "id"))
        return any(search.has(word) for search in searches for word in words)

    def named(self, words: tuple[bytes, ...], *patterns: bytes) -> BoolArray:
        """Flag the rows with a class or id that a pattern matches, in lower case; bool[n_row].

        A matching value must contain one of the words, which are searched first: most pages contain
        none of them, and searching for a word costs almost nothing.
        """
        attributes = self.page.attributes
        flags = np.zeros(len(self.page), np.bool_)
        for name in ("class", "id"):
            search = attributes.search(name)
            places = [
                place
                for place in search.find(words)
                if any(re.search(pattern, search.lower(place)) for pattern in patterns)
            ]
            flags[attributes.row[attributes.named(name)[places]]] = True
        return flags

    def matching(self, name: str, pattern: bytes) -> BoolArray:
        """Flag the rows with an attribute that a pattern matches, in lower case; bool[n_row]."""
        return self.page.flag(self.page.attributes.rows_matching(name, pattern))
