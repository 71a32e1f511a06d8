"""A block's own text and markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.features.base import Counts, Log, Matrix, Share, list_features
from thresher.features.characters import Characters, Kind
from thresher.page import Page
from thresher.tags import CODE_OF, REPLACED, flags_of

__all__ = ["FEATURES", "count", "measure"]

_LOGS: Final[Mapping[str, Log]] = {
    "words": Log("words", "words, log"),
    "chars": Log("chars", "characters that show, log"),
    "links": Log("links", "links, log"),
    "n_terminator": Log("terminators", "marks that end a sentence, log"),
    "n_comma": Log("commas", "commas, colons and semicolons, log"),
    "leaves": Log("leaves", "leaves, log"),
    "images": Log("images", "images and other replaced elements, log"),
    "breaks": Log("breaks", "line breaks, log"),
}
_SHARES: Final[Mapping[str, Share]] = {
    "word_chars": Share("chars", "words", "characters a word"),
    "link_density": Share("link_words", "words", "share of words inside links"),
    "link_words": Share("link_words", "links", "words a link"),
    "terminators": Share("terminators", "words", "marks that end a sentence, a word"),
    "commas": Share("commas", "words", "commas, colons and semicolons, a word"),
    "separators": Share("separators", "words", "bars, bullets, arrows and slashes, a word"),
    "quotes": Share("quotes", "words", "quotation marks, a word"),
    "money": Share("money", "words", "currency signs, a word"),
    "digits": Share("digits", "chars", "share of characters that are digits"),
    "uppers": Share("uppers", "chars", "share of characters that are capitals"),
    "unspaced": Share("unspaced", "chars", "share of characters that need no space between words"),
    "symbols": Share("symbols", "chars", "share of other characters"),
    "emphasis": Share("emphasised", "words", "share of words in bold or italics"),
}
_EDGES: Final = {
    "starts_upper": ("first", Kind.UPPER, "begins with a capital"),
    "starts_digit": ("first", Kind.DIGIT, "begins with a digit"),
    "starts_lower": ("first", Kind.LETTER, "begins with a letter that is no capital"),
    "ends_sentence": ("last", Kind.TERMINATOR, "ends with a mark that ends a sentence"),
    "ends_colon": ("last", Kind.COMMA, "ends with a comma, colon or semicolon"),
    "ends_quote": ("last", Kind.QUOTE, "ends with a quotation mark"),
}
FEATURES: Final = list_features(
    "own", "", (_LOGS, _SHARES, {name: summary for name, (_, _, summary) in _EDGES.items()})
)

_EMPHASIS: Final = flags_of("b strong em i big")
_HEADING: Final = flags_of("h1 h2 h3 h4 h5 h6")
_CONTROL: Final = flags_of("button fieldset form label legend optgroup option select")
_PROSE_WORDS: Final = 10
"""Words of a block from which it may be prose, if less than a third of them are links."""
_A, _BR, _P, _LI = (CODE_OF[name] for name in ("a", "br", "p", "li"))


def count(page: Page, characters: Characters) -> Counts:
    """Count what each block holds."""
    blocks, kinds = page.blocks, characters.counts
    words, link_words = blocks.sums(page.leaf_words), blocks.sums(page.leaf_link_words)
    own_tag = page.tag[page.block_row]
    is_prose = (words >= _PROSE_WORDS) & (3 * link_words < words)
    emphasised = page.leaf_words * page.within(_EMPHASIS[page.tag])[page.leaves]
    return Counts.of(
        page,
        {
            "blocks": np.ones(len(blocks), np.int64),
            "leaves": np.diff(blocks.start),
            "words": words,
            "link_words": link_words,
            "chars": blocks.sums(page.leaf_chars),
            "terminators": kinds[:, Kind.TERMINATOR],
            "commas": kinds[:, Kind.COMMA],
            "separators": kinds[:, Kind.SEPARATOR],
            "quotes": kinds[:, Kind.QUOTE],
            "money": kinds[:, Kind.MONEY],
            "digits": kinds[:, Kind.DIGIT],
            "uppers": kinds[:, Kind.UPPER],
            "unspaced": kinds[:, Kind.UNSPACED],
            "symbols": kinds[:, Kind.OTHER],
            "links": _count_rows(page, page.tag == _A),
            "breaks": _count_rows(page, page.tag == _BR),
            "images": blocks.sums(REPLACED[page.tag[page.leaves]]),
            "emphasised": blocks.sums(emphasised),
            "hidden_words": blocks.sums(page.leaf_words * (page.hidden[page.leaves] > 0)),
            "prose_words": words * is_prose,
            "prose_blocks": is_prose,
            "link_blocks": 2 * link_words > words,
            "headings": _HEADING[own_tag],
            "paragraph_words": words * (own_tag == _P),
            "items": own_tag == _LI,
            "controls": _CONTROL[own_tag],
        },
    )


def _count_rows(page: Page, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Count the flagged elements that begin in each block, or right before it."""
    at = page.leaf_offset[np.flatnonzero(rows)]
    return np.bincount(page.blocks.of_leaf[at[at < page.leaves.size]], minlength=len(page.blocks))


def measure(counts: Counts, characters: Characters) -> Matrix:
    """Return the features of this group; float32[n_feature, n_block]."""
    edges = {"first": characters.first, "last": characters.last}
    flags = [edges[edge] == kind for edge, kind, _ in _EDGES.values()]
    return np.concatenate((counts.tabulate(counts.values, _LOGS, _SHARES), flags))
