"""Fuzz the compiled steps under the address and undefined-behaviour sanitizers.

    python -m bench.native_fuzz [--seconds 120] [--seed 0]

Needs gcc with its sanitizers (Linux). The sources are compiled anew into a folder that goes away,
and this program starts itself once more with them. Each round spells a page (`bench.soup`, or a
shape of `bench.hostile`), breaks its bytes and the numbers in its columns, and hands them to every
step. What must hold: no step reads or writes outside its arrays, and of a page that is not broken
each says what its twin in numpy says. The number of the round that breaks is printed; with it as
``--seed`` the run begins there.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import numpy as np

if TYPE_CHECKING:
    from thresher.page import Page

__all__ = ["main", "play_round"]

_MODULE: Final = "thresher.native._compiled"
_SOURCES: Final = Path(__file__).parent.parent / "src/thresher/native"
_SANITIZED: Final = "THRESHER_SANITIZED"
"""Names the compiled module to the program that runs with it."""
_FLAGS: Final = (
    *("-std=c11", "-O1", "-g", "-fPIC", "-shared", "-fwrapv", "-DPy_LIMITED_API=0x030B0000"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"),
)
_ROUND: Final = "round"
"""File beside the compiled module that holds the number of the round."""
_MAX_BYTES: Final = 4096
_SELECTED: Final = 0.1
"""Share of the pages that the default method selects from too, which takes longer than all else."""
_SHOWN_S: Final = 10
"""Seconds from one line of progress to the next."""

Step = Callable[[random.Random, bytes, Any], None]


def main() -> None:
    """Compile and start anew, or be the program that was started."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0, help="number of the first round")
    args = parser.parse_args()
    if _SANITIZED in os.environ:
        _fuzz(args.seconds, args.seed)
        return
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "_compiled.abi3.so")
        include = f"-I{sysconfig.get_paths()['include']}"
        sources = sorted(map(str, _SOURCES.glob("*.c")))
        subprocess.run(["gcc", *_FLAGS, include, *sources, "-o", str(module)], check=True)
        libraries = [
            subprocess.run(
                ["gcc", f"-print-file-name={name}.so"], check=True, capture_output=True, text=True
            ).stdout.strip()
            for name in ("libasan", "libubsan")
        ]
        environment = os.environ | {
            _SANITIZED: str(module),
            "LD_PRELOAD": " ".join(libraries),
            "ASAN_OPTIONS": "detect_leaks=0",
            "PYTHONMALLOC": "malloc",
        }
        done = subprocess.run(
            [sys.executable, "-m", "bench.native_fuzz", *sys.argv[1:]],
            env=environment,
            check=False,
        )
        if done.returncode:
            print(f"round {module.with_name(_ROUND).read_text()} breaks")
    raise SystemExit(done.returncode)


def _fuzz(seconds: float, first: int) -> None:
    """Run rounds until the time is up."""
    spec = importlib.util.spec_from_file_location(_MODULE, os.environ[_SANITIZED])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Before anything of Thresher's looks for it.
    sys.modules[_MODULE] = module
    rounds = Path(os.environ[_SANITIZED]).with_name(_ROUND).open("wb", buffering=0)
    stop, shown, n_round = time.monotonic() + seconds, 0.0, first
    while time.monotonic() < stop:
        if time.monotonic() > shown:
            shown = time.monotonic() + _SHOWN_S
            print(f"round {n_round}", flush=True)
        # A sanitizer ends the program at once, so the number must stand somewhere before.
        rounds.seek(0)
        rounds.write(b"%d" % n_round)
        play_round(random.Random(n_round))
        n_round += 1
    print(f"{n_round - first} rounds, nothing found")


def play_round(chance: random.Random) -> None:
    """Compare the steps on one page with their twins, and break it."""
    from thresher.native import compiled
    from thresher.parse import parse

    assert compiled is not None
    page = parse(_page(chance))
    _compare(page.buffer)
    _compare_views(page)
    if chance.random() < _SELECTED:
        _compare_selections(page)
    broken = _break(chance, page.buffer)
    for step in (_try_scan, _try_spans, _try_rows, _try_leaves, _try_characters, _try_words):
        step(chance, broken, compiled)
    if chance.random() < _SELECTED:
        _try_learned(chance, page, compiled)


def _page(chance: random.Random) -> str:
    from bench.hostile import SHAPES
    from bench.soup import RAW, page_of

    if chance.random() < 0.2:
        shape = SHAPES[chance.choice(list(SHAPES))]
        return shape.build(chance.randrange(1, 40))[:_MAX_BYTES]
    return page_of(bytes([RAW]) + chance.randbytes(chance.randrange(120))).decode(errors="replace")


def _compare(buffer: bytes) -> None:
    """Compare every step with its twin on a page that is not broken."""
    from thresher.attributes import find_attributes, find_attributes_arrays
    from thresher.characters import classify
    from thresher.names import words_between, words_between_arrays
    from thresher.scan import Columns, scan, scan_arrays
    from thresher.tags import TEXT
    from thresher.text import (
        count_coded_words,
        count_coded_words_arrays,
        join_text,
        join_text_arrays,
    )

    columns, twin = scan(buffer), scan_arrays(buffer)
    for name in Columns.__slots__:
        np.testing.assert_array_equal(getattr(twin, name), getattr(columns, name), name)
    tags = (columns.tag, columns.open_start, columns.open_stop)
    attributes, other = find_attributes(buffer, *tags), find_attributes_arrays(buffer, *tags)
    for field in fields(other):
        np.testing.assert_array_equal(getattr(other, field.name), getattr(attributes, field.name))
    names = (buffer, attributes.name_start, attributes.start - 2)
    np.testing.assert_array_equal(words_between_arrays(*names), words_between(*names))
    stop = np.where(columns.tag == TEXT, columns.open_stop, columns.open_start)
    text, offsets = join_text(buffer, columns.open_start, stop)
    twin_text, twin_offsets = join_text_arrays(buffer, columns.open_start, stop)
    assert twin_text == text
    np.testing.assert_array_equal(twin_offsets, offsets)
    codes = classify(text)
    np.testing.assert_array_equal(
        count_coded_words_arrays(codes, offsets), count_coded_words(codes, offsets)
    )


def _compare_views(page: Page) -> None:
    """Compare what is found of leaves with and without the compiled steps."""
    names = ("hidden", "link_word_offset", "leaves", "leaf_offset", "gaps", "block_row", "_groups")
    twin = pickle.loads(pickle.dumps(page))
    views = [_view(page, name) for name in names]
    with patch("thresher.page.compiled", None), patch("thresher.table.compiled", None):
        expected = [_view(twin, name) for name in names]
    for name, ours, theirs in zip(names, views, expected, strict=True):
        np.testing.assert_array_equal(theirs, ours, name)


def _compare_selections(page: Page) -> None:
    """Compare what the default method says, with its features and its network."""
    import thresher
    from bench.native import without_compiled_steps

    selection = thresher.select(page)
    with without_compiled_steps():
        twin = thresher.select(pickle.loads(pickle.dumps(page)))
    np.testing.assert_array_equal(twin.keep, selection.keep)
    np.testing.assert_array_equal(twin.score, selection.score)


def _view(page: Page, name: str) -> Any:
    if name == "_groups":
        runs = (page.blocks, page.lines)
        return np.concatenate([array for run in runs for array in (run.start, run.of_leaf)])
    return getattr(page, name)


def _break(chance: random.Random, buffer: bytes) -> bytes:
    """Change, leave out and put in bytes; now and then all of them."""
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(300))
    if chance.random() < 0.1:
        marks = bytes(chance.choices(b'<>/ ="!&;ap\n', k=chance.randrange(300)))
        return marks
    broken = bytearray(buffer)
    for _ in range(chance.randrange(8)):
        at = chance.randrange(len(broken) + 1)
        size = chance.choice((0, 1, 1, 2, 40))
        broken[at : at + size] = bytes(
            chance.choices(b'<>/ ="!&;ap\n\xff', k=chance.choice((0, 1, 1, 3)))
        )
    return bytes(broken)


def _integers(chance: random.Random, size: int, limit: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Draw numbers, most of them offsets or rows that could be."""
    low, high = (0, limit + 1) if chance.random() < 0.7 else (-2, limit + 40)
    drawn = np.array([chance.randrange(low, high) for _ in range(size)], np.int32)
    if size and chance.random() < 0.2:
        drawn[chance.randrange(size)] = chance.choice((-(2**31), 2**31 - 1))
    if chance.random() < 0.5:
        drawn.sort()
    return drawn


def _try_scan(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    from thresher import scan
    from thresher.tags import VOID

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


def _try_spans(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    """Hand over spans of the buffer that may lie anywhere."""
    from thresher.attributes import _NAME_BYTES

    n = chance.randrange(20)
    start = _integers(chance, n, len(buffer))
    stop = _integers(chance, n, len(buffer))
    if chance.random() < 0.5:
        start, stop = np.minimum(start, stop), np.maximum(start, stop)
    code = _integers(chance, n, _NAME_BYTES.size - 1).astype(np.int16)
    n_room = compiled.count_attributes_at_most(buffer) * chance.randrange(3)
    found = np.empty((4, n_room), np.int32)
    compiled.find_attributes(buffer, code, start, stop, _NAME_BYTES, found)
    low, high = np.empty((2, n), np.uint64)
    compiled.pack_words(buffer, start, stop, low, high)
    joined = np.empty(chance.randrange(2 * len(buffer) + 1), np.uint8)
    compiled.join_text(buffer, start, stop, joined, np.empty(n + 1, np.int32))


def _try_rows(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n = chance.randrange(30)
    flags = np.array([chance.random() < 0.3 for _ in range(n)], np.bool_)
    numbers = _integers(chance, n, n)
    inside = np.empty(n, np.bool_)
    compiled.flag_within(flags, numbers, inside)
    compiled.flag_below(flags, numbers, inside)
    compiled.find_nearest(flags, numbers, np.empty(n, np.int32))
    bytes_ = np.frombuffer(chance.randbytes(n), np.uint8)
    compiled.inherit_flags(bytes_, bytes_, numbers, np.empty(n, np.uint8))
    compiled.sum_flagged(flags, _integers(chance, n + 1, n), np.empty(n + 1, np.int32))


def _try_leaves(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n, n_code = chance.randrange(30), 8
    tag = _integers(chance, n, n_code - 1).astype(np.int16)
    end, places = _integers(chance, n, n), _integers(chance, n, len(buffer))
    chars, kinds = _integers(chance, n + 1, n), np.frombuffer(chance.randbytes(n_code), np.uint8)
    leafless, leaf_offset = np.zeros(n, np.bool_), np.empty(n + 1, np.int32)
    leaves = np.empty(n, np.int32)
    n_leaf = compiled.find_leaves(tag, end, chars, kinds, leafless, leaf_offset, leaves)
    if n_leaf < 0 or chance.random() < 0.5:
        n_leaf = chance.randrange(n + 1)
        leaves, leaf_offset = _integers(chance, n, n), _integers(chance, n + 1, n_leaf)
    closing = np.frombuffer(chance.randbytes(256), np.uint8)
    marks = np.frombuffer(bytearray(chance.randbytes(n_leaf + 1)), np.uint8)
    kept = leaves[:n_leaf].copy()
    compiled.mark_gaps(
        *(buffer, tag, end, places, leafless, leaf_offset, chars, kinds, closing, kept, marks)
    )
    start, of_leaf = np.empty(n_leaf + 1, np.int32), np.empty(n_leaf, np.int32)
    compiled.group_leaves(marks, start, of_leaf, chance.randrange(-1, 300))


def _try_characters(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n = chance.randrange(60)
    codes = np.frombuffer(chance.randbytes(2 * n), np.uint16)
    offsets = _integers(chance, chance.randrange(1, 20), n)
    words, chars = np.empty((2, offsets.size), np.int32)
    compiled.count_words(codes, offsets, words, chars)


def _try_words(chance: random.Random, buffer: bytes, compiled: Any) -> None:
    n = chance.randrange(40)
    known, asked = (np.frombuffer(chance.randbytes(8 * n), np.uint64) for _ in range(2))
    table = np.empty(2 << n.bit_length(), np.int32)
    compiled.index_hashes(known, table)
    if chance.random() < 0.5:
        # One free place at least, as in a table that `index_hashes` filled.
        table[:-1] = _integers(chance, table.size - 1, n)
    compiled.number_hashes(known, table, asked, np.empty(n, np.int64))
    wanted = np.array([chance.choice([0, *known.tolist()]), 0], np.uint64)
    compiled.find_words(
        known, known * np.uint64(chance.randrange(2)), wanted, np.empty(n, np.int64)
    )


def _try_learned(chance: random.Random, page: Page, compiled: Any) -> None:
    """Hand the steps of the default method what it hands them, with numbers changed."""
    import thresher
    from bench.native import with_steps
    from thresher.native.learned import LearnedSteps

    spy = _Spy(compiled, frozenset(vars(LearnedSteps)) - {"has_way"})
    with with_steps(spy):
        thresher.select(pickle.loads(pickle.dumps(page)))
    for name, given in spy.calls:
        args = [_alter(chance, arg) for arg in given]
        # Sizes that do not fit are told before anything is read.
        with suppress(ValueError):
            getattr(compiled, name)(*args)


class _Spy:
    """Stands in for the compiled steps, and notes what the learned ones are given."""

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


def _alter(chance: random.Random, given: Any) -> Any:
    """Copy an argument, and now and then change some of its numbers, or its size."""
    if isinstance(given, int):
        return given if chance.random() < 0.9 else chance.choice((-1, 0, given - 1, given + 1, 99))
    if isinstance(given, bytes):
        return given if chance.random() < 0.9 else given[: chance.randrange(len(given) + 1)]
    if isinstance(given, tuple):
        return tuple(_alter(chance, each) for each in given)
    array = np.array(given)
    if chance.random() < 0.02 and array.ndim:
        array = array.ravel()[: chance.randrange(array.size + 1)].copy()
    if chance.random() < 0.3 and array.size:
        flat = array.reshape(-1)
        for _ in range(chance.choice((1, 1, 3, 20))):
            at = chance.randrange(flat.size)
            flat[at : at + 1].view(np.uint8)[:] = _odd_bytes(chance, flat.itemsize)
    return array


def _odd_bytes(chance: random.Random, size: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Draw the bytes of a number: small, around zero, at an end, or any."""
    number = chance.choice((chance.randrange(300), -1, -2, 2 ** (8 * size - 1) - 1))
    if chance.random() < 0.2:
        number = chance.getrandbits(8 * size - 1)
    drawn = (number % 2 ** (8 * size)).to_bytes(size, "little")
    return np.frombuffer(drawn, np.uint8)


if __name__ == "__main__":
    main()
