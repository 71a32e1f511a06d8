"""The blocks of a page, kept or not, each with the evidence for the decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from thresher.page import Origin, Span
from thresher.page.hidden import Hidden
from thresher.page.paths import Path
from thresher.selection import Selection

__all__ = ["Block", "read_blocks"]

_HIDDEN: Final = tuple(map(Hidden, range(2 ** len(Hidden))))
"""Every combination of flags; precomputed because constructing flags is slow."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page, kept or not, with its evidence."""

    index: int
    text: str
    tag: str
    """The innermost block-level element around it."""
    kept: bool
    """Whether any of its leaves is kept."""
    score: float
    reason: str
    role: str | None
    """One of `thresher.roles.ROLES`; None if the method assigns no roles."""
    hidden: Hidden
    path: Path | None
    source: Span | None
    """Span of the source that its leaves came from."""
    origin: Origin
    """Whether it was read from the page's markup, or from data in its scripts."""


def read_blocks(selection: Selection) -> Iterator[Block]:
    """Yield every block of a page in order, kept or not."""
    page = selection.page
    last = page.block_last_leaf.tolist()
    first, rows = page.block_leaf.tolist(), page.block_row.tolist()
    spans = page.find_source_spans([*first, *last])
    columns = zip(
        page.block_texts(),
        map(page.name, rows),
        selection.block_keep.tolist(),
        selection.score.tolist(),
        selection.reason_code.tolist(),
        page.hidden.take(first).tolist(),
        page.paths(rows),
        spans[: len(first)],
        spans[len(first) :],
        map(page.origin, first),
        strict=True,
    )
    for index, (
        text, tag, kept, score, reason, hidden, path, start, stop, origin
    ) in enumerate(columns):  # fmt: skip
        yield Block(
            index=index,
            text=text,
            tag=tag,
            kept=kept,
            score=score,
            reason=selection.reasons[reason],
            role=selection.role(index),
            hidden=_HIDDEN[hidden],
            path=path,
            source=Span(start.start, max(start.stop, stop.stop)) if start and stop else None,
            origin=origin,
        )
