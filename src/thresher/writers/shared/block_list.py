"""The blocks of a page as JSON, kept or not, each with the evidence for the decision."""

from __future__ import annotations

import json
import math
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.document import Block
from thresher.document.blocks import read_blocks
from thresher.native import Steps, kernel_with
from thresher.output_room import count_bytes, take_room
from thresher.page import Origin
from thresher.page.hidden import Hidden
from thresher.page.paths import Path
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES, OTHER, TEXT
from thresher.roles import NO_ROLE, ROLES
from thresher.selection import Selection
from thresher.support.bounded_cache import bounded_cache
from thresher.writers.shared.literals import Literals, join_literals

__all__ = ["describe_path", "write_blocks"]

_SEPARATOR: Final = ", "
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_HIDDEN_NAMES: Final = tuple(
    tuple(flag.name.lower() for flag in Hidden if flag & flags and flag.name)
    for flags in range(2 ** len(Hidden))
)
"""The names for each combination of flags."""
_ORIGINS: Final = tuple(Origin)
_FACTS: Final = (
    *(f', "kept": {_ENCODER.encode(kept)}' for kept in (False, True)),
    *(f', "role": {_ENCODER.encode(role)}' for role in (None, *ROLES)),
    *(f', "hidden": {_ENCODER.encode(names)}' for names in _HIDDEN_NAMES),
    *(f', "origin": {_ENCODER.encode(each.value)}' for each in _ORIGINS),
)
"""What is written of a block: facts with few values."""
_JOINED_FACTS: Final = join_literals(_FACTS)
_N_FACT: Final = 6
_FIRST_ROLE: Final = 3
"""The literal of the first role; that of `NO_ROLE` is before it."""
_FIRST_HIDDEN: Final = _FIRST_ROLE + len(ROLES)
_FIRST_ORIGIN: Final = _FIRST_HIDDEN + len(_HIDDEN_NAMES)
_MAX_REASONS: Final = 256
"""Reasons whose literals are cached: methods have a dozen or two."""

_SCORE_STEPS: Final = 2**16
"""Steps of the scores that the compiled step writes: those of a learned method."""

_NAME_BYTES: Final = "".join(NAMES).encode()
_NAME_OFFSETS: Final = np.array([0, *accumulate(map(len, NAMES))], np.int32)
_ROOM_BLOCK: Final = 256
"""Bytes that suffice for what is written of a block besides its text, facts and path."""
_ROOM_LEVEL: Final = 80
"""The same for an element of a path, in both notations; longer ones are left to Python."""
_MAX_ROOM: Final = 2**30
"""Bytes that the step may need; what needs more is left to Python."""
_MIN_BLOCK: Final = 128
"""Bytes that are written of any block, at least."""


def _write_by_step(steps: Steps, selection: Selection) -> str | None:
    page = selection.page
    first, n_block = page.block_leaf, len(page.blocks)
    if not n_block:
        return "[]"
    if page.is_rearranged:
        return None  # paths are those in the source
    literals, facts = _find_facts(selection)
    depth, path_depth = page.depth.take(page.block_row), page.path_depth(page.block_row)
    n_level = int((depth * (depth <= path_depth)).sum()) + n_block  # deeper ones have no path
    n_room = (
        2 * page.text_utf8.size
        + _ROOM_BLOCK * n_block
        + _ROOM_LEVEL * n_level
        + int(np.diff(literals.offset).take(facts, mode="clip").sum())
    )
    if n_room > _MAX_ROOM:
        return None
    written = steps.write_block_list(
        page.buffer,
        page.tag,
        page.parent,
        page.depth,
        page.open_start,
        page.open_stop,
        page.nth_of_type,
        _NAME_BYTES,
        _NAME_OFFSETS,
        page.text_utf8,
        page.text_offset,
        page.leaves,
        page.leaf_stop,
        page.gaps,
        page.blocks.start,
        page.block_row,
        page.find_source_ends(first, page.block_last_leaf),
        facts,
        literals.joined,
        literals.offset,
        OTHER,
        TEXT,
        page.n_own_row,
        path_depth,
        n_room,
    )
    return None if written is None else f"[{str(written.data, 'utf-8')}]"


def write_blocks(selection: Selection) -> str:
    """Write every block of a page, kept or not, as an item of a JSON array.

    The first of them if the output may end early and has no room for all.
    """
    # Those that do not fit for certain are not written to see that.
    if take_room(_MIN_BLOCK * len(selection.page.blocks)):
        written = write_all_blocks(selection)
        if take_room(count_bytes(written) - _MIN_BLOCK * len(selection.page.blocks)):
            return written
    items: list[str] = []
    for block in read_blocks(selection):
        items.append(_ENCODER.encode(_describe_block(block)))
        if not take_room(count_bytes(items[-1]) + len(_SEPARATOR)):
            items.pop()
            break
    return f"[{_SEPARATOR.join(items)}]"


@kernel_with(_write_by_step)
def write_all_blocks(selection: Selection) -> str:
    """Write every block of a page, kept or not, as an item of a JSON array, of any length."""
    blocks = watch(read_blocks(selection))
    return f"[{_SEPARATOR.join([_ENCODER.encode(_describe_block(block)) for block in blocks])}]"


def _find_facts(selection: Selection) -> tuple[Literals, IntArray]:
    """Find what is known of blocks besides their texts and places, which the step copies.

    These are literals, and of each block their numbers, or an inverted score (~) in steps;
    int32[n_fact, n_block].
    """
    page, roles = selection.page, selection.role_code
    more = [_write_reason(reason) for reason in selection.reasons]
    n_reason, n_known = len(more), len(_FACTS)
    facts = np.empty((_N_FACT, len(page.blocks)), np.int32)
    kept, score, reason, role, hidden, origin = facts
    kept[:] = selection.block_keep
    reason[:] = selection.reason_code
    reason[reason < 0] += n_reason  # counted from the end
    reason += n_known
    role[:] = NO_ROLE if roles is None else roles
    role += _FIRST_ROLE
    hidden[:] = page.hidden.take(page.block_leaf)
    hidden += _FIRST_HIDDEN
    origin[:] = _find_origins(selection)
    origin += _FIRST_ORIGIN
    steps, is_simple = _find_steps(selection.score)
    np.invert(steps, out=score)
    others = np.flatnonzero(~is_simple)
    if others.size:
        known: dict[str, int] = {}
        written = map(_write_score, selection.score.take(others).tolist())
        first = n_known + n_reason
        score[others] = [known.setdefault(each, first + len(known)) for each in written]
        more += known
    return join_literals(more, _JOINED_FACTS), facts


def _find_steps(score: npt.NDArray[np.float32]) -> tuple[IntArray, BoolArray]:
    """Return scores in steps of a learned method's, and flag those that the step can write."""
    with np.errstate(invalid="ignore", over="ignore"):
        exact = score * np.float32(_SCORE_STEPS)
        steps = exact.astype(np.int32)
    return steps, (steps == exact) & ~np.signbit(score) & (steps <= _SCORE_STEPS)


def _write_score(score: float) -> str:
    return f', "score": {repr(score) if math.isfinite(score) else "null"}'


@bounded_cache(_MAX_REASONS)
def _write_reason(reason: str) -> str:
    return f', "reason": {_ENCODER.encode(reason)}'


def _find_origins(selection: Selection) -> npt.NDArray[np.int32]:
    """Find the origin of each block, an index into `_ORIGINS`; int32[n_block]."""
    page = selection.page
    rows = page.block_leaf
    origins = np.full(rows.size, _ORIGINS.index(Origin.MARKUP), np.int32)
    for part in page.attached:
        origins[(part.start <= rows) & (rows < part.stop)] = _ORIGINS.index(part.origin)
    return origins


def _describe_block(block: Block) -> dict[str, object]:
    return {
        "index": block.index,
        "text": block.text,
        "tag": block.tag,
        "kept": block.kept,
        "score": block.score if math.isfinite(block.score) else None,
        "reason": block.reason,
        "role": block.role,
        "hidden": _HIDDEN_NAMES[block.hidden],
        "path": describe_path(block.path),
        "source": block.source,
        "origin": block.origin.value,
    }


def describe_path(path: Path | None) -> dict[str, str] | None:
    """Describe the location of an element, for JSON."""
    return {"css": path.css, "xpath": path.xpath} if path else None
