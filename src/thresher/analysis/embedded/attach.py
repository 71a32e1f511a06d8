"""Attachment of texts from script data to a page, as rows after its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

import numpy as np

from thresher.analysis.embedded.model import Embedded
from thresher.page import Attached, Page
from thresher.page.in_line import read_tags
from thresher.page.parse import MAX_BUFFER_BYTES, parse_fragment
from thresher.page.scan import scan
from thresher.page.tags import CODE_OF

__all__ = ["attach"]

_BODY = CODE_OF["body"]


def attach(page: Page, embedded: Iterable[Embedded]) -> Page:
    """Return a page with each text in its own `<div>` at the end of the body.

    Rows, leaves and blocks of the page keep their numbers, because new ones come last;
    ``attached`` has the new rows. The page is returned unchanged if it has no body (a frameset),
    if it would be too large, or if there are no texts.
    """
    pieces = [(each, parse_fragment(each.markup)) for each in embedded]
    body = np.flatnonzero((page.tag == _BODY) & (page.end == len(page)))
    size = len(page.buffer) + sum(len(markup) for _, markup in pieces)
    if not pieces or not body.size or size > MAX_BUFFER_BYTES:
        return page
    place = int(page.close_start[body[0]])
    buffer = b"".join((page.buffer[:place], *(each for _, each in pieces), page.buffer[place:]))
    columns = scan(buffer)
    attached = list(page.attached)
    start = place
    for each, markup in pieces:
        first, stop = np.searchsorted(columns.open_start, (start, start + len(markup))).tolist()
        attached.append(Attached(first, stop, each.origin, each.path))
        start += len(markup)
    own = {field.name: getattr(page, field.name) for field in fields(page)}
    own |= {name: getattr(columns, name) for name in columns.__slots__}
    own |= {"tag": read_tags(buffer, columns), "buffer": buffer, "attached": tuple(attached)}
    return Page(**own)
