"""The characters of blocks by kind, and their words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.features.characters import Characters, find_words, read_characters
from thresher.page.characters import CharacterKind
from thresher.page.parse import parse

TOLD = range(CharacterKind.UPPER, CharacterKind.OTHER + 1)


def read(html: str) -> Characters:
    """Read the characters of a page."""
    return read_characters(parse(html))


def test_characters_are_counted_by_kind() -> None:
    """Every character of a block except lower-case letters and spaces is counted by its kind."""
    counts = read("<p>Ab 1, x.</p><p>漢字。</p>").counts
    assert [[1, 0, 1, 1, 1, 0, 0, 0, 0], [0, 2, 0, 1, 0, 0, 0, 0, 0]] == counts[:, TOLD].tolist()


def test_text_that_is_not_rendered_is_no_blocks() -> None:
    """Titles, and the text of a drawing inside a block, are counted nowhere, but have words."""
    page = parse("<title>ABC</title><p>D <svg><title>EFG</title></svg> H.")
    found = read_characters(page)
    assert [2] == found.counts[:, CharacterKind.UPPER].tolist()
    assert [1, 0, 1, 0] == find_words(page).block.tolist()


@pytest.mark.parametrize(
    ("html", "first", "last"),
    [
        ("<p>  Ab.  ", CharacterKind.UPPER, CharacterKind.TERMINATOR),
        ("<p> <b> 1</b> x, <i> </i>", CharacterKind.DIGIT, CharacterKind.COMMA),
        ("<p><img> a <img>", CharacterKind.LETTER, CharacterKind.LETTER),
        ("<p>&#x2061;", CharacterKind.SPACE, CharacterKind.SPACE),
        ("<p><img>", CharacterKind.SPACE, CharacterKind.SPACE),
        ("<p><img><p>a", CharacterKind.SPACE, CharacterKind.SPACE),
        ("<img><p>b", CharacterKind.SPACE, CharacterKind.SPACE),
    ],
)
def test_edges_of_the_first_block(html: str, first: int, last: int) -> None:
    """The first and the last character that show are those of the block, not of the next."""
    found = read(html)
    assert (first, last) == (found.first[0], found.last[0])


def test_words_are_cut_at_texts_and_ideographs() -> None:
    """A run of letters and digits is one word, an ideograph is one, and a text ends one."""
    page = parse("<p>a1b-c 漢字x<b>d</b>e")
    starts = find_words(page).start.tolist()
    assert ["a", "c", "漢", "字", "x", "d", "e"] == [page.text[start] for start in starts]


def test_equal_words_hash_alike_in_any_case() -> None:
    """Case of ASCII letters does not count; order, length and the tail of long words do."""
    words = "mill Mill MILL lilm mil mills Größe GRÖSSE"
    hashes = find_words(parse(f"<p>{words}")).hash.tolist()
    assert hashes[0] == hashes[1] == hashes[2]
    assert 6 == len(set(hashes))


@given(st.lists(st.text("ab\u0101", min_size=1, max_size=40), min_size=1, max_size=9))
def test_words_hash_alike_only_if_they_are_alike(words: list[str]) -> None:
    """Words of any length share a hash where they share their letters, and nowhere else.

    The symbol of one of these letters is 0, which is what lies behind a word's end.
    """
    hashes = find_words(parse(f"<p>{' '.join(words)}")).hash.tolist()
    assert [words.index(word) for word in words] == [hashes.index(one) for one in hashes]


@given(soups())
def test_words_of_soup_lie_in_their_blocks(html: str) -> None:
    """Words begin in document order, and a word of a block inside its leaves' text."""
    page = parse(html)
    if not len(page.blocks):
        return
    found, words = read_characters(page), find_words(page)
    assert (np.diff(words.start) > 0).all()
    inside = words.block < len(page.blocks)
    start = page.text_offset[page.block_leaf]
    assert (start[words.block[inside]] <= words.start[inside]).all()
    assert np.count_nonzero(inside) == found.words[0].sum()
    assert found.counts.shape == (len(page.blocks), CharacterKind.OTHER + 1)
