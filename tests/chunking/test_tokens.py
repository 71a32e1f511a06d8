"""Estimates of tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.chunking.tokens import QUARTERS, estimate_tokens, token_offsets


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("rye and barley", 3),
        ("1847", 2),
        ("[a](b)", 3),
        ("Körner", 2),
        ("рожь", 2),
        ("大麦", 2),
        ("نخل", 3),
        ("\U0001f33e", 2),
        ("a\n", 1),
    ],
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    """Each script has the weight listed in docs/agents.md; the total is rounded up."""
    assert tokens == estimate_tokens(text)


@given(st.text(), st.text())
def test_offsets_are_those_of_any_beginning(text: str, more: str) -> None:
    """The offset at a character is the estimate of what is before it, whatever is behind."""
    offsets = token_offsets(text + more)
    assert len(text + more) + 1 == offsets.size
    assert estimate_tokens(text) == -(-int(offsets[len(text)]) // QUARTERS)
    assert (np.diff(offsets) >= 0).all()
