"""Features of the whole page."""

from __future__ import annotations

import pytest

from tests.features.pages import STORY, measure


def test_whole_page_is_the_same_for_all_blocks() -> None:
    """Counts of the page are the same for every block."""
    found = measure("<form><p>a</form><form><p>b <a href=x>c</a></form>")
    assert [1.5, 1.5] == found["page_form_elements"].tolist()
    assert [pytest.approx(1 / 3)] * 2 == found["page_link_density"].tolist()
    assert [1.5, 1.5] == found["page_blocks"].tolist()


def test_shares_of_the_page() -> None:
    """Prose, paragraphs, headings and items are shares of words or of blocks."""
    found = measure(f"<h1>Mill</h1><p>{STORY}<ul><li>a<li>b</ul>")
    assert [pytest.approx(18 / 21)] * 4 == found["page_prose"].tolist()
    assert found["page_prose"].tolist() == found["page_paragraphs"].tolist()
    assert [18] * 4 == found["page_prose_block"].tolist()
    assert [0.25] * 4 == found["page_headings"].tolist()
    assert [0.5] * 4 == found["page_items"].tolist()
