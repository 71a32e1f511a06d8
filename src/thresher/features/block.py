"""Features of a block's own text and markup, and the counts of all blocks."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.base import CountFormulas, Counts, Log, Operands, Share, list_features
from thresher.features.characters import Characters
from thresher.features.container_chain import ContainerChain, count_ancestors
from thresher.page import Page
from thresher.page.characters import CharacterKind
from thresher.page.scan import IntArray
from thresher.page.tags import CODE_OF, HEADINGS, REPLACED, flags_of

_LOGS: Final = {
    "words": Log("words", "words, log"),
    "chars": Log("chars", "visible characters, log"),
    "links": Log("links", "links, log"),
    "n_terminator": Log("terminators", "sentence-ending marks, log"),
    "n_comma": Log("commas", "commas, colons and semicolons, log"),
    "leaves": Log("leaves", "leaves, log"),
    "images": Log("images", "images and other replaced elements, log"),
    "breaks": Log("breaks", "line breaks, log"),
}
_SHARES: Final = {
    "word_chars": Share("chars", "words", "characters per word"),
    "link_density": Share("link_words", "words", "share of words inside links"),
    "link_words": Share("link_words", "links", "words per link"),
    "terminators": Share("terminators", "words", "sentence-ending marks per word"),
    "commas": Share("commas", "words", "commas, colons and semicolons per word"),
    "separators": Share("separators", "words", "bars, bullets, arrows and slashes per word"),
    "quotes": Share("quotes", "words", "quotation marks per word"),
    "money": Share("money", "words", "currency signs per word"),
    "digits": Share("digits", "chars", "share of characters that are digits"),
    "uppers": Share("uppers", "chars", "share of characters that are capitals"),
    "unspaced": Share("unspaced", "chars", "share of characters of unspaced scripts"),
    "symbols": Share("symbols", "chars", "share of other characters"),
    "emphasis": Share("emphasised", "words", "share of words in bold or italics"),
}
_STARTS: Final = {
    "starts_upper": (CharacterKind.UPPER, "begins with a capital"),
    "starts_digit": (CharacterKind.DIGIT, "begins with a digit"),
    "starts_lower": (CharacterKind.LETTER, "begins with a letter that is not a capital"),
}
_ENDS: Final = {
    "ends_sentence": (CharacterKind.TERMINATOR, "ends with a sentence-ending mark"),
    "ends_colon": (CharacterKind.COMMA, "ends with a comma, colon or semicolon"),
    "ends_quote": (CharacterKind.QUOTE, "ends with a quotation mark"),
}
FORMULAS: Final = CountFormulas(_LOGS, _SHARES)
FIRST, LAST = (
    np.array([[kind] for kind, _ in table.values()], np.uint8) for table in (_STARTS, _ENDS)
)
FEATURES: Final = (
    *FORMULAS.features("block"),
    *list_features(
        "block", "", "value", {name: entry[1] for name, entry in (_STARTS | _ENDS).items()}
    ),
)

EMPHASIS: Final = flags_of("b strong em i big")
CONTROL: Final = flags_of("button fieldset form label legend optgroup option select")
_PROSE_WORDS: Final = 10
"""Words of a block from which it may be prose, if less than a third of them are links."""
COUNTS: Final = tuple(
    "blocks leaves words link_words chars terminators commas separators quotes money"
    " digits uppers unspaced symbols links breaks images emphasised hidden_words"
    " prose_words prose_blocks link_blocks headings paragraph_words items controls".split()
)
"""Names of the counts of each block, in the order of their columns."""
_A, _BR, _P, _LI = (CODE_OF[name] for name in ("a", "br", "p", "li"))


def count(page: Page, characters: Characters, chain: ContainerChain) -> Counts:
    """Count the contents of each block."""
    blocks, kinds = page.blocks, characters.counts.T
    words, link_words, chars, images, emphasised, hidden_words = _add_up(page)
    own_tag = page.tag.take(page.block_row)
    is_prose = (words >= _PROSE_WORDS) & (3 * link_words < words)
    return Counts.of(
        page,
        chain,
        {
            "blocks": np.ones(len(blocks), np.int32),
            "leaves": blocks.start[1:] - blocks.start[:-1],
            "words": words,
            "link_words": link_words,
            "chars": chars,
            "terminators": kinds[CharacterKind.TERMINATOR],
            "commas": kinds[CharacterKind.COMMA],
            "separators": kinds[CharacterKind.SEPARATOR],
            "quotes": kinds[CharacterKind.QUOTE],
            "money": kinds[CharacterKind.MONEY],
            "digits": kinds[CharacterKind.DIGIT],
            "uppers": kinds[CharacterKind.UPPER],
            "unspaced": kinds[CharacterKind.UNSPACED],
            "symbols": kinds[CharacterKind.OTHER],
            "links": _count_elements(page, chain, _A),
            "breaks": _count_elements(page, chain, _BR),
            "images": images,
            "emphasised": emphasised,
            "hidden_words": hidden_words,
            "prose_words": words * is_prose,
            "prose_blocks": is_prose,
            "link_blocks": 2 * link_words > words,
            "headings": HEADINGS.take(own_tag),
            "paragraph_words": words * (own_tag == _P),
            "items": own_tag == _LI,
            "controls": CONTROL.take(own_tag),
        },
    )


def _add_up(page: Page) -> IntArray:
    """Sum over the leaves of each block: words, those in links, characters, images, and more."""
    words, tags = page.leaf_words, page.tag.take(page.leaves)
    bold = EMPHASIS.take(page.tag).nonzero()[0]
    of_leaves = (
        words,
        page.leaf_link_words,
        page.leaf_chars,
        REPLACED.take(tags),
        words * (count_ancestors(page, bold, page.leaf_offset)[0] > 0),
        words * (page.hidden.take(page.leaves) > 0),
    )
    sums: IntArray = np.add.reduceat(np.array(of_leaves, np.int32), page.blocks.start[:-1], axis=1)
    return sums


def _count_elements(page: Page, chain: ContainerChain, tag: int) -> npt.NDArray[np.intp]:
    """Count the elements with a tag that begin in each block, or directly before it."""
    rows = (page.tag == tag).nonzero()[0]
    n_block = len(page.blocks)
    return np.bincount(chain.row_first.take(rows), minlength=n_block + 1)[:n_block]


def measure(counts: Counts, characters: Characters) -> Operands:
    """Return the operands of this group's features."""
    logs, parts, wholes = counts.of_blocks(FORMULAS)
    edges = (characters.first == FIRST, characters.last == LAST)
    return Operands([logs], [parts], [wholes], edges)
