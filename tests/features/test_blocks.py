"""What single groups of features say of pages worked out by hand."""

from __future__ import annotations

import pytest

from tests.features.pages import measure

STORY = "The mill stands by the river and grinds on, day and night, for the whole of the valley."


def test_own_text_when_half_is_link() -> None:
    """Words, links and their share; how the text begins and ends."""
    found = measure("<p>Read <a href=x>more</a></p><p>12 mills, all old.</p>")
    assert [0.5, 0] == found["link_density"].tolist()
    assert [1, 0] == found["links"].tolist()
    assert [1, 0] == found["starts_upper"].tolist()
    assert [0, 1] == found["starts_digit"].tolist()
    assert [0, 1] == found["ends_sentence"].tolist()
    assert [0, 0.25] == found["commas"].tolist()


def test_pictures_and_emphasis_are_counted() -> None:
    """A picture is a leaf without words; bold words are a share of all."""
    found = measure("<p><img src=a><p><b>bold</b> plain")
    assert [1, 0] == found["images"].tolist()
    assert [0, 0.5] == found["emphasis"].tolist()


def test_path_counts_the_elements_around() -> None:
    """A block knows which elements it is in, and why it is hidden."""
    found = measure("<nav><ul><li>a<ul><li>b</ul></ul></nav><p hidden>c")
    assert [1, 1, 0] == found["in_nav"].tolist()
    assert [1, 2, 0] == found["in_list"].tolist()
    assert [0, 0, 1] == found["in_paragraph"].tolist()
    assert [0, 0, 1] == found["hidden_attribute"].tolist()


def test_containers_hold_what_is_in_them() -> None:
    """The nearest container of a block, its blocks and the block's place in it."""
    found = measure("<div><p>a<p>b</div><div><p>c<p>d<p>e<p>f</div>")
    assert [1.5, 1.5, *[2.25] * 4] == found["container1_blocks"].tolist()
    assert [0, 0.5, 0, 0.25, 0.5, 0.75] == found["container1_place"].tolist()
    assert [2.75] * 6 == found["container2_blocks"].tolist()


def test_dominant_element_holds_the_prose() -> None:
    """The smallest element with most of the prose is found, and who stands before it."""
    found = measure(f"<div><p>x<p>y</div><div><p>{STORY}<p>{STORY}</div>")
    assert [0, 0, 1, 1] == found["dominant9_inside"].tolist()
    assert [1, 1, 0, 0] == found["dominant9_before"].tolist()


def test_children_alike_are_told_by_tag_and_class() -> None:
    """Siblings of one class are counted together, others apart."""
    found = measure("<div><p class=a>1<p class=a>2<p class=b>3</div>")
    assert [1.5, 1.5, 1] == found["alike1_count"].tolist()
    assert [0, 1, 0] == found["alike1_before"].tolist()
    assert [pytest.approx(2 / 3)] * 2 == found["alike1_share"].tolist()[:2]
    assert [0, 0, 0] == found["alike1_spread"].tolist()


def test_place_after_headings() -> None:
    """A block knows how far the headings are, and whether it stands behind the first h1."""
    found = measure("<p>a<h1>b</h1><p>c<h2>d</h2><p>e")
    assert [0, 1, 1, 1, 1] == found["after_h1"].tolist()
    assert [7, 1, 1, 2, 2] == found["heading_level"].tolist()
    assert [0, 0.2, 0.4, 0.6] == pytest.approx(found["blocks_before"].tolist()[:4])
    assert [0, 1, 1, 1, 1] == found["previous_words"].tolist()


def test_title_words_and_copies() -> None:
    """Words of the title are known again, in any case; the same block twice is a copy."""
    found = measure("<title>Old Mill</title><p>the old mill<p>Next<p>Next")
    assert [pytest.approx(2 / 3), 0, 0] == found["title_words"].tolist()
    assert [1, 0, 0] == found["title_cover"].tolist()
    assert [1, 1.5, 1.5] == found["copies"].tolist()
    assert [1, 1, 0] == found["first_copy"].tolist()


def test_whole_page_is_the_same_for_all_blocks() -> None:
    """Counts of the page stand in every row."""
    found = measure("<form><p>a</form><form><p>b <a>c</a></form>")
    assert [1.5, 1.5] == found["page_form_elements"].tolist()
    assert [pytest.approx(1 / 3)] * 2 == found["page_link_density"].tolist()
