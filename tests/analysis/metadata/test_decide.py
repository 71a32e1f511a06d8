"""Evidence of a page is weighed, and the better of several sources decides a field."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, Final

import pytest

from tests.helpers.data import cases
from tests.helpers.known import known
from thresher.analysis.metadata import Field, Metadata, rules
from thresher.analysis.metadata.decide import (
    AGREEMENT_GAIN,
    CONFLICT_LOSS,
    MAX_VALUES,
    WEAK_FACTOR,
    BuiltValue,
    Claim,
    FieldRule,
    FieldSource,
    RefinedValue,
    about_article,
    about_item,
    about_page,
    decide_field,
    in_link,
    in_meta,
    on_page,
)
from thresher.analysis.metadata.evidence import PageEvidence, text_of, type_of, values_of
from thresher.analysis.structured import JsonValue
from thresher.page.parse import parse

ARTICLE = {"@type": "NewsArticle", "headline": "Rye", "author": {"@id": "#ada"}}
PERSON: dict[str, JsonValue] = {"@id": "#ada", "@type": "Person", "name": "Ada Roth"}
WEB_PAGE = {"@type": ["WebPage"], "name": "Rye | Sheaf"}
HTML = f"""
  <script type="application/ld+json">{json.dumps([ARTICLE, PERSON, WEB_PAGE])}</script>
  <meta name="author" content="Ada"><meta name="author" content="Tom">
  <link rel="canonical" href="/rye">
  <div itemscope itemtype="https://schema.org/Article"><p itemprop="headline">Oats</p></div>"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (about_article(0.5, "name headline"), [Claim("json-ld:NewsArticle.headline", ["Rye"])]),
        (about_article(0.5, "author"), [Claim("json-ld:NewsArticle.author", [PERSON])]),
        (about_page(0.5, "name"), [Claim("json-ld:WebPage.name", ["Rye | Sheaf"])]),
        (about_item(0.5, "headline"), [Claim("microdata:Article.headline", ["Oats"])]),
        (in_meta(0.5, "byl author"), [Claim("meta:author", ["Ada", "Tom"])]),
        (in_link(0.5, "canonical"), [Claim("link:canonical", ["/rye"])]),
        (on_page(0.5, "page:h1", lambda _: ["a", None, "", "b"]), [Claim("page:h1", ["a", "b"])]),
        (on_page(0.5, "page:h1", lambda _: [None]), []),
        (in_link(0.5, "license"), []),
    ],
)
def test_reader_when_the_page_speaks(source: FieldSource, expected: list[Claim]) -> None:
    """A claim names its place and holds all values in order; silence is no claim."""
    assert expected == list(source.read(PageEvidence(parse(HTML))))


def test_reader_when_there_are_thousands_of_values_keeps_the_first() -> None:
    """The number of values of one source is limited."""
    (claim,) = in_meta(0.5, "a").read(
        PageEvidence(parse("<meta name=a content=b>" * 3 * MAX_VALUES))
    )
    assert MAX_VALUES == len(claim.values)


EVIDENCE: Final = PageEvidence(parse("<p>Rye"))


def says(family: str, value: str | None, trust: float = 0.5) -> FieldSource:
    claims = [Claim(f"{family}:x", [value])] if value else []
    return FieldSource(family, trust, lambda _: claims)


def build(claim: Claim, _: PageEvidence) -> BuiltValue[str] | None:
    value = str(claim.values[0])
    return None if value == "useless" else BuiltValue(value, is_weak=value.startswith("weak"))


def decide(*sources: FieldSource) -> Field[str] | None:
    return decide_field(FieldRule(sources, build, str.casefold), EVIDENCE)


JSON_LD, META, PAGE = "json-ld", "meta", "page"


WEAK = says(JSON_LD, "weak rye", 0.8)


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        ([], None),
        ([says(META, None), says(PAGE, "useless")], None),
        ([says(META, "rye")], Field("rye", "meta:x", 0.5)),
        ([says(JSON_LD, "useless"), says(META, "oats")], Field("oats", "meta:x", 0.5)),
        ([WEAK, says(META, "oats")], Field("oats", "meta:x", 0.5)),
        ([WEAK], Field("weak rye", "json-ld:x", 0.8 * WEAK_FACTOR)),
        ([says(META, "rye", 0.2), says(JSON_LD, "oats", 0.9)], Field("rye", "meta:x", 0.15)),
    ],
)
def test_decide_field_takes_the_first_usable_value(
    sources: list[FieldSource], expected: Field[str] | None
) -> None:
    """The first in order, however much others are trusted; a weak one only if there is no other."""
    assert expected == decide(*sources)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (says(JSON_LD, "RYE"), 0.5 + 0.5 * 0.5 * AGREEMENT_GAIN),
        (says(JSON_LD, "oats"), 0.5 - 0.5 * 0.5 * CONFLICT_LOSS),
        (says(META, "RYE"), 0.5),
        (says(META, "oats"), 0.5),
        (says(JSON_LD, "weak oats"), 0.5),
    ],
)
def test_decide_field_when_there_is_another_source_adjusts_the_confidence(
    other: FieldSource, expected: float
) -> None:
    """Another family's word raises or lowers confidence; the own family's and weak ones do not."""
    assert round(expected, 2) == known(decide(says(META, "rye"), other)).confidence


def test_decide_field_when_all_agree_is_never_beyond_certain() -> None:
    """Confidence never exceeds 1."""
    families = (JSON_LD, META, PAGE, "link", "url", "text")
    found = known(decide(*(says(family, "rye", 0.9) for family in families)))
    assert 0.9 < found.confidence <= 1


def test_decide_field_when_a_last_resort_is_not_needed_does_not_read_it() -> None:
    """A last resort is read only if no source has a good value."""
    asked: list[str] = []

    def read(_: PageEvidence) -> list[Claim]:
        asked.append("page")
        return [Claim("page:x", ["oats"])]

    last = FieldSource(PAGE, 0.3, read, is_last_resort=True)
    assert Field("rye", "meta:x", 0.5) == decide(says(META, "rye"), last)
    assert [] == asked
    assert Field("oats", "page:x", 0.3) == decide(says(META, "useless"), last)
    assert ["page"] == asked


def test_decide_field_when_values_agree_without_being_the_same() -> None:
    """A rule can accept values with different keys as agreeing."""
    sources = (says(META, "rye"), says(PAGE, "rye bread"))
    rule = FieldRule(sources, build, str.casefold, agree=lambda one, other: one in other)
    assert known(decide(*sources)).confidence < 0.5 < known(decide_field(rule, EVIDENCE)).confidence


def test_decide_field_when_a_value_can_be_refined_has_the_label_of_the_evidence() -> None:
    """The refined value stands with its own source and the confidence of the first."""
    rule = FieldRule(
        (says(META, "rye"),),
        build,
        str.casefold,
        refine=lambda value, _: RefinedValue(f"{value} bread", "page:y"),
    )
    assert Field("rye bread", "page:y", 0.5) == decide_field(rule, EVIDENCE)


def test_rules_are_one_for_each_field() -> None:
    """Every field of the metadata has its rule, in the same order."""
    assert [field.name for field in fields(Metadata)] == list(rules.FIELDS)


@pytest.mark.parametrize("rule", rules.FIELDS.values(), ids=rules.FIELDS)
def test_rule_when_the_page_is_empty_has_no_claim(rule: FieldRule[object]) -> None:
    """An empty page gives no claims, and no source is trusted without limit."""
    evidence = PageEvidence(parse(""))
    assert [] == [claim for source in rule.sources for claim in source.read(evidence)]
    assert all(0 < source.trust < 1 for source in rule.sources)


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
    assert ["Rye is back"] == known(found)["headline"]


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
