"""Marks of labelled blocks, by which labels are carried over when blocks change.

A mark is a short digest of a block's text and one of its place. A label says which block numbers
have which role; when a new version of the engine cuts a page into other blocks, the marks tell
which of them are the old ones. They give no text away.
"""

from __future__ import annotations

import hashlib
import lzma
from base64 import b64encode
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.errors import InputError
from thresher.page import Page
from thresher.page.tags import NAMES
from thresher.roles import NO_ROLE

__all__ = ["SHIPPED_MARKS", "carry_roles", "mark_blocks", "read_marks", "write_marks"]

SHIPPED_MARKS: Final = Path(__file__).parent / "marks.tsv.xz"
"""The marks of the labels that come with Thresher: the page's SHA-256, and its marks in a row."""
_TEXT_CHARS: Final = 3
"""Letters of base 64 of a text's digest, 18 bits: blocks are compared in order, so that chance
matches one in 250,000 of those that stand in one place."""
_PLACE_CHARS: Final = 2
_MARK_CHARS: Final = _TEXT_CHARS + _PLACE_CHARS
_ABOVE: Final = 3
"""Elements above a block whose names are its place."""

Marks = tuple[str, ...]
RoleCodes = npt.NDArray[np.int8]


def mark_blocks(page: Page) -> Marks:
    """Return the mark of each block."""
    marks = []
    for text, row in zip(page.block_texts(), page.block_row.tolist(), strict=True):
        names: list[str] = []
        above = row
        while above >= 0 and len(names) <= _ABOVE:
            names.append(NAMES[page.tag[above]])
            above = int(page.parent[above])
        marks.append(
            _digest("".join(text.split()), _TEXT_CHARS) + _digest(" ".join(names), _PLACE_CHARS)
        )
    return tuple(marks)


def carry_roles(roles: RoleCodes, old: Marks, new: Marks) -> RoleCodes:
    """Carry the roles of old blocks over to new ones; `NO_ROLE` where that is not certain.

    A new block has the role of the old one with the same text in the same order. Where blocks were
    cut anew, it has the role that all old ones in that stretch had, or if there are as many as
    before, that of the one in the same place.
    """
    carried = np.full(len(new), NO_ROLE, np.int8)
    old_texts, new_texts = ([mark[:_TEXT_CHARS] for mark in marks] for marks in (old, new))
    matcher = SequenceMatcher(None, old_texts, new_texts, autojunk=False)
    for kind, old_start, old_stop, start, stop in matcher.get_opcodes():
        before, after = roles[old_start:old_stop], slice(start, stop)
        if kind == "equal":
            carried[after] = before
        elif kind == "replace" and len(set(before.tolist())) == 1:
            carried[after] = before[0]
        elif kind == "replace" and before.size == stop - start:
            same = np.array([one[_TEXT_CHARS:] for one in old[old_start:old_stop]]) == np.array(
                [one[_TEXT_CHARS:] for one in new[after]]
            )
            carried[after] = np.where(same, before, NO_ROLE)
    return carried


def read_marks(path: Path = SHIPPED_MARKS) -> Mapping[str, Marks]:
    """Read marks by the digests of their pages; InputError if the file is damaged."""
    try:
        with lzma.open(path, "rt", encoding="ascii") as lines:
            pairs = [line.rstrip("\n").split("\t") for line in lines]
        return {
            sha256: tuple(marks[at : at + _MARK_CHARS] for at in range(0, len(marks), _MARK_CHARS))
            for sha256, marks in pairs
        }
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise InputError(f"{path}: {error}") from error


def write_marks(marks: Mapping[str, Sequence[str]], path: Path) -> None:
    """Write marks, sorted by page, so that the same marks give the same file."""
    with lzma.open(path, "wt", encoding="ascii", newline="\n") as file:
        for sha256 in sorted(marks):
            file.write(f"{sha256}\t{''.join(marks[sha256])}\n")


def _digest(text: str, n_char: int) -> str:
    data = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return b64encode(data, altchars=b"-_")[:n_char].decode("ascii")
