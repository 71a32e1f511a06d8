"""A block's own text and markup."""

from __future__ import annotations

from hypothesis import given

from tests.features.pages import STORY, count_page, measure
from tests.helpers.trees import soups
from thresher.features.block import count
from thresher.features.characters import read_characters
from thresher.features.container_chain import find_containers
from thresher.page.parse import parse


def test_text_when_half_is_link() -> None:
    """Words, links and their share; how the text begins and ends."""
    found = measure("<p>Read <a href=x>more</a></p><p>12 mills, all old.</p><p>so:</p>")
    assert [1.5, 2.25, 1] == found["words"].tolist()
    assert [0.5, 0, 0] == found["link_density"].tolist()
    assert [1, 0, 0] == found["links"].tolist()
    assert [1, 0, 0] == found["starts_upper"].tolist()
    assert [0, 1, 0] == found["starts_digit"].tolist()
    assert [0, 0, 1] == found["starts_lower"].tolist()
    assert [0, 1, 0] == found["ends_sentence"].tolist()
    assert [0, 0, 1] == found["ends_colon"].tolist()
    assert [0, 0.25, 1] == found["commas"].tolist()


def test_characters_are_shares() -> None:
    """Digits, capitals and letters that are words are shares of the characters that show."""
    found = measure("<p>AB 12</p><p>漢字ab</p><p>$ | x</p>")
    assert [0.5, 0, 0] == found["digits"].tolist()
    assert [0.5, 0, 0] == found["uppers"].tolist()
    assert [0, 0.5, 0] == found["unspaced"].tolist()
    assert [0, 0, 1] == found["money"].tolist() == found["separators"].tolist()


def test_pictures_and_emphasis_are_counted() -> None:
    """A picture is a leaf without words; bold words are a share of all."""
    found = measure("<p><img src=a><p><b>bold</b> plain")
    assert [1, 0] == found["images"].tolist()
    assert [1, 1.5] == found["leaves"].tolist()
    assert [0, 0.5] == found["emphasis"].tolist()


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
