"""Small facts of texts: excerpts, length and time to read, and numbers that people type."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


def excerpt(text: str, max_chars: int) -> str:
    """Return the beginning of a text on one line, with an ellipsis if cut at ``max_chars``."""
    flat = " ".join(text[: 2 * max_chars].split())
    return flat if len(flat) <= max_chars else f"{flat[: max_chars - 1]}…"


_WORDS_A_MINUTE: Final = 238
"""Words of English non-fiction, read silently: Brysbaert, "How many words do we read per
minute?", Journal of Memory and Language 109, 2019."""
_CHARACTERS_A_MINUTE: Final = 255
"""Chinese characters: Trauzettel-Klosinski and Dietz, "Standardized assessment of reading
performance", Investigative Ophthalmology & Visual Science 53, 2012; of Japanese more."""
_LETTERS_A_MINUTE: Final = 863
"""Letters, the mean of the 17 languages in the same publication."""
_LETTERS_A_WORD: Final = _LETTERS_A_MINUTE / _WORDS_A_MINUTE
_IDEOGRAPH: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_UNSPACED: Final = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]+")
"""Thai, Lao, Burmese and Khmer, which are alphabetic and written without spaces."""
_MIN_MINUTES: Final = 0.5
"""Time below which a text takes less than a minute."""


class ReadingTime(NamedTuple):
    """Length of a text."""

    n_word: int
    """Words; characters of Chinese and Japanese count as words."""
    minutes: int | None
    """Minutes to read it, 0 for less than one; None without words."""


def measure(text: str) -> ReadingTime:
    """Count the words of a text, and estimate the time to read it."""
    n_ideograph = len(_IDEOGRAPH.findall(text))
    unspaced = _UNSPACED.findall(text)
    n_letter = sum(map(str.isalpha, "".join(unspaced)))
    spaced = _UNSPACED.sub(" ", _IDEOGRAPH.sub(" ", text))
    # Signs of vowels are not alphanumeric, so words end at spaces, as they do for readers.
    n_spaced = sum(any(map(str.isalnum, word)) for word in spaced.split())
    n_word = n_spaced + n_ideograph + round(n_letter / _LETTERS_A_WORD)
    minutes = (
        n_spaced / _WORDS_A_MINUTE
        + n_ideograph / _CHARACTERS_A_MINUTE
        + n_letter / _LETTERS_A_MINUTE
    )
    if not n_word:
        return ReadingTime(0, None)
    return ReadingTime(n_word, 0 if minutes < _MIN_MINUTES else max(1, round(minutes)))


_MAX_DIGITS: Final = 18
"""Digits of a number that fits in 64 bits, as SQLite stores it."""


def read_number(text: str) -> int | None:
    """Return a whole number of at most 18 digits; None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None
