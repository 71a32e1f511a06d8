"""Search of many texts at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from thresher.support.text_search import TextSearch

texts = st.lists(st.binary(max_size=6).map(lambda text: text.replace(b"\0", b"a")), max_size=6)
parts = st.lists(st.text("abc-", min_size=1, max_size=3).map(str.encode), max_size=3)


@given(st.lists(st.text("abcABC-", max_size=6).map(str.encode), max_size=6) | texts, parts)
def test_the_same_texts_are_found_as_one_by_one(texts: list[bytes], parts: list[bytes]) -> None:
    """All texts with one of the parts are found, in order, and no others."""
    expected = [i for i, text in enumerate(texts) if any(part in text.lower() for part in parts)]
    assert expected == TextSearch(texts).find(parts)


def test_parts_across_two_texts_are_not_found() -> None:
    """A part must be in one text as a whole."""
    assert TextSearch([b"by", b"line"]).find([b"byline", b"yl"]) == []
