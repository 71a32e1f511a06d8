"""Preview of a change of rules on a page; computed in a worker process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.app.document_cache import DocumentKey
from thresher.app.excerpt import excerpt
from thresher.errors import ThresherError
from thresher.extraction import document_of, read_page, select_request
from thresher.sites import check_rules, force

__all__ = ["Change", "ChangedBlock", "preview"]

_MAX_PIECES: Final = 12
"""Maximum of gained, and of lost blocks shown."""
_MAX_TEXT_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class ChangedBlock:
    """Block that would be gained or lost."""

    index: int
    text: str
    n_word: int


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one page."""

    title: str
    n_word: int
    """Words kept with the current rules."""
    n_gained: int
    """Number of blocks gained."""
    n_lost: int
    gained: tuple[ChangedBlock, ...]
    """The first of the gained blocks."""
    lost: tuple[ChangedBlock, ...]
    words_gained: int
    words_lost: int
    error: str | None = None
    """Why the page could not be extracted."""


def preview(before: DocumentKey, after: DocumentKey) -> Change:
    """Compare the results of two keys that differ only in their rules.

    An error of the page is part of the result; invalid rules raise UsageError.
    """
    check_rules(after.rules.rules)
    name = before.source.url or before.source.name or "Untitled page"
    try:
        page = read_page(
            before.source.body,
            url=before.source.url,
            http_charset=before.source.http_charset,
            max_bytes=before.limits.max_bytes,
            max_nodes=before.limits.max_nodes,
        )
        plain = select_request(page, before.chosen.select_request(before.model))
    except ThresherError as error:
        return Change(name, 0, 0, 0, (), (), 0, 0, str(error))
    try:
        old = force(plain, before.rules.rules)
    except ThresherError:  # invalid rules that are being fixed
        old = plain
    new = force(plain, after.rules.rules)
    title = document_of(new).metadata.title
    change = Change(
        title.value if title else name, int(page.leaf_words[old.keep].sum()), 0, 0, (), (), 0, 0
    )
    words = page.blocks.sums(page.leaf_words)

    def pieces(leaves: npt.NDArray[np.bool_]) -> tuple[int, int, tuple[ChangedBlock, ...]]:
        blocks = page.blocks.any(leaves).nonzero()[0]
        shown = tuple(
            ChangedBlock(index, excerpt(page.block_text(index), _MAX_TEXT_CHARS), int(words[index]))
            for index in blocks[:_MAX_PIECES].tolist()
        )
        return blocks.size, int(page.leaf_words[leaves].sum()), shown

    n_gained, words_gained, gained = pieces(new.keep & ~old.keep)
    n_lost, words_lost, lost = pieces(old.keep & ~new.keep)
    return replace(
        change,
        n_gained=n_gained,
        n_lost=n_lost,
        gained=gained,
        lost=lost,
        words_gained=words_gained,
        words_lost=words_lost,
    )
