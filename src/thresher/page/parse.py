"""HTML text → Page.

`canonical` serialises the text canonically, and `scan` reads the columns from those bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from thresher.deadline import check_deadline, watch
from thresher.errors import LimitError
from thresher.limits import MAX_NODES, check_nodes
from thresher.page.canonical import canonicalise, canonicalise_fragment
from thresher.page.page import Page
from thresher.page.scan import scan
from thresher.page.table import Table
from thresher.page.tags import TEXT

if TYPE_CHECKING:
    import turbohtml

__all__ = ["pair_elements", "parse", "parse_fragment", "parse_utf8"]

MAX_BUFFER_BYTES: Final = np.iinfo(np.int32).max - 64
"""Offsets are int32."""
_MIN_ELEMENT_BYTES: Final = len("<br>")
"""Fewest bytes of canonical HTML that an element takes."""


def parse(
    html: str,
    *,
    url: str | None = None,
    encoding: str | None = None,
    max_nodes: int | None = None,
) -> Page:
    """Parse HTML into a Page, as a browser with scripts turned off would.

    ``encoding`` is only recorded. Lone surrogates are replaced, in ``url`` too. Any text parses,
    unless it exceeds a limit: LimitError for more nodes than ``max_nodes``, and for more than
    `limit_canonical` or 2 GiB of canonical HTML.
    """
    return parse_utf8(_encode(html), url=url, encoding=encoding, max_nodes=max_nodes)


def parse_utf8(
    utf8: bytes,
    *,
    url: str | None = None,
    encoding: str | None = None,
    max_nodes: int | None = None,
) -> Page:
    """Parse well-formed UTF-8 as `parse` does a str."""
    buffer, tags = canonicalise(utf8, max_nodes or MAX_NODES)
    check_deadline()
    if max_nodes is not None and len(buffer) > max_nodes * _MIN_ELEMENT_BYTES:
        check_nodes(buffer.count(b">") - buffer.count(b"</"), max_nodes)
    if len(buffer) > MAX_BUFFER_BYTES:
        raise LimitError("bytes of canonical HTML", limit=MAX_BUFFER_BYTES, value=len(buffer))
    check_deadline()
    columns = scan(buffer)
    check_deadline()
    if max_nodes is not None:
        check_nodes(columns.tag.size, max_nodes)
    return Page(
        utf8=utf8,
        url=url and _encode(url).decode(),
        encoding=encoding,
        buffer=buffer,
        source_tags=tags,
        **{name: getattr(columns, name) for name in columns.__slots__},
    )


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

    One element per row, in the same order: what `source_tree` removes contains no elements.
    Attached rows have none.
    """
    rows = np.flatnonzero(page.tag[: page.n_own_row] != TEXT).tolist()
    return dict(zip(rows, watch(tree.iter_elements()), strict=True))
