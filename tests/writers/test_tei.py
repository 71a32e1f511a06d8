"""TEI: the header, and the body from the markup of a fragment."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import judged
from tests.helpers.data import cases
from tests.helpers.fixture_pages import PAGES, FixturePage, document_keeping, random_document
from tests.helpers.outputs import words_of
from tests.helpers.trees import soups
from thresher import Document
from thresher.extraction import extract
from thresher.writers.tei_body import (
    DATE,
    format_attributes,
    write_body,
)

TEI: Final = "{http://www.tei-c.org/ns/1.0}"
"""The namespace of elements."""
PAGE = (
    "<html lang=en><title>Rye \x01&amp; oat</title><meta name=author content='Ann Reed'>"
    "<meta property=og:site_name content='The Field'><meta name=description content='On rye.'>"
    "<meta property=article:published_time content=2024-05-03>"
    "<meta name=keywords content='rye, oat'>"
    "<link rel=license href=https://site.example/licence><p>Rye."
)


def header_of(written: str) -> ElementTree.Element:
    root = ElementTree.fromstring(written)
    assert [f"{TEI}teiHeader", f"{TEI}text"] == [child.tag for child in root]
    return root[0]


def test_header_has_the_metadata_when_known() -> None:
    """Author, title, date and source must be where TEI has a place for them."""
    header = header_of(document_keeping(PAGE).write("tei"))
    places = {
        f"{TEI}fileDesc/{TEI}titleStmt/{TEI}title": "Rye & oat",
        f"{TEI}fileDesc/{TEI}titleStmt/{TEI}author": "Ann Reed",
        f"{TEI}fileDesc/{TEI}publicationStmt/{TEI}publisher": "The Field",
        f"{TEI}fileDesc/{TEI}publicationStmt/{TEI}date[@when='2024-05-03']": "2024-05-03",
        f"{TEI}fileDesc/{TEI}notesStmt/{TEI}note[@type='verdict']": "content",
        f"{TEI}fileDesc/{TEI}sourceDesc/{TEI}bibl/{TEI}title": "Rye & oat",
        f"{TEI}profileDesc/{TEI}abstract/{TEI}p": "On rye.",
        f"{TEI}profileDesc/{TEI}textClass/{TEI}keywords/{TEI}term": "rye",
    }
    assert places == {place: header.findtext(place) for place in places}
    attributes = {
        f"{TEI}fileDesc/{TEI}sourceDesc/{TEI}bibl/{TEI}ref": (
            "target",
            "https://site.example/dir/page.html",
        ),
        f"{TEI}fileDesc/{TEI}publicationStmt/{TEI}availability/{TEI}licence": (
            "target",
            "https://site.example/licence",
        ),
        f"{TEI}profileDesc/{TEI}langUsage/{TEI}language": ("ident", "en"),
    }
    for place, (name, value) in attributes.items():
        element = header.find(place)
        assert element is not None
        assert value == element.get(name)


def test_header_has_its_parts_in_order_when_nothing_is_known() -> None:
    """The parts that TEI requires must be there, empty, in its order."""
    header = header_of(document_keeping("<p>a", url=None).write("tei"))
    description = header.find(f"{TEI}fileDesc")
    assert description is not None
    assert [
        f"{TEI}{name}" for name in ("titleStmt", "publicationStmt", "notesStmt", "sourceDesc")
    ] == [child.tag for child in description]
    assert f"{TEI}p" == description[1][0].tag


def test_judgement_is_a_note_when_there_is_one() -> None:
    """Page type and confidence of a method that judges must be notes."""
    params = judged.Params(page_type="forum", probability=0.75)
    header = header_of(extract("<p>a<p>b", method=judged.select, params=params).write("tei"))
    notes = {note.get("type"): note.text for note in header.iter(f"{TEI}note")}
    assert {
        "verdict": "content",
        "page_type": "forum",
        "confidence": f"{judged.CONFIDENCE:.2f}",
    } == notes


@cases(__file__, "bodies")
def test_body_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says; here line ends are spaces."""
    body = write_body(turbohtml.parse_fragment(html).inner_html)
    inside = body.removeprefix("<body>").removesuffix("</body>\n")
    if "\n\n" not in expected:
        inside = inside.replace("\n", " ")
    assert expected == inside.rstrip()


INLINE_CASES: Final = frozenset(
    f"{TEI}{name}"
    for name in (
        *("abbr", "add", "code", "date", "del", "formula", "graphic", "hi", "lb", "q", "ref"),
        "term",
    )
)
BLOCK_CASES: Final = frozenset(
    f"{TEI}{name}" for name in ("ab", "figure", "list", "milestone", "p", "quote", "table")
)
CHILDREN: Final = {
    "body": BLOCK_CASES | {f"{TEI}div"},
    "div": BLOCK_CASES | {f"{TEI}div", f"{TEI}head"},
    "quote": BLOCK_CASES,
    "figure": BLOCK_CASES | {f"{TEI}head", f"{TEI}graphic"},
    "list": {f"{TEI}item", f"{TEI}label"},
    "table": {f"{TEI}head", f"{TEI}row"},
    "row": {f"{TEI}cell"},
    "item": BLOCK_CASES | INLINE_CASES,
    "cell": BLOCK_CASES | INLINE_CASES,
    "graphic": {f"{TEI}desc"},
}
"""Element → its allowed children (TEI P5, element specifications); others hold inline content."""
NO_TEXT: Final = ("body", "div", "quote", "figure", "list", "table", "row", "graphic", "lb")


def check(document: Document) -> ElementTree.Element:
    """Check that a document is well-formed and every element allowed by TEI; return the body."""
    body = ElementTree.fromstring(document.write("tei")).find(f".//{TEI}body")
    assert body is not None
    for element in body.iter():
        name = element.tag.removeprefix(TEI)
        children = [child.tag for child in element]
        assert set(children) <= CHILDREN.get(name, INLINE_CASES), name
        if name in NO_TEXT:
            texts = [element.text, *(child.tail for child in element)]
            assert not "".join(filter(None, texts)).strip(), name
        if name in ("body", "div") and f"{TEI}div" in children:
            assert {f"{TEI}div"} == set(children[children.index(f"{TEI}div") :])
        if name in ("body", "list", "table", "row", "quote"):
            assert children, name
        if element.get("type") == "gloss":
            assert [f"{TEI}label", f"{TEI}item"] * (len(children) // 2) == children
        assert children.count(f"{TEI}head") <= 1
    return body


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_structure_is_that_of_tei_when_a_page_is_written(page: FixturePage) -> None:
    """Every element of a fixture page must be where TEI allows it."""
    check(page.document())


@given(soups(60), st.integers(0, 9))
def test_structure_is_that_of_tei_when_the_page_is_soup(html: str, seed: int) -> None:
    """The same must hold for any tag soup, and no kept word may be lost."""
    document = random_document(html, seed)
    body = check(document)
    tree = turbohtml.parse_fragment(document.html)
    for pictured in tree.find_all("math"):
        pictured.decompose()
    words = set("".join(words_of(" ".join(body.itertext()))))
    assert set("".join(words_of(" ".join(tree.strings)))) <= words


def test_words_are_separated_when_blocks_are_in_a_line() -> None:
    """Blocks that a paragraph cannot hold must leave their words, separated by line breaks."""
    markup = "<b><p>a</p><ul><li>b</li></ul></b>"
    assert '<body><p><hi rend="bold">a<lb/>b</hi></p>\n</body>\n' == write_body(markup)


def test_dates_are_those_of_xml_schema() -> None:
    """Only dates that are valid in TEI may go into an attribute."""
    valid = "2024 2024-05 2024-05-03 2024-05-03T10:20:30Z 2024-05-03T10:20:30.5+02:00".split()
    texts = [*valid, "2024-05-03T10:20", "2024-13-03", "3 May 2024"]
    assert valid == [text for text in texts if DATE.fullmatch(text)]


@pytest.mark.parametrize(
    ("tag", "attributes", "expected"),
    [
        ("p", {"lang": "zh-Hant-TW"}, ' xml:lang="zh-Hant-TW"'),
        ("p", {"lang": "no language"}, ""),
        ("a", {"href": "/a?b&c"}, ' target="/a?b&amp;c"'),
        ("time", {"datetime": "2026-05-04"}, ' when="2026-05-04"'),
        ("time", {"datetime": "4 May"}, ""),
        ("td", {"colspan": "2", "rowspan": "1"}, ' cols="2"'),
        ("td", {"colspan": "99999999999"}, ""),
        ("b", {"title": "x"}, ""),
    ],
)
def test_attribute_is_written_when_tei_has_it(
    tag: str, attributes: dict[str, str], expected: str
) -> None:
    """Only attributes that TEI has, and only values that it accepts."""
    assert expected == format_attributes(tag, attributes)


@cases(__file__, "formulas")
def test_formula_is_tex_when_that_is_annotated(inside: str, expected: str) -> None:
    """TeX is more precise than the letters, and must be on one line."""
    assert f"<body><p>{expected}</p>\n</body>\n" == write_body(f"<math>{inside}</math>")
