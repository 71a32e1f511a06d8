"""Lists, tables and code of a page are found with their blocks, and the blocks with their links."""

from __future__ import annotations

import numpy as np

from thresher.algorithms.learned.landmarks import find_landmarks
from thresher.features import compute_features
from thresher.page.parse import parse

HTML = (
    "<p>Mills <a href=/rye>of rye</a> are</p><ul><li>old<li>tall</ul><p>and</p>"
    "<table></table><pre>grind()</pre>"
)


def test_parts_have_their_blocks() -> None:
    """Parts without blocks are left out; words in links are counted by block."""
    page = parse(HTML)
    landmarks = find_landmarks(page, compute_features(page))
    assert [page.name(int(row)) for row in landmarks.row] == ["ul", "pre"]
    assert [*zip(landmarks.first.tolist(), landmarks.stop.tolist(), strict=True)] == [
        (1, 3),
        (4, 5),
    ]
    assert landmarks.link_words.tolist() == [2, 0, 0, 0, 0]


def test_part_follows_a_kept_block() -> None:
    """A part counts if it begins with a dropped block, and the block before it is kept."""
    page = parse(HTML)
    landmarks = find_landmarks(page, compute_features(page))
    for keep, expected in (
        ("10010", [True, True]),
        ("11010", [False, True]),
        ("00001", [False] * 2),
    ):
        flags = np.array([char == "1" for char in keep])
        assert landmarks.follow_kept(flags).tolist() == expected


def test_part_at_the_start_of_a_page_follows_nothing() -> None:
    """The last block of a page is not before its first."""
    page = parse("<ul><li>rye</ul><p>oats</p>")
    landmarks = find_landmarks(page, compute_features(page))
    assert landmarks.follow_kept(np.array([False, True])).tolist() == [False]
