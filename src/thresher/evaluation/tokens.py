r"""Tokenisation of texts for metrics.

Words are what the field's benchmarks count: runs of ``\w``, for languages that put spaces between
words. Tokens are independent of language: words as `thresher.page.text` counts them, so that in
scripts written without spaces each letter is one, and marks and joiners inside a word do not split
it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from thresher.page.scan import IntArray

_WORD: Final = re.compile(r"\w+")


def split_words(text: str) -> list[str]:
    r"""Split a text into its runs of ``\w``, preserving case."""
    return _WORD.findall(text)


def split_tokens(text: str) -> list[str]:
    """Split a text into tokens of any language, in lower case, dropping joiners."""
    token, joiner = _patterns()
    words = token.findall(text.lower())
    return [joiner.sub("", word) for word in words]


_SURROGATES: Final = (0xD800, 0xE000)
_POINTS: Final = 0x40000
"""Characters of planes 0 to 3 of Unicode; no other plane contains letters (Unicode 16)."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of a token and that of a joiner, derived from `count_words`.

    Every character is tested alone and between two letters. Alone it is a word or not. Between them
    it makes three words (a letter that is a word by itself), two (a gap) or one (a part of the
    word); and there it is visible, or it is a joiner.
    """
    alone_words, _ = _count("{}")
    framed_words, framed_chars = _count("a{}a")
    is_letter = alone_words == 1
    inside = framed_words == 1
    single = _class_of(is_letter & (framed_words == 3))
    letter = _class_of(is_letter & inside)
    part = _class_of(inside)
    return re.compile(f"{single}|{letter}{part}*"), re.compile(_class_of(framed_chars == 2))


def _count(frame: str) -> tuple[IntArray, IntArray]:
    """Count words and visible characters, with each character put into a frame.

    Returns int32 arrays over all characters; zeros for surrogates, which no text contains.
    """
    # The names of the metrics, in the help of a command, need no arrays.
    import numpy as np

    from thresher.page.text import count_words

    points = [*range(_SURROGATES[0]), *range(_SURROGATES[1], _POINTS)]
    text = "".join(frame.format(chr(point)) for point in points)
    size = len(frame.format("x"))
    words, chars = count_words(text, np.arange(0, len(text) + 1, size, dtype=np.int32))
    counts = np.zeros((2, _POINTS), np.int32)
    counts[0, points], counts[1, points] = np.diff(words), np.diff(chars)
    return counts[0], counts[1]


def _class_of(flags: npt.NDArray[np.bool_]) -> str:
    """Format the flagged characters as a character class of a regular expression."""
    import numpy as np

    edges = np.flatnonzero(np.diff(flags, prepend=False, append=False)).reshape(-1, 2)
    ranges = (f"{re.escape(chr(a))}-{re.escape(chr(b - 1))}" for a, b in edges.tolist())
    return f"[{''.join(ranges)}]"
