"""Class names by which systems that many sites share are recognised, found in one pass."""

from __future__ import annotations

from typing import Final

import numpy as np

from thresher.page import Page
from thresher.page.parts import PartBits, Parts
from thresher.page.scan import IntArray
from thresher.support.cached import cached_view

__all__ = ["SIGNS", "find_signed", "has_signs"]

SIGNS: Final = Parts(
    *(b"barrier", b"crawler-post", b"dokuwiki", b"js-post-body", b"kg-card", b"ltx_document"),
    *(b"mw-body", b"mw-content-", b"mw-editsection", b"mw-parser-output", b"page mono"),
    *(b"page sans", b"page serif", b"pg-boilerplate", b"speechify", b"subscription-widget"),
    *(b"topic-post", b"wall", b"wiki-content"),
    *(b"expand-control", b"loader", b"loading", b"skeleton", b"spinner", b"value"),
)
"""Parts of class names; few pages have any."""


def has_signs(page: Page, bits: np.uint32) -> bool:
    """Return whether a page has one of some parts, given as bits of `SIGNS`."""
    return bool(_join_signs(page) & bits)


def find_signed(page: Page, bits: np.uint32) -> IntArray:
    """Find the elements whose class has one of some parts, given as bits of `SIGNS`; int32[n]."""
    if not has_signs(page, bits):
        return page.attributes.row[:0]
    rows: IntArray = page.attributes.row[
        page.attributes.named("class")[_read_signs(page) & bits > 0]
    ]
    return rows


@cached_view
def _join_signs(page: Page) -> np.uint32:
    joined: np.uint32 = np.bitwise_or.reduce(_read_signs(page))
    return joined


@cached_view
def _read_signs(page: Page) -> PartBits:
    return page.attributes.parts_of(page.attributes.named("class"), SIGNS)
