"""read_metadata() on whole pages: each field from each source, and conflicts."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.data import cases
from tests.helpers.fixture_pages import PAGES
from tests.helpers.known import known
from tests.helpers.trees import NASTY_PAGES, soups
from thresher.analysis.metadata import Field, Metadata, read_metadata, read_values
from thresher.extraction import extract
from thresher.page.parse import parse

SITE = "https://www.example.org"
URL = f"{SITE}/farming/rye"


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

VALUES_OF = {
    "title": "Rye is back",
    "authors": ("Ada Roth",),
    "published": "2024-05-03",
    "modified": "2024-05-04",
    "site_name": "The Sheaf",
    "description": "Rye.",
    "tags": ("rye", "oats"),
    "image": "https://www.example.org/a.jpg",
}
"""A value of each field that has one on most pages below."""

# A field, a page on which one source gives this value, and the source that must be named.
FROM_ONE_SOURCE = (
    ("title", article(headline="Rye is back"), "json-ld:NewsArticle.headline"),
    ("title", item("<p itemprop=headline>Rye is back"), "microdata:Article.headline"),
    ("title", meta("og:title", "Rye is back"), "opengraph:og:title"),
    ("title", meta("citation_title", "Rye is back"), "meta:citation_title"),
    ("title", script({"@type": "WebPage", "name": "Rye is back"}), "json-ld:WebPage.name"),
    ("title", H1, "page:h1"),
    ("title", "<title>Rye is back - example.org</title>", "page:title"),
    ("authors", article(author=PERSON), "json-ld:NewsArticle.author"),
    ("authors", item("<p itemprop=author>Ada Roth"), "microdata:Article.author"),
    ("authors", meta("author", "By Ada Roth"), "meta:author"),
    ("authors", meta("article:author", "Ada Roth"), "opengraph:article:author"),
    ("authors", meta("dc.creator", "Roth, Ada"), "dublin-core:dc.creator"),
    ("authors", meta("citation_author", "Roth, Ada"), "meta:citation_author"),
    ("authors", H1 + "<a rel=author>Ada Roth</a>", "page:byline"),
    ("authors", H1 + "<p class=byline>Ada Roth", "page:byline-class"),
    ("authors", H1 + "<p>By Ada Roth", "page:near-h1"),
    ("published", article(datePublished="2024-05-03"), "json-ld:NewsArticle.datePublished"),
    ("published", meta("article:published_time", "2024-05-03"), "opengraph:article:published_time"),
    (
        "published",
        item("<time itemprop=datePublished datetime=2024-05-03>"),
        "microdata:Article.datePublished",
    ),
    ("published", meta("citation_date", "2024/05/03"), "meta:citation_date"),
    ("published", "<p itemprop=datePublished>3 May 2024", "page:itemprop=datePublished"),
    ("published", H1 + "<time datetime=2024-05-03>", "page:time"),
    ("published", "<p class=date>3 May 2024", "page:date-class"),
    ("published", H1 + "<p>3 May 2024", "page:near-h1"),
    ("published", meta("farm:uploaded", "2024-05-03"), "meta:farm:uploaded"),
    ("published", script({}) + "<script>x={publishedAt:'2024-05-03'}", "script:date"),
    ("published", "<p>Read 3 May 2024", "page:line"),
    ("published", "<div class=comment><time datetime=2024-05-03></time></div>", "page:time"),
    ("published", "<article><img src=/2024/05/03/rye.jpg></article>", "text:commonest"),
    ("modified", H1 + "<p>Last updated:</p><p>May 4, 2024</p>", "page:near-h1"),
    ("published", article(dateModified="2024-05-03"), "json-ld:NewsArticle.dateModified"),
    ("modified", article(dateModified="2024-05-04"), "json-ld:NewsArticle.dateModified"),
    ("modified", meta("og:updated_time", "2024-05-04"), "opengraph:og:updated_time"),
    ("modified", H1 + "<p>Updated <time datetime=2024-05-04>", "page:time"),
    ("modified", H1 + "<p class=date>Updated 4 May 2024", "page:date-class"),
    ("site_name", meta("og:site_name", "The Sheaf"), "opengraph:og:site_name"),
    ("site_name", script({"@type": "WebSite", "name": "The Sheaf"}), "json-ld:WebSite.name"),
    ("description", meta("og:description", "Rye."), "opengraph:og:description"),
    ("image", meta("og:image", "/a.jpg"), "opengraph:og:image"),
    (
        "image",
        "<base href=https://www.example.org/>" + article(image=[{"url": "a.jpg"}, "b.jpg"]),
        "json-ld:NewsArticle.image",
    ),
    ("image", "<link rel=image_src href=/a.jpg>", "link:image_src"),
    ("tags", article(keywords="rye, oats"), "json-ld:NewsArticle.keywords"),
    ("tags", meta("article:tag", "rye") + meta("article:tag", "oats"), "opengraph:article:tag"),
    ("tags", meta("keywords", "rye,oats"), "meta:keywords"),
    ("tags", "<a rel=tag>rye</a><a rel=tag>oats</a>", "page:rel=tag"),
)
# The same for fields whose values differ.
CC = "https://creativecommons.org/licenses/"
OF_THEIR_OWN = (
    ("site_name", "<p>x", "example.org", "url:host"),
    ("language", "<html lang=en-gb>", "en-GB", "page:lang"),
    ("language", article(inLanguage="de"), "de", "json-ld:NewsArticle.inLanguage"),
    ("language", meta("og:locale", "fr_FR"), "fr-FR", "opengraph:og:locale"),
    ("language", "<p>Die Bauern dreschen ihren Roggen vor dem Regen.", "de", "text:guess"),
    ("canonical_url", "<link rel=canonical href=/rye>", f"{SITE}/rye", "link:canonical"),
    ("canonical_url", meta("og:url", "/rye"), f"{SITE}/rye", "opengraph:og:url"),
    ("canonical_url", "<p>x", URL, "url:page"),
    ("licence", f"<a rel=license href={CC}by/4.0/>CC</a>", f"{CC}by/4.0/", "link:license"),
    ("licence", article(license=f"{SITE}/l"), f"{SITE}/l", "json-ld:NewsArticle.license"),
    ("licence", meta("dc.rights", "CC BY-SA 4.0"), f"{CC}by-sa/4.0/", "dublin-core:dc.rights"),
)


@pytest.mark.parametrize(
    ("name", "html", "value", "source"),
    [
        *((name, html, VALUES_OF[name], source) for name, html, source in FROM_ONE_SOURCE),
        *OF_THEIR_OWN,
    ],
)
def test_field_when_one_source_gives_it(name: str, html: str, value: object, source: str) -> None:
    """Each source can give the field, and is named for it."""
    field = getattr(read(html), name)
    assert (value, source) == (field.value, field.source)
    assert 0 < field.confidence <= 1


@cases(__file__, "conflicts")
def test_field_when_sources_conflict(
    html: str, name: str, value: str | list[str], source: str
) -> None:
    """The better of several sources decides a field."""
    field = getattr(read(html), name)
    found = list(field.value) if isinstance(field.value, tuple) else field.value
    assert (value, source) == (found, field.source)


@pytest.mark.parametrize(
    ("host", "title", "expected"),
    [
        ("blog.oldmill.co.uk", "Rye - A report - Old Mill", "Old Mill"),
        ("oldmill.example", "Old Mill: Rye", "oldmill.example"),
        ("news.oldmill.example", "Rye - News", "news.oldmill.example"),
        ("localhost", "Rye - Localhost", "localhost"),
    ],
)
def test_site_name_when_the_title_spells_the_domain(host: str, title: str, expected: str) -> None:
    """A part of the title with the same letters is a better name than the host."""
    html = f"<title>{title}</title><h1>Rye</h1>"
    assert expected == known(read(html, f"https://{host}/rye").site_name).value


def test_published_when_only_the_address_has_a_date() -> None:
    """A date in the address counts where nothing else does."""
    field = known(read("<p>x", "https://example.org/2024/05/03/rye").published)
    assert ("2024-05-03", "url:date") == (field.value, field.source)


def test_published_when_sources_agree_is_surer_than_when_they_differ() -> None:
    """Agreement raises confidence, conflict lowers it, and the order decides the value."""
    html = article(datePublished="2024-05-03T08:00:00Z")
    alone, agreed, differs = (
        known(read(html + meta("article:published_time", date)).published)
        for date in ("", "2024-05-03", "2020-01-01")
    )
    assert alone.value == agreed.value == differs.value == "2024-05-03T08:00:00+00:00"
    assert differs.confidence < alone.confidence < agreed.confidence


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
    field, alone = (known(read(f"<html lang=en><p>{each}").language) for each in (text, ""))
    assert ("en", "page:lang") == (field.value, field.source)
    assert is_confirmed == (field.confidence > alone.confidence)
    assert is_confirmed != (field.confidence < alone.confidence)


JAPANESE = "<p>この関数は配列を受け取り、最小の値を返します。必要なら要素を追加できます。"
CODE = "<pre>" + 9 * "def push(heap, entry): return heap.append(entry) " + "</pre>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<html lang=en><p>"
            + "Крестьяне долины молотят рожь, пока над холмами не пошёл дождь. " * 30,
            "ru",
        ),
        ("<html lang=en><p>Κοιτάμε: " + "The farmers thresh their rye — before rain. " * 30, "en"),
        ("<html lang=en><p>😀😀😀😀 “rye” 😀😀😀 ", "en"),
        ("<html lang=en><p>The Greek word λόγος means word, reason and much else.", "en"),
        ("<html lang=sr><p>Ово је прва реченица овог текста о пчелама.", "sr"),
        *((f"{template}{CODE}{JAPANESE}", "ja") for template in ("", "<html lang=en>")),
        (f"<html lang=ja>{CODE}{JAPANESE}", "ja"),
    ],
)
def test_language_is_that_of_most_letters_of_the_text(html: str, expected: str) -> None:
    """A template that declares English is wrong where letters prove it; code does not count."""
    assert expected == known(read(html).language).value


def test_metadata_when_the_page_is_empty_knows_nothing() -> None:
    """Unknown fields are None, and in no output."""
    assert Metadata() == read("", None)
    assert {} == Metadata().as_dict()
    assert {} == Metadata().as_evidence()


@pytest.mark.parametrize("html", NASTY_PAGES.values(), ids=NASTY_PAGES)
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


@cases(__file__, "manuals")
def test_title_of_a_manual_s_page_is_the_page_s_own(html: str, expected: str) -> None:
    """Neither the manual's name nor a section's heading may stand for the page."""
    assert expected == known(read(html, "https://beebox.example/docs/a.html").title).value


@pytest.mark.parametrize(
    ("title", "shown", "expected"),
    [
        ("The Sheaf: Rye is back", ["Rye is back"], "Rye is back"),
        ("The Sheaf - Fields - Rye: a visit", ["Rye: a visit"], "Rye: a visit"),
        ("News of fields: Rye is back", ["The Sheaf"], "News of fields: Rye is back"),
        ("Rye is back | All news", ["Rye is back", "All news"], "Rye is back"),
        ("News::Rye is back", ["Rye is back"], "Rye is back"),
        ("Fields- Rye is back", ["Rye is back"], "Rye is back"),
        ("Fair. -Rye is back", ["Rye is back"], "Rye is back"),
        ("The rye-fields are back", ["Rye", "fields are back"], "The rye-fields are back"),
        (
            "黑麦今年 终于回来了 | 农业 | 新闻 | 农业网",
            ["黑麦今年 终于回来了"],
            "黑麦今年 终于回来了",
        ),
        ("黑麦今年终于回来了-农业网", ["黑麦今年终于回来了"], "黑麦今年终于回来了"),
    ],
)
def test_title_when_no_heading_shows_it_is_the_part_that_a_block_shows(
    title: str, shown: list[str], expected: str
) -> None:
    """Pages without headings show their headline in bold, without the names of site and section."""
    blocks = "".join(f"<div><b>{block}</b></div>" for block in shown)
    html = f"<title>{title}</title>{blocks}<p>It has rained, and the fields are green."
    assert expected == known(read(html).title).value


def test_published_when_only_links_to_others_have_a_date_is_unknown() -> None:
    """The address of another site's page says when that page was written."""
    body = "<article><h1>Rye is back</h1><p>As <a href='https://{}/2019/03/04/rye'>told</a> before."
    assert read(body.format("other.example"), "https://sheaf.example/rye").published is None
    own = known(read(body.format("www.sheaf.example"), "https://sheaf.example/rye").published)
    assert "2019-03-04" == own.value


UPDATED_BEFORE = (
    "<meta property='article:published_time' content='2024-05-03'>"
    "<meta property='article:modified_time' content='2024-05-01'>"
    "<meta name=keywords content='mills, rye'><h1>Rye</h1>"
)


@pytest.mark.parametrize("name", PAGES)
def test_values_alone_are_those_of_the_metadata(name: str) -> None:
    """Fields, their order and their values must be the same without confidences."""
    page = parse((PAGES[name].folder / "page.html").read_bytes().decode("utf-8", "replace"))
    expected = read_metadata(page).as_dict()
    found = read_values(page)
    assert expected == found
    assert list(expected) == list(found)


def test_an_update_before_publication_is_no_value() -> None:
    """A date of modification that cannot be right must be left out, with and without evidence."""
    values = read_values(parse(UPDATED_BEFORE))
    assert values == read(UPDATED_BEFORE, None).as_dict()
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


def test_known_fields_are_written_with_and_without_evidence() -> None:
    """Front matter has the plain values of known fields, JSON also source and confidence."""
    assert {"title": "Rye", "authors": ["Ada Roth"]} == KNOWN.as_dict()
    expected = {
        "title": {"value": "Rye", "source": "page:h1", "confidence": 0.65},
        "authors": {"value": ["Ada Roth"], "source": "meta:author", "confidence": 0.8},
    }
    assert expected == json.loads(json.dumps(KNOWN.as_evidence()))
