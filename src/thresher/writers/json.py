"""JSON: all known data of a page; the schema is docs/formats.md."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from thresher.analysis.removed_links import Link
from thresher.analysis.threads import Thread, text_of
from thresher.deadline import check_deadline, watch
from thresher.document import Block, Document, WriteOptions
from thresher.document.document import read_blocks
from thresher.native import Steps, kernel_with
from thresher.output_room import count_bytes, take_room
from thresher.page import Origin
from thresher.page.hidden import Hidden
from thresher.page.rows import BoolArray
from thresher.page.scan import IntArray
from thresher.page.tags import NAMES, OTHER, TEXT
from thresher.roles import NO_ROLE, ROLES
from thresher.selection import Selection
from thresher.support.bounded_cache import bounded_cache
from thresher.writers import text
from thresher.writers.jsonl import describe_cut
from thresher.writers.shared.added import read_links

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def write(document: Document, options: WriteOptions) -> str:
    """Write one JSON object; of the options only the limits for its text and ``tracking`` count."""
    plain, whole = text.write_within(document, options)
    check_deadline()
    obstacle = document.obstacle
    record = {
        "url": document.page.url,
        "encoding": document.page.encoding,
        "method": document.selection.method,
        "verdict": document.verdict.value,
        "page_type": document.page_type._asdict() if document.page_type else None,
        "confidence": document.confidence,
        "obstacle": {**asdict(obstacle), "kind": obstacle.kind.value} if obstacle else None,
        "metadata": document.metadata.as_evidence(),
        "text": plain,
        "truncated": describe_cut(options, whole, plain),
    }
    start = _ENCODER.encode(record)[:-1]
    take_room(count_bytes(start))
    threads = _fit(_ENCODER.encode([_describe_thread(document, it) for it in document.threads]))
    links = _fit(write_links(document, tracking=options.tracking))
    blocks = write_blocks(document.selection)
    return f'{start}, "blocks": {blocks}, "removed_links": {links}, "threads": {threads}}}'


def _fit(items: str) -> str:
    """Return a JSON array; empty if the output may end early and has no room for it."""
    return items if take_room(count_bytes(items)) else "[]"


def _describe_thread(document: Document, thread: Thread) -> dict[str, object]:
    page, keep = document.page, document.selection.keep
    paths = page.paths(np.array([post.row for post in thread.posts], np.int64))
    posts = [
        {
            "author": post.author,
            "date": asdict(post.date) if post.date else None,
            "depth": post.depth,
            "parent": post.parent,
            "score": post.score,
            "is_question": post.is_question,
            "is_answer": post.is_answer,
            "accepted": post.accepted,
            "permalink": post.permalink,
            "text": text_of(page, post.leaves),
            "kept": bool(keep[post.leaves].any()),
            "path": path._asdict() if path else None,
        }
        for post, path in watch(zip(thread.posts, paths, strict=True))
    ]
    return {"kind": thread.kind.value, "posts": posts}


# -- literals ----------------------------------------------------------------------------------


class _Literals(NamedTuple):
    """Joined literals."""

    joined: bytes
    """Their UTF-8."""
    offset: IntArray
    """Where each begins there, last the end; int32[n + 1]."""


_NONE: Final = _Literals(b"", np.zeros(1, np.int32))


def join_literals(literals: Sequence[str], after: _Literals = _NONE) -> _Literals:
    """Join literals, after others that are joined already."""
    parts = [literal.encode("utf-8", "surrogatepass") for literal in literals]
    n_before = after.offset.size
    offset = np.empty(n_before + len(parts), np.int32)
    offset[:n_before] = after.offset
    offset[n_before:] = list(map(len, parts))
    offset[n_before - 1 :].cumsum(out=offset[n_before - 1 :])
    return _Literals(after.joined + b"".join(parts), offset)


# -- removed links -----------------------------------------------------------------------------

_quote: Final[Callable[[str], str]] = json.encoder.encode_basestring


def write_links(document: Document, *, tracking: bool) -> str:
    """Write the removed links as a JSON array; without ``tracking`` their URLs are cleaned."""
    links = watch(read_links(document, tracking=tracking))
    return f"[{', '.join([_write_link(link) for link in links])}]"


def _write_link(link: Link) -> str:
    """Write a link as the encoder does, in half the time: pages have hundreds."""
    return f'{{"text": {_quote(link.text)}, "url": {_quote(link.url)}, "block": {link.block}}}'


# -- blocks ------------------------------------------------------------------------------------

_MAX_ROOM: Final = 2**30
"""Bytes that the step may need; what needs more is left to Python."""
_SEPARATOR: Final = ", "
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
    *(f', "origin": {_ENCODER.encode(origin.value)}' for origin in _ORIGINS),
)
"""What is written of a block: facts with few values."""
_JOINED_FACTS: Final = join_literals(_FACTS)
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
_MIN_BLOCK: Final = 128
"""Bytes that are written of any block, at least."""


def _write_blocks_by_step(steps: Steps, selection: Selection) -> str | None:
    page = selection.page
    first, n_block = page.block_leaf, len(page.blocks)
    if not n_block:
        return "[]"
    if page.in_source is not None:
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
    rows = (page.tag, page.parent, page.depth, page.open_start, page.open_stop, page.nth_of_type)
    texts = (page.text_utf8, page.text_offset, page.leaves, page.leaf_stop, page.gaps)
    blocks = (page.blocks.start, page.block_row)
    sources = page.find_source_ends(first, page.block_last_leaf)
    limits = (OTHER, TEXT, page.n_own_row, path_depth, n_room)
    written = steps.write_block_list(
        page.buffer,
        *(*rows, _NAME_BYTES, _NAME_OFFSETS, *texts, *blocks, sources),
        *(facts, literals.joined, literals.offset, *limits),
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


@kernel_with(_write_blocks_by_step)
def write_all_blocks(selection: Selection) -> str:
    """Write every block of a page, kept or not, as an item of a JSON array, of any length."""
    blocks = watch(read_blocks(selection))
    return f"[{_SEPARATOR.join([_ENCODER.encode(_describe_block(block)) for block in blocks])}]"


def _find_facts(selection: Selection) -> tuple[_Literals, IntArray]:
    """Return what is known of blocks besides texts and places: literals, and their numbers.

    Scores that the step can write are inverted (~) in place of a number; int32[n_fact, n_block].
    """
    page, roles = selection.page, selection.role_code
    more = [_write_reason(reason) for reason in selection.reasons]
    n_reason, n_known = len(more), len(_FACTS)
    facts = np.empty((6, len(page.blocks)), np.int32)
    kept, score, reason, role, hidden, origin = facts
    kept[:] = selection.block_keep
    reason[:] = selection.reason_code
    reason[reason < 0] += n_reason  # counted from the end
    reason += n_known
    role[:] = NO_ROLE if roles is None else roles
    role += _FIRST_ROLE
    hidden[:] = page.hidden.take(page.block_leaf)
    hidden += _FIRST_HIDDEN
    origin[:] = _FIRST_ORIGIN + _ORIGINS.index(Origin.MARKUP)
    for part in page.attached:
        inside = (part.start <= page.block_leaf) & (page.block_leaf < part.stop)
        origin[inside] = _FIRST_ORIGIN + _ORIGINS.index(part.origin)
    steps, is_simple = _find_steps(selection.score)
    np.invert(steps, out=score)
    others = np.flatnonzero(~is_simple)
    if others.size:
        numbers: dict[str, int] = {}
        written = map(_write_score, selection.score.take(others).tolist())
        first = n_known + n_reason
        score[others] = [numbers.setdefault(literal, first + len(numbers)) for literal in written]
        more += numbers
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
        "path": block.path._asdict() if block.path else None,
        "source": block.source,
        "origin": block.origin.value,
    }
