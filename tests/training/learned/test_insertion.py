"""Structures are inserted where they are content without doubt, and nothing else changes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from thresher.page.parse import parse
from thresher.roles import ROLES
from thresher.training.learned.insertion import MAX_INSERTED, Insertion, fill, read_insertions, vary

WORDS = "In the wet spring the miller &amp; his son sowed <rye> on the north field".split()
PROSE = "The ferryman counted the sacks twice while the others waited at the bridge, number {}."
STORY = "".join(f"<p>{PROSE.format(number) * 2}</p>\n" for number in range(9))
HTML = f"<nav><a href='/'>Home</a></nav><main>{STORY}</main><footer>All rights reserved</footer>"


def find_prose(html: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array(["ferryman" in text for text in parse(html).block_texts()])


@pytest.mark.parametrize("structure", read_insertions())
def test_a_structure_is_whole(structure: Insertion) -> None:
    """It has text or a picture, a known role, no brace left, and closes what it opens."""
    assert structure.role in ROLES
    for seed in range(20):
        filled = fill(structure.html, WORDS, Random(seed))
        assert not set("{}") & set(filled)
        page = parse(f"<body><p>Before</p>{filled}<p>After</p></body>")
        texts = list(page.block_texts())
        assert ("Before", "After") == (texts[0], texts[-1])
        assert len(texts) > 2
        first, last = page.block_row[[0, -1]]
        assert page.parent[first] == page.parent[last]


def test_a_choice_is_the_same_wherever_it_stands() -> None:
    """Start and end tags that are drawn fit each other."""
    drawn = {fill("<{b|i}>{word}</{b|i}>", ["rye"], Random(seed)) for seed in range(20)}
    assert {"<b>Rye</b>", "<i>Rye</i>"} == drawn


def test_what_is_inserted_is_told_from_what_was_there() -> None:
    """Blocks keep their order and their text; the others have the role of their structure."""
    page = parse(HTML)
    varied = vary(page, HTML, find_prose(HTML), Random(3))
    assert varied is not None
    was = varied.origin >= 0
    texts = np.array(list(varied.page.block_texts()))
    assert list(page.block_texts()) == texts[was].tolist()
    assert np.flatnonzero(~was).size >= MAX_INSERTED
    roles = {structure.role for structure in read_insertions()}
    assert {ROLES[code] for code in varied.role[~was].tolist()} <= roles


def test_structures_stand_behind_any_paragraph_of_a_text() -> None:
    """The last one is followed by some as the others are, the menu and the footer by none."""
    page = parse(HTML)
    before = set()
    for seed in range(60):
        varied = vary(page, HTML, find_prose(HTML), Random(seed))
        assert varied is not None
        new = np.flatnonzero(varied.origin < 0)
        before |= set(varied.origin[new - 1].tolist()) - {-1}
        assert varied.origin[[0, -1]].tolist() == [0, len(page.blocks) - 1]
    assert before == set(np.flatnonzero(find_prose(HTML)).tolist())


@pytest.mark.parametrize(
    "html",
    [
        "<p>Short.</p><p>Short.</p>",
        f"<p>{PROSE * 2}</p><div><p>{PROSE * 2}</p></div>",
        f"<p>{PROSE * 2}</p><p>{PROSE * 2}</p>",  # the end of the first is no longer unique
    ],
)
def test_a_page_without_a_certain_place_stays_as_it_is(html: str) -> None:
    """Structures stand behind paragraphs that follow each other and end unlike any other."""
    assert vary(parse(html), html, find_prose(html) | True, Random(1)) is None


def test_the_same_draw_gives_the_same_page() -> None:
    """Training can be repeated."""
    first, second = (vary(parse(HTML), HTML, find_prose(HTML), Random("a page")) for _ in range(2))
    assert first is not None
    assert second is not None
    assert list(first.page.block_texts()) == list(second.page.block_texts())
