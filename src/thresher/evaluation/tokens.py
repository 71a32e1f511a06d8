r"""Tokenisation of texts for metrics.

Words are what the field's benchmarks count: runs of ``\w``, for languages that put spaces between
words. Tokens are independent of language: words as `thresher.page.text` counts them, so that in
scripts written without spaces each letter is one, and marks and joiners inside a word do not split
it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_WORD: Final = re.compile(r"\w+")


def split_words(text: str) -> list[str]:
    r"""Split a text into its runs of ``\w``, preserving case."""
    return _WORD.findall(text)


def split_tokens(text: str) -> list[str]:
    """Split a text into tokens of any language, in lower case, dropping joiners."""
    token, joiner = _patterns()
    found = token.findall(text.lower())
    return [joiner.sub("", word) for word in found]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    # The names of the metrics, in the help of a command, need no arrays.
    from thresher.evaluation.token_patterns import derive_patterns

    return derive_patterns()
