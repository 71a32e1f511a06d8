"""Blocks are recognised by place and letters; a site is learned, near copies counting once."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import soups
from tests.sites.pages import BANNER, NOTICE, form, stories, story
from thresher.page import Page
from thresher.page.parse import parse
from thresher.sites import match
from thresher.sites.keys import format_places, hash_path, read_keys, text_keys
from thresher.sites.learning import Site, find_copy, learn, make_sketch, update
from thresher.sites.site_files import write_site


def test_repeated_texts_are_counted() -> None:
    """A text in the same place counts once per page, with its wording; other numbers do not."""
    site = learn(stories(1, 2, 3))
    counts = dict(zip(site.texts.key.tolist(), site.texts.pages.tolist(), strict=True))
    assert {3} == {counts[key] for key in site.wording}
    assert {BANNER, NOTICE[:300], "Home", "About"} == set(site.wording.values())
    assert 3 == site.pages


def test_copies_count_once() -> None:
    """An article that is there twice does not become a text of the site."""
    assert write_site(learn(stories(1, 2))) == write_site(learn(stories(1, 2, 1, 2)))


def test_the_order_of_pages_does_not_matter() -> None:
    """Within the bounds, what is counted is the same in any order."""
    one, two = learn(stories(1, 2, 3)), learn(stories(3, 1, 2))
    assert one.texts.key.tolist() == two.texts.key.tolist()
    assert one.texts.pages.tolist() == two.texts.pages.tolist()
    assert one.layouts[0].letters.tolist() == two.layouts[0].letters.tolist()


def test_pages_of_another_kind_are_another_layout() -> None:
    """A form is not counted among the stories; pages without blocks, or none, are no knowledge."""
    site = learn([*stories(1, 2), parse(form())])
    assert [2, 1] == [layout.pages for layout in site.layouts]
    assert site is update(site, parse("<div></div>"))
    assert 0 == learn([]).pages
    assert match(Site(), stories(1)[0]).layout is None


def test_space_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least seen entries are evicted first: repeated texts stay, however many pages come."""
    for name in ("MAX_TEXTS", "MAX_PLACES"):
        monkeypatch.setattr(sys.modules[learn.__module__], name, 10)
    site = learn(stories(*range(8)))
    assert 10 == site.texts.key.size
    assert 10 >= site.layouts[0].place.size == len(site.paths)
    assert BANNER in site.wording.values()


def sketch_of(page: Page) -> tuple[int, ...]:
    """Return a page's sketch."""
    return make_sketch(page, read_keys(page))


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


@pytest.mark.parametrize(
    ("html", "path"),
    [
        ("<div id=main class='a b'><span><p class=x>One</p></span></div>", "div#main.a p.x"),
        ("<div id=post-1 class='post-1 post'><p>x", "div.post p"),
        ("<div id=post-2 class='post-2 post'><p>x", "div.post p"),
        ("<body class=home><div class='md:flex box' id='a.b'>x</div>", "div.box"),
    ],
)
def test_a_place_is_the_path_of_elements_with_names(html: str, path: str) -> None:
    """Tag, id and first class of blocks count, but no name of body, with digits or to escape."""
    assert [f"html body {path}"] == list(format_places(parse(html), [0]))


def test_letters_and_digits_make_a_text() -> None:
    """Texts differ by letters, digits and place, but not by case and punctuation."""
    keys = read_keys(parse("<p>12 comments<p>12 Comments!<p>13 comments<p>12 replies<p>2026"))
    assert keys.text[0] == keys.text[1]
    assert 4 == np.unique(keys.text).size
    assert [8, 8, 8, 7, 0] == keys.letters.tolist()
    keys = read_keys(parse("<h1>Rye</h1><ul><li>Rye</ul>"))
    assert keys.text[0] == keys.text[1]
    assert 2 == np.unique(text_keys(keys)).size


@given(soups())
def test_spelled_paths_have_the_keys_of_their_places(html: str) -> None:
    """A path read from a file has the key of the place it was formatted from."""
    page = parse(html)
    n_block = len(page.blocks)
    spelled = [hash_path(path) for path in format_places(page, range(n_block))]
    assert spelled == read_keys(page).place.tolist()
