"""The blocks of a page, kept or not, each with the evidence for the decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from thresher.page import Origin, Span
from thresher.page.hidden import Hidden
from thresher.page.paths import Path
from thresher.roles import NO_ROLE, ROLES
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
    first, n_own = page.block_leaf, page.n_own_row
    roles = selection.role_code
    columns = zip(
        page.block_texts(),
        page.names(page.block_row),
        selection.block_keep.tolist(),
        selection.score.tolist(),
        selection.reason_code.tolist(),
        page.hidden.take(first).tolist(),
        page.paths(page.block_row),
        page.find_source_spans(first, page.block_last_leaf),
        repeat(NO_ROLE, first.size) if roles is None else roles.tolist(),
        first.tolist(),
        strict=True,
    )
    for index, (
        text, tag, kept, score, reason, hidden, path, source, role, leaf
    ) in enumerate(columns):  # fmt: skip
        yield Block(
            index=index,
            text=text,
            tag=tag,
            kept=kept,
            score=score,
            reason=selection.reasons[reason],
            role=None if role == NO_ROLE else ROLES[role],
            hidden=_HIDDEN[hidden],
            path=path,
            source=source,
            origin=Origin.MARKUP if leaf < n_own else page.origin(leaf),
        )
