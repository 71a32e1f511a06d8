"""read_microdata(): items, their properties and values."""

from __future__ import annotations

import json

import pytest

from thresher.analysis.structured import MAX_DEPTH, Entity, read_microdata
from thresher.page.parse import parse


def read(html: str) -> tuple[Entity, ...]:
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
    assert (expected,) == read(html)


def test_microdata_when_references_multiply_does_not() -> None:
    """A chain of itemref that describes 2**100 items is read in no time."""
    html = "<div itemscope itemref=i0></div>"
    for i in range(100):
        part = f"<div itemscope itemprop=%s itemref=i{i + 1}></div>"
        html += f"<div id=i{i}>{part % 'a'}{part % 'b'}</div>"
    assert ({},) == read(html)


def test_microdata_when_items_are_nested_too_deep_is_cut() -> None:
    """Items nested a hundred thousand deep keep only so many levels."""
    (found,) = read("<div itemscope>" + "<div itemscope itemprop=a>" * 100_000)
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
    assert ({"x": [value]},) == read(f"<div itemscope>{html}")


def test_properties_belong_to_the_item_around_them() -> None:
    """Not those of an item in it, those in a template, or those without an item."""
    html = """<p itemprop=a>1</p><div itemscope><p itemprop="b c b">2</p><p itemprop=b>3</p>
      <div itemscope><p itemprop=d>4</p></div><template><p itemprop=e>5</p></template></div>"""
    assert ({"b": ["2", "3"], "c": ["2"]}, {"d": ["4"]}) == read(html)


def test_item_in_a_template_is_read_by_itself() -> None:
    """It is no part of the item around the template."""
    html = "<div itemscope><template><div itemscope><p itemprop=a>1</p></div></template></div>"
    assert ({}, {"a": ["1"]}) == read(html)
