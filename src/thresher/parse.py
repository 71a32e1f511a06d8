"""HTML text → Page, and a page's rows back to its source.

`canonical` brings the text into one form, and `scan` reads the columns off those bytes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

from thresher.canonical import canonicalise, canonicalise_fragment, source_tree
from thresher.deadline import check_deadline, watch
from thresher.errors import LimitError
from thresher.page import Page
from thresher.scan import IntArray, scan
from thresher.table import Table
from thresher.tags import TEXT

__all__ = ["locate", "pair_elements", "parse", "parse_fragment", "parse_utf8"]

MAX_BUFFER_BYTES: Final = np.iinfo(np.int32).max - 64
"""Offsets are int32."""


def parse(html: str, *, url: str | None = None, encoding: str | None = None) -> Page:
    """Parse HTML into a Page, as a browser with scripts turned off would.

    ``encoding`` is only noted. Any text parses; LimitError above 2 GiB of canonical HTML.
    """
    return parse_utf8(_encode(html), url=url, encoding=encoding)


def parse_utf8(utf8: bytes, *, url: str | None = None, encoding: str | None = None) -> Page:
    """Parse well-formed UTF-8 as `parse` does a text."""
    buffer = canonicalise(utf8)
    if len(buffer) > MAX_BUFFER_BYTES:
        raise LimitError("bytes of canonical HTML", limit=MAX_BUFFER_BYTES, value=len(buffer))
    check_deadline()
    columns = scan(buffer)
    check_deadline()
    return Page(
        utf8=utf8,
        url=url,
        encoding=encoding,
        buffer=buffer,
        locate=locate,
        **{name: getattr(columns, name) for name in columns.__slots__},
    )


def parse_fragment(markup: str) -> bytes:
    """Parse markup that is no whole page: canonical HTML as in a page's buffer, in one `<div>`."""
    return canonicalise_fragment(_encode(markup).decode())


def _encode(html: str) -> bytes:
    """Encode a text; lone surrogates, which no encoding can carry, are replaced as browsers do."""
    try:
        return html.encode()
    except UnicodeEncodeError:
        return html.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def pair_elements(page: Table, tree: turbohtml.Document) -> dict[int, turbohtml.Element]:
    """Return the element of each row, in a tree of the page's source.

    One element a row, in the same order: what `source_tree` takes out holds no elements. Rows that
    are attached have none.
    """
    rows = np.flatnonzero(page.tag[: page.n_own_row] != TEXT).tolist()
    return dict(zip(rows, tree.iter_elements(), strict=True))


def locate(page: Table) -> IntArray:
    """Find every row's place in the source; int32[n_row, 4] as in `Page.source_spans`.

    Costs a second parse and a walk over the elements. A text is what lies between the tags around
    it that the source spells out, so it spans comments and implied tags too. Attached rows have no
    place.
    """
    tree = source_tree(page.source, positions=True)
    places: list[int] = []
    for element in watch(tree.iter_elements()):
        place = element.source_location
        if place is None:
            places += (-1, -1, -1, -1)
            continue
        start, end, _ = place
        places += (start.start_offset, start.end_offset)
        places += (-1, -1) if end is None else (end.start_offset, end.end_offset)
    spans = np.full((len(page), 4), -1, np.int64)
    own = spans[: page.n_own_row]
    tag = page.tag[: page.n_own_row]
    own[tag != TEXT] = np.array(places, np.int64).reshape(-1, 4)
    _place_texts(page, tag, own)
    return _undo_newlines(spans, page.source).astype(np.int32)


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
