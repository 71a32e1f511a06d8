"""A block's own text and markup."""

from __future__ import annotations

from hypothesis import given

from tests.features.pages import STORY
from tests.helpers.trees import soups
from thresher.features.base import Counts
from thresher.features.block import count
from thresher.features.characters import read_characters
from thresher.features.container_chain import find_containers
from thresher.page.parse import parse


def count_page(html: str) -> Counts:
    """Return the counts of a page's blocks."""
    page = parse(html)
    return count(page, read_characters(page), find_containers(page))


def test_links_and_breaks_count_where_they_begin() -> None:
    """Elements directly before a block count for it; those after the last block do not count."""
    counts = count_page("<p>x</p><a href=y><p>z</p></a><p>u<br>v<br></p>")
    assert [0, 1, 0] == counts["links"].tolist()
    assert [0, 0, 1] == counts["breaks"].tolist()


def test_prose_has_ten_words_and_few_links() -> None:
    """Ten words make prose, if less than a third are links; nine do not."""
    words = "one two three four five six seven eight nine"
    linked = f"<a href=x>{words}</a> ten eleven twelve"
    counts = count_page(f"<p>{words}<p>{words} ten<p>{linked}<p>{STORY}")
    assert [0, 10, 0, 18] == counts["prose_words"].tolist()
    assert [0, 0, 1, 0] == counts["link_blocks"].tolist()


def test_hidden_words_are_counted() -> None:
    """Words in hidden leaves are counted as hidden."""
    assert [0, 2] == count_page("<p>a<p hidden>b c")["hidden_words"].tolist()


@given(soups())
def test_counts_of_soup_add_up_to_the_page(html: str) -> None:
    """Words, characters and leaves of the blocks are those of the leaves."""
    page = parse(html)
    if not len(page.blocks):
        return
    counts = count(page, read_characters(page), find_containers(page))
    assert page.leaves.size == counts.before("leaves")[-1]
    assert page.leaf_words.sum() == counts.before("words")[-1]
    assert page.leaf_chars.sum() == counts.before("chars")[-1]
    assert len(page.blocks) == counts.before("blocks")[-1]
