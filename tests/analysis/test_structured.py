"""read_structured(): results, and robustness against any page."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.analysis.structured import MAX_DEPTH, Structured, guess_language, read_structured
from thresher.page.parse import parse


def read(html: str) -> Structured:
    return read_structured(parse(html))


def script(content: str) -> str:
    return f'<script type="application/ld+json">{content}</script>'


GOOD = {"@type": "Article", "headline": "Rye"}

# A JSON-LD script that is not quite JSON, and the headline that must still be read from it.
SLOPPY = (
    ('{"headline": "one\ntwo"}', "one\ntwo"),
    ('//<![CDATA[\n{"headline": "Rye"}\n//]]>', "Rye"),
    ('<!-- {"headline": "Rye"} -->', "Rye"),
    ('{"headline": "Rye"};', "Rye"),
    ('{"headline": "Rye"}}}', "Rye"),
    ('\ufeff {"headline": "Rye"}', "Rye"),
    ('{"headline": "Rye", "ratingValue": NaN}', "Rye"),
    ('{"headline": "R\\ud800e"}', "R\ufffde"),
)

# A JSON-LD script that no reader can make sense of.
BROKEN = (
    "",
    "{",
    "Rye",
    "{'headline': 'Rye'}",
    '{"headline": "Rye"',
    "[" * 100_000,
    "[" * 100_000 + "]" * 100_000,
    '{"a":' * 100_000 + "1" + "}" * 100_000,
    '{"price": ' + "9" * 10_000 + "}",
    "null",
    "[1, 2, [3]]",
)


def test_json_ld_when_in_lists_and_graphs_is_flat_and_in_order() -> None:
    """Objects in lists and graphs come out one by one, in the order of the page."""
    first = script('[{"name": "a"}, [{"name": "b"}]]')
    graph = {"@context": "https://schema.org", "@graph": [{"name": "c"}, {"name": "d"}]}
    found = read(first + script(json.dumps(graph)) + script('{"name": "e"}')).json_ld
    assert ["a", "b", "c", "d", "e"] == [entity["name"] for entity in found]


def test_json_ld_when_a_graph_has_own_properties_keeps_them() -> None:
    """An object that has a graph and a name of its own comes out before its graph's."""
    found = read(script('{"name": "a", "@graph": [{"name": "b"}]}')).json_ld
    assert ({"name": "a"}, {"name": "b"}) == found


@pytest.mark.parametrize(("content", "headline"), SLOPPY)
def test_json_ld_when_sloppy_is_read(content: str, headline: str) -> None:
    """Common errors of real pages do not lose the object."""
    assert headline == read(script(content)).json_ld[0]["headline"]


@pytest.mark.parametrize("content", BROKEN)
def test_json_ld_when_one_script_is_broken_keeps_the_others(content: str) -> None:
    """Invalid JSON affects only its own script."""
    assert (GOOD,) == read(script(content) + script(json.dumps(GOOD))).json_ld


def test_json_ld_when_type_has_case_spaces_or_parameters_is_read() -> None:
    """The type of a script is compared as a media type."""
    html = '<script type=" Application/LD+JSON; charset=utf-8">{"name": "a"}</script>'
    assert ({"name": "a"},) == read(html).json_ld


def test_json_ld_when_deep_is_cut_at_the_limit() -> None:
    """Objects keep only so many levels, so that whoever walks them may recurse."""
    value: object = "leaf"
    for _ in range(3 * MAX_DEPTH):
        value = {"in": value}
    (entity,) = read(script(json.dumps(value))).json_ld
    assert "leaf" not in json.dumps(entity)
    assert MAX_DEPTH == json.dumps(entity).count("{")


def test_json_ld_when_numbers_are_beyond_floats_has_none() -> None:
    """Infinity, which JSON cannot write, does not come out."""
    assert ({"a": None, "b": 1.5},) == read(script('{"a": 1e999, "b": 1.5}')).json_ld


def test_microdata_when_nested_has_the_shape_of_json_ld() -> None:
    """Items are objects with a type, values in lists, items in items."""
    html = """
      <article itemscope itemtype="https://schema.org/NewsArticle" itemid="#a">
        <h1 itemprop="headline">Rye</h1>
        <p itemprop="author" itemscope itemtype="https://schema.org/Person">
          <span itemprop="name">Ada Roth</span></p>
        <time itemprop="datePublished" datetime="2024-05-03">May</time>
      </article>"""
    person = {"@type": ["Person"], "name": ["Ada Roth"]}
    expected = {
        "@type": ["NewsArticle"],
        "@id": "#a",
        "headline": ["Rye"],
        "author": [person],
        "datePublished": ["2024-05-03"],
    }
    assert (expected,) == read(html).microdata


def test_microdata_when_references_multiply_does_not() -> None:
    """A chain of itemref that describes 2**100 items is read in no time."""
    html = "<div itemscope itemref=i0></div>"
    for i in range(100):
        part = f"<div itemscope itemprop=%s itemref=i{i + 1}></div>"
        html += f"<div id=i{i}>{part % 'a'}{part % 'b'}</div>"
    assert ({},) == read(html).microdata


def test_microdata_when_items_are_nested_too_deep_is_left_out() -> None:
    """Items nested a hundred thousand deep cost the microdata, nothing else."""
    html = "<title>Rye</title>" + "<div itemscope itemprop=a>" * 100_000
    found = read("<div itemscope>" + html)
    assert () == found.microdata
    assert "Rye" == found.title


def test_meta_when_repeated_keeps_all_in_order_by_lower_case_name() -> None:
    """Names, properties and http-equiv share one table; empty contents are left out."""
    html = (
        '<meta name="DC.Creator" content=" Ada "><meta name="dc.creator" content="Tom">'
        '<meta property="og:title" content="Rye"><meta http-equiv="Content-Language" content="en">'
        '<meta name="keywords" content=" "><meta content="x"><meta name="">'
    )
    found = read(html)
    assert {
        "dc.creator": ["Ada", "Tom"],
        "og:title": ["Rye"],
        "content-language": ["en"],
    } == found.meta
    assert {"og:title": ["Rye"]} == found.opengraph
    assert {"dc.creator": ["Ada", "Tom"]} == found.dublin_core


def test_links_when_a_rel_has_several_words_are_found_by_each() -> None:
    """An address is listed under every word of its rel."""
    html = '<link rel="canonical" href="/a"><a rel="License nofollow" href="/b">x</a><a rel=x>y</a>'
    expected = {"canonical": ["/a"], "license": ["/b"], "nofollow": ["/b"]}
    assert expected == read(html).links


def test_document_when_it_has_language_base_and_title() -> None:
    """Language, base and title are read as written; a drawing's title is not the page's."""
    html = '<html lang=en-GB><base href="/a/"><svg><title>x</title></svg><title>Rye &amp; oats'
    found = read(html)
    assert ("en-GB", "/a/", "Rye & oats") == (found.html_lang, found.base_href, found.title)


def test_structured_when_the_page_has_none_is_empty() -> None:
    """A page without structured data gives nothing."""
    assert Structured((), (), {}, {}, None, None, None) == read("<p>Rye")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The farmers thresh their rye before the rain, as they have always done.", "eng"),
        ("Die Bauern dreschen ihren Roggen vor dem Regen, wie sie es immer getan haben.", "deu"),
        ("农民在下雨前打谷", "cmn"),
    ],
)
def test_guess_language_when_text_is_plain(text: str, code: str) -> None:
    """Plain sentences are recognised."""
    found = guess_language(text)
    assert found is not None
    assert code == found.code


def test_guess_language_when_there_are_no_letters_is_none() -> None:
    """Digits and symbols have no language."""
    assert guess_language("2024 – 05") is None


@given(soups(), st.text())
def test_read_structured_never_fails_on_tag_soup(soup: str, text: str) -> None:
    """Structured data of any page must be valid JSON and survive pickling."""
    found = read(soup + script(text) + f"<div itemscope itemprop=a {text}>")
    json.dumps([found.json_ld, found.microdata, found.meta, found.links], allow_nan=False)
    assert found == pickle.loads(pickle.dumps(found))


def test_meta_when_the_content_is_called_value() -> None:
    """A value counts where there is no content."""
    html = "<meta name=author value=Ada><meta name=date content=2024-05-03 value=x>"
    assert {"author": ["Ada"], "date": ["2024-05-03"]} == read(html).meta
