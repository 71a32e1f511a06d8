"""Structured data of pages: results, and robustness against any page."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.trees import soups
from thresher.analysis.structured import (
    MAX_DEPTH,
    Entity,
    find_json_ld,
    read_json_ld,
    read_language,
    read_linked,
    read_meta,
    read_microdata,
    read_title,
)
from thresher.page.parse import parse

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


def read_script(script: str) -> list[Entity]:
    return list(read_json_ld(script))


def test_json_ld_when_a_graph_has_own_properties_keeps_them() -> None:
    """An object that has a graph and a name of its own comes out before its graph's."""
    found = read_script('{"name": "a", "@graph": [{"name": "b"}]}')
    assert [{"name": "a"}, {"name": "b"}] == found


@pytest.mark.parametrize(("content", "headline"), SLOPPY)
def test_json_ld_when_sloppy_is_read(content: str, headline: str) -> None:
    """Common errors of real pages do not lose the object."""
    assert headline == read_script(content)[0]["headline"]


def test_json_ld_when_deep_is_cut_at_the_limit() -> None:
    """Objects keep only so many levels, so that whoever walks them may recurse."""
    value: object = "leaf"
    for _ in range(3 * MAX_DEPTH):
        value = {"in": value}
    (entity,) = read_script(json.dumps(value))
    assert "leaf" not in json.dumps(entity)
    assert MAX_DEPTH == json.dumps(entity).count("{")


def test_json_ld_when_numbers_are_beyond_floats_has_none() -> None:
    """Infinity, which JSON cannot write, does not come out."""
    assert [{"a": None, "b": 1.5}] == read_script('{"a": 1e999, "b": 1.5}')


@pytest.mark.parametrize("content", BROKEN)
def test_json_ld_when_broken_is_nothing(content: str) -> None:
    """Invalid JSON yields no object."""
    assert [] == read_script(content)


def read_items(html: str) -> tuple[Entity, ...]:
    return read_microdata(parse(html))


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
    assert (expected,) == read_items(html)


def test_microdata_when_references_multiply_does_not() -> None:
    """A chain of itemref that describes 2**100 items is read in no time."""
    html = "<div itemscope itemref=i0></div>"
    for i in range(100):
        part = f"<div itemscope itemprop=%s itemref=i{i + 1}></div>"
        html += f"<div id=i{i}>{part % 'a'}{part % 'b'}</div>"
    assert ({},) == read_items(html)


def test_microdata_when_items_are_nested_too_deep_is_cut() -> None:
    """Items nested a hundred thousand deep keep only so many levels."""
    (found,) = read_items("<div itemscope>" + "<div itemscope itemprop=a>" * 100_000)
    assert MAX_DEPTH + 1 == json.dumps(found).count("{")


VALUES = {
    "<a itemprop=x href=' /a '>b</a>": " /a ",
    "<a itemprop=x>b</a>": "",
    "<img itemprop=x src=b alt=c>": "b",
    "<meta itemprop=x content=b>": "b",
    "<data itemprop=x value=1>b</data>": "1",
    "<object itemprop=x data=b></object>": "b",
    "<time itemprop=x datetime=2024>May</time>": "2024",
    "<time itemprop=x>May</time>": "May",
    "<time itemprop=x datetime>May</time>": "May",
    "<p itemprop=x>a <b>b</b><script>c</script><style>d</style></p>": "a b",
    "<input itemprop=x value=b>": "",
}


@pytest.mark.parametrize(("html", "value"), VALUES.items())
def test_value_of_a_property(html: str, value: str) -> None:
    """An address, a stated value or the text without code, depending on the element."""
    assert ({"x": [value]},) == read_items(f"<div itemscope>{html}")


def test_properties_belong_to_the_item_around_them() -> None:
    """Not those of an item in it, those in a template, or those without an item."""
    html = """<p itemprop=a>1</p><div itemscope><p itemprop="b c b">2</p><p itemprop=b>3</p>
      <div itemscope><p itemprop=d>4</p></div><template><p itemprop=e>5</p></template></div>"""
    assert ({"b": ["2", "3"], "c": ["2"]}, {"d": ["4"]}) == read_items(html)


def test_item_in_a_template_is_read_by_itself() -> None:
    """It is no part of the item around the template."""
    html = "<div itemscope><template><div itemscope><p itemprop=a>1</p></div></template></div>"
    assert ({}, {"a": ["1"]}) == read_items(html)


def script(content: str) -> str:
    return f'<script type="application/ld+json">{content}</script>'


BEGUN = '<script type="application/ld+json">{"name": "R&amp;D"}'


@cases(__file__, "names")
def test_json_ld_of_scripts(html: str, names: list[str]) -> None:
    """Objects of all scripts of the media type come out in the order of the page."""
    assert names == [entity["name"] for entity in find_json_ld(parse(html))]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<meta name="DC.Creator" content=" Ada "><meta name="dc.creator" content="Tom">'
            '<meta property="og:title" content="Rye"><meta http-equiv="Content-Language"'
            ' content="en"><meta name="keywords" content=" "><meta content="x"><meta name="">',
            {"dc.creator": ["Ada", "Tom"], "og:title": ["Rye"], "content-language": ["en"]},
        ),
        (
            "<meta name=author value=Ada><meta name=date content=2024-05-03 value=x>",
            {"author": ["Ada"], "date": ["2024-05-03"]},
        ),
    ],
)
def test_meta_is_in_order_by_lower_case_name(html: str, expected: dict[str, list[str]]) -> None:
    """Names, properties and http-equiv share one table; a value counts if there is no content."""
    assert expected == read_meta(parse(html))


def test_links_when_a_rel_has_several_words_are_found_by_each() -> None:
    """An address is listed under every word of its rel."""
    html = '<link rel="canonical" href="/a"><a rel="License nofollow" href="/b">x</a><a rel=x>y</a>'
    page = parse(html)
    assert [["/a"], ["/b"], ["/b"], []] == [
        read_linked(page, rel) for rel in ("canonical", "license", "nofollow", "x")
    ]


def test_document_when_it_has_language_and_title() -> None:
    """Language and title are read as written; a drawing's title is not the page's."""
    html = "<html lang=en-GB><svg><title>x</title></svg><title>Rye &amp; oats"
    page, none = parse(html), parse("<p>Rye")
    assert ("en-GB", "Rye & oats") == (read_language(page), read_title(page))
    assert (None, None) == (read_language(none), read_title(none))


@given(soups(), st.text())
def test_structured_data_never_fail_on_tag_soup(soup: str, text: str) -> None:
    """Structured data of any page must be valid JSON."""
    page = parse(soup + script(text) + f"<div itemscope itemprop=a {text}>")
    found = find_json_ld(page), read_microdata(page), read_meta(page), read_linked(page, "a")
    json.dumps(found, allow_nan=False)
