"""The steps, each handed broken bytes, and numbers that may lie anywhere."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import numpy as np
from thresher.native.learned import LearnedSteps
from thresher.native.writers import WriterSteps

import thresher
from bench.native_fuzz.drawing import alter, draw_integers
from bench.native_fuzz.sizes import try_sizes
from tests.helpers.compiled_steps import with_steps
from thresher.page import Page, scan
from thresher.page.attributes import _NAME_BYTES
from thresher.page.characters import code_table
from thresher.page.tags import VOID

__all__ = ["STEPS", "try_extraction"]

Step = Callable[[random.Random, bytes, Any], None]


def try_canonicalise(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n_room = chance.choice((len(buffer) // 2, len(buffer), 2 * len(buffer) + 99))
    compiled.canonicalise(buffer, np.empty(n_room, np.uint8), chance.randrange(2))


def try_scan(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n_room = compiled.count_rows_at_most(buffer)
    if chance.random() < 0.3:
        n_room = chance.randrange(n_room + 1)
    hash_ = np.array([chance.getrandbits(64), chance.getrandbits(64)], np.uint64)
    compiled.scan_rows(
        buffer,
        scan._WORDS,
        scan._CODE_AT,
        VOID,
        scan._EATS_NEWLINE,
        scan._HASH if chance.random() < 0.9 else hash_,
        np.empty(n_room, np.int16),
        np.empty((7, n_room), np.int32),
    )


def try_spans(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    """Hand over spans of the buffer that may lie anywhere."""
    n = chance.randrange(20)
    start = draw_integers(chance, n, len(buffer))
    stop = draw_integers(chance, n, len(buffer))
    if chance.random() < 0.5:
        start, stop = np.minimum(start, stop), np.maximum(start, stop)
    code = draw_integers(chance, n, _NAME_BYTES.size - 1).astype(np.int16)
    n_room = compiled.count_attributes_at_most(buffer) * chance.randrange(3)
    found = np.empty((4, n_room), np.int32)
    compiled.find_attributes(buffer, code, start, stop, _NAME_BYTES, found)
    rows, names = draw_integers(chance, n, n), draw_integers(chance, n, len(buffer))
    names = names if chance.random() < 0.3 else np.maximum(start, 7) - 7
    compiled.flag_hidden(buffer, rows, names, start, stop, np.zeros(n + 1, np.uint8))
    low, high = np.empty((2, n), np.uint64)
    compiled.pack_words(buffer, start, stop, low, high)
    joined = np.empty(chance.randrange(2 * len(buffer) + 1), np.uint8)
    texts = (buffer, code, start, stop, chance.randrange(2))
    compiled.measure_texts(*texts)
    compiled.read_texts(*texts, code_table(), joined, np.empty((3, n + 1), np.int32))
    compiled.classify(buffer, code_table(), np.empty(n, np.uint16))
    name = chance.choice((b"", b"a", b"class"))
    compiled.find_named(buffer, names, start, name, np.empty(n, np.int64))


def try_rows(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n = chance.randrange(30)
    flags = np.array([chance.random() < 0.3 for _ in range(n)], np.bool_)
    numbers = draw_integers(chance, n, n)
    inside = np.empty(n, np.bool_)
    compiled.flag_within(flags, numbers, inside)
    compiled.flag_below(flags, numbers, inside)
    compiled.find_nearest(flags, numbers, np.empty(n, np.int32))
    bytes_ = np.frombuffer(chance.randbytes(n), np.uint8)
    compiled.inherit_flags(bytes_, bytes_, numbers, np.empty(n, np.uint8))
    compiled.sum_flagged(flags, draw_integers(chance, n + 1, n), np.empty(n + 1, np.int32))


def try_leaves(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n, n_code = chance.randrange(30), 8
    tag = draw_integers(chance, n, n_code - 1).astype(np.int16)
    end, places = draw_integers(chance, n, n), draw_integers(chance, n, len(buffer))
    parent = draw_integers(chance, n, n)
    if chance.random() < 0.5:
        parent = np.minimum(parent, np.arange(n, dtype=np.int32) - 1)
    words, chars = draw_integers(chance, n + 1, n), draw_integers(chance, n + 1, n)
    kinds = np.frombuffer(chance.randbytes(n_code), np.uint8)
    closing = np.frombuffer(chance.randbytes(256), np.uint8)
    flags, offsets = np.empty((2, n), np.bool_), np.empty((3, n + 1), np.int32)
    leaves, blocks = np.empty((6, n), np.int32), np.empty((3, n + 1), np.int32)
    marks = np.empty(n + 1, np.uint8)
    compiled.read_leaves(
        *(buffer, tag, parent, end, places, words, chars, kinds, closing),
        *(flags, offsets, leaves, blocks, marks, np.empty(n, np.int32), np.empty(2, np.int64)),
        *(chance.randrange(n_code), chance.randrange(n_code)),
    )
    stops = np.maximum(places, draw_integers(chance, n, len(buffer)))
    n_leaf = chance.randrange(n + 1)
    keep, found = np.frombuffer(chance.randbytes(n_leaf), np.bool_), np.empty(n, np.int32)
    columns = (tag, end, places, stops, draw_integers(chance, n + 1, n_leaf))
    compiled.find_marked_links(buffer, *columns, keep, found, 3)
    marks = np.frombuffer(chance.randbytes(n_leaf + 1), np.uint8)
    start, of_leaf = np.empty(n_leaf + 1, np.int32), np.empty(n_leaf, np.int32)
    compiled.group_leaves(marks, start, of_leaf, chance.randrange(-1, 300))


def try_characters(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n = chance.randrange(60)
    codes = np.frombuffer(chance.randbytes(2 * n), np.uint16)
    offsets = draw_integers(chance, chance.randrange(1, 20), n)
    words, chars = np.empty((2, offsets.size), np.int32)
    compiled.count_words(codes, offsets, words, chars)


def try_words(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n = chance.randrange(40)
    known, asked = (np.frombuffer(chance.randbytes(8 * n), np.uint64) for _ in range(2))
    table = np.empty(2 << n.bit_length(), np.int32)
    compiled.index_hashes(known, table)
    if chance.random() < 0.5:
        # One free place at least, as in a table that `index_hashes` filled.
        table[:-1] = draw_integers(chance, table.size - 1, n)
    compiled.number_hashes(known, table, asked, np.empty(n, np.int64))


STEPS: Final[tuple[Step, ...]] = (
    *(try_canonicalise, try_scan, try_spans, try_rows, try_leaves, try_characters, try_words),
    try_sizes,
)


def try_extraction(chance: random.Random, page: Page, compiled: Any) -> None:
    """Hand the steps of the default method and of the writers what these do, numbers changed."""
    spy = _Spy(compiled, frozenset((*vars(LearnedSteps), *vars(WriterSteps))) - {"has_way"})
    method = chance.choice(("learned", "keep_all"))
    with with_steps(spy):
        selection = thresher.select(pickle.loads(pickle.dumps(page)), method)
        thresher.document_of(selection).write(chance.choice(("markdown", "text", "html")))
    for name, given in spy.calls:
        args = [alter(chance, arg) for arg in given]
        # Sizes that do not fit are told before anything is read.
        with suppress(ValueError):
            getattr(compiled, name)(*args)


class _Spy:
    """Stands in for the compiled steps, and notes what some are given."""

    def __init__(self, compiled: Any, noted: frozenset[str]) -> None:
        self.compiled, self.noted = compiled, noted
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        step = getattr(self.compiled, name)
        if name not in self.noted:
            return step

        def call(*args: Any) -> Any:
            self.calls.append((name, args))
            return step(*args)

        return call
