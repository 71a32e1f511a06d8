"""Removal of attributes that the sanitiser would drop, before fragments are parsed.

Most attributes of a page are classes, ids and data for scripts, and the sanitiser checks each one.
Attributes dropped here need not be parsed; the sanitiser decides on the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thresher.native import Steps, kernel_with
from thresher.page.names import pack_names

__all__ = ["AttributeRules", "make_rules", "tidy"]


@dataclass(frozen=True, slots=True)
class AttributeRules:
    """Elements and the attributes that they may have."""

    tags: npt.NDArray[np.uint64]
    """The names of the elements as words, sorted; uint64[n_tag, 2]."""
    allowed: npt.NDArray[np.uint32]
    """A bit for each attribute that an element may have; uint32[n_tag]."""
    attributes: npt.NDArray[np.uint64]
    """The names of the attributes as words, sorted; uint64[n_attribute, 2]."""
    ids: int
    """The bit of the attribute that is kept if it is the mark of a note."""


def make_rules(tags: frozenset[str], attributes: Mapping[str, frozenset[str]]) -> AttributeRules:
    """Make rules from the names of elements, and of their attributes; "*" stands for all."""
    names, tag_words = _sort(tags)
    known, words = _sort(frozenset().union(*(attributes.get(name, ()) for name in (*tags, "*"))))

    bit_of = {name: 1 << bit for bit, name in enumerate(known)}
    allowed = [
        sum(bit_of[each] for each in attributes["*"] | attributes.get(name, frozenset()))
        for name in names
    ]
    return AttributeRules(tag_words, np.array(allowed, np.uint32), words, bit_of["id"])


def _tidy_by_step(steps: Steps, fragment: bytes, rules: AttributeRules) -> str | None:
    tidied = steps.tidy_markup(fragment, rules.tags, rules.allowed, rules.attributes, rules.ids)
    return None if tidied is None else str(tidied.data, "utf-8", "surrogatepass")


@kernel_with(_tidy_by_step)
def tidy(fragment: bytes, rules: AttributeRules) -> str:
    """Remove the attributes that no element may have from a fragment in UTF-8, where that is easy.

    It is returned unchanged if it contains elements unknown to ``rules``, and without the compiled
    steps.
    """
    return str(fragment, "utf-8", "surrogatepass")


def _sort(names: frozenset[str]) -> tuple[list[str], npt.NDArray[np.uint64]]:
    """Sort names by their words."""
    listed = sorted(names)
    words = pack_names(*listed)
    order = np.lexsort((words.high, words.low))
    return [listed[place] for place in order.tolist()], np.ascontiguousarray(
        np.column_stack(words)[order]
    )
