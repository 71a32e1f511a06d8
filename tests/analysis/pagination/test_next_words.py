"""The words for “next page”."""

from __future__ import annotations

import pytest

from thresher.analysis.pagination import NEXT_WORDS


@pytest.mark.parametrize(
    "word", ["next page", "nächste seite", "下一页", "次へ", "далее", "التالي"]
)
def test_words_of_many_languages(word: str) -> None:
    """The table covers many languages and scripts."""
    assert word in NEXT_WORDS


def test_words_are_ready_to_compare() -> None:
    """Every word is normalised in white space and case."""
    assert not [word for word in NEXT_WORDS if word != " ".join(word.split()).casefold()]
    assert "" not in NEXT_WORDS
