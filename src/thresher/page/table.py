"""Table: the rows of an HTML document, one per DOM node, in document order.

The subtree of row i is the slice ``i:end[i]``, so the total of any subtree is one difference of
prefix sums, and nothing recurses. A row is an element or a text; comments have no rows. Markup and
text are spans of one canonical buffer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.page.attributes import read_attributes
from thresher.page.paths import (
    MAX_DEPTH,
    ROOT,
    PartialPath,
    Path,
    are_in_proportion,
    longest_plain,
    nth_of_type,
)
from thresher.page.rows import (
    BoolArray,
    find_nearest,
    find_tagged,
    flag_below,
    flag_within,
    freeze,
    sum_before,
)
from thresher.page.scan import IntArray
from thresher.page.source_tags import SourceTags
from thresher.page.tags import AMP, CODE_OF, NAMES, OTHER, TEXT, UNSHOWN
from thresher.support.cached import cached_property


class Span(NamedTuple):
    """A half-open range of characters in the source."""

    start: int
    stop: int


class Origin(Enum):
    """Source of a row."""

    MARKUP = "markup"
    """The page's own elements and texts."""
    JSON_LD = "json-ld"
    """Structured data about the page (schema.org)."""
    STATE = "state"
    """State of the application that would render the page in a browser."""


class Attached(NamedTuple):
    """Rows ``start:stop`` at the end of the body that do not come from the page's markup."""

    start: int
    stop: int
    origin: Origin
    path: str
    """Path of their content within the data, such as ``props.pageProps.article.body``."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A document as columns. Arrays are read-only; row-wise ones have shape [n_row].

    ``tag`` int16 is a code of `thresher.page.tags`; ``parent`` int32 (−1 at the root), ``end``
    int32 (one past the subtree) and ``depth`` int32 are rows and levels. ``open_start:open_stop``
    is the span in ``buffer`` of the start tag or the escaped text, ``close_start:close_stop`` of
    the end tag. ``buffer`` is UTF-8, canonical HTML (HTML Living Standard, 13.3) without comments
    and without the content of scripts and styles.
    """

    utf8: bytes
    """The source HTML in UTF-8."""
    url: str | None
    """URL of the page: the base of its links unless it declares another."""
    encoding: str | None
    """The encoding the source was decoded from; None if it was given as a str."""
    buffer: bytes
    tag: npt.NDArray[np.int16]
    parent: IntArray
    end: IntArray
    depth: IntArray
    open_start: IntArray
    open_stop: IntArray
    close_start: IntArray
    close_stop: IntArray
    source_tags: SourceTags | None = None
    """Where the elements' tags are in the source; None for pages that have none."""
    attached: tuple[Attached, ...] = ()
    """The last rows, if `thresher.analysis.embedded` added any after those of the markup."""
    in_source: Table | None = None
    """The page as it is in the source, if this one is rearranged (`thresher.page.as_shown`)."""

    def __len__(self) -> int:
        return self.tag.size

    def __repr__(self) -> str:
        return f"<Page {self.url or ''} {len(self)} rows, {len(self.utf8):,} bytes>"

    def __getstate__(self) -> dict[str, Any]:
        # Views are recomputed after unpickling: a pickle holds source, buffer and columns.
        return {column.name: getattr(self, column.name) for column in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @cached_property
    def source(self) -> str:
        """The source HTML, decoded."""
        return self.utf8.decode()

    # -- rows ----------------------------------------------------------------------------------

    @property
    def n_own_row(self) -> int:
        """Number of rows from the page's markup; they come first."""
        return self.attached[0].start if self.attached else len(self)

    @cached_property
    def elements_before(self) -> npt.NDArray[np.int64]:
        """Elements before each row; int64[n_row + 1]."""
        return freeze(sum_before(self.tag != TEXT))

    def origin(self, row: int) -> Origin:
        """Return the source of a row."""
        if row < self.n_own_row:
            return Origin.MARKUP
        return next(part.origin for part in self.attached if row < part.stop)

    def name(self, row: int) -> str:
        """Return the tag name of an element, ``#text`` for a text."""
        return self.names(np.array([row]))[0]

    def names(self, rows: npt.NDArray[np.integer]) -> list[str]:
        """Return the names of several rows, each as by `name`."""
        starts, stops = self.open_start.take(rows).tolist(), self.open_stop.take(rows).tolist()
        buffer, columns = self.buffer, zip(self.tag.take(rows).tolist(), starts, stops, strict=True)
        return [
            NAMES[code]
            if code not in {OTHER, UNSHOWN}
            else buffer[start + 1 : stop - 1].split(b" ", 1)[0].decode()
            for code, start, stop in watch(columns)
        ]

    def attrs(self, row: int) -> dict[str, str]:
        """Return all attributes of an element, in order; empty for a text."""
        if self.tag[row] == TEXT:
            return {}
        return read_attributes(self.start_tag(row))

    def start_tag(self, row: int) -> bytes:
        """Return the start tag of an element, or a text, in canonical HTML."""
        return self.buffer[self.open_start.item(row) : self.open_stop.item(row)]

    def attr(self, row: int, name: str) -> str | None:
        """Return one attribute of an element, or None if it is absent."""
        tag = self.start_tag(row)
        # Most that are asked for one lack it, and the others take longer to read.
        if f' {name}="'.encode() not in tag or self.tag[row] == TEXT:
            return None
        return read_attributes(tag).get(name)

    def markup(self, row: int) -> bytes:
        """Return the canonical HTML of a row's subtree."""
        return self.buffer[self.open_start[row] : self.close_stop[row]]

    def path(self, row: int) -> Path | None:
        """Return a row's location as CSS selector and XPath; a text's path is its parent's.

        None below `thresher.page.paths.MAX_DEPTH`, where a path would be too long to be useful, and
        for rows that are not from the markup. Inside a `<template>` the path gives the location in
        the markup; selectors do not match there.
        """
        return self.paths(np.array([row]))[0]

    def path_depth(self, rows: npt.NDArray[np.integer]) -> int:
        """Return the deepest level at which some rows have a path, −1 for none.

        That is `thresher.page.paths.MAX_DEPTH`, unless the paths of all would outgrow the page.
        """
        depth = self.depth.take(rows)
        n_level = int((depth * (depth <= MAX_DEPTH)).sum()) + depth.size
        is_fine = are_in_proportion(n_level, self._longest_name, len(self.utf8))
        return MAX_DEPTH if is_fine else -1

    @cached_property
    def _longest_name(self) -> int:
        return longest_plain(self.names(np.flatnonzero(self.tag == OTHER)))

    def paths(self, rows: npt.NDArray[np.integer]) -> list[Path | None]:
        """Return the paths of several rows, each as by `path`; shared prefixes are built once.

        All are None if together they would outgrow the page.
        """
        if self.in_source is not None:
            return self._paths_in_source(self.in_source, rows)
        path_of: dict[int, PartialPath] = {-1: ROOT}
        paths: list[Path | None] = []
        n_own_row = self.n_own_row
        parent_of, nth_of_type, nth_child = (
            column.item for column in (self.parent, self.nth_of_type, self.nth_child)
        )
        path_depth = self.path_depth(rows)
        for row in watch(rows.tolist()):
            if self.depth[row] > path_depth or row >= n_own_row:
                paths.append(None)
                continue
            at = parent_of(row) if self.tag[row] == TEXT else row
            missing: list[int] = []
            while at not in path_of:
                missing.append(at)
                at = parent_of(at)
            path = path_of[at]
            for at in reversed(missing):
                path = path_of[at] = path.add(self.name(at), nth_of_type(at), nth_child(at))
            paths.append(Path(path.css, path.xpath))
        return paths

    def _paths_in_source(self, source: Table, rows: npt.NDArray[np.integer]) -> list[Path | None]:
        """Return the paths that rows of a rearranged page have in its source."""
        order = None if self.source_tags is None else self.source_tags.order
        if order is None:
            return [None] * rows.size
        row_of = np.append(np.flatnonzero(source.tag != TEXT), -1)
        elements = np.where(self.tag.take(rows) == TEXT, self.parent.take(rows), rows)
        is_own = elements < self.n_own_row
        place = self.elements_before.take(elements)
        source_rows = row_of[order.take(np.where(is_own, place, 0))]
        source_rows[~is_own] = -1
        paths = iter(source.paths(source_rows[source_rows >= 0]))
        return [next(paths) if row >= 0 else None for row in source_rows.tolist()]

    def tagged(self, names: Iterable[str]) -> BoolArray:
        """Flag the elements with one of these tag names; bool[n_row]."""
        wanted = set(names)
        codes = np.zeros(len(NAMES), np.bool_)
        codes[[CODE_OF[name] for name in wanted if name in CODE_OF]] = True
        flags = codes[self.tag]
        # AMP's elements have a code only where they are shown.
        if any(name not in CODE_OF or AMP[CODE_OF[name]] for name in wanted):
            others = np.flatnonzero(self.tag == OTHER)
            flags[others] = [name in wanted for name in self.names(others)]
        return flags

    def flag(self, rows: npt.NDArray[np.integer] | Sequence[int]) -> BoolArray:
        """Flag rows; bool[n_row]."""
        flags = np.zeros(len(self), np.bool_)
        flags[rows] = True
        return flags

    def rows_of(self, flags: BoolArray) -> npt.NDArray[np.int64]:
        """Return the rows with flagged tags, bool by tag code as by `flags_of`; int64[n]."""
        return find_tagged(self.tag, flags)

    # -- subtrees ------------------------------------------------------------------------------

    def within(self, rows: BoolArray) -> BoolArray:
        """Flag every flagged row and its descendants; bool[n_row]."""
        return flag_within(rows, self.end)

    def below(self, rows: BoolArray) -> BoolArray:
        """Flag the descendants of flagged rows; bool[n_row]."""
        return flag_below(rows, self.end)

    def nearest(
        self, rows: BoolArray, of: npt.NDArray[np.integer] | slice | None = None
    ) -> IntArray:
        """Find each row's nearest flagged ancestor-or-self, else −1; int32[n_row].

        If ``of`` is given, only for those rows.
        """
        return find_nearest(rows, self.parent, self.end, of)

    def subtree_sums(self, row_values: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
        """Sum one value per row over each row's subtree; int64[n_row]."""
        total = sum_before(row_values)
        return total[self.end] - total[:-1]

    @cached_property
    def nth_of_type(self) -> IntArray:
        """Index of each row among its siblings of the same name, from 1; int32[n_row]."""
        name_id = self.tag.astype(np.int32)
        others = np.flatnonzero((self.tag == OTHER) | (self.tag == UNSHOWN))
        ids = dict(CODE_OF)
        name_id[others] = [ids.setdefault(name, len(ids)) for name in self.names(others)]
        return freeze(nth_of_type(self.parent, name_id))

    @cached_property
    def nth_child(self) -> IntArray:
        """Index of each element among its sibling elements, from 1; int32[n_row]."""
        return freeze(nth_of_type(self.parent, (self.tag == TEXT).astype(np.int32)))
