"""Blocks are recognised by their place and their letters."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.helpers.trees import soups
from thresher.page.parse import parse
from thresher.sites.keys import format_places, hash_path, read_keys, text_keys


def test_a_place_is_the_path_of_elements_with_names() -> None:
    """Tag, id and first class of each block-level element count; inline ones do not."""
    page = parse("<div id=main class='a b'><span><p class=x>One</p></span></div>")
    assert ["html body div#main.a p.x"] == list(format_places(page, [0]))


def test_names_with_digits_do_not_count() -> None:
    """A name that identifies the page does not change the place."""
    one, two = (parse(f"<div id=post-{n} class='post-{n} post'><p>x") for n in (1, 2))
    assert ["html body div.post p"] == list(format_places(one, [0]))
    assert read_keys(one).place.tolist() == read_keys(two).place.tolist()


def test_names_of_body_do_not_count() -> None:
    """Sites put the page type and other things there."""
    one, two = (parse(f"<body class={name}><p>x") for name in ("home", "single"))
    assert read_keys(one).place.tolist() == read_keys(two).place.tolist()


def test_names_that_need_escapes_are_left_out() -> None:
    """The formatted path is a valid selector."""
    page = parse("<div class='md:flex box' id='a.b'>x</div>")
    assert ["html body div.box"] == list(format_places(page, [0]))


def test_digits_do_not_change_a_text() -> None:
    """Texts that differ only in digits are equal; those that differ in letters are not."""
    keys = read_keys(parse("<p>12 comments<p>13 Comments<p>13 replies<p>2026"))
    assert keys.text[0] == keys.text[1]
    assert keys.text[1] != keys.text[2]
    assert [8, 8, 7, 0] == keys.letters.tolist()


def test_the_same_text_elsewhere_has_another_key() -> None:
    """A headline among links is not the headline of its page."""
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


def test_a_page_without_blocks_has_no_keys() -> None:
    """A page without blocks has empty keys."""
    assert 0 == read_keys(parse("<div></div>")).place.size
