"""Microdata of a page (HTML Living Standard, 5.2) as objects in the shape of JSON-LD."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

import numpy as np

from thresher.analysis.json_ld import MAX_DEPTH, MAX_VALUE_CHARS, Entity, JsonValue
from thresher.page import Page
from thresher.page.tags import CODE_OF

__all__ = ["read_microdata"]

_VALUE_OF: Final = {
    **{"meta": "content", "object": "data", "data": "value", "meter": "value"},
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
}
"""The attribute that holds the value of an element (5.2.4); for others it is their text."""
_NAME: Final = re.compile(r"[^ \t\n\f\r]+")
"""A name among several, between white space of HTML."""
_TIME: Final = ("time", "datetime")
"""Element whose text counts if it has no such attribute."""


def read_microdata(page: Page) -> tuple[Entity, ...]:
    """Read the top-level items, in document order.

    `itemref` is ignored: a few kilobytes of it can describe exponentially many items. Items keep
    `MAX_DEPTH` levels. Texts have no scripts and styles.
    """
    if not page.attributes.named("itemscope").size:
        return ()  # like most pages
    is_scope, names = (_flag_named(page, name) for name in ("itemscope", "itemprop"))
    # A template's content is not in the item around it. The root has no parent, and is in no item.
    is_template = page.tag == CODE_OF["template"]
    properties = np.flatnonzero(names[1:]) + 1
    owners = page.nearest(is_scope | is_template, page.parent[properties])
    of_item: dict[int, list[int]] = defaultdict(list)
    for row, owner in zip(properties.tolist(), owners.tolist(), strict=True):
        if owner >= 0 and not is_template[owner]:
            of_item[owner].append(row)
    rows = frozenset(np.flatnonzero(is_scope).tolist())
    tops = np.flatnonzero(is_scope & ~names).tolist()
    found = _Items(page, of_item, rows)
    return tuple(found.read(row, MAX_DEPTH) for row in tops)


def _flag_named(page: Page, name: str) -> np.ndarray:
    flags = np.zeros(len(page), np.bool_)
    flags[page.attributes.row[page.attributes.named(name)]] = True
    flags[page.n_own_row :] = False
    return flags


class _Items:
    """The items of a page, given the rows of each one's properties."""

    def __init__(self, page: Page, of_item: Mapping[int, list[int]], rows: frozenset[int]) -> None:
        self._page = page
        self._of_item = of_item
        self._rows = rows

    def read(self, item: int, levels: int) -> Entity:
        """Read an item with so many levels of others in it; types are the last parts of theirs."""
        attributes = self._page.attrs(item)
        entity: Entity = {}
        if attributes.get("itemtype"):
            kinds = attributes["itemtype"].split()
            entity["@type"] = [kind.rstrip("/").rpartition("/")[2] for kind in kinds]
        if attributes.get("itemid"):
            entity["@id"] = attributes["itemid"]
        values: dict[str, list[JsonValue]] = {}
        for row in self._of_item.get(item, ()):
            own = self._page.attrs(row)
            is_item = row in self._rows
            value: JsonValue = None
            if not is_item:
                value = self._value_of(row, own)[:MAX_VALUE_CHARS]
            elif levels:
                value = self.read(row, levels - 1)
            for name in dict.fromkeys(_NAME.findall(own["itemprop"])):
                values.setdefault(name, []).extend([value] if levels or not is_item else ())
        entity.update(values)
        return entity

    def _value_of(self, row: int, attributes: Mapping[str, str]) -> str:
        name = self._page.name(row)
        if name in _VALUE_OF:
            return attributes.get(_VALUE_OF[name], "")
        element, attribute = _TIME
        stated = attributes.get(attribute) if name == element else None
        return stated or self._page.text_of(row)
