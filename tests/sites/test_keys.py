"""Blocks are recognised by their place and their letters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tests.helpers.trees import soups
from thresher.page.parse import parse
from thresher.sites.keys import format_places, hash_path, read_keys, text_keys


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


def test_digits_do_not_change_a_text() -> None:
    """Texts that differ only in digits are equal, but not elsewhere, or with other letters."""
    keys = read_keys(parse("<p>12 comments<p>13 Comments<p>13 replies<p>2026"))
    assert keys.text[0] == keys.text[1]
    assert keys.text[1] != keys.text[2]
    assert [8, 8, 7, 0] == keys.letters.tolist()
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
