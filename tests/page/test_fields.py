"""thresher.page.fields: spaces between fields that touch in the markup, again and again."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from thresher.page.parse import parse

_PAIRS = (("2 cups", "rye flour"), ("1 pinch", "salt"), ("300 g", "oats"))
_FIELDS = {
    "two elements of different classes": "<div><span>{}</span><span class=name>{}</span></div>",
    "an element and a formatted one": "<div><span class=l>{}</span><strong>{}</strong></div>",
    "a formatted element and another": "<div class=x{n}><b>{}</b><span class=v>{}</span></div>",
}
_HALVES = {
    "the same class": "<p><span class=run>{}</span><span class=run>{}</span></p>",
    "no class": "<p><span>{}</span><span>{}</span></p>",
    "numbered runs of text": "<p><span class=c1>{}</span><span class=c4>{}</span></p>",
    "runs of Word": '<p><span class=TextRun>{}</span><span class="TextRun Wrong">{}</span></p>',
    "a shortened link": "<a><span class=ellipsis>{}</span><span class=invisible>{}</span></a>",
    "an index": "<p><span>{}</span><sub class=n>{}</sub></p>",
    "code": "<code><span class=a>{}</span><span class=b>{}</span></code>",
    "words of the parent's own": "<p>Of <span>{}</span><i class=n>{}</i></p>",
}
_WITH_TEXT = {
    "<p><span class=step>{n}</span>Wash it</p>": "{n} Wash it",
    "<p><span class=label>news</span>Mill {n}</p>": "news Mill {n}",
    "<p>fat<span>{n} g</span></p>": "fat {n} g",
    "<p><span class=drop>O</span>ats {n}</p>": "Oats {n}",
    "<p><span class=ui>mill</span>s {n}</p>": "mills {n}",
    "<p><b>mill</b>Rye {n}</p>": "millRye {n}",
    "<p><span class=brand>rye</span>Mill</p>": "ryeMill",
}


def _texts_of(markup: str, pairs: Sequence[tuple[str, ...]]) -> list[str]:
    parts = [markup.format(*pair, n=number) for number, pair in enumerate(pairs)]
    return list(parse("".join(f"<section>{part}</section>" for part in parts)).block_texts())


@pytest.mark.parametrize("markup", _FIELDS.values(), ids=_FIELDS)
def test_fields_that_touch_again_and_again_are_apart(markup: str) -> None:
    """A space parts fields of the same classes, if there are three."""
    assert _texts_of(markup, _PAIRS) == [" ".join(pair) for pair in _PAIRS]
    assert _texts_of(markup, _PAIRS[:2]) != [" ".join(pair) for pair in _PAIRS[:2]]


@pytest.mark.parametrize("markup", _HALVES.values(), ids=_HALVES)
def test_halves_of_words_are_one_word(markup: str) -> None:
    """No space is in a word, however often words are cut."""
    pairs = (("2 mil", "lers"), ("the oa", "ts"), ("20 wh", "eels"))
    texts = [text.removeprefix("Of ") for text in _texts_of(markup, pairs)]
    assert texts == ["".join(pair) for pair in pairs]


def test_stems_and_endings_are_words() -> None:
    """Parts of single words in small letters are none of fields."""
    markup = "<p><span class=stem>{}</span><span class=ending>{}</span></p>"
    assert _texts_of(markup, (("mill", "ed"), ("mill", "ing"), ("row", "ed"))) == [
        "milled",
        "milling",
        "rowed",
    ]


@pytest.mark.parametrize(("markup", "expected"), _WITH_TEXT.items(), ids=_WITH_TEXT)
def test_field_beside_a_text_is_apart_where_case_tells(markup: str, expected: str) -> None:
    """Different words are parted at a capital or a number, not in a word or a name."""
    texts = _texts_of(markup, ((), (), ()))
    assert texts == [expected.format(n=number) for number in range(3)]
