"""Gold text aligned with the blocks of a page, step by step and as a whole."""

from __future__ import annotations

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.evaluation import alignment
from thresher.evaluation.alignment import (
    Alignment,
    align_blocks,
    drop_lone,
    fill_gaps,
    match_closely,
    match_words,
    move_near,
)
from thresher.evaluation.tokens import split_tokens
from thresher.page.parse import parse

IntArray = npt.NDArray[np.int64]
FIRST = "Rye is sown in autumn and cut in July."
SECOND = "Its straw is long, tough and good for thatch."
THIRD = "Bakers in the north mix it with wheat."
MENU = "<ul><li>Home<li>Straw<li>Wheat<li>In July</ul>"


@pytest.mark.parametrize(
    ("words", "gold", "expected"),
    [
        ("x a y b", "a b", [-1, 0, -1, 1]),
        ("a b", "", [-1, -1]),
        # Of several longest matches the last is taken, so that the menu's word is not matched.
        ("the menu the cat sat", "the cat sat", [-1, -1, 0, 1, 2]),
    ],
)
def test_words_matched_in_order(words: str, gold: str, expected: list[int]) -> None:
    """Words are aligned by a longest common subsequence, as worked out by hand."""
    assert expected == match_words(words.split(), gold.split()).tolist()


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_match_is_a_longest_common_subsequence(words: str, gold: str) -> None:
    """Matches are in order, join equal words, and are as many as in the textbook's algorithm.

    So are those with the fewest gaps.
    """
    lengths = [[0] * (len(gold) + 1) for _ in range(len(words) + 1)]
    for i, word in enumerate(words):
        for j, other in enumerate(gold):
            longest = max(lengths[i][j + 1], lengths[i + 1][j])
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if word == other else longest
    for place in (match_words(words, gold).tolist(), match_letters(words, gold)):
        matched = [(i, j) for i, j in enumerate(place) if j >= 0]
        assert all(words[i] == gold[j] for i, j in matched)
        assert sorted({j for _, j in matched}) == [j for _, j in matched]
        assert lengths[-1][-1] == len(matched)


def match_letters(words: str, gold: str) -> list[int]:
    """Align two words letter by letter, without gaps in either."""
    letters, others = (
        np.array([ord(letter) for letter in text], np.int64) for text in (words, gold)
    )
    found = match_closely(letters, others, np.arange(letters.size), np.arange(others.size))
    return [int(place) for place in found]


@pytest.mark.parametrize(
    ("words", "gold", "expected"),
    [
        # A copy after the text: the last match would take it, and leave a gap.
        ("abcd--cd", "abcd", [0, 1, 2, 3, -1, -1, -1, -1]),
        # A copy before the text: the first match would take it.
        ("ab--abcd", "abcd", [-1, -1, -1, -1, 0, 1, 2, 3]),
        # A copy before and a copy after on one page.
        ("ab--abcd=efgh--gh", "abcd=efgh", [-1] * 4 + list(range(9)) + [-1] * 4),
        # If gaps are equal, the first copy is taken.
        ("xabxab", "ab", [-1, 0, 1, -1, -1, -1]),
        ("a", "", [-1]),
        ("", "a", []),
    ],
)
def test_closest_match_taken(words: str, gold: str, expected: list[int]) -> None:
    """Of the longest matches, the one with the fewest gaps is taken."""
    assert expected == match_letters(words, gold)


def test_gaps_seen_where_words_were_left_out() -> None:
    """Gaps are measured by original positions, before words were left out."""
    words, gold = np.array([1, 2, 2]), np.array([1, 2])
    assert [0, 1, -1] == match_closely(words, gold, np.array([0, 5, 9]), np.arange(2)).tolist()
    assert [-1, 0, 1] == match_closely(
        np.array([1, 1, 2]), gold, np.array([0, 5, 9]), np.arange(2)
    ).tolist()


def numbers(text: str) -> IntArray:
    """Return one token per letter; a full stop is a token that the page does not have."""
    return np.array([-1 if letter == "." else ord(letter) for letter in text], np.int64)


def free(words: IntArray) -> npt.NDArray[np.bool_]:
    """Return flags that allow every token to be matched."""
    return np.ones(words.size, np.bool_)


def unplaced(words: IntArray) -> IntArray:
    """Return places for tokens none of which is matched."""
    return np.full(words.size, -1, np.int64)


def test_matches_by_chance_dropped() -> None:
    """A short run is kept near the run that precedes it in the gold, and dropped far from it."""
    far = "-" * 100
    words, gold = numbers(f"abcdefg--h{far}ij{far}kl"), numbers("abcdefgh..........ijkl")
    place = unplaced(words)
    for start, first, size in ((0, 0, 7), (9, 7, 1), (110, 18, 2), (212, 20, 2)):
        place[start : start + size] = np.arange(first, first + size)
    assert [110, 111, 212, 213] == drop_lone(gold, place).tolist()
    assert [0, 1, 2, 3, 4, 5, 6, 9] == np.flatnonzero(place >= 0).tolist()


def test_short_run_dropped_where_the_gold_has_a_gap() -> None:
    """A short run is dropped if it does not directly follow its neighbour in the gold."""
    words = numbers("abcdefg--hi")
    for gap, dropped in (("", []), (".", []), ("..", [9, 10])):
        gold = numbers(f"abcdefg{gap}hi")
        place = unplaced(words)
        place[:7] = np.arange(7)
        place[9:] = np.arange(7, 9) + len(gap)
        assert dropped == drop_lone(gold, place).tolist()


def test_gaps_filled_after_and_before() -> None:
    """Single tokens between matches are matched in order, but only those that are free."""
    words, gold = numbers("z-x1abcd2-3efgh4-z"), numbers("x1abcd.3.efgh4")
    place = unplaced(words)
    place[4:8] = np.arange(2, 6)
    place[11:15] = np.arange(9, 13)
    is_free = free(words)
    is_free[15] = False
    fill_gaps(words, gold, place, is_free)
    assert [-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 7, 9, 10, 11, 12, -1, -1, -1] == place.tolist()
    fill_gaps(words, gold, place, free(words))
    assert 13 == place[15]


def test_gaps_filled_near_a_run_only() -> None:
    """A token farther from a run than the limit stays unmatched."""
    gap = "-" * alignment._FILL_TOKENS
    words, gold = numbers(f"abcd{gap}e"), numbers("abcde")
    place = np.array([0, 1, 2, 3, *[-1] * (len(gap) + 1)], np.int64)
    fill_gaps(words, gold, place, free(words))
    assert -1 == place[-1]


def test_run_moved_to_its_neighbours() -> None:
    """An isolated run moves to the copy that is next to its neighbours in the gold."""
    far = "-" * 100
    words, gold = numbers(f"wxyz{far}wxyzabcd{far}wxyz"), numbers("abcdwxyz")
    place = unplaced(words)
    place[108:112] = np.arange(4)
    place[-4:] = np.arange(4, 8)
    move_near(words, gold, place, free(words))
    assert [104, 105, 106, 107] == np.flatnonzero(place >= 4).tolist()
    assert [0, 1, 2, 3] == place[108:112].tolist()


def test_run_not_moved_to_matched_tokens() -> None:
    """An isolated run does not move to a copy that is matched or not free."""
    far = "-" * 100
    words, gold = numbers(f"wxyzabcd{far}wxyz"), numbers("abcdwxyz")
    place = unplaced(words)
    place[4:8] = np.arange(4)
    place[-4:] = np.arange(4, 8)
    before = place.copy()
    is_free = free(words)
    is_free[[0, -1]] = False
    move_near(words, gold, place, is_free)
    assert before.tolist() == place.tolist()

    place[:4], gold = np.arange(4), numbers("wxyzabcdwxyz")
    place[4:8] = np.arange(4, 8)
    place[-4:] = np.arange(8, 12)
    move_near(words, gold, place, free(words))
    assert [*range(8), *range(8, 12)] == place[place >= 0].tolist()


def align(html: str, gold: str) -> Alignment:
    """Align a page, which must not be too long."""
    found = align_blocks(parse(html), gold)
    assert found is not None
    return found


def kept_texts(html: str, gold: str) -> list[str]:
    """Return the texts of blocks of which at least half is in the gold."""
    page = parse(html)
    blocks = np.flatnonzero(align(html, gold).share >= 0.5)
    return [page.block_text(block) for block in blocks.tolist()]


def test_tokens_counted_by_block() -> None:
    """Each block has its tokens, those that are in the gold, and their share."""
    found = align(f"<p>{FIRST} More here.<p>...<img src=x><p>{SECOND}", FIRST.upper())
    assert [11, 0, 9] == found.tokens.tolist()
    assert [9, 0, 0] == found.matched.tolist()
    assert pytest.approx([9 / 11, 0, 0]) == found.share.tolist()
    assert np.int32 == found.tokens.dtype == found.matched.dtype
    assert np.float32 == found.share.dtype


def test_letters_are_tokens_without_spaces() -> None:
    """In scripts without spaces between words, each letter is a token."""
    assert [6, 0] == align("<p>黑麦秋天播种<p>首页", "黑麦秋天播种。").matched.tolist()


@pytest.mark.parametrize(
    ("html", "gold", "expected"),
    [
        # Words of the menu occur in the gold, but not the words around them.
        (f"{MENU}<p>{FIRST}<p>{SECOND}{MENU}", f"{FIRST}\n{SECOND}", [FIRST, SECOND]),
        # The gold has the title first, and the columns in reverse order.
        (
            f"<p>{THIRD}<h1>All about rye and its straw</h1><p>{SECOND}<p>{FIRST}",
            f"All about rye and its straw\n{FIRST}\n{SECOND}\n{THIRD}",
            [THIRD, "All about rye and its straw", SECOND, FIRST],
        ),
        # Short blocks are found if their neighbours are, on both sides of a run.
        (
            f"<p>Rye<p>{FIRST}<li>hay<li>5 kg<li>chaff<p>share<p>{SECOND}<p>Rye",
            f"Rye {FIRST} hay 5 kg chaff {SECOND}",
            ["Rye", FIRST, "hay", "5 kg", "chaff", SECOND],
        ),
        # Half of a block's words are enough.
        (
            f"<p>{FIRST} {SECOND}<p>{THIRD} {THIRD} {THIRD}",
            f"{FIRST} {THIRD}",
            [f"{FIRST} {SECOND}"],
        ),
        # Texts shorter than any run.
        ("<p>Rye<p>Oats", "rye", ["Rye"]),
        ("<p>Rye bread<p>Oats", "rye bread", ["Rye bread"]),
        (f"<p>{FIRST}", "", []),
        ("", FIRST, []),
        (f"<p>{FIRST}", "Nothing of what the page has.", []),
    ],
)
def test_blocks_found_in_the_gold(html: str, gold: str, expected: list[str]) -> None:
    """Blocks are found in any order, but not because of a single common word."""
    assert expected == kept_texts(html, gold)


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        # A teaser before the text, a copy after it.
        (f"<p>{SECOND}<p>More<p>{FIRST}<p>{SECOND}<p>{THIRD}", [2, 3, 4]),
        (f"<p>{FIRST}<p>{SECOND}<p>{THIRD}<p>More<p>{THIRD}", [0, 1, 2]),
        # Of two complete copies, the first; of others, the one that is visible and not in a field.
        (f"<p>{FIRST} {SECOND} {THIRD}<p>{FIRST} {SECOND} {THIRD}", [0]),
        (f"<div hidden>{FIRST} {SECOND} {THIRD}</div><p>{FIRST}<p>{SECOND}<p>{THIRD}", [1, 2, 3]),
        (
            f"<textarea>{FIRST} {SECOND} {THIRD}</textarea><p>{FIRST}<p>{SECOND}<p>{THIRD}",
            [1, 2, 3],
        ),
        # Only the hidden copy is complete.
        (f"<p>{FIRST}<p>More<div hidden><p>{FIRST}<p>{SECOND}<p>{THIRD}</div>", [2, 3, 4]),
        # If the order differs from the gold, the neighbours in the gold decide between copies.
        (f"<p>{THIRD}<p>{MENU * 20}<p>{FIRST}<p>{THIRD}<p>{SECOND}", [81, 82, 83]),
    ],
)
def test_one_of_two_copies_taken(html: str, kept: list[int]) -> None:
    """Of two copies of a text, the one that is visible and near its neighbours is content.

    The other is flagged as a copy.
    """
    found = align(html, f"{FIRST}\n{SECOND}\n{THIRD}")
    assert kept == np.flatnonzero(found.share >= 0.5).tolist()
    assert not found.is_copy[kept].any()
    assert found.is_copy.any()


def test_short_blocks_are_not_copies() -> None:
    """A menu entry is not a copy because its word occurs in the gold."""
    assert not align(f"{MENU}<p>{FIRST}<p>{SECOND}", f"{FIRST} {SECOND}").is_copy.any()


@pytest.mark.parametrize(
    ("gold", "expected"), [(FIRST, 1), (f"{FIRST} Barley.", 0.9), ("", 1), ("Of another page.", 0)]
)
def test_recall_is_the_share_of_the_gold(gold: str, expected: float) -> None:
    """Recall is the share of the gold that is on the page."""
    assert expected == align(f"<p>{FIRST}<p>{SECOND}", gold).recall


@given(soups(), st.text("abc def", max_size=60))
def test_gold_used_once(html: str, gold: str) -> None:
    """No block has more matches than tokens, and no gold token matches two blocks."""
    page = parse(html)
    gold += page.text[::2]
    found = align_blocks(page, gold)
    assert found is not None
    assert (found.matched <= found.tokens).all()
    texts = map(page.block_text, range(len(page.blocks)))
    shared = Counter(token for text in texts for token in split_tokens(text))
    assert found.matched.sum() <= (shared & Counter(split_tokens(gold))).total()


@given(soups())
def test_page_is_its_own_gold(html: str) -> None:
    """A page is fully matched by its own text."""
    page = parse(html)
    gold = "\n".join(map(page.block_text, range(len(page.blocks))))
    found = align_blocks(page, gold)
    assert found is not None
    assert found.tokens.tolist() == found.matched.tolist()
    assert 1 == found.recall


def test_page_left_out_when_too_long_to_align(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is not aligned if its tokens times those of the gold exceed the limit."""
    monkeypatch.setattr(alignment, "_MAX_CELLS", 3)
    assert align_blocks(parse("<p>one two"), "one two") is None
    assert align_blocks(parse("<p>one two"), "one") is not None
