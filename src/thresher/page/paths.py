"""CSS selectors and XPaths of rows, resolvable in any browser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce
from typing import Final, NamedTuple

import numpy as np

from thresher.native import kernel
from thresher.page.scan import IntArray
from thresher.support.bounded_cache import bounded_cache

__all__ = [
    "MAX_DEPTH",
    "ROOT",
    "PartialPath",
    "Path",
    "PathStep",
    "add_step",
    "join_steps",
    "nth_of_type",
]

MAX_DEPTH: Final = 192
"""Deepest level with a path; a page nested deeper has no real layout, and its paths would grow
quadratically. The deepest of 2,275 pages of the training corpora has 138 levels."""

_PLAIN_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_MAX_NAMES: Final = 1024
"""Names cached; HTML has some 150."""
_FOREIGN: Final = {"svg", "math"}


class Path(NamedTuple):
    """The location of an element in two notations."""

    css: str
    xpath: str


class PathStep(NamedTuple):
    """One element of a path: its name, and its index (from 1) among its siblings."""

    name: str
    nth_of_type: int
    nth_child: int


class PartialPath(NamedTuple):
    """A path that can be extended."""

    path: Path
    is_foreign: bool
    """Whether it is inside a drawing or formula."""


ROOT: Final = PartialPath(Path("", ""), is_foreign=False)
"""The empty path, above the root."""


def add_step(above: PartialPath, step: PathStep) -> PartialPath:
    """Extend a path by one step.

    A name that is not a plain identifier, or is in a drawing or formula (where XPath would need its
    namespace), is replaced by the index among all sibling elements.
    """
    name, of_type, child = step
    (css, xpath), foreign = above
    foreign = foreign or name in _FOREIGN
    plain = not foreign and _is_plain(name)
    xpath += f"/{name}[{of_type}]" if plain else f"/*[{child}]"
    if not css or name in ("head", "body"):
        here = name if plain else ":root"
    else:
        here = f"{name}:nth-of-type({of_type})" if plain else f":nth-child({child})"
    return PartialPath(Path(f"{css} > {here}" if css else here, xpath), foreign)


@bounded_cache(_MAX_NAMES)
def _is_plain(name: str) -> bool:
    return _PLAIN_NAME.fullmatch(name) is not None


def join_steps(steps: Iterable[PathStep]) -> Path:
    """Build the path of steps from the root down, as `add_step` does."""
    return reduce(add_step, steps, ROOT).path


@kernel
def nth_of_type(parent: IntArray, name_id: IntArray) -> IntArray:
    """Return each row's index among rows of the same parent and name, from 1; int32[n_row]."""
    order = np.lexsort((name_id, parent))
    begins = np.ones(order.size, np.bool_)
    begins[1:] = (np.diff(parent[order]) != 0) | (np.diff(name_id[order]) != 0)
    first = np.maximum.accumulate(np.where(begins, np.arange(order.size), 0))
    nth = np.empty(order.size, np.int32)
    nth[order] = np.arange(order.size) - first + 1
    return nth
