"""Claims of the readers in the tables."""

from __future__ import annotations

import json

import pytest

from thresher.analysis.metadata.decide import (
    MAX_VALUES,
    Claim,
    Family,
    Reader,
    about_article,
    about_item,
    about_page,
    family_of,
    in_link,
    in_meta,
    on_page,
)
from thresher.analysis.metadata.evidence import PageEvidence
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
