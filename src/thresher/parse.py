"""HTML text → Page. With the writers and `structured`, the only code that calls the HTML parser.

The parser builds its tree, serialises it canonically in one call, and `scan` reads the columns off
those bytes (docs/adr/0002). Before serialising, what would make the bytes ambiguous is taken out:
comments, and the content of raw-text elements (scripts, styles), which no reader sees. The source
keeps them; `source_tree` parses it again for whoever needs them. A script that holds a formula is
seen: it becomes a `math` element, with the script's attributes and text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import turbohtml
from turbohtml.clean import strip_comments_node

from thresher.deadline import check_deadline, watch
from thresher.errors import InputError, LimitError
from thresher.page import Page
from thresher.scan import IntArray, scan
from thresher.table import Table
from thresher.tags import TEXT

__all__ = ["locate", "pair_elements", "parse", "parse_fragment", "source_tree"]

MAX_BUFFER_BYTES: Final = np.iinfo(np.int32).max - 64
"""Offsets are int32."""

_RAW_TEXT: Final = ("iframe", "noembed", "noframes", "script", "style")
"""Elements whose content the parser keeps as text that is no text of the page."""
_MATH_TYPE: Final = re.compile(r"\s*math/(?:tex|asciimath)\s*(?:;|$)", re.IGNORECASE)
"""Scripts that hold a formula in the place where it is shown (MathJax 2, math/tex)."""
_PLAIN_TEXT: Final = ("plaintext", "xmp")
"""Obsolete elements that show raw text: the standard renders them as `pre`; so they are read."""


def parse(html: str, *, url: str | None = None, encoding: str | None = None) -> Page:
    """Parse HTML into a Page, as a browser with scripts turned off would.

    ``encoding`` is only noted. Any text parses; LimitError above 2 GiB of canonical HTML.
    """
    html = _without_surrogates(html)
    buffer = _serialise(html)
    if len(buffer) > MAX_BUFFER_BYTES:
        raise LimitError("bytes of canonical HTML", limit=MAX_BUFFER_BYTES, value=len(buffer))
    check_deadline()
    columns = scan(buffer)
    check_deadline()
    return Page(
        source=html,
        url=url,
        encoding=encoding,
        buffer=buffer,
        locate=locate,
        **{name: getattr(columns, name) for name in columns.__slots__},
    )


def _serialise(html: str) -> bytes:
    """Return the canonical HTML; the tree, which takes several times its room, is not kept.

    In pieces, for as a whole the parser would need four bytes for each character, twice.
    """
    root = source_tree(html).root
    if root is None:
        raise InputError("the input has no element, not even an implied one")
    check_deadline()
    return b"".join(map(str.encode, root.serialize_iter()))


def source_tree(html: str, *, positions: bool = False) -> turbohtml.Document:
    """Parse HTML into the parser's own tree, its elements one to one with a Page's.

    Declarative shadow roots stay templates: their content is the page's. With ``positions`` each
    element knows where it was in the source.
    """
    tree = turbohtml.parse(
        html, positions=positions, source_locations=positions, allow_declarative_shadow_roots=False
    )
    _make_canonical(tree)
    return tree


def parse_fragment(markup: str) -> bytes:
    """Parse markup that is no whole page: canonical HTML as in a page's buffer, in one `<div>`.

    Scripts and styles are left out with their tags, but for formulas.
    """
    tree = turbohtml.parse_fragment(_without_surrogates(markup), positions=False)
    for element in tree.find_all(["script", "style"]):
        if not _is_formula(element):
            element.decompose()
    _make_canonical(tree)
    return tree.encode()


def _make_canonical(tree: turbohtml.Document | turbohtml.Element) -> None:
    """Take out what would make the serialised tree ambiguous."""
    html = turbohtml.Namespace.HTML
    # A list, for the loop changes the tree.
    for element in list(tree.iter_elements((*_RAW_TEXT, *_PLAIN_TEXT))):
        if element.namespace is not html:
            continue
        if element.tag in _PLAIN_TEXT:
            element.tag = "pre"
        elif _is_formula(element):
            element.tag = "math"
        else:
            element.clear()
    strip_comments_node(tree)


def _is_formula(element: turbohtml.Element) -> bool:
    return element.tag == "script" and bool(_MATH_TYPE.match(element.attr("type") or ""))


def pair_elements(page: Table, tree: turbohtml.Document) -> dict[int, turbohtml.Element]:
    """Return the element of each row, in a tree of the page's source.

    One element a row, in the same order: what `source_tree` takes out holds no elements. Rows that
    are attached have none.
    """
    rows = np.flatnonzero(page.tag[: page.n_own_row] != TEXT).tolist()
    return dict(zip(rows, tree.iter_elements(), strict=True))


def locate(page: Table, rows: IntArray | None) -> IntArray:
    """Find every row's place in the source; int32[n_row, 4] as in `Page.source_spans`.

    Costs a second parse and a walk over the elements. A text is what lies between the tags around
    it that the source spells out, so it spans comments and implied tags too. Attached rows have no
    place. Given ``rows``, only theirs count: what it takes most to find, the places of elements, is
    then found for these and around these alone.
    """
    places = _Places(list(source_tree(page.source, positions=True).iter_elements()))
    spans = np.full((len(page), 4), -1, np.int64)
    own = spans[: page.n_own_row]
    tag = page.tag[: page.n_own_row]
    elements = np.flatnonzero(tag != TEXT)
    if rows is None:
        places.read(range(elements.size))
    else:
        rows = rows[rows < page.n_own_row]
        places.read(np.searchsorted(elements, rows[tag[rows] != TEXT]).tolist())
        _read_around(page, elements, rows[tag[rows] == TEXT], places)
    own[elements] = places.as_array()
    _place_texts(page, tag, own)
    return _undo_newlines(spans, page.source).astype(np.int32)


_Place: TypeAlias = tuple[int, int, int, int]
"""Where the tags of an element are in the source: start tag from, to; end tag from, to."""
_NOWHERE: Final = (-1, -1, -1, -1)


class _Places:
    """The places of elements, each read once, when it is asked for."""

    def __init__(self, elements: list[turbohtml.Element]) -> None:
        self._elements = elements
        self._places: list[_Place | None] = [None] * len(elements)

    def read(self, elements: Iterable[int]) -> None:
        """Read the places of some elements."""
        for element in watch(elements):
            self.of(element)

    def of(self, element: int) -> _Place:
        """Return the place of one element."""
        place = self._places[element]
        if place is None:
            place = self._places[element] = _place_of(self._elements[element])
        return place

    def as_array(self) -> npt.NDArray[np.int64]:
        """Return the places; −1 for what is not in the source, or was not read."""
        known = {element: place for element, place in enumerate(self._places) if place}
        places = np.full((len(self._places), 4), -1, np.int64)
        places[list(known)] = np.array(list(known.values()), np.int64).reshape(-1, 4)
        return places


def _place_of(element: turbohtml.Element) -> _Place:
    found = element.source_location
    if found is None:
        return _NOWHERE
    start, end = found.start_tag, found.end_tag
    stop = (-1, -1) if end is None else (end.start_offset, end.end_offset)
    return (start.start_offset, start.end_offset, *stop)


def _read_around(
    page: Table, elements: npt.NDArray[np.intp], texts: IntArray, places: _Places
) -> None:
    """Read the elements of the nearest edges before and after each text that have a place."""
    edge_at = np.concatenate((page.open_start[elements], page.close_start[elements]))
    order = np.argsort(edge_at, kind="stable")
    closes, element_of = np.divmod(order, elements.size)
    edges = list(zip(element_of.tolist(), (2 * closes).tolist(), strict=True))

    def is_spelled(edge: int) -> bool:
        element, column = edges[edge]
        return places.of(element)[column] >= 0

    for place in watch(np.searchsorted(edge_at[order], page.open_start[texts]).tolist()):
        before, after = place - 1, place
        while before >= 0 and not is_spelled(before):
            before -= 1
        while after < len(edges) and not is_spelled(after):
            after += 1


def _place_texts(
    page: Table,
    tag: npt.NDArray[np.int16],
    spans: np.ndarray[tuple[int, int], np.dtype[np.int64]],
) -> None:
    """Put each text between the nearest edges before and after it that have a place."""
    texts = np.flatnonzero(tag == TEXT)
    elements = np.flatnonzero(tag != TEXT)
    edge_at = np.concatenate((page.open_start[elements], page.close_start[elements]))
    edge_from = np.concatenate((spans[elements, 0], spans[elements, 2]))
    edge_to = np.concatenate((spans[elements, 1], spans[elements, 3]))
    spelled = edge_from >= 0
    order = np.argsort(edge_at[spelled], kind="stable")
    edge_at, edge_from, edge_to = (x[spelled][order] for x in (edge_at, edge_from, edge_to))
    after = np.searchsorted(edge_at, page.open_start[texts])
    start = np.concatenate(([0], edge_to))[after]
    # The parser counts CR LF as one; one character is looked for much faster than two.
    pairs = page.source.count("\r\n") if "\r" in page.source else 0
    source_stop = len(page.source) - pairs
    stop = np.concatenate((edge_from, [source_stop]))[after]
    spans[texts, 0] = start
    # Misnested markup moves content about: then the next edge may come before the text.
    spans[texts, 1] = np.maximum(start, stop)


def _undo_newlines(spans: np.ndarray, source: str) -> np.ndarray:
    """Map offsets from the parser's input, where CR LF is one character, to the source."""
    if "\r" not in source:
        return spans
    points = np.frombuffer(source.encode("utf-32-le"), "<u4")
    pairs = np.flatnonzero((points[:-1] == ord("\r")) & (points[1:] == ord("\n")))
    shifted = pairs - np.arange(pairs.size)
    return np.where(spans < 0, spans, spans + np.searchsorted(shifted, spans))


def _without_surrogates(html: str) -> str:
    """Replace lone surrogates, which no encoding can carry, as browsers do."""
    try:
        # Of the encodings that refuse them the fastest.
        _ = html.isascii() or html.encode("utf-16")
    except UnicodeEncodeError:
        return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return html
