"""The compiled steps and their twins, compared on a page that is not broken."""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import Final

import numpy as np
import numpy.typing as npt

import thresher
from tests.helpers.compiled_steps import without_compiled_steps
from thresher.page import Page
from thresher.page.attributes import find_attributes, find_attributes_arrays
from thresher.page.canonical import canonicalise_by_parser
from thresher.page.characters import classify_arrays
from thresher.page.names import pack_between, pack_between_arrays
from thresher.page.scan import Columns, scan, scan_arrays
from thresher.page.text import (
    count_coded_words,
    count_coded_words_arrays,
    read_texts,
    read_texts_arrays,
)

__all__ = ["compare", "compare_selections"]

_VIEWS: Final = (
    *("hidden", "link_words_before", "leaves", "leaf_offset", "leaf_words", "leaf_link_words"),
    *("gaps", "block_row", "block_offset"),
)


def compare(page: Page) -> None:
    """Compare every step with its twin, and the views with and without; AssertionError."""
    buffer = page.buffer
    # What the step refuses, the parser has written.
    assert canonicalise_by_parser(page.source) == buffer
    columns, expected = scan(buffer), scan_arrays(buffer)
    for name in Columns.__slots__:
        ours, theirs = getattr(columns, name), getattr(expected, name)
        np.testing.assert_array_equal(theirs, ours, name)
        assert (theirs.dtype, False) == (ours.dtype, ours.flags.writeable)

    tags = (columns.tag, columns.open_start, columns.open_stop)
    found, entries = find_attributes(buffer, *tags), find_attributes_arrays(buffer, *tags)
    for field in fields(entries):
        np.testing.assert_array_equal(getattr(entries, field.name), getattr(found, field.name))
    names = (buffer, entries.name_start, entries.start - len('="'))
    np.testing.assert_array_equal(pack_between_arrays(*names), pack_between(*names))

    texts = (buffer, columns.tag, columns.open_start, columns.open_stop)
    read, twin = read_texts(*texts), read_texts_arrays(*texts)
    for theirs, ours in zip(twin, read, strict=True):
        np.testing.assert_array_equal(theirs, ours)
    codes = page.character_codes
    np.testing.assert_array_equal(classify_arrays(page.text), codes)
    counts = count_coded_words(codes, read.offset)
    np.testing.assert_array_equal(count_coded_words_arrays(codes, read.offset), counts)
    _compare_views(page)


def _compare_views(page: Page) -> None:
    """Compare what leaves are, their groups and what lies between them."""
    twin = pickle.loads(pickle.dumps(page))
    seen = _views_of(page)
    with without_compiled_steps():
        expected = _views_of(twin)
    for (name, theirs), ours in zip(expected.items(), seen.values(), strict=True):
        np.testing.assert_array_equal(theirs, ours, name)
        assert (theirs.dtype, False) == (ours.dtype, ours.flags.writeable)


def _views_of(page: Page) -> dict[str, npt.NDArray[np.generic]]:
    views = {name: getattr(page, name) for name in _VIEWS}
    for name, runs in (("blocks", page.blocks), ("lines", page.lines)):
        views |= {f"{name}.start": runs.start, f"{name}.of_leaf": runs.of_leaf}
    return views


def compare_selections(page: Page) -> None:
    """Compare what the default method says, with its features and its network."""
    selection = thresher.select(page)
    with without_compiled_steps():
        twin = thresher.select(pickle.loads(pickle.dumps(page)))
    np.testing.assert_array_equal(twin.keep, selection.keep)
    np.testing.assert_array_equal(twin.score, selection.score)
