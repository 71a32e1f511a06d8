"""The blocks of a page as JSON, kept or not, each with the evidence for the decision."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.deadline import watch
from thresher.document import Block
from thresher.document.blocks import read_blocks
from thresher.native import Steps, kernel_with
from thresher.page import Origin
from thresher.page.hidden import Hidden
from thresher.page.paths import MAX_DEPTH, Path
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES, OTHER
from thresher.roles import NO_ROLE, ROLES
from thresher.selection import Selection
from thresher.writers.shared.literals import join_literals

__all__ = ["describe_path", "write_blocks"]

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_HIDDEN_NAMES: Final = tuple(
    tuple(flag.name.lower() for flag in Hidden if flag & flags and flag.name)
    for flags in range(2 ** len(Hidden))
)
"""The names for each combination of flags."""
_ORIGINS: Final = tuple(Origin)
_KEPT_FACTS: Final = tuple(f', "kept": {_ENCODER.encode(kept)}' for kept in (False, True))
_ROLE_FACTS: Final = tuple(f', "role": {_ENCODER.encode(role)}' for role in (*ROLES, None))
_HIDDEN_FACTS: Final = tuple(f', "hidden": {_ENCODER.encode(names)}' for names in _HIDDEN_NAMES)
_ORIGIN_FACTS: Final = tuple(f', "origin": {_ENCODER.encode(each.value)}' for each in _ORIGINS)
"""What is written of a block: facts with few values."""

_NOT_FINITE: Final = frozenset(map(repr, (math.inf, -math.inf, math.nan)))

_NAME_BYTES: Final = "".join(NAMES).encode()
_NAME_OFFSETS: Final = np.array([0, *accumulate(map(len, NAMES))], np.int32)
_ROOM_BLOCK: Final = 256
"""Bytes that suffice for what is written of a block besides its text, facts and path."""
_ROOM_LEVEL: Final = 80
"""The same for an element of a path, in both notations; longer ones are left to Python."""
_MAX_ROOM: Final = 2**30
"""Bytes that the step may need. More are needed only by pages with over 60,000 blocks that are as
deep as paths go; these are left to Python."""


def _write_by_step(steps: Steps, selection: Selection) -> str | None:
    page = selection.page
    first, n_block = page.block_leaf, len(page.blocks)
    if not n_block:
        return "[]"
    facts = _Facts(selection)
    literals, offsets = join_literals(facts.literals)
    depth = page.depth.take(page.block_row)
    n_level = int((depth * (depth <= MAX_DEPTH)).sum()) + n_block  # deeper ones have no path
    n_room = (
        2 * page.text_utf8.size
        + _ROOM_BLOCK * n_block
        + _ROOM_LEVEL * n_level
        + int((offsets[1:] - offsets[:-1]).take(facts.places).sum())
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
        page.nth_child,
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
        facts.places,
        literals,
        offsets,
        OTHER,
        page.n_own_row,
        MAX_DEPTH,
        n_room,
    )
    return None if written is None else f"[{str(written.data, 'utf-8')}]"


@kernel_with(_write_by_step)
def write_blocks(selection: Selection) -> str:
    """Write every block of a page, kept or not, as an item of a JSON array."""
    blocks = watch(read_blocks(selection))
    return f"[{', '.join([_ENCODER.encode(_describe_block(block)) for block in blocks])}]"


class _Facts:
    """What is known of blocks besides their texts and places: the step copies it."""

    def __init__(self, selection: Selection) -> None:
        self.literals: list[str] = []
        """What is written of facts."""
        page, roles = selection.page, selection.role_code
        n_block = len(page.blocks)
        scores: dict[float, int] = {}
        score = [scores.setdefault(each, len(scores)) for each in selection.score.tolist()]
        self.places: IntArray = np.stack(
            (
                self._index(_KEPT_FACTS, selection.block_keep),
                self._index(_write_scores(list(scores)), np.array(score)),
                self._index(list(map(_write_reason, selection.reasons)), selection.reason_code),
                self._index(_ROLE_FACTS, np.full(n_block, NO_ROLE) if roles is None else roles),
                self._index(_HIDDEN_FACTS, page.hidden.take(page.block_leaf)),
                self._index(_ORIGIN_FACTS, _find_origins(selection)),
            )
        )
        """Which of them each block has; int32[n_fact, n_block]."""

    def _index(self, literals: Sequence[str], places: npt.NDArray[np.generic]) -> IntArray:
        """Add literals; return where those of ``places`` are then, counted from either end."""
        found = places.astype(np.int32)
        found[found < 0] += len(literals)
        found += len(self.literals)
        self.literals += literals
        return found


def _write_scores(scores: list[float]) -> list[str]:
    """Write scores all at once, as `repr` does each."""
    written = repr(scores)[1:-1].split(", ")
    return [f', "score": {"null" if each in _NOT_FINITE else each}' for each in written]


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
