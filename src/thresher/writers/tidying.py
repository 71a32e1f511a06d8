"""Fragments without the attributes that the sanitiser would drop, before they are parsed.

Most attributes of a page are classes, ids and data for scripts, and the sanitiser asks about each
one. What is dropped here need not be parsed; and of most fragments it turns out that what is left
is safe, so that they need no sanitiser at all: known elements of HTML, attributes that may have
any value, and addresses of the web that are spelled as they are sent. Nothing in a table is beside
its cells, and no heading in another: such markup the parser takes apart, and the sanitiser spells
out what then stands where it cannot be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.names import words_of
from thresher.native import REFUSED, compiled

__all__ = ["Rules", "Tidied", "make_rules", "tidy"]

_ADDRESSES: Final = ("cite", "href", "src")
_BOUND: Final = ("align", "class", "id", "style")
"""Attributes that may have only some values."""
_PARTS: Final = ("caption", "tbody", "td", "tfoot", "th", "thead", "tr")
_HOLDING_PARTS: Final = ("table", "tbody", "tfoot", "thead", "tr")
_TITLES: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_HOLDS_PARTS, _IS_PART, _IS_TITLE = 1, 2, 4
_HAS_OTHERS, _HAS_PARAMETERS = 1, 2
"""As native/writers.h has them."""


class Tidied(NamedTuple):
    """A fragment, and what is known of it."""

    markup: str
    is_safe: bool
    """Whether all of it may stay as it is."""
    has_plain_links: bool
    """Whether all links lead to addresses without parameters."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Which elements may have which attributes."""

    tags: npt.NDArray[np.uint64]
    """The words of their names, sorted; uint64[n_tag, 2]."""
    allowed: npt.NDArray[np.uint32]
    """A bit for each attribute that an element may have; uint32[n_tag]."""
    kinds: npt.NDArray[np.uint8]
    """What each is; uint8[n_tag]."""
    attributes: npt.NDArray[np.uint64]
    """The words of their names, sorted; uint64[n_attribute, 2]."""
    free: int
    """The bits of attributes that may have any value."""
    addresses: int
    ids: int
    links: int
    """The bit of the attribute that makes an `a` a link."""


def make_rules(tags: frozenset[str], attributes: Mapping[str, frozenset[str]]) -> Rules:
    """Make rules from the names of elements, and of their attributes; "*" stands for all."""
    names, tag_words = _sort(tags)
    known, words = _sort(frozenset().union(*(attributes.get(name, ()) for name in (*tags, "*"))))

    def bits_of(those: frozenset[str] | tuple[str, ...]) -> int:
        return sum(1 << bit for bit, name in enumerate(known) if name in those)

    kinds = [
        _HOLDS_PARTS * (name in _HOLDING_PARTS)
        + _IS_PART * (name in _PARTS)
        + _IS_TITLE * (name in _TITLES)
        for name in names
    ]
    allowed = [bits_of(attributes["*"] | attributes.get(name, frozenset())) for name in names]
    return Rules(
        tags=tag_words,
        allowed=np.array(allowed, np.uint32),
        kinds=np.array(kinds, np.uint8),
        attributes=words,
        free=bits_of(tuple(set(known).difference(_ADDRESSES, _BOUND))),
        addresses=bits_of(_ADDRESSES),
        ids=bits_of(("id",)),
        links=bits_of(("href",)),
    )


def tidy(fragment: bytes, rules: Rules) -> Tidied:
    """Take out of a fragment in UTF-8 the attributes that no element may have, where that is easy.

    It stays as it is where it has elements that ``rules`` do not know, and without the compiled
    steps.
    """
    tidied: bytes | memoryview = fragment
    is_safe = has_plain_links = False
    if compiled is not None:
        room, found = np.empty(len(fragment), np.uint8), np.empty(1, np.uint8)
        n_byte = compiled.tidy_markup(
            *(fragment, rules.tags, rules.allowed, rules.kinds, rules.attributes),
            *(rules.free, rules.addresses, rules.ids, rules.links, room, found),
        )
        if n_byte != REFUSED:
            tidied = room.data[:n_byte]
            is_safe = not found[0] & _HAS_OTHERS
            has_plain_links = not found[0] & _HAS_PARAMETERS
    return Tidied(str(tidied, "utf-8", "surrogatepass"), is_safe, has_plain_links)


def _sort(names: frozenset[str]) -> tuple[list[str], npt.NDArray[np.uint64]]:
    """Sort names by their words."""
    listed = sorted(names)
    words = words_of(*listed)
    order = np.lexsort((words.high, words.low))
    return [listed[place] for place in order.tolist()], np.ascontiguousarray(
        np.column_stack(words)[order]
    )
