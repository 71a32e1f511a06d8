"""The leaves that are a post's own text, without replies, names, buttons and signatures."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.threads.facts import PostFacts
from thresher.analysis.threads.hints import MarkupHints
from thresher.analysis.threads.names import BODY, BOILERPLATE, PROFILE
from thresher.analysis.threads.post_spans import PostSpans
from thresher.deadline import watch
from thresher.page import Page
from thresher.page.blocks import join_leaves
from thresher.page.rows import BoolArray, freeze, sum_before
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, TEXT, flags_of

MAX_LINE_WORDS: Final = 10
"""Maximum of other words of a line with the author or the date that is not text of the post."""
MAX_LINK_WORDS: Final = 4
"""Maximum words of a line that is one link, and so a button."""
MAX_REPEATED_WORDS: Final = 6
"""Maximum words of a line that is dropped because many posts share it."""
MAX_LABELLED_WORDS: Final = 20
"""Maximum words of a line that is dropped because many posts share its label."""
MAX_LABEL_WORDS: Final = 3
MIN_REPEATED: Final = 2
MIN_REPEATED_SHARE: Final = 0.4
"""Minimum posts, and minimum share of posts, with a common line that is then not their text."""
MIN_BODY_SHARE: Final = 0.75
"""Minimum share of a post's remaining words in the element that is its body."""
MAX_WEAK_SHARE: Final = 0.5
"""Maximum share of a post's prose in an element that is boilerplate by its name."""
_DIGITS: Final = re.compile(r"\d+")
_BUTTONS: Final = flags_of("button input nav option select textarea")
_TEXTS: Final = frozenset(("text", "articlebody", "commenttext", "reviewbody", "description"))


def own_leaves(
    hints: MarkupHints,
    spans: PostSpans,
    post_of_row: IntArray,
    facts: list[PostFacts],
    quoted: BoolArray,
) -> list[IntArray]:
    """Return for each post the leaves of its own text, in order; int32[n] each."""
    page = hints.page
    post_of_leaf = post_of_row[page.leaves]
    fact_rows = page.within(page.flag([row for one in facts for row in one.rows]))
    boilerplate = page.within(_find_boilerplate(hints, spans, post_of_row))
    dropped = fact_rows | boilerplate | hints.unrendered
    leaf_dropped = dropped[page.leaves]
    leaf_dropped |= _find_lines(hints, fact_rows, post_of_leaf, leaf_dropped, len(facts))
    left = (post_of_leaf >= 0) & ~leaf_dropped & ~_find_dashes(page, fact_rows)
    bodies = _find_bodies(hints, spans, post_of_row, left, quoted)
    leaves_of_post = []
    order = np.argsort(post_of_leaf, kind="stable")
    cuts = np.searchsorted(post_of_leaf[order], np.arange(len(facts) + 1))
    for post in watch(range(len(facts))):
        leaves = order[cuts[post] : cuts[post + 1]]
        own = leaves[left[leaves]]
        if (body := bodies[post]) >= 0:
            first, stop = page.leaf_offset[[body, page.end[body]]]
            own = own[(own >= first) & (own < stop)]
        elif not own.size:
            own = leaves[~fact_rows[page.leaves[leaves]] & ~hints.unrendered[page.leaves[leaves]]]
        leaves_of_post.append(freeze(own.astype(np.int32)))
    return leaves_of_post


def _find_boilerplate(hints: MarkupHints, spans: PostSpans, post_of_row: IntArray) -> BoolArray:
    """Flag buttons, profiles, signatures, and small elements with a boilerplate name: no posts."""
    page = hints.page
    begun = np.searchsorted(spans.start, np.arange(len(page) + 1))
    whole = begun[page.end] > begun[:-1]
    words = page.subtree_words
    own = spans.exclusive_sums(sum_before(np.diff(page.words_before) * ~hints.unrendered))
    of_post = np.where(post_of_row >= 0, own[post_of_row], 0)
    strong = hints.marked(PROFILE) | _BUTTONS[page.tag]
    named = hints.marked(BOILERPLATE)
    marked = hints.marked(BODY) & ~whole
    body = marked & ~page.within(named | strong) & (post_of_row >= 0) & (words > 0)
    has_body = np.bincount(post_of_row[body], minlength=max(1, len(spans))) > 0
    beside = has_body[np.maximum(post_of_row, 0)] & (page.subtree_sums(body) == 0)
    weak = named & ((words <= MAX_WEAK_SHARE * of_post) | beside)
    inside = page.below(marked & (words > MAX_WEAK_SHARE * of_post))
    boilerplate: BoolArray = (strong | (weak & ~inside)) & ~whole & (post_of_row >= 0)
    return boilerplate


def _find_lines(
    hints: MarkupHints,
    fact_rows: BoolArray,
    post_of_leaf: IntArray,
    dropped: BoolArray,
    n_post: int,
) -> BoolArray:
    """Flag the leaves of lines with author or date, of buttons, and of lines that posts share."""
    page = hints.page
    n_block = len(page.blocks)
    if not n_block:
        return np.zeros(0, np.bool_)
    words = page.blocks.sums(page.leaf_words * ~dropped)
    all_words = page.blocks.sums(page.leaf_words)
    linked = page.blocks.sums(page.leaf_link_words)
    says = page.blocks.any(fact_rows[page.leaves])
    first = page.blocks.start[:-1]
    post = post_of_leaf[first]
    in_body = page.below(hints.marked(BODY))[page.leaves[first]]
    filled = words > 0
    drop = says & (words <= MAX_LINE_WORDS) & ~(in_body & (words > 2))
    drop |= filled & (linked == all_words) & (words <= MAX_LINK_WORDS) & ~in_body
    short = np.flatnonzero((post >= 0) & filled & ~drop & (all_words <= MAX_LABELLED_WORDS))
    texts = watch(zip(short.tolist(), _read_blocks(page, short), strict=True))
    keys = {block: _key_of(text, int(all_words[block])) for block, text in texts}
    seen = {(int(post[block]), key) for block, key in keys.items() if key}
    counts = Counter(key for _, key in seen)
    many = max(MIN_REPEATED, MIN_REPEATED_SHARE * n_post)
    drop[[block for block, key in keys.items() if key and counts[key] >= many]] = True
    # The only line of a post is its text.
    kept_words = np.bincount(
        np.maximum(post, 0), weights=words * ~drop * (post >= 0), minlength=max(1, n_post)
    )
    has_pictures = np.zeros(max(1, n_post), np.bool_)
    pictures = (page.tag[page.leaves] != TEXT) & ~dropped & (post_of_leaf >= 0)
    has_pictures[post_of_leaf[pictures]] = True
    empty = (kept_words == 0) & ~has_pictures
    drop &= ~(says & empty[np.maximum(post, 0)] & (post >= 0))
    return drop[page.blocks.of_leaf]


def _read_blocks(page: Page, blocks: npt.NDArray[np.intp]) -> list[str]:
    """Return the texts of some blocks, each as `Page.block_text` does."""
    flags = np.zeros(len(page.blocks), np.bool_)
    flags[blocks] = True
    within = flags.take(page.blocks.of_leaf)
    leaves = within.nonzero()[0]
    # The gaps between the others do not count, and finding them takes longest.
    texts, gaps = page.leaf_texts(leaves), page.gaps_before(within)[leaves]
    sizes = np.diff(page.blocks.start).take(blocks)
    stops = sizes.cumsum()
    spans = zip((stops - sizes).tolist(), stops.tolist(), strict=True)
    return [join_leaves(texts[first:last], gaps[first:last]) for first, last in watch(spans)]


def _find_dashes(page: Page, fact_rows: BoolArray) -> BoolArray:
    """Flag the leaves without words next to a name, date or score on the same line."""
    wordless = (page.leaf_words == 0) & (page.tag[page.leaves] == TEXT)
    says, block = fact_rows[page.leaves], page.blocks.of_leaf
    beside = np.zeros(says.size, np.bool_)
    together = block[1:] == block[:-1]
    beside[:-1] |= together & says[1:]
    beside[1:] |= together & says[:-1]
    dashes: BoolArray = wordless & beside
    return dashes


def _key_of(text: str, n_word: int) -> str:
    """Return the key by which lines are compared: the label, else the letters; "" for none."""
    label, colon, _ = text.partition(":")
    if colon and len(label.split()) <= MAX_LABEL_WORDS and (key := key_of(label)):
        return f"{key}:"
    return key_of(_DIGITS.sub("0", text)) if n_word <= MAX_REPEATED_WORDS else ""


def _find_bodies(
    hints: MarkupHints, spans: PostSpans, post_of_row: IntArray, left: BoolArray, quoted: BoolArray
) -> list[int]:
    """Find each post's body: as stated, else the smallest row with most words; −1 for none."""
    page = hints.page
    # Pictures count a little: a post can be a picture.
    in_row = sum_before((page.leaf_words * 4 + 1) * left)[page.leaf_offset]
    of_post = spans.exclusive_sums(in_row)
    named = page.attributes.values("itemprop")
    stated = {row for row, value in named.items() if value.lower() in _TEXTS}
    flags = hints.marked(BODY) & ~quoted & (page.tag != CODE_OF["meta"])
    flags[spans.start] = False
    bodies = [-1] * len(spans)
    size = [(2, 0)] * len(spans)
    for row in watch(np.flatnonzero(flags & (post_of_row >= 0)).tolist()):
        post, stop = int(post_of_row[row]), int(page.end[row])
        held = int(in_row[stop] - in_row[row])
        if not held or (row not in stated and held < MIN_BODY_SHARE * int(of_post[post])):
            continue
        rank = (0, -held) if row in stated else (1, stop - row)
        if rank < size[post]:
            bodies[post], size[post] = row, rank
    return bodies
