"""Gold text aligned with the blocks of a page."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.evaluation import alignment
from thresher.evaluation.alignment import Alignment, align_blocks
from thresher.evaluation.tokens import split_tokens
from thresher.page.parse import parse

FIRST = "Rye is sown in autumn and cut in July."
SECOND = "Its straw is long, tough and good for thatch."
THIRD = "Bakers in the north mix it with wheat."
MENU = "<ul><li>Home<li>Straw<li>Wheat<li>In July</ul>"


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
    assert not any(a.flags.writeable for a in (found.tokens, found.matched, found.share))


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
    ("gold", "expected"),
    [(FIRST, 1), (f"{FIRST} Barley.", 0.9), ("", 1), ("Of another page.", 0)],
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
