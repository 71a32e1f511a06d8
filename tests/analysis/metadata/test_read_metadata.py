"""read_metadata() on whole pages: each field from each source, and conflicts."""

from __future__ import annotations

import dataclasses
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import PAGES
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.analysis.metadata import Field, Metadata, read_metadata, read_values
from thresher.analysis.metadata.rules.by_name import LIST_FIELDS, ORDER, TEXT_FIELDS
from thresher.extraction import extract
from thresher.page.parse import parse

URL = "https://www.example.org/farming/rye"


def read(html: str, url: str | None = URL) -> Metadata:
    return read_metadata(parse(html, url=url))


def script(*entities: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(entities)}</script>'


def article(**properties: object) -> str:
    return script({"@context": "https://schema.org", "@type": "NewsArticle", **properties})


def item(content: str) -> str:
    return f'<div itemscope itemtype="https://schema.org/Article">{content}</div>'


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


PERSON = {"@type": "Person", "name": "Ada Roth"}
H1 = "<h1>Rye is back</h1>"

# A field, a page on which one source gives it, the value, and the source that must be named.
FROM_ONE_SOURCE = (
    ("title", article(headline="Rye is back"), "Rye is back", "json-ld:NewsArticle.headline"),
    (
        "title",
        item("<p itemprop=headline>Rye is back"),
        "Rye is back",
        "microdata:Article.headline",
    ),
    ("title", meta("og:title", "Rye is back"), "Rye is back", "opengraph:og:title"),
    ("title", meta("dc.title", "Rye is back"), "Rye is back", "dublin-core:dc.title"),
    ("title", meta("citation_title", "Rye is back"), "Rye is back", "meta:citation_title"),
    ("title", meta("twitter:title", "Rye is back"), "Rye is back", "meta:twitter:title"),
    ("title", script({"@type": "WebPage", "name": "Rye"}), "Rye", "json-ld:WebPage.name"),
    ("title", H1, "Rye is back", "page:h1"),
    ("title", "<title>Rye is back - example.org</title>", "Rye is back", "page:title"),
    ("authors", article(author=PERSON), ("Ada Roth",), "json-ld:NewsArticle.author"),
    ("authors", item("<p itemprop=author>Ada Roth"), ("Ada Roth",), "microdata:Article.author"),
    ("authors", meta("author", "By Ada Roth"), ("Ada Roth",), "meta:author"),
    ("authors", meta("article:author", "Ada Roth"), ("Ada Roth",), "opengraph:article:author"),
    ("authors", meta("dc.creator", "Roth, Ada"), ("Ada Roth",), "dublin-core:dc.creator"),
    ("authors", meta("citation_author", "Roth, Ada"), ("Ada Roth",), "meta:citation_author"),
    ("authors", H1 + "<a rel=author>Ada Roth</a>", ("Ada Roth",), "page:byline"),
    ("authors", H1 + "<p class=byline>Ada Roth", ("Ada Roth",), "page:byline-class"),
    ("authors", H1 + "<p>By Ada Roth", ("Ada Roth",), "page:near-h1"),
    (
        "published",
        article(datePublished="2024-05-03T10:20:30+02:00"),
        "2024-05-03T10:20:30+02:00",
        "json-ld:NewsArticle.datePublished",
    ),
    (
        "published",
        meta("article:published_time", "2024-05-03"),
        "2024-05-03",
        "opengraph:article:published_time",
    ),
    (
        "published",
        item("<time itemprop=datePublished datetime=2024-05-03>"),
        "2024-05-03",
        "microdata:Article.datePublished",
    ),
    (
        "published",
        meta("citation_date", "2024/05/03"),
        "2024-05-03",
        "meta:citation_date",
    ),
    ("published", meta("dc.date", "2024-05-03"), "2024-05-03", "dublin-core:dc.date"),
    (
        "published",
        "<p itemprop=datePublished>3 May 2024",
        "2024-05-03",
        "page:itemprop=datePublished",
    ),
    ("published", H1 + "<time datetime=2024-05-03>", "2024-05-03", "page:time"),
    ("published", "<p class=date>3 May 2024", "2024-05-03", "page:date-class"),
    ("published", H1 + "<p>3 May 2024", "2024-05-03", "page:near-h1"),
    ("published", meta("farm:uploaded", "2024-05-03"), "2024-05-03", "meta:farm:uploaded"),
    ("published", H1 + "<relative-time datetime=2024-05-03>", "2024-05-03", "page:time"),
    ("published", script({}) + "<script>x={publishedAt:'2024-05-03'}", "2024-05-03", "script:date"),
    ("published", "<p>Read 3 May 2024", "2024-05-03", "page:line"),
    (
        "published",
        "<div class=comment><time datetime=2024-05-03></time></div>",
        "2024-05-03",
        "page:time",
    ),
    (
        "published",
        "<article><img src=/2024/05/03/rye.jpg></article>",
        "2024-05-03",
        "text:commonest",
    ),
    (
        "published",
        article(dateModified="2024-05-04"),
        "2024-05-04",
        "json-ld:NewsArticle.dateModified",
    ),
    (
        "modified",
        article(dateModified="2024-05-04"),
        "2024-05-04",
        "json-ld:NewsArticle.dateModified",
    ),
    ("modified", meta("og:updated_time", "2024-05-04"), "2024-05-04", "opengraph:og:updated_time"),
    ("modified", H1 + "<p>Updated <time datetime=2024-05-04>", "2024-05-04", "page:time"),
    ("modified", H1 + "<p class=date>Updated 4 May 2024", "2024-05-04", "page:date-class"),
    ("site_name", meta("og:site_name", "The Sheaf"), "The Sheaf", "opengraph:og:site_name"),
    (
        "site_name",
        article(publisher={"@type": "Organization", "name": "The Sheaf"}),
        "The Sheaf",
        "json-ld:NewsArticle.publisher",
    ),
    (
        "site_name",
        script({"@type": "WebSite", "name": "The Sheaf"}),
        "The Sheaf",
        "json-ld:WebSite.name",
    ),
    ("site_name", "<p>x", "example.org", "url:host"),
    ("description", meta("og:description", "Rye."), "Rye.", "opengraph:og:description"),
    ("description", meta("description", "Rye."), "Rye.", "meta:description"),
    ("description", article(description="Rye."), "Rye.", "json-ld:NewsArticle.description"),
    ("language", "<html lang=en-gb>", "en-GB", "page:lang"),
    ("language", article(inLanguage="de"), "de", "json-ld:NewsArticle.inLanguage"),
    ("language", meta("og:locale", "fr_FR"), "fr-FR", "opengraph:og:locale"),
    ("language", "<p>Die Bauern dreschen ihren Roggen vor dem Regen.", "de", "text:guess"),
    (
        "canonical_url",
        "<link rel=canonical href=/rye>",
        "https://www.example.org/rye",
        "link:canonical",
    ),
    ("canonical_url", meta("og:url", "/rye"), "https://www.example.org/rye", "opengraph:og:url"),
    ("canonical_url", "<p>x", URL, "url:page"),
    ("image", meta("og:image", "/a.jpg"), "https://www.example.org/a.jpg", "opengraph:og:image"),
    (
        "image",
        "<base href=https://example.com/x/>" + article(image=[{"url": "a.jpg"}, "b.jpg"]),
        "https://example.com/x/a.jpg",
        "json-ld:NewsArticle.image",
    ),
    (
        "image",
        "<link rel=image_src href=/a.jpg>",
        "https://www.example.org/a.jpg",
        "link:image_src",
    ),
    ("tags", article(keywords="rye, oats"), ("rye", "oats"), "json-ld:NewsArticle.keywords"),
    ("tags", article(keywords=["rye", "oats"]), ("rye", "oats"), "json-ld:NewsArticle.keywords"),
    (
        "tags",
        meta("article:tag", "rye") + meta("article:tag", "oats"),
        ("rye", "oats"),
        "opengraph:article:tag",
    ),
    ("tags", meta("keywords", "rye,oats"), ("rye", "oats"), "meta:keywords"),
    ("tags", "<a rel=tag>rye</a><a rel=tag>oats</a>", ("rye", "oats"), "page:rel=tag"),
    (
        "licence",
        "<a rel=license href=//creativecommons.org/licenses/by/4.0/>CC</a>",
        "https://creativecommons.org/licenses/by/4.0/",
        "link:license",
    ),
    (
        "licence",
        article(license="https://example.com/l"),
        "https://example.com/l",
        "json-ld:NewsArticle.license",
    ),
    (
        "licence",
        meta("dc.rights", "CC BY-SA 4.0"),
        "https://creativecommons.org/licenses/by-sa/4.0/",
        "dublin-core:dc.rights",
    ),
)


@pytest.mark.parametrize(("name", "html", "value", "source"), FROM_ONE_SOURCE)
def test_field_when_one_source_gives_it(name: str, html: str, value: object, source: str) -> None:
    """Each source can give the field, and is named for it."""
    field = getattr(read(html), name)
    assert (value, source) == (field.value, field.source)
    assert 0 < field.confidence <= 1


# Authors as JSON-LD writes them, and what they must be read as.
AUTHORS = (
    ("Ada Roth", ("Ada Roth",)),
    ("Ada Roth and Tom Beck", ("Ada Roth", "Tom Beck")),
    (["Ada Roth", "Tom Beck"], ("Ada Roth", "Tom Beck")),
    (PERSON, ("Ada Roth",)),
    ([PERSON, {"@type": "Person", "name": "Tom Beck"}], ("Ada Roth", "Tom Beck")),
    ([[PERSON]], ("Ada Roth",)),
    ({"@type": ["Person"], "name": ["Ada Roth"]}, ("Ada Roth",)),
    ([{"@type": "Organization", "name": "Wire"}, PERSON], ("Ada Roth",)),
    ({"@type": "Organization", "name": "Wire & Sons"}, ("Wire & Sons",)),
    ({"@type": "Person", "url": "https://example.org/ada"}, None),
    ({"@id": "#nobody"}, None),
    ("https://example.org/ada", None),
    ("", None),
    (17.5, None),
)


@pytest.mark.parametrize(("author", "expected"), AUTHORS)
def test_authors_when_json_ld_has_any_shape(author: Any, expected: tuple[str, ...] | None) -> None:
    """Text, object, list or list in a list: names come out."""
    field = read(article(author=author)).authors
    assert expected == (field.value if field else None)


def test_authors_when_a_graph_refers_to_a_person_follows() -> None:
    """In a graph the author is a reference to another object."""
    graph = [
        {"@type": "Article", "author": {"@id": "#p"}},
        {"@type": "Person", "@id": "#p", "name": "Ada Roth"},
    ]
    field = read(script({"@graph": graph})).authors
    assert field is not None
    assert ("Ada Roth",) == field.value


def test_authors_when_teasers_have_others_leaves_them_out() -> None:
    """Teasers sign for other articles."""
    teaser = {"@type": "NewsArticle", "headline": "Oats", "author": "Tom Beck", "url": "/oats"}
    own = {"@type": "NewsArticle", "headline": "Rye", "author": PERSON, "url": URL}
    field = read(script(teaser, own, teaser)).authors
    assert field is not None
    assert ("Ada Roth",) == field.value


def test_authors_when_json_ld_names_the_publisher_takes_the_person_shown() -> None:
    """A person who signs is better than the organisation that publishes."""
    html = article(author={"@type": "Organization", "name": "Sheaf Media"})
    field = read(html + H1 + "<a rel=author>Ada Roth</a>").authors
    assert field is not None
    assert (("Ada Roth",), "page:byline") == (field.value, field.source)


def test_title_when_it_is_shown_and_stated_differently_is_the_one_shown() -> None:
    """A headline made for sharing gives way to the one readers see, if they share most words."""
    field = read(H1 + meta("og:title", "Why rye is suddenly back")).title
    assert field is not None
    assert ("Rye is back", "page:h1") == (field.value, field.source)


def test_title_when_the_heading_is_a_widget_s_is_the_one_stated() -> None:
    """An unconfirmed heading is not preferred."""
    html = "<title>Rye is back</title><h1>Your privacy</h1>" + meta("og:title", "Rye is back")
    field = read(html).title
    assert field is not None
    assert "Rye is back" == field.value


@pytest.mark.parametrize(
    "html",
    [
        "<title>Rye is back</title><h1>The Sheaf</h1>",
        "<title>The Sheaf</title><h1>Rye is back</h1>",
        meta("og:title", "The Sheaf") + H1,
        article(headline="The Sheaf") + "<title>Rye is back | The Sheaf</title>",
        article(headline="Rye is back | The Sheaf"),
    ],
)
def test_title_when_a_source_has_only_the_site_s_name_is_another(html: str) -> None:
    """The site's name alone is never the title if there is anything better."""
    field = read(meta("og:site_name", "The Sheaf") + html).title
    assert field is not None
    assert "Rye is back" == field.value


def test_title_when_there_is_nothing_else_is_the_site_s_name() -> None:
    """The title of a home page is the site's name."""
    field = read(meta("og:site_name", "The Sheaf") + "<title>The Sheaf</title>").title
    assert field is not None
    assert "The Sheaf" == field.value


def test_title_when_escaped_twice_is_decoded() -> None:
    """Doubly escaped entities in a headline are decoded."""
    field = read(meta("og:title", "Rye &amp;amp; oats")).title
    assert field is not None
    assert "Rye & oats" == field.value


def test_published_when_sources_agree_is_surer_than_when_they_differ() -> None:
    """Agreement raises confidence, conflict lowers it, and the order decides the value."""
    html = article(datePublished="2024-05-03T08:00:00Z")
    alone = read(html).published
    agreed = read(html + meta("article:published_time", "2024-05-03")).published
    differs = read(html + meta("article:published_time", "2020-01-01")).published
    assert alone is not None and agreed is not None and differs is not None
    assert alone.value == agreed.value == differs.value == "2024-05-03T08:00:00+00:00"
    assert differs.confidence < alone.confidence < agreed.confidence


@pytest.mark.parametrize(
    ("language", "expected"), [("en-US", "2024-03-05"), ("en-GB", "2024-05-03"), ("en", None)]
)
def test_published_when_a_date_could_be_two_goes_by_language(
    language: str, expected: str | None
) -> None:
    """3/5/2024 is read by the page's region, or not at all."""
    field = read(f"<html lang={language}>{H1}<p class=date>03/05/2024").published
    assert expected == (field.value if field else None)


ENGLISH = "The farmers of the valley thresh their rye before the rain comes over the hills. " * 20
GERMAN = "Die Bauern im Tal dreschen ihren Roggen, bevor der Regen über die Hügel kommt. " * 20


@pytest.mark.parametrize(
    ("text", "is_confirmed"),
    [
        (ENGLISH, True),
        (GERMAN[:400] + ENGLISH, True),
        (GERMAN, False),
        (ENGLISH[:400] + GERMAN, False),
        (GERMAN[:90], False),
    ],
)
def test_language_when_declared_is_surer_if_the_words_are_in_it(
    text: str, is_confirmed: bool
) -> None:
    """Words in the middle of a text tell, not those of a menu before it; all of a short text."""
    field, alone = read(f"<html lang=en><p>{text}").language, read("<html lang=en>").language
    assert field is not None and alone is not None
    assert ("en", "page:lang") == (field.value, field.source)
    assert is_confirmed == (field.confidence > alone.confidence)
    assert is_confirmed != (field.confidence < alone.confidence)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Крестьяне долины молотят рожь, пока над холмами не пошёл дождь. " * 30, "ru"),
        ("Κοιτάμε 'The valley'. " * 2 + "The farmers thresh their rye — before rain. " * 30, "en"),
        ("😀😀😀😀 “rye” 😀😀😀 ", "en"),
    ],
)
def test_language_when_declared_in_latin_letters_is_that_of_most_letters(
    text: str, expected: str
) -> None:
    """A third of the letters in another script shows that the template declares a wrong one."""
    field = read(f"<html lang=en><p>{text}").language
    assert expected == (field.value if field else None)


def test_published_when_only_the_address_has_a_date() -> None:
    """A date in the address counts where nothing else does."""
    field = read("<p>x", "https://example.org/2024/05/03/rye").published
    assert field is not None
    assert ("2024-05-03", "url:date") == (field.value, field.source)


def test_modified_when_before_published_is_unknown() -> None:
    """A modification before the publication is rejected."""
    html = article(datePublished="2024-05-03", dateModified="2024-05-01")
    assert read(html).modified is None


def test_canonical_url_when_it_is_the_front_door_is_the_page_s_own() -> None:
    """A template that names the front door for all pages is not believed."""
    field = read("<link rel=canonical href=/>").canonical_url
    assert field is not None
    assert (URL, "url:page") == (field.value, field.source)


def test_image_when_open_graph_has_a_logo_is_the_article_s() -> None:
    """A logo stands in for a picture only where there is none."""
    html = meta("og:image", "/logo.png") + article(image="/rye.jpg")
    field = read(html).image
    assert field is not None
    assert "https://www.example.org/rye.jpg" == field.value


def test_licence_when_pictures_have_several_is_unknown() -> None:
    """Credits of pictures say nothing about the page."""
    licence = "<a rel=license href=//creativecommons.org/licenses/{}/4.0/>x</a>"
    assert read(licence.format("by") + licence.format("by-sa")).licence is None


def test_metadata_when_one_script_is_broken_reads_the_other() -> None:
    """Broken JSON-LD costs only its own script."""
    broken = '<script type="application/ld+json">{"@type": "Article", </script>'
    field = read(broken + article(headline="Rye is back")).title
    assert field is not None
    assert "json-ld:NewsArticle.headline" == field.source


def test_metadata_when_the_page_is_empty_knows_nothing() -> None:
    """Unknown fields are None."""
    assert Metadata() == read("", None)


@pytest.mark.parametrize("html", NASTY_PAGES)
def test_metadata_when_the_page_is_nasty_is_plain(html: str) -> None:
    """Pages that break parsers give metadata all the same."""
    json.dumps(read(html).as_evidence(), allow_nan=False)


@pytest.mark.parametrize(
    "html",
    [
        "<h1>" * 50_000 + "Rye",
        "<div class=author>" * 50_000 + "Ada",
        "<time>" * 50_000 + "2024-05-03",
        "<a rel='author tag license' href=/author/x>x</a>" * 20_000,
        "<title>" + "a | " * 100_000,
        article(headline="- " * 100_000, author=["Ada, " * 50_000], keywords="," * 100_000),
        script(*[{"@type": "Article", "headline": f"Rye {n}", "url": "/x"} for n in range(20_000)]),
        item("<div itemprop=author itemscope>" * 350),
    ],
)
def test_metadata_when_the_page_is_huge_or_deep_ends(html: str) -> None:
    """Depth and size cost time in proportion, never a failure."""
    json.dumps(read(html).as_dict())


# -- any page at all -------------------------------------------------------------------------------

NAMES = ("author", "og:title", "article:published_time", "dc.creator", "og:image", "keywords")
PROPERTIES = (
    *("@type", "@id", "@graph", "headline", "name", "author", "datePublished", "dateModified"),
    *("url", "image", "publisher", "license", "keywords", "inLanguage", "mainEntity"),
)
WORDS = st.sampled_from(
    ("NewsArticle", "WebPage", "By A, B and C", "2024-05-03", "3/5/2024", "/a", "http://[")
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(PROPERTIES), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(soups(), VALUES, st.sampled_from(NAMES), st.text(max_size=30) | WORDS, st.text(max_size=20))
def test_metadata_of_any_page_is_plain_and_repeatable(
    soup: str, value: object, name: str, content: str, url: str
) -> None:
    """Metadata of any page must be valid JSON, survive pickling and be the same when read again."""
    attribute = content.replace('"', "&quot;")
    html = f'{script(value)}<meta name="{name}" content="{attribute}"><h1>{content}</h1>{soup}'
    page = parse(html, url=f"https://example.org/{url}")
    found = read_metadata(page)
    json.dumps(found.as_evidence(), allow_nan=False)
    json.dumps(found.as_dict(), ensure_ascii=False).encode()
    assert found == pickle.loads(pickle.dumps(found)) == read_metadata(page)


def test_published_when_no_article_is_told_is_not_guessed_from_markup() -> None:
    """A shop's or a list's addresses tell nothing of when the page was written."""
    assert read("<img src=/2024/05/03/rye.jpg>").published is None


TITLES_OF_MANUALS = (
    (
        "a manual's name is the h1",
        "<title>Hives | Bee Box v2 documentation</title><h1>Bee Box v2 documentation</h1>"
        "<h2>Hives<a href=#hives>#</a></h2><p>A hive holds one colony.",
        "Hives",
    ),
    (
        "the menu repeats the book's name",
        "<title>Smoke - The Book of Bees and Hives</title><h1>The Book of Bees and Hives</h1>"
        "<main><h1><a href=#smoke>Smoke</a></h1><p>Smoke calms the bees.",
        "Smoke",
    ),
    (
        "each section has an h1",
        "<title>Data.Hive.Strict</title><p>Data.Hive.Strict"
        "<h1>Description</h1><p>A hive.<h1>Queries</h1>",
        "Data.Hive.Strict",
    ),
    (
        "the name is a line above the only h1",
        "<title>Data.Hive.Lazy</title><p>Data.Hive.Lazy<h1>Documentation</h1><p>A hive.",
        "Data.Hive.Lazy",
    ),
    (
        "the heading has a permalink",
        "<title>Hive Types — Bee Box</title><h1>Hive Types<a class=headerlink href=#h>¶</a></h1>",
        "Hive Types",
    ),
    (
        "the heading has a button",
        "<title>Hive in beebox - Rust</title><h1>Struct <b>Hive</b><button>Copy path</button></h1>",
        "Struct Hive",
    ),
    (
        "only a part is marked up",
        "<title>Hives of wood</title><h1><b>H</b>ives of w<i>oo</i>d</h1>",
        "Hives of wood",
    ),
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [row[1:] for row in TITLES_OF_MANUALS],
    ids=[r[0] for r in TITLES_OF_MANUALS],
)
def test_title_of_a_manual_s_page_is_the_page_s_own(html: str, expected: str) -> None:
    """Neither the manual's name nor a section's heading may stand for the page."""
    title = read(html, "https://beebox.example/docs/a.html").title
    assert title is not None
    assert expected == title.value


def test_published_when_only_links_to_others_have_a_date_is_unknown() -> None:
    """The address of another site's page says when that page was written."""
    body = "<article><h1>Rye is back</h1><p>As <a href='https://{}/2019/03/04/rye'>told</a> before."
    assert read(body.format("other.example"), "https://sheaf.example/rye").published is None
    own = read(body.format("www.sheaf.example"), "https://sheaf.example/rye").published
    assert own is not None
    assert "2019-03-04" == own.value


JAPANESE = "<p>この関数は配列を受け取り、最小の値を返します。必要なら要素を追加できます。"
CODE = "<pre>" + 9 * "def push(heap, entry): return heap.append(entry) " + "</pre>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{CODE}{JAPANESE}", "ja"),
        (f"<html lang=en>{CODE}{JAPANESE}", "ja"),
        (f"<html lang=ja>{CODE}{JAPANESE}", "ja"),
        ("<html lang=en><p>The Greek word λόγος means word, reason and much else.", "en"),
        ("<html lang=sr><p>Ово је прва реченица овог текста о пчелама.", "sr"),
    ],
)
def test_language_is_that_of_the_text_not_of_code_or_template(html: str, expected: str) -> None:
    """Code is not in the language of the page, and letters prove a template wrong."""
    language = read(html).language
    assert language is not None
    assert expected == language.value


UPDATED_BEFORE = (
    "<meta property='article:published_time' content='2024-05-03'>"
    "<meta property='article:modified_time' content='2024-05-01'>"
    "<meta name=keywords content='mills, rye'><h1>Rye</h1>"
)


def test_every_field_has_one_rule() -> None:
    """A field must be in one of the two tables."""
    assert sorted(ORDER) == sorted([*TEXT_FIELDS, *LIST_FIELDS])
    assert tuple(field.name for field in dataclasses.fields(Metadata)) == ORDER


@pytest.mark.parametrize("name", PAGES)
def test_values_alone_are_those_of_the_metadata(name: str) -> None:
    """Fields, their order and their values must be the same without confidences."""
    page = parse((PAGES[name].folder / "page.html").read_bytes().decode("utf-8", "replace"))
    expected = read_metadata(page).as_dict()
    found = read_values(page)
    assert expected == found
    assert list(expected) == list(found)


def test_an_update_before_publication_is_no_value() -> None:
    """As in the metadata, a date of modification that cannot be right must be left out."""
    values = read_values(parse(UPDATED_BEFORE))
    assert "2024-05-03" == values["published"]
    assert "modified" not in values
    assert ["mills", "rye"] == values["tags"]


def test_document_has_the_same_values_before_and_after_its_metadata_is_read() -> None:
    """It must not matter which of the two is asked for first."""
    first, second = extract(UPDATED_BEFORE), extract(UPDATED_BEFORE)
    assert first.metadata_values == second.metadata.as_dict() == second.metadata_values


KNOWN = Metadata(
    title=Field("Rye", "page:h1", 0.65), authors=Field(("Ada Roth",), "meta:author", 0.8)
)


def test_as_dict_when_some_fields_are_known_has_only_those() -> None:
    """Front matter holds plain values of what is known."""
    assert {"title": "Rye", "authors": ["Ada Roth"]} == KNOWN.as_dict()


def test_as_evidence_when_some_fields_are_known_has_source_and_confidence() -> None:
    """Every known value comes with where it is from, and how sure it is."""
    expected = {
        "title": {"value": "Rye", "source": "page:h1", "confidence": 0.65},
        "authors": {"value": ["Ada Roth"], "source": "meta:author", "confidence": 0.8},
    }
    assert expected == json.loads(json.dumps(KNOWN.as_evidence()))


def test_metadata_when_nothing_is_known_is_empty() -> None:
    """Unknown fields are None."""
    assert {} == Metadata().as_dict()
    assert {} == Metadata().as_evidence()


def test_metadata_when_pickled_is_the_same() -> None:
    """Metadata travels between processes."""
    assert pickle.loads(pickle.dumps(KNOWN)) == KNOWN
