"""Claims of sources, choice of one value among them, and its confidence."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Final

import pytest

from thresher.analysis.metadata import Field, Metadata, rules
from thresher.analysis.metadata.decide import (
    AGREEMENT_GAIN,
    CONFLICT_LOSS,
    MAX_VALUES,
    WEAK_FACTOR,
    BuiltValue,
    Claim,
    Family,
    FieldRule,
    FieldSource,
    Reader,
    RefinedValue,
    about_article,
    about_item,
    about_page,
    decide_field,
    family_of,
    in_link,
    in_meta,
    on_page,
)
from thresher.analysis.metadata.evidence import PageEvidence
from thresher.analysis.metadata.rules import trust_levels
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
    ("reader", "expected"),
    [
        (about_article("name", "headline"), [Claim("json-ld:NewsArticle.headline", ["Rye"])]),
        (about_article("author"), [Claim("json-ld:NewsArticle.author", [PERSON])]),
        (about_page("name"), [Claim("json-ld:WebPage.name", ["Rye | Sheaf"])]),
        (about_item("headline"), [Claim("microdata:Article.headline", ["Oats"])]),
        (in_meta("byl", "author"), [Claim("meta:author", ["Ada", "Tom"])]),
        (in_link("canonical"), [Claim("link:canonical", ["/rye"])]),
        (on_page("page:h1", lambda _: ["a", None, "", "b"]), [Claim("page:h1", ["a", "b"])]),
        (on_page("page:h1", lambda _: [None]), []),
        (in_link("license"), []),
    ],
)
def test_reader_when_the_page_speaks(reader: Reader, expected: list[Claim]) -> None:
    """A claim names its place and holds all values in order; silence is no claim."""
    assert expected == list(reader(PageEvidence(parse(HTML))))


def test_reader_when_there_are_thousands_of_values_keeps_the_first() -> None:
    """The number of values of one source is limited."""
    (claim,) = in_meta("a")(PageEvidence(parse("<meta name=a content=b>" * 3 * MAX_VALUES)))
    assert MAX_VALUES == len(claim.values)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("og:title", Family.OPENGRAPH),
        ("article:tag", Family.OPENGRAPH),
        ("dcterms.title", Family.DUBLIN_CORE),
        ("twitter:title", Family.META),
    ],
)
def test_family_of(name: str, expected: Family) -> None:
    """A name belongs to the family of its namespace."""
    assert expected is family_of(name)


EVIDENCE: Final = PageEvidence(parse("<p>Rye"))


def says(family: Family, value: str | None, trust: float = 0.5) -> FieldSource:
    claims = [Claim(f"{family.value}:x", [value])] if value else []
    return FieldSource(family, trust, "a test", lambda _: claims)


def build(claim: Claim, _: PageEvidence) -> BuiltValue[str] | None:
    value = str(claim.values[0])
    return None if value == "useless" else BuiltValue(value, is_weak=value.startswith("weak"))


def decide(*sources: FieldSource) -> Field[str] | None:
    return decide_field(FieldRule(sources, build, str.casefold), EVIDENCE)


JSON_LD, META, PAGE = Family.JSON_LD, Family.META, Family.PAGE


def test_decide_field_when_there_is_no_claim_is_none() -> None:
    """Without usable claims there is no field."""
    assert decide() is None
    assert decide(says(META, None), says(PAGE, "useless")) is None


def test_decide_field_when_there_is_one_source_has_its_trust() -> None:
    """The confidence of a single source is its trust."""
    assert Field("rye", "meta:x", 0.5) == decide(says(META, "rye"))


def test_decide_field_when_sources_differ_takes_the_first_in_order() -> None:
    """The order decides, however much the later source is trusted."""
    found = decide(says(META, "rye", 0.2), says(JSON_LD, "oats", 0.9))
    assert found is not None
    assert ("rye", "meta:x") == (found.value, found.source)


def test_decide_field_when_the_first_is_useless_takes_the_next() -> None:
    """A claim without a usable value is skipped."""
    assert Field("oats", "meta:x", 0.5) == decide(says(JSON_LD, "useless"), says(META, "oats"))


def test_decide_field_when_a_value_is_weak_it_stands_only_alone() -> None:
    """A weak value is used only if there is no better one, with less trust."""
    weak = says(JSON_LD, "weak rye", 0.8)
    assert Field("oats", "meta:x", 0.5) == decide(weak, says(META, "oats"))
    assert Field("weak rye", "json-ld:x", 0.8 * WEAK_FACTOR) == decide(weak)


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
    found = decide(says(META, "rye"), other)
    assert found is not None
    assert round(expected, 2) == found.confidence


def test_decide_field_when_all_agree_is_never_beyond_certain() -> None:
    """Confidence never exceeds 1."""
    found = decide(*(says(family, "rye", 0.9) for family in Family))
    assert found is not None
    assert 0.9 < found.confidence <= 1


def test_decide_field_when_a_last_resort_is_not_needed_does_not_read_it() -> None:
    """A last resort is read only if no source has a good value."""
    asked: list[str] = []

    def read(_: PageEvidence) -> list[Claim]:
        asked.append("page")
        return [Claim("page:x", ["oats"])]

    last = FieldSource(PAGE, 0.3, "a test", read, is_last_resort=True)
    assert Field("rye", "meta:x", 0.5) == decide(says(META, "rye"), last)
    assert [] == asked
    assert Field("oats", "page:x", 0.3) == decide(says(META, "useless"), last)
    assert ["page"] == asked


def test_decide_field_when_values_agree_without_being_the_same() -> None:
    """A rule can accept values with different keys as agreeing."""
    sources = (says(META, "rye"), says(PAGE, "rye bread"))
    rule = FieldRule(sources, build, str.casefold, agree=lambda one, other: one in other)
    strict, lenient = (
        decide_field(FieldRule(sources, build, str.casefold), EVIDENCE),
        decide_field(rule, EVIDENCE),
    )
    assert strict is not None
    assert lenient is not None
    assert strict.confidence < 0.5 < lenient.confidence


def test_decide_field_when_a_value_can_be_refined_has_the_label_of_the_evidence() -> None:
    """The refined value stands with its own source and the confidence of the first."""
    rule = FieldRule(
        (says(META, "rye"),),
        build,
        str.casefold,
        refine=lambda value, _: (
            RefinedValue(f"{value} bread", "page:y") if value == "rye" else None
        ),
    )
    assert Field("rye bread", "page:y", 0.5) == decide_field(rule, EVIDENCE)


TABLES = [getattr(rules, name) for name in rules.__all__]
LEVELS = [getattr(trust_levels, name) for name in trust_levels.__all__]


def test_rules_when_listed_are_one_for_each_field() -> None:
    """Every field of the metadata has its table, and every table its field."""
    assert {field.name.upper() for field in fields(Metadata)} == set(rules.__all__)


@pytest.mark.parametrize("rule", TABLES)
def test_rule_has_only_known_levels_and_a_reason_in_each_row(rule: FieldRule[object]) -> None:
    """A reader finds the trust among the levels, and a reason in every row."""
    assert all(source.trust in LEVELS and source.reason for source in rule.sources)


@pytest.mark.parametrize("rule", TABLES)
def test_rule_when_the_page_is_empty_has_no_claim(rule: FieldRule[object]) -> None:
    """An empty page gives no claims."""
    evidence = PageEvidence(parse(""))
    assert [] == [claim for source in rule.sources for claim in source.read(evidence)]
