"""Search for the page's text in an application's data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.embedded.pages import HTML_BODY, NODES, OTHER, PARAGRAPHS, STORY, TITLE
from thresher.analysis.embedded.state import (
    MainText,
    estimate_words,
    find_main_text,
    letters_of,
    strip_markup,
)
from thresher.analysis.structured import JsonValue

FULL_TITLE = f"{TITLE} | The Harrow Post"
OTHER_STORY = {"headline": "Ferries to the islands", "body": " ".join(OTHER * 3)}
MENU = {"items": [{"label": "News", "url": "/news"}] * 30}


def find(value: object, title: str = FULL_TITLE) -> MainText | None:
    return find_main_text(value, title)  # type: ignore[arg-type]


def test_letters_of() -> None:
    """Texts are compared by letters and digits alone."""
    assert "caféno1" == letters_of("Café_No. 1!")


def test_strip_markup() -> None:
    """Tags are removed, other text stays."""
    assert ["a  b", "1 < 2"] == [strip_markup(text) for text in ("a<br> b", "1 < 2")]


WORDS = {
    "prose": (PARAGRAPHS[0], len(PARAGRAPHS[0].split())),
    "markup": ("<p class='one two'>three four five</p>", 3),
    "chinese": ("港口的灯夫每天黄昏带着梯子出发，走过十一条街道。", 16),
    "address": ("https://harbour.example/a b c d e", 0),
    "path": ("/a/b/c/d/e/f and more", 0),
    "one word": ("a" * 40, 0),
    "code": ("var a = 1; if (a) { b = 2; } else { c = 3; }", 0),
    "json": ('{"a": "one two three four five"}', 0),
    "list of json": ('[{"a": "one two three four"}]', 0),
    "encoded": ("QUFBQUFBQUFBQUFBQUFB QUFBQUFBQUFBQUFBQUFBQUFBQUFB", 0),
    "short": ("one two", 0),
}


@pytest.mark.parametrize(("text", "expected"), WORDS.values(), ids=WORDS)
def test_estimate_words(text: str, expected: int) -> None:
    """Only prose has words."""
    assert expected == estimate_words(text)


FOUND = {
    "a string of markup": ({"props": {"story": STORY}}, "props.story.body", HTML_BODY),
    "nodes of an editor": (
        {"story": {"title": TITLE, "doc": {"content": NODES}}},
        "story.doc.content",
        HTML_BODY,
    ),
    "paragraphs": ({"title": TITLE, "text": list(PARAGRAPHS)}, "text", HTML_BODY),
    "plain text": ({"title": TITLE, "text": "\n\n".join(PARAGRAPHS)}, "text", HTML_BODY),
    "among others": ({"posts": [OTHER_STORY, STORY, OTHER_STORY]}, "posts[1].body", HTML_BODY),
    "among all else": ({"menu": MENU, "terms": " ".join(OTHER), "s": STORY}, "s.body", HTML_BODY),
}


@pytest.mark.parametrize(("value", "path", "markup"), FOUND.values(), ids=FOUND)
def test_find_main_text(value: object, path: str, markup: str) -> None:
    """The text that goes with the page's title is found, however it is written."""
    found = find(value)
    assert found is not None
    assert (path, markup) == (found.path, found.markup)


def test_find_main_text_is_the_innermost_with_nearly_all() -> None:
    """The surroundings of a text on its page are not part of it."""
    parts = [
        {"type": "section", "children": NODES},
        {"type": "section", "children": [{"type": "p", "children": ["More on the harbour soon."]}]},
    ]
    found = find({"title": TITLE, "parts": parts})
    assert found is not None
    assert "parts[0].children" == found.path


def test_find_main_text_by_words_of_the_title() -> None:
    """Without a heading nearby, a text must match most words of the title to be the page's."""
    assert find({"x": HTML_BODY}) is not None
    assert find({"x": HTML_BODY}, "Ferries to the islands leave from another pier") is None


NONE = {
    "another story": OTHER_STORY,
    "a list of cards": {
        "title": TITLE,
        "cards": [{"type": "card", "title": f"{n}", "text": PARAGRAPHS[n]} for n in range(5)],
    },
    "translations": {f"key{n}": f"Sign in to see item {n} of your basket" for n in range(99)},
    "short text": {"headline": TITLE, "body": PARAGRAPHS[0]},
    "code": {"headline": TITLE, "body": "if (a) { b = c; } " * 60},
    "nothing": None,
}


@pytest.mark.parametrize("value", NONE.values(), ids=NONE)
def test_find_main_text_when_there_is_none(value: object) -> None:
    """Data that is not the page's own text is not taken for it."""
    assert find(value) is None


def test_find_main_text_in_a_flood() -> None:
    """A million elements are looked at up to a limit."""
    assert find({"numbers": [1] * 1_000_000, "texts": ["x"] * 1_000_000, "s": STORY}) is not None


def test_find_main_text_in_a_cycle() -> None:
    """Cyclic data is read once."""
    story: dict[str, JsonValue] = {"headline": TITLE, "body": HTML_BODY}
    story["parent"] = [story, story]
    found = find(story)
    assert found is not None
    assert "body" == found.path


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30) | st.just(HTML_BODY),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(("type", "title", "text", "children", "url")), inner)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_find_main_text_of_anything(value: object) -> None:
    """Any value has a main text or none."""
    found = find(value)
    assert found is None or found.words > 0
