"""Keys that identify a block on other pages of its site: its place, and its text there.

A place is the path of block-level ancestors of the block, each with its tag, its id and its first
class. Names with a digit are left out, because they often identify the page (`post-1234`), and so
are those of `html` and `body`. With all classes, only half as much content has the same place on
two pages. The text consists of letters and digits: without the digits, all dates of a month would
be equal. Both are 64-bit hashes; that of a path is a sum over its steps, so one running sum over
the page gives all places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.features.hashing import Hashes, hash_runs, mix
from thresher.page import Page
from thresher.page.characters import CharacterKind, kinds_of, symbols_of
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import BLOCK, NAMES, flags_of
from thresher.support.bounded_cache import bounded_cache

_LEVEL: Final = 0x9E3779B97F4A7C15
"""Multiplier that distinguishes the same step at two levels (the odd factor of SplitMix64)."""
_MAX_CACHED_STEPS: Final = 8192
"""Steps cached: a site has some hundreds."""
_IS_WHOLE: Final = flags_of("html body")
_IS_STEP: Final = BLOCK | _IS_WHOLE
"""Elements that are steps of a path: inline ancestors of a block carry little information."""
PLAIN_NAME: Final = re.compile(r"-?[A-Za-z_\x80-\U0010FFFF][A-Za-z_\-\x80-\U0010FFFF]*")
"""A name without digits that needs no escaping in a selector."""


class Keys(NamedTuple):
    """The keys of a page's blocks; each has shape [n_block]."""

    place: Hashes
    """uint64"""
    text: Hashes
    """Hash of the letters and digits, independent of the place; uint64."""
    letters: IntArray
    """Number of letters; int32."""


def read_keys(page: Page) -> Keys:
    """Read the keys of all blocks of a page."""
    return Keys(_read_places(page), *_read_texts(page))


def text_keys(keys: Keys) -> Hashes:
    """Return the key of each text at its place; uint64[n_block]."""
    return mix(keys.text + mix(keys.place))


_Step = tuple[int, bytes, bytes]
"""The tag, id and classes of an element."""


def format_places(page: Page, blocks: Iterable[int]) -> Iterator[str]:
    """Yield the place of each block as a CSS selector, from the root down."""
    paths: dict[int, str] = {-1: ""}
    above = page.nearest(_IS_STEP[page.tag])
    for block in blocks:
        row = int(page.block_row[block])
        missing: list[int] = []
        while row not in paths:
            missing.append(row)
            parent = int(page.parent[row])
            row = int(above[parent]) if parent >= 0 else -1
        path = paths[row]
        for step in reversed(missing):
            path = f"{path} {_format_row(page, step)}" if path else _format_row(page, step)
            paths[step] = path
        yield path


def _format_row(page: Page, row: int) -> str:
    tag = int(page.tag[row])
    attributes = {} if _IS_WHOLE[tag] else page.attrs(row)
    own_id, classes = attributes.get("id", ""), attributes.get("class", "")
    return _format_step((tag, own_id.encode(), classes.encode()))


def hash_path(path: str) -> int:
    """Return the key of a place formatted by `format_places`."""
    steps = path.split()
    hashes = np.array([_hash_step(step) for step in steps], np.uint64)
    return int(_at_level(hashes, np.arange(len(steps))).sum())


def _read_places(page: Page) -> Hashes:
    around = page.block_offset.take(page.end) > page.block_offset[:-1]
    rows = (around & _IS_STEP.take(page.tag)).nonzero()[0]
    end = page.end.take(rows)
    order = end.argsort(kind="stable")
    ends = end.take(order)
    level = np.arange(rows.size) - ends.searchsorted(rows, side="right")
    steps = _at_level(_hash_rows(page, rows), level)
    opened = np.concatenate((np.zeros(1, np.uint64), steps.cumsum(dtype=np.uint64)))
    closed = np.concatenate((np.zeros(1, np.uint64), steps.take(order).cumsum(dtype=np.uint64)))
    before = rows.searchsorted(page.block_row, side="right")
    gone = ends.searchsorted(page.block_row, side="right")
    places: Hashes = opened.take(before) - closed.take(gone)
    return places


def _at_level(steps: Hashes, level: npt.NDArray[np.integer]) -> Hashes:
    return mix(steps + level.astype(np.uint64) * np.uint64(_LEVEL))


def _hash_rows(page: Page, rows: npt.NDArray[np.intp]) -> Hashes:
    """Hash the step of each row, each distinct step once; uint64[n_row]."""
    number_of: dict[_Step, int] = {}
    steps = zip(page.tag.take(rows).tolist(), *_read_names(page, rows), strict=True)
    numbers = [number_of.setdefault(step, len(number_of)) for step in steps]
    hashes = np.array([_hash_step(_format_step(step)) for step in number_of], np.uint64)
    return hashes.take(numbers)


def _read_names(page: Page, rows: npt.NDArray[np.intp]) -> tuple[list[bytes], list[bytes]]:
    """Read id and class of each row, escaped as in the buffer; list[n_row] each."""
    attributes = page.attributes
    place = np.full(len(page), -1)
    named = np.flatnonzero(~_IS_WHOLE[page.tag.take(rows)])
    place[rows[named]] = named
    columns: list[list[bytes]] = []
    for name in ("id", "class"):
        column = [b""] * rows.size
        entries = attributes.named(name)
        at = place.take(attributes.row.take(entries))
        entries, at = entries[at >= 0], at[at >= 0]
        for index, value in zip(at.tolist(), attributes.escaped(entries), strict=True):
            column[index] = value
        columns.append(column)
    return columns[0], columns[1]


def _length(step: _Step) -> int:
    return len(step[1]) + len(step[2])


@bounded_cache(_MAX_CACHED_STEPS, _length)
def _format_step(step: _Step) -> str:
    tag, own_id, classes = step
    names = [name for name in own_id.decode().split() if PLAIN_NAME.fullmatch(name)]
    own_class = next(
        (name for name in classes.decode().split() if PLAIN_NAME.fullmatch(name)), None
    )
    return "".join(
        (NAMES[tag], *(f"#{name}" for name in names[:1]), f".{own_class}" if own_class else "")
    )


@bounded_cache(_MAX_CACHED_STEPS)
def _hash_step(step: str) -> int:
    return int.from_bytes(blake2b(step.encode(), digest_size=8).digest(), "little")


def _read_texts(page: Page) -> tuple[Hashes, IntArray]:
    codes = page.character_codes
    kinds = kinds_of(codes)
    is_letter = (kinds >= CharacterKind.LETTER) & (kinds <= CharacterKind.UNSPACED)
    is_read = is_letter | (kinds == CharacterKind.DIGIT)
    start, stop = _count_before_blocks(page, is_read)
    hashes = np.zeros(start.size, np.uint64)
    some = (stop > start).nonzero()[0]
    if some.size:
        symbols = symbols_of(codes[is_read])
        hashes[some] = hash_runs(symbols, start.take(some), stop.take(some))
    first, last = _count_before_blocks(page, is_letter)
    return hashes, last - first


def _count_before_blocks(page: Page, is_counted: BoolArray) -> tuple[IntArray, IntArray]:
    """Count flagged characters before the start and the end of each block; int32[n_block] each."""
    before = np.zeros(is_counted.size + 1, np.int32)
    np.cumsum(is_counted, out=before[1:])
    first, last = page.blocks.start[:-1], page.blocks.start[1:] - 1
    start = before.take(page.text_offset.take(page.leaves.take(first)))
    return start, before.take(page.text_offset.take(page.end.take(page.leaves.take(last))))
