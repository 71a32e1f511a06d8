"""The first words of blocks as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.helpers.compiled_steps import compiled_steps, needs_steps
from thresher.features.words import N_BUCKET, N_WORD, NO_WORD, read_words
from thresher.page.parse import parse


def numbers_of(text: str) -> list[int]:
    """Return the numbers of the words of one paragraph, without those that are missing."""
    (found,) = read_words(parse(f"<p>{text}")).tolist()
    return [number for number in found if number != NO_WORD]


def test_numbers_are_those_that_weights_know() -> None:
    """If this fails, weights that read words must be trained anew."""
    expected = [340, 5175, 4304, 3665, 5258, 5001, 7408, 7741, 5866, 5654]
    assert expected == numbers_of("© 2024 The Mill, all rights reserved. 版权所有")


def test_each_block_has_its_first_words() -> None:
    """Words of a block's texts are read in order; behind the last one, and in pictures, is none."""
    found = read_words(parse(f"<p>one <b>two</b> three<p><img src=a.png><p>{'word ' * 99}"))
    assert (3, N_WORD) == found.shape
    assert numbers_of("one two three") == found[0, :3].tolist()
    assert {NO_WORD} == set(found[0, 3:].tolist() + found[1].tolist())
    assert set(numbers_of("word")) == set(found[2].tolist())


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ("Legal NOTICE", "legal notice", True),
        ("advertisement", "advertising", True),
        ("legal", "legally", False),
        ("in 1999", "in 2024", True),
        ("in 1999", "in 24", False),
        ("h1", "h2", True),
        ("版权", "版 权", False),
        ("a1b", "1ab", False),
        ("one, two", "one – two!", True),
    ],
)
def test_words_that_are_alike(one: str, other: str, are_alike: bool) -> None:
    """Case of ASCII, later letters, and which digits they are do not matter; signs are no words."""
    assert are_alike == (numbers_of(one) == numbers_of(other))


def test_unspaced_letters_count_in_pairs() -> None:
    """A letter of a script without spaces is read with the one behind it in the same text."""
    first, second, last = numbers_of("版权所")
    assert [first] == numbers_of("版权")[:1]
    assert [second] == numbers_of("权所")[:1]
    assert [last] == numbers_of("所")
    assert numbers_of("版") + numbers_of("权") == numbers_of("版<b>权</b>")


def test_numbers_are_spread() -> None:
    """Different words rarely share a number, and all numbers are used."""
    html = "".join(
        f"<p>{chr(97 + i // 26**2)}{chr(97 + i // 26 % 26)}{chr(97 + i % 26)}" for i in range(26**3)
    )
    found = read_words(parse(html))[:, 0]
    assert 1 <= found.min() <= found.max() <= N_BUCKET
    assert np.unique(found).size > 0.85 * N_BUCKET


@needs_steps
@pytest.mark.parametrize("wrong", [-(2**31), -1, 10**6, 2**31 - 1])
@pytest.mark.parametrize("which", range(1, 5))
def test_wrong_arrays_are_refused(which: int, wrong: int) -> None:
    """Whatever the columns contain, no array is accessed out of bounds."""
    page = parse("<p>one <b>two</b><p>three")
    arrays: list[Any] = [
        *(page.character_codes, page.end, page.text_offset, page.leaves, page.blocks.start)
    ]
    arrays[which] = arrays[which].copy()
    arrays[which][-1] = wrong
    assert compiled_steps().read_words(*arrays) is None
