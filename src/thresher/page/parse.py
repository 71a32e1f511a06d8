"""HTML text → Page.

`canonical` serialises the text canonically, and `scan` reads the columns from those bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from thresher.deadline import check_deadline, watch
from thresher.errors import LimitError
from thresher.limits import MAX_NODES, check_canonical, check_nodes
from thresher.page.as_shown import show
from thresher.page.canonical import canonicalise, canonicalise_fragment
from thresher.page.in_line import read_tags
from thresher.page.page import Page
from thresher.page.scan import scan
from thresher.page.table import Table
from thresher.page.tags import TEXT

if TYPE_CHECKING:
    import turbohtml

MAX_BUFFER_BYTES: Final = np.iinfo(np.int32).max - 64
"""Offsets are int32."""
_MIN_ELEMENT_BYTES: Final = len("<br>")
"""Fewest bytes of canonical HTML that an element takes."""


def parse(html: str, *, url: str | None = None, max_nodes: int | None = None) -> Page:
    """Parse HTML into a Page, as a browser with scripts turned off would.

    Lone surrogates are replaced, in ``url`` too. Any text parses, unless it exceeds a limit:
    LimitError for more nodes than ``max_nodes``, and for more than `limit_canonical` or 2 GiB of
    canonical HTML.
    """
    return parse_utf8(_encode(html), url=url, max_nodes=max_nodes)


def parse_utf8(
    utf8: bytes,
    *,
    url: str | None = None,
    encoding: str | None = None,
    max_nodes: int | None = None,
) -> Page:
    """Parse well-formed UTF-8 as `parse` does a str; ``encoding`` is only recorded."""
    buffer, tags = canonicalise(utf8, max_nodes or MAX_NODES)
    check_deadline()
    if max_nodes is not None and len(buffer) > max_nodes * _MIN_ELEMENT_BYTES:
        check_nodes(buffer.count(b">") - buffer.count(b"</"), max_nodes)
    if len(buffer) > MAX_BUFFER_BYTES:
        raise LimitError("bytes of canonical HTML", limit=MAX_BUFFER_BYTES, value=len(buffer))
    check_deadline()
    url = url and _encode(url).decode()
    source: dict[str, Any] = {"utf8": utf8, "url": url, "encoding": encoding}
    page = Page(**source, **_read_columns(buffer, max_nodes), source_tags=tags)
    if (shown := show(page)) is None:
        return page
    buffer, order = shown
    check_canonical(len(buffer), len(utf8))
    columns = _read_columns(buffer, max_nodes)
    return Page(**source, **columns, source_tags=tags.reordered(order), in_source=page)


def _read_columns(buffer: bytes, max_nodes: int | None) -> dict[str, Any]:
    """Return the buffer of a table and its columns."""
    columns = scan(buffer)
    check_deadline()
    if max_nodes is not None:
        check_nodes(columns.tag.size, max_nodes)
    read = {name: getattr(columns, name) for name in columns.__slots__}
    return read | {"buffer": buffer, "tag": read_tags(buffer, columns)}


def parse_fragment(markup: str) -> bytes:
    """Parse a fragment of markup to canonical HTML as in a page's buffer, in one `<div>`."""
    return canonicalise_fragment(_encode(markup).decode())


def _encode(text: str) -> bytes:
    """Encode a text as UTF-8; lone surrogates are replaced as browsers do."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def pair_elements(page: Table, tree: turbohtml.Document) -> dict[int, turbohtml.Element]:
    """Return the element of each row in a tree of the page's source.

    What `source_tree` removes contains no elements. Rows that are attached, or were added as a
    browser shows the page (`thresher.page.as_shown`), have none.
    """
    rows = np.flatnonzero(page.tag[: page.n_own_row] != TEXT).tolist()
    elements = watch(tree.iter_elements())
    order = None if page.source_tags is None else page.source_tags.order
    if order is None:
        return dict(zip(rows, elements, strict=True))
    source_elements = list(elements)
    pairs = zip(rows, order.tolist(), strict=True)
    return {row: source_elements[place] for row, place in pairs if place >= 0}
