"""Structured data of a page as plain data: read here, weighed in `thresher.analysis.metadata`.

Schema.org objects have the shape of JSON-LD, whether they were written as JSON-LD or as microdata.
All is of a page's own rows, in document order, and read once for each page; nothing raises.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.page.text import unescape
from thresher.support.cached import cached_lookup, cached_view

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Entity: TypeAlias = dict[str, JsonValue]
"""A schema.org object, keys as in JSON-LD: `@type`, `@id` and property names."""

MAX_DEPTH: Final = 32
"""Levels of nesting kept of an object; the deepest seen on a thousand pages had 11."""
MAX_VALUE_CHARS: Final = 100_000
"""Longest string kept, in characters; longer ones (an article, a data URL) are truncated."""


def _read_finite(number: str) -> float | None:
    value = float(number)
    return value if math.isfinite(value) else None


_DECODER: Final = json.JSONDecoder(
    strict=False, parse_float=_read_finite, parse_constant=lambda _: None
)
"""Accepts raw line breaks in strings, the most common error in JSON-LD, and what is not a finite
number as null."""


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return the values of a property, which may have one or a list of them."""
    return value if isinstance(value, list) else [value]


def decode_first(text: str, decoder: json.JSONDecoder) -> JsonValue:
    """Decode the first list or object of a text; None if it is not JSON."""
    brackets = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    if not brackets:
        return None
    try:
        value: JsonValue = decoder.raw_decode(text, min(brackets))[0]
    except (ValueError, RecursionError):
        return None
    return value


def read_json_ld(script: str) -> Iterator[Entity]:
    """Yield the objects of one JSON-LD script; none if it is not JSON.

    The parser's own `json_ld` rejects a script with a raw line break in a string, a CDATA wrapper
    or trailing text. Here a script is read from its first bracket to the end of the value.
    """
    text = script.replace("<![CDATA[", "")
    value = decode_first(text, _DECODER)
    yield from _flatten(_prune(value, MAX_DEPTH) if _may_have_excess(text) else value)


def _flatten(value: JsonValue) -> Iterator[Entity]:
    """Yield the objects of a value in order, with lists and graphs flattened."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            graph = value.get("@graph")
            if len(value) > 1 + ("@context" in value) or not isinstance(graph, (list, dict)):
                yield {key: part for key, part in value.items() if key != "@graph"}
            waiting.append(graph)


def _may_have_excess(text: str) -> bool:
    """Return whether a script may hold what is pruned; small ones do not."""
    if len(text) > MAX_VALUE_CHARS or text.count("{") + text.count("[") > MAX_DEPTH:
        return True
    if "\\ud" in text or "\\uD" in text:
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _prune(value: JsonValue, levels: int) -> JsonValue:
    """Copy a decoded value without what UTF-8 cannot represent, or is too deep or long."""
    if isinstance(value, str):
        return value if _is_plain(value) else _without_surrogates(value[:MAX_VALUE_CHARS])
    if isinstance(value, dict) and levels:
        return {
            key if key.isascii() else _without_surrogates(key): (
                part if isinstance(part, str) and _is_plain(part) else _prune(part, levels - 1)
            )
            for key, part in value.items()
        }
    if isinstance(value, list) and levels:
        return [_prune(part, levels - 1) for part in value]
    return None if isinstance(value, (dict, list)) else value


def _is_plain(text: str) -> bool:
    return text.isascii() and len(text) <= MAX_VALUE_CHARS


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON can escape but UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


# -- microdata -------------------------------------------------------------------------------------

_VALUE_OF: Final = {
    **{"meta": "content", "object": "data", "data": "value", "meter": "value"},
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
}
"""The attribute that holds the value of an element (5.2.4); for others it is their text."""
_NAME: Final = re.compile(r"[^ \t\n\f\r]+")
"""A name among several, between white space of HTML."""


@cached_view
def read_microdata(page: Page) -> tuple[Entity, ...]:
    """Read the top-level items of microdata (HTML Living Standard, 5.2), in document order.

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
    items = _Items(page, of_item, rows)
    return tuple(items.read(row, MAX_DEPTH) for row in tops)


def _flag_named(page: Page, name: str) -> np.ndarray:
    flags = page.flag(page.attributes.rows_named(name))
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
        stated = attributes.get("datetime") if name == "time" else None
        return stated or self._page.text_of(row)


# -- a page's own ----------------------------------------------------------------------------------

_JSON_LD: Final = "application/ld+json"
_META_NAMES: Final = ("name", "property", "http-equiv")
_METAS: Final = flags_of("meta")
_HEAD_LINKS: Final = flags_of("link")
_LINKS: Final = flags_of("a link")


def _own_rows(page: Page, elements: BoolArray) -> npt.NDArray[np.int64]:
    rows = page.rows_of(elements)
    return rows[rows < page.n_own_row] if page.attached else rows


def read_title(page: Page) -> str | None:
    """Read the text of the page's title."""
    return page.text_of(page.title_row) if page.title_row >= 0 else None


def read_language(page: Page) -> str | None:
    """Read the language of the root element."""
    root = page.attrs(0)
    return root.get("lang") or root.get("xml:lang")


@cached_view
def read_meta(page: Page) -> dict[str, list[str]]:
    """Read the contents of `<meta>`, except empty ones, by name, property or http-equiv.

    Names are in lower case.
    """
    texts: dict[str, list[str]] = {}
    contents, others, *stated = _read_stated(page, ("content", "value", *_META_NAMES))
    if others:  # some systems write value instead of content
        rows = sorted({*contents, *others})
        contents = {row: contents.get(row) or others.get(row, "") for row in rows}
    names_of: dict[int, list[str]] = {}
    for values in stated:
        for row, name in watch(values.items()):
            if name:
                names_of.setdefault(row, []).append(name)
    for row, content in watch(contents.items()):
        if text := content.strip():
            names = dict.fromkeys(names_of.get(row, ()))
            for name in sorted([name.strip().lower() for name in names]):
                texts.setdefault(name, []).append(text[:MAX_VALUE_CHARS])
    return texts


def _read_stated(page: Page, names: tuple[str, ...]) -> list[dict[int, str]]:
    """Read some attributes of every `<meta>`: row → value, for each name."""
    attributes, stated = page.attributes, []
    named = [attributes.named(name) for name in names]
    entries = np.concatenate(named)
    number = np.arange(len(names)).repeat([group.size for group in named])
    rows = attributes.row.take(entries)
    is_meta = _METAS.take(page.tag.take(rows)) & (rows < page.n_own_row)
    entries, number, row = entries[is_meta], number[is_meta], rows[is_meta].tolist()
    check_deadline()
    texts = attributes.texts_of(entries)
    check_deadline()
    stops = number.searchsorted(range(len(names)), side="right").tolist()
    for start, stop in pairwise((0, *stops)):
        stated.append(dict(zip(row[start:stop], texts[start:stop], strict=True)))
    return stated


def read_canonical(page: Page) -> str | None:
    """Read the address of the first `<link rel=canonical>`, as written."""
    links = (href for tag, href in _read_links(page, "canonical") if _HEAD_LINKS[tag])
    return next(links, None)


def read_linked(page: Page, rel: str) -> list[str]:
    """Read the addresses, as written, of `<link>` and `<a>` with a rel in lower case."""
    return [href for _, href in _read_links(page, rel)]


@cached_lookup  # several fields ask for the same
def _read_links(page: Page, rel: str) -> list[tuple[int, str]]:
    """Read tag and address of the links with a rel, in order; of those that have an address."""
    check_deadline()
    numbers = _read_relations(page).get(rel)
    if not numbers:
        return []
    rows = page.attributes.distinct("rel").rows_with(numbers)
    rows = rows[_LINKS.take(page.tag.take(rows)) & (rows < page.n_own_row)]
    hrefs = [(page.tag.item(row), page.attr(row, "href")) for row in rows.tolist()]
    return [(tag, href.strip()) for tag, href in hrefs if href is not None]


@cached_view
def _read_relations(page: Page) -> dict[str, list[int]]:
    relations: dict[str, list[int]] = {}
    for word, numbers in page.attributes.distinct("rel").words.items():
        relations.setdefault(word.lower(), []).extend(numbers)
    return relations


@cached_view
def find_json_ld(page: Page) -> tuple[Entity, ...]:
    """Read the objects of all JSON-LD scripts, with lists and `@graph` flattened.

    Invalid JSON affects only its own script.
    """
    attributes, buffer = page.attributes, page.buffer
    entries = attributes.named("type")
    entries = entries[page.tag.take(attributes.row.take(entries)) == CODE_OF["script"]]
    columns = (attributes.row, attributes.start, attributes.stop)
    kinds = zip(*(column.take(entries).tolist() for column in columns), strict=True)
    rows = [row for row, start, stop in kinds if _is_json_ld(buffer[start:stop])]
    entities: list[Entity] = []
    for row in watch(rows):
        if row < page.n_own_row:
            entities += read_json_ld(page.raw_text(row))
    return tuple(entities)


def _is_json_ld(kind: bytes) -> bool:
    if b"json" not in kind.lower():
        return False  # most values of `type` are those of other scripts
    return unescape(kind.decode()).partition(";")[0].strip().lower() == _JSON_LD
