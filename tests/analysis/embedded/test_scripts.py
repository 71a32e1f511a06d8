"""Scripts are found and read, and the main text in their values."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.embedded.pages import HTML_BODY, NODES, OTHER, PARAGRAPHS, STORY, TITLE
from tests.helpers.known import known
from thresher.analysis.embedded.scripts import MAX_FAILURES, read_flight, read_texts, read_values
from thresher.analysis.embedded.state import MainText, estimate_words, find_main_text
from thresher.analysis.script_elements import (
    MAX_SCRIPT_CHARS,
    MIN_SCRIPT_CHARS,
    Script,
    find_scripts,
)
from thresher.analysis.structured import JsonValue


def test_find_scripts_skips_the_short_and_the_huge() -> None:
    """A script is read if it is neither too short nor too long."""
    sizes = (MIN_SCRIPT_CHARS - 1, MIN_SCRIPT_CHARS, MAX_SCRIPT_CHARS + 1)
    source = "".join(f"<script>{'x' * size}</script>" for size in sizes)
    assert [MIN_SCRIPT_CHARS] == [len(script.text) for script in find_scripts(source)]


@pytest.mark.parametrize("source", ["<script", "<script>" + "x" * 999, "</script><script >x"])
def test_find_scripts_when_never_closed(source: str) -> None:
    """An unclosed script is ignored."""
    assert [] == list(find_scripts(source))


def test_is_json_ld_by_its_type() -> None:
    """JSON-LD is recognised by the start tag, in any case and with any quotes."""
    body = "x" * MIN_SCRIPT_CHARS
    source = f"<script TYPE='application/LD+JSON'>{body}</script><script>{body}</script>"
    assert [True, False] == [script.is_json_ld for script in find_scripts(source)]


PLAIN = "<script>"
VALUE = {"a": ["x", "y'\"\\\n</"], "b": {"c": "é"}}
JSON = json.dumps(VALUE)
SLASHED = JSON.replace("\\", "\\\\")
JSON_TAG = "<script type=application/json>"
NUXT_TAG = "<script id=__nuxt_data__>"


def read(text: str, tag: str = PLAIN) -> list[object]:
    return list(read_values(Script(tag, text)))


WRITTEN = {
    "assigned": f"window.STATE = {JSON};",
    "handed to a call": f"load({JSON})",
    "parsed, double quotes": f"window.S = JSON.parse({json.dumps(JSON)})",
    "parsed, single quotes": "S=JSON.parse('" + SLASHED.replace("'", "\\'") + "')",
    "parsed, hexadecimal": "S=JSON.parse('" + SLASHED.replace("'", "\\x27") + "')",
    "after code": f"if (a < b) {{ c = d[0]; }} S = {JSON}",
    "after a list that is none": f"a = [[b]]; S = {JSON}",
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_read_values_of_a_plain_script(text: str) -> None:
    """Data is found wherever it is assigned or handed to a call, spelled as JSON or as a string."""
    assert VALUE in read(text)


LONG_WORDS = "word " * 100


@pytest.mark.parametrize(
    ("text", "tag", "expected"),
    [
        # A string of JSON may be encoded as an address.
        ("S=JSON.parse(decodeURIComponent('%7B%22a%22%3A%22b%20c%22%7D'))", PLAIN, [{"a": "b c"}]),
        ('S={"a":undefined,"b":[undefined,1]};', PLAIN, [{"a": None, "b": [None, 1]}]),
        # A script of JSON is one value, whatever is around it.
        (f"\n<!-- {JSON} -->", '<script type="application/json">', [VALUE]),
        # Data that is JavaScript gives its long strings, unescaped.
        (
            f'S=[["a",b]];T={{a:"{LONG_WORDS}\\"\\u003cp\\x3e",b:1}}',
            PLAIN,
            [[LONG_WORDS + '"<p>']],
        ),
    ],
)
def test_read_values_of_other_scripts(text: str, tag: str, expected: list[object]) -> None:
    """Encoded strings, undefined values, scripts of JSON and strings of JavaScript are read."""
    assert expected == read(text, tag)


def test_read_values_of_nuxt_3_are_put_together() -> None:
    """The flat list of Nuxt 3 becomes what it stands for, cycles included."""
    flat = [["Reactive", 1], {"title": 2, "tags": 3, "self": 1, "bad": 99, "on": True}, "T", [2, 2]]
    [value] = read(json.dumps(flat), '<script id="__nuxt_data__" type="application/json">')
    assert isinstance(value, list)
    found = value[1]
    assert ("T", ["T", "T"], None) == (found["title"], found["tags"], found["bad"])
    assert found["self"] is found


HOSTILE = {
    "open brackets": 'S = [["' + "[" * 200_000,
    "nested": "S = [" + "[" * 200_000 + "]" * 200_000,
    "nested objects": "S = " + '{"a":' * 100_000 + "1" + "}" * 100_000,
    "open string": 'S=JSON.parse("' + "x\\" * 100_000,
    "assignments": '={"' * 100_000,
    "undefined": '={"a":undefined' + ",undefined" * 100_000,
    "digits": '={"a":' + "9" * 100_000 + "}",
    "half a character": 'S={"a":"\\ud800"}',
    "spaces": ("=" + " " * 50_000) * 10,
    "quotes": '="' * 100_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("tag", [PLAIN, JSON_TAG, NUXT_TAG])
def test_read_values_of_hostile_scripts(text: str, tag: str) -> None:
    """No script raises an error or is read repeatedly."""
    assert MAX_FAILURES >= len(read(text, tag))


def push(piece: str) -> str:
    return f"self.__next_f.push([1,{json.dumps(piece)}])"


def test_read_flight_across_calls() -> None:
    """A row may be split anywhere; invalid JSON is skipped."""
    stream = '1:I["module"]\n2:{"a":["b",null]}\n3:"$Sreact"\n:HL["x"]'
    pieces = [stream[:9], stream[9:30], stream[30:]]
    rows = read_flight([push(piece) for piece in pieces])
    assert {"2": {"a": ["b", None]}} == rows


def test_read_flight_texts_by_their_bytes() -> None:
    """A text has the length in bytes stated by its row, including line breaks."""
    text = "für\n1:x"
    rows = read_flight([push(f"a:T{len(text.encode()):x},{text}b:[1]\n")])
    assert {"a": text, "b": [1]} == rows


def test_read_flight_references_and_elements() -> None:
    """References are resolved, and elements become objects with a type."""
    element = '["$","p",null,{"children":"$2"}]'
    stream = f'0:[{element},"$L3","$undefined","$$5","$9"]\n2:T3,abc3:{element}\n'
    rows = read_flight([push(stream)])
    assert isinstance(rows, dict)
    written = {"children": "abc", "type": "p"}
    assert [written, written, None, "$5", None] == rows["0"]


def test_read_flight_when_a_row_names_itself() -> None:
    """A cycle stays a cycle and is not followed."""
    rows = read_flight([push('1:{"a":"$1","b":["$1"]}\n')])
    assert isinstance(rows, dict)
    own = rows["1"]
    assert isinstance(own, dict)
    assert own["a"] is own


@pytest.mark.parametrize(
    "piece", ["", "1:", "1:Tffffffff,x", "1:T,", "1:" + "[" * 100_000, "1:[\n" * 999, "1:{\ud800}"]
)
def test_read_flight_when_broken(piece: str) -> None:
    """No stream raises an error."""
    assert isinstance(read_flight([push(piece), "self.__next_f.push([1", "x"]), dict)


@given(st.lists(st.text('0123ab:T,[]{}"$\n', max_size=30), max_size=5))
def test_read_flight_of_anything(pieces: list[str]) -> None:
    """Any pieces give rows."""
    assert isinstance(read_flight(map(push, pieces)), dict)


CASES = {
    "body": ({"@type": "Article", "articleBody": "x"}, [("[0].articleBody", "x")]),
    "body in parts": ({"articleBody": ["x", "y"]}, [("[0].articleBody", "x\n\ny")]),
    "body without a type": ({"articleBody": "x"}, [("[0].articleBody", "x")]),
    "main entity": (
        {"@type": "WebPage", "mainEntity": {"@type": "Article", "articleBody": "x"}},
        [("[0].mainEntity.articleBody", "x")],
    ),
    "graph": ({"@graph": [{"@type": "WebSite"}, {"articleBody": "x"}]}, [("[1].articleBody", "x")]),
    "post": ({"@type": "DiscussionForumPosting", "text": "x"}, [("[0].text", ["x"])]),
    "product": ({"@type": ["Product"], "description": "x"}, [("[0].description", ["x"])]),
    "description of an article": ({"@type": "Article", "description": "x"}, []),
    "text of something else": ({"@type": "Comment", "text": "x"}, []),
    "body of what it links": ({"@type": "Article", "hasPart": {"articleBody": "x"}}, []),
    "no text": ({"articleBody": 7, "@type": "Product", "description": None}, []),
    "type that is none": ({"@type": {"a": 1}, "description": "x"}, []),
}


@pytest.mark.parametrize(("value", "expected"), CASES.values(), ids=CASES)
def test_read_texts(value: object, expected: list[tuple[str, object]]) -> None:
    """Only what is said to be the page's own text comes out, with its place."""
    assert expected == list(read_texts(json.dumps(value)))


def test_read_texts_of_a_recipe() -> None:
    """A recipe is its description, what goes in, and the steps in order."""
    recipe = {
        "@type": "Recipe",
        "description": "Soup",
        "recipeIngredient": ["salt", "leek"],
        "recipeInstructions": [{"@type": "HowToStep", "text": "Boil"}, "Stir", {"image": "x"}],
    }
    [(path, text)] = read_texts(json.dumps(recipe))
    assert "[0].description, recipeIngredient, recipeInstructions" == path
    assert [
        "Soup",
        {"type": "ul", "children": ["salt", "leek"]},
        {"type": "ol", "children": ["Boil", "Stir"]},
    ] == text


@pytest.mark.parametrize("script", ["", "{", "[" * 100_000, "null"])
def test_read_texts_when_broken(script: str) -> None:
    """Invalid JSON has no text."""
    assert [] == list(read_texts(script))


FULL_TITLE = f"{TITLE} | The Harrow Post"
OTHER_STORY = {"headline": "Ferries to the islands", "body": " ".join(OTHER * 3)}
MENU = {"items": [{"label": "News", "url": "/news"}] * 30}


def find(value: object, title: str = FULL_TITLE) -> MainText | None:
    return find_main_text(value, title)  # type: ignore[arg-type]


WORDS = {
    "prose": (PARAGRAPHS[0], len(PARAGRAPHS[0].split())),
    "markup": ("<p class='one two'>three four five</p>", 3),
    "chinese": ("港口的灯夫每天黄昏带着梯子出发，走过十一条街道。", 16),
    "address": ("https://harbour.example/a b c d e", 0),
    "one word": ("a" * 40, 0),
    "code": ("var a = 1; if (a) { b = 2; } else { c = 3; }", 0),
    "json": ('{"a": "one two three four five"}', 0),
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
    found = known(find(value))
    assert (path, markup) == (found.path, found.markup)


def test_find_main_text_is_the_innermost_with_nearly_all() -> None:
    """The surroundings of a text on its page are not part of it."""
    parts = [
        {"type": "section", "children": NODES},
        {"type": "section", "children": [{"type": "p", "children": ["More on the harbour soon."]}]},
    ]
    assert "parts[0].children" == known(find({"title": TITLE, "parts": parts})).path


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
    """Hundreds of thousands of elements are looked at up to a limit."""
    assert find({"numbers": [1] * 200_000, "texts": ["x"] * 200_000, "s": STORY}) is not None


def test_find_main_text_in_a_cycle() -> None:
    """Cyclic data is read once."""
    story: dict[str, JsonValue] = {"headline": TITLE, "body": HTML_BODY}
    story["parent"] = [story, story]
    assert "body" == known(find(story)).path


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
