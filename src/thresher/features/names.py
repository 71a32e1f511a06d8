"""Names of elements as hashed tokens: tag, class, id, role, itemprop and itemtype.

Authors name elements after their content: `entry-content`, `sidebar`, `articleBody`. A value yields
a token for every word in it, split at non-letters and where a capital follows a lower-case letter,
and one for each whole name of more than one word. Digits are not part of words. Most values occur
many times on a page, so each distinct one is read once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import check_deadline
from thresher.features.hashing import Hashes, hash_runs, mix
from thresher.native import Steps, kernel_with
from thresher.page import Page
from thresher.page.names import pack_names
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES, TEXT

_Places = npt.NDArray[np.intp]
_Value = tuple[bytes, int]
"""Value and salt of an attribute."""

SALTS: Final = {"class": 1, "id": 1, "role": 2, "itemprop": 3, "itemtype": 4}
"""Attributes whose values are read, and salts that distinguish equal words of different ones; class
and id share theirs."""
_TAG_SALT: Final = 7
_MIN_LETTERS: Final = 2
"""Shorter words are ignored."""
_MAX_NAMES: Final = 24
"""Names of a value that are read. Scripts put dozens on `html` and `body` about the browser and the
account, which say nothing about a block but outweigh the names that do."""
_MOST_NAMES: Final = re.compile(
    rb"[ \t\n\r\f]*(?:[^ \t\n\r\f]+[ \t\n\r\f]+){%d}[^ \t\n\r\f]+" % (_MAX_NAMES - 1)
)

_SPACE, _LETTER, _UPPER = 1, 2, 3


def _kinds() -> npt.NDArray[np.uint8]:
    kinds = np.zeros(256, np.uint8)
    kinds[list(b" \t\n\r\f")] = _SPACE
    kinds[ord("a") : ord("z") + 1] = _LETTER
    kinds[ord("A") : ord("Z") + 1] = _UPPER
    kinds[0x80:] = _LETTER
    return kinds


_KIND: Final = _kinds()
_LOWER: Final = np.frombuffer(bytes(range(256)).lower(), np.uint8)
_TAG_TOKENS: Final = mix(np.arange(len(NAMES)) + (_TAG_SALT << 32))
_WANTED: Final = np.column_stack(pack_names(*SALTS))
_SALTS: Final = np.array(list(SALTS.values()), np.uint64)

_TOKENS_A_ROW: Final = 2
"""Tokens per row for which memory is allocated at first; most pages have fewer."""
_MIN_TOKENS: Final = 1024
"""Tokens for which memory is allocated in any case, for small pages."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a page: its distinct names, and the elements that have them."""

    hash: Hashes
    """Every token of every distinct name; uint64[n_token]."""
    start: IntArray
    """Start of each distinct name's tokens; int32[n_name]. Each has at least one."""
    row: IntArray
    """Ancestors of blocks, in document order, once for each of their names; int32[n_entry]."""
    end: IntArray
    """One past the last row inside each of these elements; int32[n_entry]."""
    name: IntArray
    """The name of each entry; int32[n_entry]."""


Signature = npt.NDArray[np.int64]
"""Equal for ancestors of blocks with the same tag and class attribute; int64[n_row]."""


def _read_tokens_by_step(steps: Steps, page: Page) -> tuple[Tokens, Signature] | None:
    attributes, n_row = page.attributes, len(page)
    n_entry = n_row + attributes.row.size
    # Each token takes at least two bytes, and each value adds one for itself.
    most = len(page.buffer) // 2 + 2 * n_entry + _MIN_TOKENS
    for n_room in (_TOKENS_A_ROW * n_row + _MIN_TOKENS, most):
        check_deadline()
        read = steps.read_tokens(
            page.buffer,
            page.tag,
            page.end,
            page.block_offset,
            attributes.row,
            attributes.start,
            attributes.stop,
            *attributes.names,
            _WANTED,
            _SALTS,
            _TAG_TOKENS,
            TEXT,
            n_room,
            2 << n_room.bit_length(),
            n_entry,
        )
        if read is not None:
            sizes, hashes, start, entries, signature = read
            n_token, n_name, n_told = sizes.tolist()
            row, end, name = entries[:, :n_told].copy()
            first_token = start[:n_name].copy()
            return Tokens(hashes[:n_token].copy(), first_token, row, end, name), signature
    return None


@kernel_with(_read_tokens_by_step)
def read_tokens(page: Page) -> tuple[Tokens, Signature]:
    """Read the names and signatures of the ancestors of a page's blocks."""
    around = page.block_offset.take(page.end) > page.block_offset[:-1]
    elements = (around & (page.tag != TEXT)).nonzero()[0].astype(np.int32)
    tags = page.tag.take(elements)
    is_used = np.zeros(len(NAMES), np.bool_)
    is_used[tags] = True
    codes = is_used.nonzero()[0]
    of_tag = is_used.cumsum() - 1

    entry, salt, is_class = _find_entries(page, around)
    value, hashes, start = _read_names(page, entry, salt)
    owner = page.attributes.row.take(entry)
    row = np.concatenate((elements, owner))
    name = np.concatenate((of_tag.take(tags), value + codes.size)).astype(np.int32)
    order = row.argsort(kind="stable")
    row = row.take(order)
    signature = page.tag.astype(np.int64)
    signature[owner[is_class]] += (value[is_class] + 1) * len(NAMES)
    tokens = Tokens(
        np.concatenate((_TAG_TOKENS.take(codes), hashes)),
        np.concatenate((np.arange(codes.size), start + codes.size)).astype(np.int32),
        row,
        page.end.take(row),
        name.take(order),
    )
    return tokens, signature


def _find_entries(
    page: Page, around: npt.NDArray[np.bool_]
) -> tuple[_Places, Hashes, npt.NDArray[np.bool_]]:
    """Find the entries in `SALTS` of flagged rows, in order; their salts, and which are classes."""
    attributes = page.attributes
    by_name = [attributes.named(name) for name in SALTS]
    by_name = [entries[around.take(attributes.row.take(entries))] for entries in by_name]
    entry = np.concatenate(by_name)
    order = entry.argsort()
    which = np.arange(len(by_name)).repeat([entries.size for entries in by_name]).take(order)
    return entry.take(order), _SALTS.take(which), which == 0


def _read_names(page: Page, entry: _Places, salt: Hashes) -> tuple[_Places, Hashes, _Places]:
    """Return the name of each entry, the tokens of all names, and where those of each begin."""
    values = list(zip(page.attributes.escaped(entry), salt.tolist(), strict=True))
    distinct = list(dict.fromkeys(values))
    number_of = dict(zip(distinct, range(len(distinct)), strict=True))
    numbers = np.fromiter(map(number_of.__getitem__, values), np.intp, len(values))
    return numbers, *_read_values(distinct)


def _cut(value: bytes) -> bytes:
    """Return a value up to the end of the last name that is read."""
    most = _MOST_NAMES.match(value)
    return most[0] if most else value


def _read_values(distinct: list[_Value]) -> tuple[Hashes, _Places]:
    """Return the tokens of values, and where those of each begin.

    The first token of a value is the whole value, with the space after it.
    """
    values = [_cut(value) for value, _ in distinct]
    joined = np.frombuffer(b" ".join((b"", *values, b"")), np.uint8)
    size = np.fromiter(map(len, values), np.intp, len(values))
    value_stop = (size + 1).cumsum() + 1
    value_start = value_stop - size - 1
    kind = _KIND.take(joined)
    check_deadline()
    letter = kind >= _LETTER
    begins = letter.copy()
    begins[1:] &= ~letter[:-1] | ((kind[1:] == _UPPER) & (kind[:-1] == _LETTER))
    word_start = begins.nonzero()[0]
    # A word stops where the next character is not in a word, or begins one.
    word_stop = (letter[:-1] & (begins[1:] == letter[1:])).nonzero()[0] + 1
    filled = kind != _SPACE
    name_start, name_stop = ((filled[1:] != filled[:-1]).nonzero()[0] + 1).reshape(-1, 2).T

    check_deadline()
    n_word = word_start.searchsorted(name_stop)
    n_word[1:] -= n_word[:-1].copy()
    compound = (n_word > 1).nonzero()[0]
    long_enough = (word_stop - word_start >= _MIN_LETTERS).nonzero()[0]
    start = np.concatenate((value_start, word_start.take(long_enough), name_start.take(compound)))
    stop = np.concatenate((value_stop, word_stop.take(long_enough), name_stop.take(compound)))
    # In order of position, so value by value; a stable sort keeps the whole value first.
    order = start.argsort(kind="stable")
    first = (order < len(values)).nonzero()[0]
    hashes = hash_runs(_LOWER.take(joined), start.take(order), stop.take(order))
    n_token = np.append(first[1:], order.size) - first
    salts = np.array([salt for _, salt in distinct], np.uint64)
    return hashes + salts.repeat(n_token), first
