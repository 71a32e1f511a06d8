"""Two results of a page compared, in a worker process.

They are those of two methods, or of one before and after a change of the rules of its host.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from types import SimpleNamespace
from typing import Final, NamedTuple

import numpy as np

from thresher.app.charts import Bar, draw_graph
from thresher.app.engine import DocumentKey, excerpt, open_document
from thresher.app.inspection import NOTE_CHARS
from thresher.document import Document
from thresher.errors import ThresherError
from thresher.explain.page import format_score
from thresher.extraction import document_of, read_page, select_request
from thresher.page.rows import BoolArray
from thresher.sites import check_rules, force

_MAX_PAIR_CHARS: Final = 1_500
"""Maximum number of characters shown of a block."""
_MAX_PAIRS: Final = 3_000
"""Maximum number of blocks shown; those on which the methods differ take precedence."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Block with the text that each method keeps of it (None: nothing), and why."""

    index: int
    left: str | None
    right: str | None
    whole: str
    left_why: str
    right_why: str


class PairGroup(NamedTuple):
    """Adjacent blocks on which the methods agree, or one on which they differ."""

    kind: str
    """``both``, ``none`` or ``differ``."""
    pairs: tuple[Pair, ...]
    n_word: int


def compare(left: DocumentKey, right: DocumentKey, link: str) -> SimpleNamespace:
    """Compare two selections on the same page; raise the errors of `thresher.extract`.

    If a document was completed with data from scripts, those blocks come last. A block that only
    one of the documents has counts as dropped by the other.
    """
    one, other = open_document(left), open_document(right)
    wide = one if len(one.page) >= len(other.page) else other
    page = wide.page
    keeps = [_widen(document, wide) for document in (one, other)]
    words = [int(page.leaf_words[keep].sum()) for keep in keeps]
    n_both = int(page.leaf_words[keeps[0] & keeps[1]].sum())
    titles = [document.metadata.title for document in (one, other)]
    groups, n_hidden = _limit(_group(_pair(wide, one, other, keeps)))
    sides = [
        SimpleNamespace(
            method=document.selection.method,
            n_word=n_word,  # kept
            n_only=n_word - n_both,  # kept by this method only
            n_block=int(document.selection.block_keep.sum()),
            verdict=document.verdict.value,
        )
        for document, n_word in zip((one, other), words, strict=True)
    ]
    return SimpleNamespace(
        title=titles[0].value if titles[0] else page.url or "Untitled page",
        host=page.url,
        n_word=int(page.leaf_words.sum()),
        n_both=n_both,
        f1=2 * n_both / sum(words) if sum(words) else 1.0,
        left=sides[0],
        right=sides[1],
        groups=groups,
        n_hidden=n_hidden,  # blocks not shown because there are too many; the methods agree
        graph=_draw_pairs(wide, keeps, link, one.selection.method, other.selection.method),
    )


def _widen(document: Document, wide: Document) -> BoolArray:
    """Return a document's keep mask over the leaves of the larger document."""
    page, keep = document.page, document.selection.keep
    if len(page) == len(wide.page):
        return keep
    n_own = int(page.leaf_offset[page.n_own_row])
    widened = np.zeros(wide.page.leaves.size, np.bool_)
    widened[:n_own] = keep[:n_own]
    return widened


def _pair(
    wide: Document, one: Document, other: Document, keeps: list[BoolArray]
) -> list[tuple[str, int, Pair]]:
    """Return the kind, number of words and pair of each block."""
    page = wide.page
    words = page.blocks.sums(page.leaf_words).tolist()
    kept = [page.blocks.any(keep) for keep in keeps]
    same = ~page.blocks.any(keeps[0] != keeps[1])
    pairs = []
    for index in range(len(page.blocks)):
        kind = "differ" if not same[index] else "both" if kept[0][index] else "none"
        texts = [
            page.block_text(index, keep)[:_MAX_PAIR_CHARS] if flags[index] else None
            for keep, flags in zip(keeps, kept, strict=True)
        ]
        whole = page.block_text(index)[:_MAX_PAIR_CHARS]
        whys = [_why(document, index) for document in (one, other)]
        pairs.append((kind, words[index], Pair(index, texts[0], texts[1], whole, *whys)))
    return pairs


def _why(document: Document, index: int) -> str:
    selection = document.selection
    if index >= selection.score.size:
        return "not on this page"
    return f"{format_score(float(selection.score[index]))}; {selection.reason(index)}"


def _group(pairs: list[tuple[str, int, Pair]]) -> list[PairGroup]:
    groups = []
    for kind, adjacent in groupby(pairs, key=lambda entry: entry[0]):
        members = list(adjacent)
        if kind == "differ":
            groups += [PairGroup(kind, (pair,), n_word) for _, n_word, pair in members]
        else:
            n_word = sum(n for _, n, _ in members)
            groups.append(PairGroup(kind, tuple(pair for *_, pair in members), n_word))
    return groups


def _limit(groups: list[PairGroup]) -> tuple[tuple[PairGroup, ...], int]:
    """Omit blocks on which both agree beyond the maximum, keeping the first ones."""
    room = _MAX_PAIRS - sum(group.kind == "differ" for group in groups)
    shown, n_hidden = [], 0
    for group in groups:
        if group.kind == "differ":
            shown.append(group)
            continue
        taken = group.pairs[: max(room, 0)]
        room -= len(taken)
        n_hidden += len(group.pairs) - len(taken)
        shown.append(PairGroup(group.kind, taken, group.n_word))
    return tuple(shown), n_hidden


def _draw_pairs(wide: Document, keeps: list[BoolArray], link: str, left: str, right: str) -> str:
    page = wide.page
    chars = page.blocks.sums(page.leaf_chars).tolist()
    flags = zip(*(page.blocks.any(keep).tolist() for keep in keeps), strict=True)
    labels = {
        (True, True): ("both", "both keep it"),
        (True, False): ("left", f"only {left} keeps it"),
        (False, True): ("right", f"only {right} keeps it"),
        (False, False): ("none", "both drop it"),
    }
    bars = []
    for index, (pair, n_char) in enumerate(zip(flags, chars, strict=True)):
        kind, note = labels[pair]
        text = " ".join(page.block_text(index)[: 2 * NOTE_CHARS].split())[:NOTE_CHARS]
        # Differences must be visible, however short their text is.
        height = float(max(n_char, 20) if kind in ("left", "right") else n_char)
        bars.append(Bar(index, height, kind == "both", kind, f"{index + 1} · {note}\n{text}"))
    return draw_graph(
        bars,
        format_value=lambda value: f"{value:,.0f}",
        link=lambda block: f"{link}{block}#block",
        about=f"Length of {len(bars)} blocks, and the methods that keep them",
    )


_MAX_PIECES: Final = 12
"""Maximum number of gained, and of lost blocks shown."""
_MAX_PIECE_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class ChangedBlock:
    """Block that would be gained or lost."""

    index: int
    text: str
    n_word: int


@dataclass(slots=True)
class RuleChange:
    """Change of one page by rules: the blocks that would be gained and lost, the first of each."""

    title: str
    n_word: int = 0
    """Words kept with the current rules."""
    n_gained: int = 0
    n_lost: int = 0
    gained: tuple[ChangedBlock, ...] = ()
    lost: tuple[ChangedBlock, ...] = ()
    words_gained: int = 0
    words_lost: int = 0
    error: str | None = None
    """Why the page could not be extracted."""


def preview(before: DocumentKey, after: DocumentKey) -> RuleChange:
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
        plain = select_request(page, before.request)
    except ThresherError as error:
        return RuleChange(name, error=str(error))
    try:
        old = force(plain, before.rules.rules)
    except ThresherError:  # invalid rules that are being fixed
        old = plain
    new = force(plain, after.rules.rules)
    title = document_of(new).metadata.title
    change = RuleChange(title.value if title else name, int(page.leaf_words[old.keep].sum()))
    words = page.blocks.sums(page.leaf_words)

    def list_blocks(leaves: BoolArray) -> tuple[int, int, tuple[ChangedBlock, ...]]:
        blocks = page.blocks.any(leaves).nonzero()[0]
        shown = tuple(
            ChangedBlock(i, excerpt(page.block_text(i), _MAX_PIECE_CHARS), int(words[i]))
            for i in blocks[:_MAX_PIECES].tolist()
        )
        return blocks.size, int(page.leaf_words[leaves].sum()), shown

    change.n_gained, change.words_gained, change.gained = list_blocks(new.keep & ~old.keep)
    change.n_lost, change.words_lost, change.lost = list_blocks(old.keep & ~new.keep)
    return change
