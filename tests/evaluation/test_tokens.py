"""Tokens are the words that the engine counts, in any script."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.evaluation.tokens import split_tokens, split_words
from thresher.page.text import count_words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("  \n", []),
        ("The rye, it's IN.", ["the", "rye", "it", "s", "in"]),
        ("穀物 is grain", ["穀", "物", "is", "grain"]),
        ("หญ้า", ["ห", "ญ", "า"]),  # the tone mark is not a letter
        ("हिन्दी", ["हिन्दी"]),  # signs of vowels are part of the word
        ("곡물", ["곡물"]),  # Korean has spaces
        ("har\u00advest", ["harvest"]),  # a soft hyphen is not visible
        ("\U00020000\U00020001", ["\U00020000", "\U00020001"]),
    ],
)
def test_tokens_of_a_script(text: str, tokens: list[str]) -> None:
    """Scripts without spaces have one token per letter, others one per word."""
    assert tokens == split_tokens(text)


@given(st.text(st.characters(max_codepoint=0x3FFFF, exclude_categories=["Cs"])))
def test_tokens_are_counted_words(text: str) -> None:
    """There are as many tokens as `thresher.page.text` counts words."""
    lower = text.lower()
    words, _ = count_words(lower, np.array([0, len(lower)], np.int32))
    assert int(words[1]) == len(split_tokens(text))


def test_words_keep_their_case() -> None:
    r"""Words are the runs of ``\w``, unchanged."""
    assert ["It", "s", "穀物", "x_1"] == split_words("It's 穀物: x_1!")
