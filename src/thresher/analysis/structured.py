"""Structured data of a page as plain data: read here, weighed elsewhere.

The page table has no scripts, so the source is parsed a second time, only when metadata is
requested. `thresher.analysis.metadata` weighs the result. Schema.org objects are returned in the
shape of JSON-LD, whether they were written as JSON-LD or as microdata (HTML Living Standard, 5.2).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import turbohtml
from turbohtml.extract import MicrodataItem

from thresher.page import Page
from thresher.page.xml_syntax import close_empty

__all__ = [
    "Entity",
    "JsonValue",
    "LanguageGuess",
    "Structured",
    "guess_language",
    "read_json_ld",
    "read_structured",
]

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Entity: TypeAlias = dict[str, JsonValue]
"""A schema.org object, keys as in JSON-LD: `@type`, `@id` and property names."""

MAX_DEPTH: Final = 32
"""Levels of nesting kept of an object; the deepest seen on a thousand pages had 11."""
MAX_VALUE_CHARS: Final = 100_000
"""Longest string kept, in characters; longer ones (an article, a data URL) are truncated."""
LANGUAGE_SAMPLE_CHARS: Final = 5_000
"""Text read to guess a language, in characters; the guess is stable far below it."""
_JSON_LD: Final = "application/ld+json"
_DUBLIN_CORE: Final = ("dc.", "dcterms.")
_OPENGRAPH: Final = "og:"
_DECODER: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)
"""Accepts raw line breaks in strings, the most common error in JSON-LD, and NaN as null."""


@dataclass(frozen=True, slots=True)
class Structured:
    """The structured data of a page, in document order; names are in lower case."""

    json_ld: tuple[Entity, ...]
    """The objects of all JSON-LD scripts, with lists and `@graph` flattened."""
    microdata: tuple[Entity, ...]
    """The top-level items, without `itemref`. Values are always lists."""
    meta: dict[str, list[str]]
    """`<meta>`: name, property or http-equiv → contents."""
    links: dict[str, list[str]]
    """`<link>` and `<a>` with a rel: each rel → addresses as written."""
    base_href: str | None
    html_lang: str | None
    title: str | None
    """The text of the first `<title>` outside SVG."""

    @property
    def opengraph(self) -> dict[str, list[str]]:
        """The part of ``meta`` in the Open Graph namespace, `og:title` and so on (ogp.me)."""
        return {name: found for name, found in self.meta.items() if name.startswith(_OPENGRAPH)}

    @property
    def dublin_core(self) -> dict[str, list[str]]:
        """The part of ``meta`` in Dublin Core, `dc.` and `dcterms.` (DCMI, DC-HTML 2008)."""
        return {name: found for name, found in self.meta.items() if name.startswith(_DUBLIN_CORE)}


class LanguageGuess(NamedTuple):
    """A language guessed from text: ISO 639-3 code and confidence (0 to 1)."""

    code: str
    confidence: float


def read_structured(page: Page) -> Structured:
    """Read the structured data of a page; never raises."""
    html = close_empty(page.source).html
    tree = turbohtml.parse(html, positions=False, allow_declarative_shadow_roots=False)
    root = tree.root
    base = tree.find("base", attrs={"href": True})
    title = next((e for e in tree.find_all("title") if _is_html(e)), None)
    return Structured(
        json_ld=tuple(_json_ld_entities(tree)),
        microdata=tuple(_microdata_entities(tree)) if _has(page, "itemscope") else (),
        meta=_read_meta(tree),
        links=_read_links(tree),
        base_href=base.attr("href") if base is not None else None,
        html_lang=root.attr("lang") or root.attr("xml:lang") if root is not None else None,
        title=title.text if title is not None else None,
    )


def guess_language(text: str) -> LanguageGuess | None:
    """Guess the language of running text; None if it has no letters of a known script."""
    # Imported late: most callers need only text.
    from turbohtml.detect import detect_language  # noqa: PLC0415

    found = detect_language(text[:LANGUAGE_SAMPLE_CHARS])
    return LanguageGuess(found.language, found.confidence) if found.language else None


def _has(page: Page, attribute: str) -> bool:
    return bool(page.attributes.named(attribute).size)


def _is_html(element: turbohtml.Element) -> bool:
    return element.namespace is turbohtml.Namespace.HTML


def _read_meta(tree: turbohtml.Document) -> dict[str, list[str]]:
    """Collect the contents of `<meta>` by lower-case name, except empty ones."""
    found: dict[str, list[str]] = {}
    for element in tree.find_all("meta"):
        # Some systems write value instead of content.
        content = (element.attr("content") or element.attr("value") or "").strip()
        names = {element.attr(key) for key in ("name", "property", "http-equiv")} - {None, ""}
        for name in sorted(str(name).strip().lower() for name in names if content):
            found.setdefault(name, []).append(content[:MAX_VALUE_CHARS])
    return found


def _read_links(tree: turbohtml.Document) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in tree.find_all(["link", "a"], attrs={"rel": True, "href": True}):
        href = (element.attr("href") or "").strip()
        for rel in sorted(set((element.attr("rel") or "").lower().split())):
            found.setdefault(rel, []).append(href)
    return found


def _json_ld_entities(tree: turbohtml.Document) -> Iterator[Entity]:
    """Yield the objects of every JSON-LD script; invalid JSON affects only its own script."""
    for script in tree.find_all("script", attrs={"type": True}):
        kind = (script.attr("type") or "").partition(";")[0]
        if kind.strip().lower() != _JSON_LD:
            continue
        yield from read_json_ld(script.text)


def read_json_ld(script: str) -> Iterator[Entity]:
    """Yield the objects of one JSON-LD script; none if it is not JSON.

    The parser's own `json_ld` rejects a script with a raw line break in a string, a CDATA wrapper
    or trailing text. Here a script is read from its first bracket to the end of the value.
    """
    text = script.replace("<![CDATA[", "")
    brackets = [place for place in (text.find("{"), text.find("[")) if place >= 0]
    if not brackets:
        return
    try:
        value, _ = _DECODER.raw_decode(text, min(brackets))
    except (ValueError, RecursionError):
        return
    yield from _flatten(_prune(value, MAX_DEPTH))


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


def _prune(value: object, levels: int) -> JsonValue:
    """Copy a decoded value without what JSON or UTF-8 cannot represent or is too deep or long.

    Recursion is limited to ``levels``.
    """
    if isinstance(value, str):
        return _without_surrogates(value[:MAX_VALUE_CHARS])
    if isinstance(value, dict) and levels:
        return {_without_surrogates(key): _prune(part, levels - 1) for key, part in value.items()}
    if isinstance(value, list) and levels:
        return [_prune(part, levels - 1) for part in value]
    if isinstance(value, bool | int):
        return value
    return value if isinstance(value, float) and math.isfinite(value) else None


def _without_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON can escape but UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _microdata_entities(tree: turbohtml.Document) -> Iterator[Entity]:
    """Yield the top-level items as JSON-LD objects.

    `itemref` is removed first: a few kilobytes of it can describe exponentially many items, all of
    which the parser would build. The parser rejects items nested hundreds deep; they yield nothing.
    """
    for element in tree.find_all(attrs={"itemref": True}):
        del element.attrs["itemref"]
    try:
        items = tree.microdata()
    except RecursionError:
        return
    for item in items:
        yield _entity_of(item, MAX_DEPTH)


def _entity_of(item: MicrodataItem, levels: int) -> Entity:
    """Convert an item to a JSON-LD object; a type is the last part of its address."""
    entity: Entity = {}
    if item.type:
        entity["@type"] = [kind.rstrip("/").rpartition("/")[2] for kind in item.type.split()]
    if item.id:
        entity["@id"] = item.id
    for name, values in item.properties.items():
        entity[name] = [
            value[:MAX_VALUE_CHARS] if isinstance(value, str) else _entity_of(value, levels - 1)
            for value in values
            if isinstance(value, str) or levels
        ]
    return entity
