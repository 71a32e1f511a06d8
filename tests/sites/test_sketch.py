"""Near copies of pages are detected."""

from __future__ import annotations

from tests.sites.pages import stories, story
from thresher.page import Page
from thresher.page.parse import parse
from thresher.sites.keys import read_keys
from thresher.sites.sketch import find_copy, make_sketch


def sketch_of(page: Page) -> tuple[int, ...]:
    """Return a page's sketch."""
    return make_sketch(page, read_keys(page))


def test_a_page_is_a_copy_of_itself() -> None:
    """Learning a page twice is learning it once."""
    one, two = stories(1, 1)
    assert find_copy(sketch_of(one), [sketch_of(two)])


def test_a_story_in_another_frame_is_a_copy() -> None:
    """A print version has the title and the texts, and else nothing."""
    text = story(1)
    start, stop = text.index("<article"), text.index("</article>")
    printed = parse(f"{text[: text.index('<body')]}<body>{text[start:stop]}")
    assert find_copy(sketch_of(printed), [sketch_of(each) for each in stories(0, 1)])


def test_two_stories_of_a_site_are_no_copies() -> None:
    """Boilerplate does not make two pages copies."""
    sketches = [sketch_of(page) for page in stories(*range(8))]
    assert not any(find_copy(one, sketches[:at]) for at, one in enumerate(sketches))
