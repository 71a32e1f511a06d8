"""Estimates of a language model's token counts, without any model's tokenizer.

Tokenizers differ, and each is larger than this package. In all of them a token is a frequent
sequence of bytes. So common words of Latin letters are one or two tokens, those of digits and
punctuation are short, and letters of other scripts are nearly one token each. The weights are a
rule of thumb by script, in quarters of a token; docs/agents.md has the table.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["QUARTERS", "estimate_tokens", "token_offsets"]

QUARTERS: Final = 4
"""Units of a token."""

_LETTER: Final = 1
"""ASCII letters: four per token, as makers of tokenizers state for English."""
_SIGN: Final = 2
"""ASCII digits and punctuation, line ends, and letters of other European alphabets."""
_SYLLABLE: Final = 4
"""Characters of scripts that tokenizers rarely merge."""
_RARE: Final = 8
"""Characters beyond the basic plane: rare ideographs and pictures."""
_OTHER_SCRIPTS: Final = 0x0590
"""The first code point after the European alphabets: Latin, Greek, Cyrillic, Armenian."""
_SUPPLEMENTARY: Final = 0x10000


def _weigh_ascii() -> npt.NDArray[np.int64]:
    weights = np.full(128, _SIGN, np.int64)
    for first, last in (("A", "Z"), ("a", "z")):
        weights[ord(first) : ord(last) + 1] = _LETTER
    weights[ord(" ")] = 0  # part of the following word
    return weights


_ASCII: Final = _weigh_ascii()


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up."""
    return -(-int(token_offsets(text)[-1]) // QUARTERS)


def token_offsets(text: str) -> npt.NDArray[np.int64]:
    """Return the quarters of tokens before each character; int64[n_char + 1]."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    weights = np.where(codes < _OTHER_SCRIPTS, _SIGN, _SYLLABLE)
    weights[codes >= _SUPPLEMENTARY] = _RARE
    is_ascii = codes < _ASCII.size
    weights[is_ascii] = _ASCII[codes[is_ascii]]
    return np.concatenate(([0], np.cumsum(weights, dtype=np.int64)))
