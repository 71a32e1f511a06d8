"""The text of a page as one string, and its words in many languages."""

from __future__ import annotations

import html as markup

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.trees import soups, walk_rows
from thresher.page.characters import classify
from thresher.page.parse import parse
from thresher.page.text import (
    count_coded_words,
    count_words,
    join_text,
    unescape,
    unescape_bytes,
)


@cases(__file__, "words")
def test_count_words_of_languages(text: str, n_word: int, n_char: int) -> None:
    """Marks and invisible characters split no word; scripts without spaces count letters."""
    words, chars = count_words(text, np.array([0, len(text)], np.int32))
    assert [0, n_word] == words.tolist()
    assert [0, n_char] == chars.tolist()


def test_count_words_across_texts() -> None:
    """A word never spans two texts, and a text without any is empty between its offsets."""
    words, chars = count_words("abcd e\u0301", np.array([0, 2, 2, 4, 6, 7], np.int32))
    assert [0, 1, 1, 2, 3, 3] == words.tolist()
    assert [0, 2, 2, 4, 5, 6] == chars.tolist()


@given(st.lists(st.text(max_size=6), max_size=6))
def test_count_words_of_each_text_alone(texts: list[str]) -> None:
    """A text's counts do not depend on the texts around it."""
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.int32)
    counts = count_words("".join(texts), offsets)
    alone = [count_words(text, np.array([0, len(text)], np.int32)) for text in texts]
    for kind in (0, 1):
        assert [int(one[kind][1]) for one in alone] == np.diff(counts[kind]).tolist()


@given(soups())
def test_a_page_counts_words_by_its_characters_codes(html: str) -> None:
    """A page's codes are those of its text, and give the counts that the text does."""
    page = parse(html)
    assert classify(page.text).tolist() == page.character_codes.tolist()
    counts = count_coded_words(page.character_codes, page.text_offset)
    expected = count_words(page.text, page.text_offset)
    assert [one.tolist() for one in expected] == [one.tolist() for one in counts]


@given(soups())
def test_join_text_of_soup(html: str) -> None:
    """Texts of a page are joined unescaped, with offsets in characters."""
    page = parse(html)
    texts = [row.text for row in walk_rows(page.source)]
    assert "".join(texts) == page.text
    assert np.cumsum([0, *map(len, texts)]).tolist() == page.text_offset.tolist()


def test_join_text_counts_characters_not_bytes() -> None:
    """Escapes and characters of several bytes are one character each."""
    buffer = "\u00e9&amp;\U0001f600|b&lt;".encode()
    middle = buffer.index(b"|")
    start, stop = np.array([0, middle + 1], np.int32), np.array([middle, len(buffer)], np.int32)
    text, offsets = join_text(buffer, start, stop)
    assert "\u00e9&\U0001f600b<" == text
    assert [0, 3, 5] == offsets.tolist()


def test_unescape_bytes() -> None:
    """Escaped characters must be unescaped exactly once."""
    assert "<&amp;\xa0".encode() == unescape_bytes(b"&lt;&amp;amp;&nbsp;")


ESCAPABLE = st.text(st.sampled_from("&;#x27ampltgquonbs<>\"'\xa0é "), max_size=40)


@given(ESCAPABLE)
def test_unescaping_undoes_escaping(text: str) -> None:
    """What `html.escape` wrote becomes the text that it was given."""
    assert unescape(markup.escape(text)) == text


@given(ESCAPABLE)
def test_attributes_of_a_page_are_those_of_the_standard_library(text: str) -> None:
    """Canonical HTML has no other references, whatever its source has."""
    page = parse(f"<p title='{text.replace(chr(39), '')}'>x</p>")
    (value,) = page.attributes.values("title").values()
    entry = page.attributes.named("title")[0]
    written = page.buffer[page.attributes.start[entry] : page.attributes.stop[entry]].decode()
    assert value == markup.unescape(written)
