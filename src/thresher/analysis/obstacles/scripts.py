"""Inline scripts, and the number of words of running text in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from thresher.page.text import count_words

__all__ = ["count_script_words", "inline_scripts"]

_OPEN: Final = re.compile(r"<script\b", re.IGNORECASE)
_CLOSE: Final = re.compile(r"</script", re.IGNORECASE)
_ESCAPES: Final = re.compile(r"(?<!\\)\\+(?:u([0-9a-fA-F]{4})|([^\\\n]))")
_MARKUP: Final = re.compile(r"<[^<>]{1,300}>")
_RUN: Final = re.compile(r"[^\"<>{}\[\]=;\\|`_()/*]{60,}")
"""Text without characters that code and addresses can hardly avoid."""
_SURROGATES: Final = ("d8", "d9", "da", "db", "dc", "dd", "de", "df")
MIN_RUN_WORDS: Final = 10
MAX_WORD_CHARS: Final = 12
"""Most mean letters of a word in prose; encoded data has more."""
MAX_SCRIPT_CHARS: Final = 1_000_000
"""Characters of each script that are read."""


def inline_scripts(source: str) -> Iterator[str]:
    """Yield the contents of the script elements of a page, long ones truncated."""
    # Step by step: a single expression would search to the end for each unclosed tag.
    at = 0
    while opened := _OPEN.search(source, at):
        start = source.find(">", opened.end()) + 1
        closed = _CLOSE.search(source, start) if start else None
        if not closed:
            return
        if closed.start() > start:
            yield source[start : min(closed.start(), start + MAX_SCRIPT_CHARS)]
        at = closed.end()


def count_script_words(source: str) -> int:
    """Count the words of running text in the scripts of a page; repeated text once."""
    runs: set[str] = set()
    for script in inline_scripts(source):
        # Twice: Next.js keeps its data as JSON inside a JSON string.
        text = _ESCAPES.sub(_unescape, _ESCAPES.sub(_unescape, script))
        runs.update(run.strip() for run in _RUN.findall(_MARKUP.sub(" ", text)))
    total = 0
    for run in runs:
        words, chars = count_words(run, np.array((0, len(run)), np.int32))
        n_word, n_char = int(words[-1]), int(chars[-1])
        if n_word >= MIN_RUN_WORDS and n_char <= MAX_WORD_CHARS * n_word:
            total += n_word
    return total


def _unescape(found: re.Match[str]) -> str:
    """Undo one escape of JSON or JavaScript; white space and surrogates become a space."""
    code, char = found.groups()
    if code:
        return " " if code[:2].lower() in _SURROGATES else chr(int(code, 16))
    return " " if char in "nrt" else str(char)
