"""Classification of characters by one table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.page.characters import (
    CharacterKind,
    WordPart,
    classify,
    kinds_of,
    parts_of,
    symbols_of,
)

KINDS = [
    ("spaces", " \t\n\xa0\u3000\u2028\u200b\x00", CharacterKind.SPACE),
    ("small letters", "aßéжλ", CharacterKind.LETTER),
    ("letters without case", "אبहক한", CharacterKind.LETTER),
    ("marks on letters", "\u0301\u093f", CharacterKind.LETTER),
    ("capitals", "AÉЖΛǅ", CharacterKind.UPPER),
    ("letters that are words", "漢字かなคມမ", CharacterKind.UNSPACED),
    ("digits", "07٣५Ⅳ½", CharacterKind.DIGIT),
    ("ends of sentences", ".!?。！？؟۔।…", CharacterKind.TERMINATOR),
    ("what divides a sentence", ",;:，、،", CharacterKind.COMMA),
    ("quotation marks", "\"'«“”„「」", CharacterKind.QUOTE),
    ("what divides a menu", "|/•·→›»=_", CharacterKind.SEPARATOR),
    ("currency", "$€£¥₹", CharacterKind.MONEY),
    ("other signs", "()[]%&@#–©☎", CharacterKind.OTHER),
    ("all beyond the basic plane", "\U0001f600\U00020000\U0001d400", CharacterKind.OTHER),
]


@pytest.mark.parametrize(
    ("text", "kind"), [case[1:] for case in KINDS], ids=[case[0] for case in KINDS]
)
def test_kinds(text: str, kind: int) -> None:
    """A character is of one kind, in whatever script."""
    assert [kind] * len(text) == kinds_of(classify(text)).tolist()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a7Жא_", WordPart.WORD),
        ("漢か𠀀", WordPart.IDEOGRAPH),
        ("𝐀", WordPart.WORD),
        ("\u0301", WordPart.MARK),
        ("\u00ad\u200d", WordPart.JOINER),
        (" \n\u200b", WordPart.SPACE),
        (".€\U0001f600", WordPart.OTHER),
    ],
)
def test_parts(text: str, part: int) -> None:
    """A character has one part in words, in whatever script, beyond the basic plane too."""
    assert [part] * len(text) == parts_of(classify(text)).tolist()


@given(st.text())
def test_ascii_letters_have_one_symbol_in_both_cases(text: str) -> None:
    """Capitals of ASCII are compared as small letters, all others as themselves."""
    folded = "".join(c.lower() if c.isascii() else c for c in text)
    assert symbols_of(classify(folded)).tolist() == symbols_of(classify(text)).tolist()


def test_symbols_tell_the_letters_of_an_alphabet_apart() -> None:
    """No two letters or digits of ASCII share a symbol, and none of Greek."""
    for alphabet in ("abcdefghijklmnopqrstuvwxyz0123456789", "αβγδεζηθικλμνξοπρστυφχψω"):
        assert len(alphabet) == np.unique(symbols_of(classify(alphabet))).size


@given(st.text(), st.text())
def test_codes_of_characters_do_not_depend_on_others(one: str, other: str) -> None:
    """A text's codes are those of its characters, whatever stands beside them."""
    both = np.concatenate((classify(one), classify(other)))
    assert both.tolist() == classify(one + other).tolist()
