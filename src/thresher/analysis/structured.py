"""Structured data of a page as plain data: read here, weighed elsewhere.

`thresher.analysis.metadata` weighs it. Schema.org objects have the shape of JSON-LD, whether they
were written as JSON-LD or as microdata.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.json_ld import MAX_VALUE_CHARS, Entity, read_json_ld
from thresher.analysis.microdata import read_microdata
from thresher.deadline import check_deadline, watch
from thresher.page import Page
from thresher.page.references import unescape
from thresher.page.rows import BoolArray
from thresher.page.tags import CODE_OF, flags_of
from thresher.support.cached import cached_lookup, cached_view

__all__ = ["LanguageGuess", "Structured", "guess_language"]

LANGUAGE_SAMPLE_CHARS: Final = 5_000
"""Text read to guess a language, in characters: much of the beginning of a page is navigation. With
2,000, the guess differs on 2 % of 965 pages of eleven corpora (2026-11-24)."""
_JSON_LD: Final = "application/ld+json"
_META_NAMES: Final = ("name", "property", "http-equiv")
_TITLES, _BASES, _METAS = flags_of("title"), flags_of("base"), flags_of("meta")
_HEAD_LINKS: Final = flags_of("link")
_LINKS: Final = flags_of("a link")
_DUBLIN_CORE: Final = ("dc.", "dcterms.")
_OPENGRAPH: Final = "og:"
_FOREIGN: Final = frozenset(("math", "svg"))
_INTEGRATED: Final = frozenset(
    ("annotation-xml", "desc", "foreignObject", "mi", "mn", "mo", "ms", "mtext", "title")
)
"""Elements of these two that may contain HTML."""


@dataclass(frozen=True, slots=True)
class Structured:
    """The structured data of a page's own rows, in document order; names are in lower case.

    Each kind is read when first asked for, once for each page; never raises.
    """

    page: Page

    @property
    def json_ld(self) -> tuple[Entity, ...]:
        """The objects of all JSON-LD scripts, with lists and `@graph` flattened."""
        return _read_json_ld(self.page)

    @property
    def microdata(self) -> tuple[Entity, ...]:
        """The top-level items, without `itemref`. Values are always lists."""
        return _read_microdata(self.page)

    @property
    def meta(self) -> dict[str, list[str]]:
        """`<meta>`: name, property or http-equiv → contents."""
        return _read_meta(self.page)

    def linked(self, rel: str) -> list[str]:
        """Return the addresses, as written, of `<link>` and `<a>` with a rel in lower case."""
        return _read_linked(self.page, rel, _LINKS)

    @property
    def canonical_href(self) -> str | None:
        """The address of the first `<link rel=canonical>`, as written."""
        return _read_canonical(self.page)

    @property
    def base_href(self) -> str | None:
        """The first `<base>` with an address."""
        return _read_base(self.page)

    @property
    def html_lang(self) -> str | None:
        """The language of the root element."""
        return _read_language(self.page)

    @property
    def title(self) -> str | None:
        """The text of the first `<title>` outside SVG."""
        return _read_title(self.page)

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


def guess_language(text: str) -> LanguageGuess | None:
    """Guess the language of running text; None if it has no letters of a known script."""
    # Imported late: most callers need only text.
    from turbohtml.detect import detect_language  # noqa: PLC0415

    found = detect_language(text[:LANGUAGE_SAMPLE_CHARS])
    return LanguageGuess(found.language, found.confidence) if found.language else None


def _own_rows(page: Page, elements: BoolArray) -> npt.NDArray[np.int64]:
    """Find the rows of the page's markup with flagged tags."""
    rows = page.rows_of(elements)
    return rows[rows < page.n_own_row] if page.attached else rows


def _is_foreign(page: Page, row: int) -> bool:
    """Return whether an element is one of SVG or MathML (HTML Living Standard, 13.2.6.5)."""
    above = int(page.parent[row])
    while above >= 0:
        name = page.name(above)
        if name in _INTEGRATED:
            return False
        if name in _FOREIGN:
            return True
        above = int(page.parent[above])
    return False


@cached_view
def _read_title(page: Page) -> str | None:
    titles = _own_rows(page, _TITLES)
    title = next((row for row in titles.tolist() if not _is_foreign(page, row)), None)
    return None if title is None else page.text_of(title)


@cached_view
def _read_language(page: Page) -> str | None:
    root = page.attrs(0)
    return root.get("lang") or root.get("xml:lang")


@cached_view
def _read_base(page: Page) -> str | None:
    hrefs = (page.attr(row, "href") for row in _own_rows(page, _BASES).tolist())
    return next((href for href in hrefs if href is not None), None)


@cached_view
def _read_meta(page: Page) -> dict[str, list[str]]:
    """Collect the contents of `<meta>` by lower-case name, except empty ones."""
    found: dict[str, list[str]] = {}
    contents, others, *stated = _read_stated(page, ("content", "value", *_META_NAMES))
    if others:  # some systems write value instead of content
        rows = sorted({*contents, *others})
        contents = {row: contents.get(row) or others.get(row, "") for row in rows}
    names_of: dict[int, list[str]] = {}
    for each in stated:
        for row, name in each.items():
            if name:
                names_of.setdefault(row, []).append(name)
    for row, content in watch(contents.items()):
        if text := content.strip():
            names = dict.fromkeys(names_of.get(row, ()))
            for name in sorted([name.strip().lower() for name in names]):
                found.setdefault(name, []).append(text[:MAX_VALUE_CHARS])
    return found


def _read_stated(page: Page, names: tuple[str, ...]) -> list[dict[int, str]]:
    """Read some attributes of every `<meta>`: row → value, for each name."""
    attributes, stated = page.attributes, []
    named = [attributes.named(name) for name in names]
    entries = np.concatenate(named)
    number = np.arange(len(names)).repeat([each.size for each in named])
    rows = attributes.row.take(entries)
    is_meta = _METAS.take(page.tag.take(rows)) & (rows < page.n_own_row)
    entries, number, row = entries[is_meta], number[is_meta], rows[is_meta].tolist()
    texts = attributes.texts_of(entries)
    stops = number.searchsorted(range(len(names)), side="right").tolist()
    for start, stop in pairwise((0, *stops)):
        stated.append(dict(zip(row[start:stop], texts[start:stop], strict=True)))
    return stated


@cached_view
def _read_canonical(page: Page) -> str | None:
    found = _read_linked(page, "canonical", _HEAD_LINKS)
    return found[0] if found else None


def _read_linked(page: Page, rel: str, elements: BoolArray) -> list[str]:
    """Read the addresses of elements with a rel, in order; of those that have an address."""
    return [href for tag, href in _read_links(page, rel) if elements[tag]]


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
    """Collect the numbers of the values of `rel` by word, in lower case."""
    found: dict[str, list[int]] = {}
    for word, numbers in page.attributes.distinct("rel").words.items():
        found.setdefault(word.lower(), []).extend(numbers)
    return found


@cached_view
def _read_microdata(page: Page) -> tuple[Entity, ...]:
    return read_microdata(page)


@cached_view
def _read_json_ld(page: Page) -> tuple[Entity, ...]:
    """Read the objects of every JSON-LD script; invalid JSON affects only its own script."""
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
