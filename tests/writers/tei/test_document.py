"""The TEI header."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.helpers import judged
from tests.helpers.fixture_pages import document_keeping
from tests.writers.tei.test_body import TEI
from thresher.extraction import extract

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
