"""What a method loses of the blocks of a page, and keeps wrongly.

A word F1 of .95 hides whether one sentence is missing in the middle of a story or a date at its
end. So the blocks of a page are judged one by one: a *gold* block is content by the labels, a
*lost* one is gold and not kept, a *hole* is a lost block between two kept gold ones, *foreign*
words are those of kept blocks that are no content. A page is *perfect* without lost blocks and
foreign words. Titles, bylines and dates count neither as lost nor as foreign, and are left out of
both sides of the word F1 given here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from thresher.evaluation.alignment import align_blocks
from thresher.evaluation.metrics import Score, score_bags
from thresher.evaluation.role_labels.labels import RoleLabel
from thresher.evaluation.tokens import split_words
from thresher.page import Page
from thresher.page.rows import BoolArray
from thresher.roles import NO_ROLE, ROLES
from thresher.selection import Selection

_ASIDE: Final = ("title", "byline", "date")
"""Roles that are content in some corpora and not in others."""
_CONTENT: Final = ("body", "table", "code")
_DISPUTED: Final = ("caption",)
"""Content if what it belongs to is; labels by role count it neither as lost nor as foreign."""
_THREADS: Final = ("forum", "qa")
"""Kinds of page on which comments are content."""
_MIN_SHARE: Final = 0.5
"""Share of a block's tokens from which it counts as gold, or as kept."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockGold:
    """The blocks of a page as its label has them; arrays have an entry a block."""

    page: Page
    is_gold: BoolArray
    is_judged: BoolArray
    """False for blocks that count neither as lost nor as foreign: titles, bylines, dates, second
    copies of the content, and blocks without words."""
    is_aside: BoolArray
    """Titles, bylines and dates."""
    roles: Sequence[str]
    """Role of each block: labelled, or predicted."""
    is_exact: bool
    """Whether the blocks were labelled, rather than aligned with a text."""

    @property
    def text(self) -> str:
        """The text of the gold blocks."""
        return self.text_of(self.is_gold)

    def text_of(self, kept: BoolArray) -> str:
        """Return the text of some blocks."""
        return "\n".join(self.page.block_text(block) for block in np.flatnonzero(kept).tolist())


@dataclass(frozen=True, slots=True)
class BlockLosses:
    """What one method lost and kept wrongly on one page."""

    n_gold: int
    """Gold blocks."""
    n_lost: int
    n_hole: int
    n_gold_word: int
    n_foreign_word: int
    word: Score
    """Word F1 with titles, bylines and dates off both sides."""
    lost_words: Mapping[str, int] = field(hash=False)
    """Words of lost blocks by role."""
    foreign_words: Mapping[str, int] = field(hash=False)

    @property
    def is_perfect(self) -> bool:
        """Whether nothing is lost and nothing foreign is kept."""
        return not self.n_lost and not self.n_foreign_word


@dataclass(frozen=True, slots=True)
class BlockMeans:
    """The losses of one method over the pages of a corpus."""

    method: str
    n_page: int
    hole_pages: float
    """Share of pages with at least one hole."""
    lost_blocks: float
    """Share of gold blocks that are lost."""
    foreign_words: float
    """Foreign words per gold word, over all pages together."""
    perfect_pages: float
    """Share of pages without lost blocks and foreign words."""
    word_f1: float
    lost_by_role: Mapping[str, int] = field(hash=False)
    foreign_by_role: Mapping[str, int] = field(hash=False)


def read_text_gold(page: Page, gold: str, roles: Sequence[str]) -> BlockGold | None:
    """Align a gold text with the blocks of its page; None if they are too long for that."""
    alignment = align_blocks(page, gold)
    if alignment is None:
        return None
    is_aside = np.isin(np.array(roles, str), _ASIDE)
    is_judged = ~is_aside & ~alignment.is_copy & (alignment.tokens > 0)
    is_gold = alignment.share >= _MIN_SHARE
    return BlockGold(page, is_gold, is_judged, is_aside, roles, is_exact=False)


def read_role_gold(page: Page, label: RoleLabel) -> BlockGold:
    """Tell from the labelled roles which blocks are content.

    Body, tables and code are, and in threads what others wrote. `NO_ROLE` does not occur.
    """
    roles = [ROLES[code] for code in label.roles.tolist() if code != NO_ROLE]
    content = (*_CONTENT, *(("comment",) if label.kind in _THREADS else ()))
    names = np.array(roles, str)
    is_gold: BoolArray = np.isin(names, content)
    is_judged = ~np.isin(names, (*_ASIDE, *_DISPUTED)) & (_count_words(page) > 0)
    return BlockGold(page, is_gold, is_judged, np.isin(names, _ASIDE), roles, is_exact=True)


def flag_kept(selection: Selection) -> BoolArray:
    """Flag the blocks of which a selection keeps at least half of the words; bool[n_block]."""
    page = selection.page
    kept = page.blocks.sums(np.where(selection.keep, page.leaf_words, 0))
    kept_blocks: BoolArray = (kept > 0) & (kept >= _MIN_SHARE * _count_words(page))
    return kept_blocks


def flag_shown(page: Page, text: str) -> BoolArray | None:
    """Flag the blocks that an extracted text shows; None if they are too long to align."""
    alignment = align_blocks(page, text)
    return None if alignment is None else alignment.share >= _MIN_SHARE


def count_losses(gold: BlockGold, kept: BoolArray, text: str, gold_text: str) -> BlockLosses:
    """Count what is lost and foreign where some blocks are kept; ``text`` is what they read."""
    words = _count_words(gold.page)
    is_gold = gold.is_gold & gold.is_judged
    lost = is_gold & ~kept
    foreign = kept & ~gold.is_gold & gold.is_judged
    there = np.flatnonzero(is_gold & kept)
    inside = np.zeros(kept.size, np.bool_)
    if there.size:
        inside[there[0] : there[-1]] = True
    return BlockLosses(
        n_gold=int(is_gold.sum()),
        n_lost=int(lost.sum()),
        n_hole=int((lost & inside).sum()),
        n_gold_word=int(words[is_gold].sum()),
        n_foreign_word=int(words[foreign].sum()),
        word=score_bags(_without(text, gold, kept), _without(gold_text, gold, gold.is_gold)),
        lost_words=_sum_by_role(gold, lost),
        foreign_words=_sum_by_role(gold, foreign),
    )


def average_losses(method: str, losses: Sequence[BlockLosses]) -> BlockMeans:
    """Average the losses of one method over pages, at least one."""
    n_page = len(losses)
    n_gold_word = max(sum(one.n_gold_word for one in losses), 1)
    return BlockMeans(
        method=method,
        n_page=n_page,
        hole_pages=sum(one.n_hole > 0 for one in losses) / n_page,
        lost_blocks=sum(one.n_lost for one in losses) / max(sum(one.n_gold for one in losses), 1),
        foreign_words=sum(one.n_foreign_word for one in losses) / n_gold_word,
        perfect_pages=sum(one.is_perfect for one in losses) / n_page,
        word_f1=sum(one.word.f1 for one in losses) / n_page,
        lost_by_role=_add(one.lost_words for one in losses),
        foreign_by_role=_add(one.foreign_words for one in losses),
    )


def _count_words(page: Page) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return page.blocks.sums(page.leaf_words)


def _without(text: str, gold: BlockGold, shown: BoolArray) -> list[str]:
    """Return the words of a text less those of the titles, bylines and dates that it shows."""
    words = Counter(split_words(text.lower()))
    for block in np.flatnonzero(gold.is_aside & shown).tolist():
        words -= Counter(split_words(gold.page.block_text(block).lower()))
    return list(words.elements())


def _sum_by_role(gold: BlockGold, flags: BoolArray) -> dict[str, int]:
    words = _count_words(gold.page)
    sums: Counter[str] = Counter()
    for block in np.flatnonzero(flags).tolist():
        sums[gold.roles[block]] += int(words[block])
    return dict(sums)


def _add(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(total.most_common())
