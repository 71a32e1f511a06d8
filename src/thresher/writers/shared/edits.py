"""Edits of a page by row, and the canonical HTML that an edited page must have.

Rows are ranges of the page's canonical HTML, so an edit is made there without a tree. This is what
a copy of the source with the same edits is compared with (`edit_page`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page import Page
from thresher.page.canonical import canonicalise
from thresher.page.tags import CODE_OF
from thresher.writers.shared.cutting import apply_replacements

__all__ = ["BODY", "Edits", "edit_canonical"]

BODY: Final = CODE_OF["body"]
_Replacement = tuple[int, int, bytes]
_TEXT_ESCAPES: Final = str.maketrans({"&": "&amp;", "\xa0": "&nbsp;", "<": "&lt;", ">": "&gt;"})
"""What the parser escapes in texts (HTML Living Standard, 13.3)."""
_VALUE_ESCAPES: Final = _TEXT_ESCAPES | str.maketrans({'"': "&quot;"})
"""What it escapes in values of attributes."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Edits of a page, by row; inside removed rows only ``removed`` may refer to rows.

    They are applied in the order of the fields.
    """

    removed: npt.NDArray[np.integer]
    """Elements and texts; int[n]."""
    attributes: Mapping[int, Mapping[str, str | None]] = field(default_factory=dict)
    """Row of an element → attributes to set, or with None to remove."""
    unwrapped: tuple[int, ...] = ()
    """Elements whose tags are removed, and whose children stay."""
    replaced: Mapping[int, str] = field(default_factory=dict)
    """Row of an element → the text that replaces it."""
    appended: str = ""
    """Markup added at the end of the body; a frameset page has none."""


def edit_canonical(page: Page, edits: Edits) -> bytes | None:
    """Return the canonical HTML of the edited page; None if the edits overlap.

    A result that the parser would read as another page equals no canonical HTML, so it is
    harmless to a comparison.
    """
    if len(page) != page.n_own_row:
        return None  # rows of other pages have ranges of their own
    return apply_replacements(page.buffer, list(_find_replacements(page, edits)))


def _find_replacements(page: Page, edits: Edits) -> Iterator[_Replacement]:
    starts, stops = page.open_start, page.close_stop
    removed = edits.removed
    for start, stop in watch(zip(starts[removed].tolist(), stops[removed].tolist(), strict=True)):
        yield start, stop, b""
    for row, attributes in watch(edits.attributes.items()):
        start, stop = int(starts[row]), int(page.open_stop[row])
        yield start, stop, _set_attributes(page.buffer[start:stop], attributes)
    for row in watch(edits.unwrapped):
        yield int(starts[row]), int(page.open_stop[row]), b""
        yield int(page.close_start[row]), int(stops[row]), b""
    for row, text in watch(edits.replaced.items()):
        yield int(starts[row]), int(stops[row]), _encode(text.translate(_TEXT_ESCAPES))
    body = np.flatnonzero(page.tag == BODY)
    if edits.appended and body.size:
        at = int(page.close_start[body[0]])
        yield at, at, _canonicalise_content(edits.appended)


def _set_attributes(tag: bytes, attributes: Mapping[str, str | None]) -> bytes:
    """Set or, if None, remove attributes of a canonical start tag."""
    for name, value in attributes.items():
        key = _encode(f' {name}="')  # in no value, where quotation marks are escaped
        written = b"" if value is None else key + _encode(value.translate(_VALUE_ESCAPES)) + b'"'
        start = tag.find(key)
        stop = tag.index(b'"', start + len(key)) + 1 if start >= 0 else len(tag) - 1
        tag = tag[: start if start >= 0 else stop] + written + tag[stop:]
    return tag


def _canonicalise_content(markup: str) -> bytes:
    """Canonicalise markup as the content of a body."""
    html = canonicalise(_encode(f"<!DOCTYPE html><body>{markup}")).html
    return html.partition(b"<body>")[2].rpartition(b"</body>")[0]


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")
