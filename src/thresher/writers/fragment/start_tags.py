"""Start tags: slices of the page, or formatted from the allowed attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.page import Page
from thresher.page.scan import IntArray
from thresher.page.tags import TEXT
from thresher.writers.fragment.allowed import ALLOWED_ATTRIBUTES
from thresher.writers.outline.pieces import Pieces, Rank

__all__ = [
    "LONG_TAG_BYTES",
    "flag_rows",
    "format_start_tag",
    "has_long_tag",
    "keep_attributes",
    "put_start_tags",
]

LONG_TAG_BYTES: Final = 16 * 1024
"""Bytes of a start tag beyond which its attributes are filtered here: the sanitiser's time for an
element grows with the square of their number."""


def keep_attributes(page: Page, row: int, name: str) -> dict[str, str]:
    """Return the attributes of a row that are allowed on an element of this name in clean HTML."""
    allowed = (ALLOWED_ATTRIBUTES["*"] - {"id"}) | ALLOWED_ATTRIBUTES.get(name, frozenset())
    return {key: value for key, value in page.attrs(row).items() if key in allowed}


def format_start_tag(name: str, attrs: Mapping[str, str]) -> str:
    """Return a start tag with escaped attributes."""
    formatted = (f' {key}="{escape(value)}"' for key, value in attrs.items())
    return f"<{name}{''.join(formatted)}>"


def put_start_tags(  # noqa: PLR0917
    page: Page,
    pieces: Pieces,
    rows: npt.NDArray[np.signedinteger],
    places: IntArray,
    rank: Rank,
    tags: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Write the start tags of elements, each at a position, very long ones only as far as allowed.

    ``tags`` holds replacements for some rows.
    """
    as_is = page.open_stop[rows] - page.open_start[rows] <= LONG_TAG_BYTES
    if tags:
        as_is &= ~flag_rows(page, tags)[rows]
    short = rows[as_is]
    pieces.move(places[as_is], rank, page.open_start[short], page.open_stop[short])
    for row, place in zip(rows[~as_is].tolist(), places[~as_is].tolist(), strict=True):
        name = page.name(row)
        tag = tags.get(row) or format_start_tag(name, keep_attributes(page, row, name))
        pieces.put(np.array([place]), rank, tag.encode())


def has_long_tag(page: Page, row: int) -> bool:
    """Return whether an element or a descendant has a start tag too long for the sanitiser."""
    inside = slice(row, page.end[row])
    sizes = page.open_stop[inside] - page.open_start[inside]
    return bool((sizes[page.tag[inside] != TEXT] > LONG_TAG_BYTES).any())


def flag_rows(page: Page, rows: Iterable[int]) -> npt.NDArray[np.bool_]:
    """Flag some rows; bool[n_row]."""
    flags = np.zeros(len(page), np.bool_)
    flags[list(rows)] = True
    return flags
