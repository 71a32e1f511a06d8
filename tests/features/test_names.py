"""Names of elements as tokens."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from tests.features.test_hashing import hash_word
from tests.helpers.trees import soups
from thresher.features.names import SALTS, Tokens, read_tokens
from thresher.page.parse import parse
from thresher.page.tags import TEXT


def read(html: str) -> Tokens:
    """Read the names of a page."""
    tokens, _ = read_tokens(parse(html))
    return tokens


def tokens_of(html: str) -> set[int]:
    """Return the tokens of a page's names."""
    return set(read(html).hash.tolist())


def test_words_of_a_class_are_tokens() -> None:
    """A class has a token for each word, for each name of several, and for all of it."""
    found = tokens_of("<p class='storyBody wide-12'>x") - tokens_of("<p>x")
    words = ("story", "body", "wide", "storybody", "storybody wide-12 ")
    assert {(hash_word(word) + SALTS["class"]) % 2**64 for word in words} == found


def test_words_are_the_same_however_they_are_written() -> None:
    """Hyphens, capitals and digits part words; letter case and numbers are ignored."""
    camel, hyphen = tokens_of("<p class=storyBody>x"), tokens_of("<p id='story-body-12'>x")
    assert 2 == len((camel & hyphen) - tokens_of("<p>x"))


def test_a_role_is_no_class() -> None:
    """Equal words in class and id are one token, those in other attributes are different ones."""
    by_class, by_id = tokens_of("<p class=main>x"), tokens_of("<p id=main>x")
    assert by_class == by_id
    assert tokens_of("<p>x") == by_class & tokens_of("<p role=main>x")


def test_single_letters_and_numbers_are_no_words() -> None:
    """Such a value yields only the token of the whole."""
    assert 1 == len(tokens_of("<p class='a 1 2-3'>x") - tokens_of("<p>x"))


def test_only_the_first_names_of_a_value_are_read() -> None:
    """Dozens of names on one element say no more of its text than the first two dozen."""
    names = " ".join(f"{letter}{letter}" for letter in "abcdefghijklmnopqrstuvwx")
    assert tokens_of(f"<p class='{names}'>x") == tokens_of(f"<p class='{names} has-big-ads ad'>x")


def test_names_are_those_around_blocks() -> None:
    """Elements that hold no block have no tokens; a tag is a name too."""
    assert tokens_of("<p>x") == tokens_of("<p>x</p><i class=nothing></i>")
    assert tokens_of("<p>x") != tokens_of("<div>x")


def test_equal_values_are_one_name() -> None:
    """A value is read once, however many elements have it."""
    once, often = read("<p class='a b'>x"), read("<p class='a b'>x" * 9)
    assert once.hash.tolist() == often.hash.tolist()
    assert 9 == np.count_nonzero(often.name == once.start.size - 1)


def test_signatures_tell_tag_and_class() -> None:
    """Rows share a signature where tag and class attribute are the same."""
    page = parse("<p class=a>x<p class=a id=i>y<p class=b>z<p>u<div class=a>v</div><p>w")
    _, signature_of = read_tokens(page)
    signature = signature_of[page.block_row].tolist()
    assert [0, 0, 2, 3, 4, 3] == [signature.index(one) for one in signature]


@given(soups())
def test_entries_of_soup_know_their_elements(html: str) -> None:
    """Entries stand in document order, each with its element's end; each name is used."""
    page = parse(html)
    if not len(page.blocks):
        return
    tokens, _ = read_tokens(page)
    assert (np.diff(tokens.row) >= 0).all()
    assert page.end[tokens.row].tolist() == tokens.end.tolist()
    assert (page.tag[tokens.row] != TEXT).all()
    assert (page.block_offset[tokens.end] > page.block_offset[tokens.row]).all()
    assert set(range(tokens.start.size)) == set(tokens.name.tolist())
    assert (np.diff([*tokens.start.tolist(), tokens.hash.size]) > 0).all()
