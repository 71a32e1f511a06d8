"""The object that a page is about, and other evidence about the page and its site."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.helpers.cases import cases
from tests.helpers.known import known
from thresher.analysis.metadata.evidence import PageEvidence, text_of, type_of, values_of
from thresher.analysis.structured import JsonValue
from thresher.page.parse import parse

URL = "https://www.example.org/news/rye"


def weigh(html: str = "", *entities: dict[str, Any], url: str | None = URL) -> PageEvidence:
    script = f'<script type="application/ld+json">{json.dumps(entities)}</script>'
    return PageEvidence(parse(script + html, url=url))


def article(headline: str, **more: object) -> dict[str, object]:
    return {"@type": "NewsArticle", "headline": headline, **more}


# Objects of a page titled "Rye is back", and the headline or name of the one that is it.
MAIN: tuple[tuple[list[dict[str, Any]], str | None], ...] = (
    ([article("Oats"), article("Rye", url=URL)], "Rye"),
    ([article("Oats"), article("Rye", mainEntityOfPage={"@id": URL + "/"})], "Rye"),
    ([article("Oats"), article("Rye", mainEntityOfPage="http://example.org/news/rye")], "Rye"),
    ([article("Oats"), article("Rye is back")], "Rye is back"),
    ([article("Oats"), article("Barley")], "Oats"),
    ([{"@type": "Product", "name": "Flail"}, article("Oats")], "Oats"),
    ([{"@type": "Product", "name": "Flail"}], None),
    ([{"@type": "Recipe", "name": "Rye is back"}], "Rye is back"),
    ([{"@type": "WebPage", "mainEntity": article("Oats")}], "Oats"),
    ([{"@type": "Blog", "blogPost": [article("Oats"), article("Barley")]}], None),
    ([{"@type": "https://schema.org/Article", "headline": "Oats"}], "Oats"),
    ([{"@type": ["CreativeWork", "Article"], "headline": "Oats"}], None),
    ([{"@type": "Organization", "name": "Rye is back"}], None),
    ([{}], None),
)


@pytest.mark.parametrize(("entities", "expected"), MAIN)
def test_article_when_there_are_several_objects(
    entities: list[dict[str, Any]], expected: str | None
) -> None:
    """By address, else by headline; a lone article is it, a lone product need not be."""
    found = weigh("<title>Rye is back | Sheaf</title>", *entities).article
    assert expected == (found and (found.get("headline") or found.get("name")))


def test_article_when_a_front_door_is_given_for_all_goes_by_headline() -> None:
    """The address of the site's front door, given for every article, tells nothing."""
    entities = [article("Oats", url="https://example.org/"), article("Rye is back")]
    found = known(weigh("<h1>Rye is back</h1>", *entities, url="https://example.org/").article)
    assert "Rye is back" == found["headline"]


def test_item_when_teasers_come_first_is_the_page_s_own() -> None:
    """The choice among microdata works as for JSON-LD."""
    item = '<div itemscope itemtype="http://schema.org/Article"><b itemprop=headline>{}</b></div>'
    found = weigh("<h1>Rye is back</h1>" + item.format("Oats") + item.format("Rye is back")).item
    assert found is not None
    assert ["Rye is back"] == found["headline"]


def test_web_page_when_there_are_several_is_the_one_with_the_address() -> None:
    """The entry of the page itself has its address."""
    pages = [{"@type": "WebPage", "name": "a"}, {"@type": "WebPage", "name": "b", "url": URL}]
    assert "b" == known(weigh("", *pages).web_page)["name"]


def test_resolve_when_an_object_is_only_named_finds_it() -> None:
    """A reference becomes the object it names; an unknown one stays."""
    person: JsonValue = {"@id": "#ada", "name": "Ada Roth"}
    evidence = weigh("", {"@id": "#ada", "name": "Ada Roth"})
    assert person == evidence.resolve({"@id": "#ada"})
    assert {"@id": "#tom"} == evidence.resolve({"@id": "#tom"})
    assert "Ada" == evidence.resolve("Ada")


@cases(__file__, "languages")
def test_declared_language(html: str, expected: str | None) -> None:
    """The page's own tag, or one of the same language that names the region."""
    assert expected == PageEvidence(parse(html)).declared_language


def test_site_keys_when_the_site_has_many_names_has_them_all() -> None:
    """Names from Open Graph, JSON-LD and the host all count, general labels do not."""
    meta = '<meta property="og:site_name" content="The Sheaf">'
    evidence = weigh(
        meta,
        article("Rye", publisher={"name": "Sheaf Media"}),
        {"@type": "WebSite", "name": "Sheaf Online"},
        url="https://news.sheaf.co.uk/rye",
    )
    expected = {"thesheaf", "sheafmedia", "sheafonline", "newssheafcouk", "sheaf"}
    assert expected == evidence.site_keys


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        ("", URL, URL),
        ('<base href="/a/">', URL, "https://www.example.org/a/"),
        ('<base href="https://example.com/">', None, "https://example.com/"),
        ('<base href="javascript:x">', URL, URL),
        ("", None, None),
    ],
)
def test_base_url(html: str, url: str | None, expected: str | None) -> None:
    """A base that is an address counts, else the page's own."""
    assert expected == weigh(html, url=url).base_url


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("Article", "Article"),
        (["Article", "X"], "Article"),
        ("https://schema.org/Article/", "Article"),
        ("schema:Article", "Article"),
        (None, ""),
        ({"a": "b"}, ""),
        (5, ""),
    ],
)
def test_type_of(kind: JsonValue, expected: str) -> None:
    """The first type, without its vocabulary."""
    assert expected == type_of({"@type": kind})


def test_values_of_when_one_or_many_is_a_list_without_empty_ones() -> None:
    """One value is a list of one; nothing is an empty list."""
    assert ["a"] == values_of({"x": "a"}, "x")
    assert ["a", "b", {"c": 1}] == values_of({"x": ["a", None, ["b", ""], {"c": 1}, {}]}, "x")
    assert [] == values_of({}, "x") == values_of(None, "x")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", "a"),
        ({"name": "a"}, "a"),
        ({"name": ["a", "b"]}, "a"),
        ({"name": {"@value": "a"}}, None),
        (2024, "2024"),
        (10**400, None),
        (True, None),
        (1.5, None),
        (None, None),
        (["a"], None),
    ],
)
def test_text_of(value: JsonValue, expected: str | None) -> None:
    """Text is a string, a whole number, or the named property of an object."""
    assert expected == text_of(value, "name")
