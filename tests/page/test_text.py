"""The text of a page as one string, and its words in many languages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups, walk_rows
from thresher.page.characters import classify
from thresher.page.parse import parse
from thresher.page.text import (
    count_at,
    count_coded_words,
    count_words,
    join_text,
    unescape_bytes,
)

WORDS = [
    ("no text", "", 0, 0),
    ("white space", " \t\n\xa0\u3000", 0, 0),
    ("English", "The town built a wall.", 5, 18),
    ("numbers and signs", "3 of 10 \u2013 30 %", 4, 9),
    ("apostrophe", "don\u2019t", 2, 5),
    ("German", "Größe über Straßenbahnen, 12 %", 4, 26),
    ("German decomposed", "Gro\u0308ße u\u0308ber", 2, 11),
    ("Russian", "Привет, мир!", 2, 11),
    ("Arabic", "مرحبا بالعالم", 2, 12),
    ("Arabic with vowel marks", "مَرْحَبًا بِكُمْ", 2, 15),
    ("Hebrew with points", "שָׁלוֹם", 1, 7),
    ("Hindi", "हिन्दी में लिखा", 3, 13),
    ("Chinese", "我们的城市。", 5, 6),
    ("Chinese and Latin", "中文 text", 3, 6),
    ("Chinese beyond the basic plane", "\U00020000\U00020001", 2, 2),
    ("Japanese", "日本語テキスト", 7, 7),
    ("Japanese with a combining mark", "か\u3099", 1, 2),
    ("Thai", "ภาษาไทย", 7, 7),
    ("Thai with tone marks", "น้ำ", 2, 3),
    ("Korean", "한국어 문장", 2, 5),
    ("mathematical letters", "\U0001d400\U0001d401 x", 2, 3),
    ("emoji", "\U0001f600 ok \U0001f44d\U0001f3fd", 1, 5),
    ("emoji with a variation selector", "\u2764\ufe0f love", 1, 6),
    ("emoji joined", "\U0001f468\u200d\U0001f469\u200d\U0001f467", 0, 3),
    ("flag of tag characters", "\U0001f3f4\U000e0067\U000e0062\U000e007f", 0, 4),
    ("mark on nothing", "\u0301 a", 1, 2),
    ("soft hyphen", "Donau\u00addampf\u00adschiff", 1, 16),
    ("zero-width space", "one\u200btwo", 2, 6),
    ("zero-width non-joiner", "می\u200cخواهم", 1, 7),
    ("direction marks", "\u200fשלום\u200e, \u200eabc", 2, 8),
    ("only what shows nothing", "\u200b\u200c\u200d\u034f\xa0\u00ad\ufeff\u200e", 0, 0),
]


@pytest.mark.parametrize(
    ("text", "n_word", "n_char"), [case[1:] for case in WORDS], ids=[case[0] for case in WORDS]
)
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


def test_join_text_of_nothing() -> None:
    """No texts are an empty string with one offset."""
    none = np.zeros(0, np.int32)
    text, offsets = join_text(b"<html></html>", none, none)
    assert not text
    assert [0] == offsets.tolist()


def test_unescape_bytes() -> None:
    """Escaped characters must be unescaped exactly once."""
    assert "<&amp;\xa0".encode() == unescape_bytes(b"&lt;&amp;amp;&nbsp;")


def test_count_at_offsets() -> None:
    """Flags are counted before each offset, in any order of offsets."""
    flags = np.array([True, False, True])
    assert [0, 1, 2, 1] == count_at(flags, np.array([0, 1, 3, 2])).tolist()
