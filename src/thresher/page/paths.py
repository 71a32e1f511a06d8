"""CSS selectors and XPaths of rows, resolvable in any browser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from thresher.page.scan import IntArray
from thresher.page.tags import NAMES
from thresher.support.bounded_cache import bounded_cache

MAX_DEPTH: Final = 192
"""Deepest level with a path; a page nested deeper has no real layout, and its paths would grow
quadratically. The deepest of 2,275 pages of the training corpora has 138 levels."""

_MAX_GROWTH: Final = 8
"""Bytes of the paths of several rows, per byte of the page: as many as canonical HTML may have."""
_MIN_GROWTH: Final = 2**16
"""Bytes that they may always have."""
_SIGN_BYTES: Final = len(" > :nth-of-type(100)/[100]")
"""Bytes that a level has in both notations, besides its name."""

_PLAIN_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_MAX_NAMES: Final = 1024
"""Names cached; HTML has some 150."""
_FOREIGN: Final = {"svg", "math"}
_KNOWN: Final = frozenset(name for name in NAMES if _PLAIN_NAME.fullmatch(name))
_LONGEST: Final = (max(_KNOWN, key=len),)


class Path(NamedTuple):
    """The location of an element in two notations."""

    css: str
    xpath: str


class PartialPath(NamedTuple):
    """A path that can be extended."""

    css: str
    xpath: str
    is_foreign: bool
    """Whether it is inside a drawing or formula."""

    def add(self, name: str, nth_of_type: int, nth_child: int) -> PartialPath:
        """Extend the path by an element: its name, and its index (from 1) among its siblings.

        A name that is not a plain identifier, or is in a drawing or formula (where XPath would need
        its namespace), is replaced by the index among all sibling elements.
        """
        css, xpath, is_foreign = self
        is_foreign = is_foreign or name in _FOREIGN
        is_plain = not is_foreign and (name in _KNOWN or _is_plain(name))
        xpath = f"{xpath}/{name}[{nth_of_type}]" if is_plain else f"{xpath}/*[{nth_child}]"
        if not css or name in ("head", "body"):
            here = name if is_plain else ":root"
        else:
            here = f"{name}:nth-of-type({nth_of_type})" if is_plain else f":nth-child({nth_child})"
        return PartialPath(f"{css} > {here}" if css else here, xpath, is_foreign)


ROOT: Final = PartialPath("", "", is_foreign=False)
"""The empty path, above the root."""


def are_in_proportion(n_level: int, n_name: int, n_source: int) -> bool:
    """Return whether paths with so many levels in all do not outgrow a page of ``n_source`` bytes.

    ``n_name`` is the length of the page's longest name.
    """
    return n_level * (_SIGN_BYTES + 2 * n_name) <= _MIN_GROWTH + _MAX_GROWTH * n_source


def longest_plain(names: Iterable[str]) -> int:
    """Return the length of the longest of some names, and HTML's, that are written in paths."""
    return max(map(len, filter(_is_plain, {*names, *_LONGEST})))


@bounded_cache(_MAX_NAMES)
def _is_plain(name: str) -> bool:
    return _PLAIN_NAME.fullmatch(name) is not None


def nth_of_type(parent: IntArray, name_id: IntArray) -> IntArray:
    """Return each row's index among rows of the same parent and name, from 1; int32[n_row]."""
    order = np.lexsort((name_id, parent))
    begins = np.ones(order.size, np.bool_)
    begins[1:] = (np.diff(parent[order]) != 0) | (np.diff(name_id[order]) != 0)
    first = np.maximum.accumulate(np.where(begins, np.arange(order.size), 0))
    nth = np.empty(order.size, np.int32)
    nth[order] = np.arange(order.size) - first + 1
    return nth
