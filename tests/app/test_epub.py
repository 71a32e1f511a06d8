"""EPUB writer, and the XHTML of its books."""

from __future__ import annotations

import base64
import io
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZIP_STORED, ZipFile

import pytest
from hypothesis import given

from tests.helpers.data import read_data
from tests.helpers.hostile_metadata import ATTACKS, is_active_address, page_with_metadata
from tests.helpers.trees import soups
from thresher import document_of, extract, select
from thresher.app.epub import Picture, make_chapter, say_missing, write_collection, write_epub
from thresher.app.epub_markup import prepare_for_book
from thresher.page.parse import parse

XHTML = "{http://www.w3.org/1999/xhtml}"
DC = "{http://purl.org/dc/elements/1.1/}"
OPF = "{http://www.idpf.org/2007/opf}"
PAGE = read_data("roggen-und-hafer.html")


def open_book(html: str) -> ZipFile:
    """Write a page as a book and open it."""
    page = parse(html, url="https://example.org/roggen")
    return ZipFile(io.BytesIO(write_epub(document_of(select(page, "keep_all")))))


def test_book_lists_every_file() -> None:
    """The type comes first, uncompressed; all but the first files are in the manifest."""
    book = open_book(PAGE)
    first = book.infolist()[0]
    assert ("mimetype", ZIP_STORED) == (first.filename, first.compress_type)
    assert b"application/epub+zip" == book.read("mimetype")
    assert b'full-path="EPUB/package.opf"' in book.read("META-INF/container.xml")
    package = ElementTree.fromstring(book.read("EPUB/package.opf"))
    items = {item.get("id"): item for item in package.iter(f"{OPF}item")}
    assert {f"EPUB/{item.get('href')}" for item in items.values()} == (
        set(book.namelist()) - {"mimetype", "META-INF/container.xml", "EPUB/package.opf"}
    )
    assert "mathml" == items["text"].get("properties")
    assert ["text"] == [ref.get("idref") for ref in package.iter(f"{OPF}itemref")]
    document = extract(PAGE)
    assert write_epub(document) == write_epub(document)


def test_book_has_the_metadata_of_the_page() -> None:
    """Title, author, language, source and modification date are those of the page."""
    package = ElementTree.fromstring(open_book(PAGE).read("EPUB/package.opf"))
    known = {element.tag.removeprefix(DC): element.text for element in package[0]}
    assert ("Roggen & Hafer", "A. Feld", "de") == tuple(
        known[name] for name in ("title", "creator", "language")
    )
    assert "https://example.org/roggen" == known["source"]
    assert "2024-05-03T10:00:00Z" == known[f"{OPF}meta"]
    assert (known["identifier"] or "").startswith("urn:uuid:")


def test_contents_lead_to_the_headings() -> None:
    """The table of contents is nested like the headings, and its links resolve."""
    book = open_book(PAGE)
    contents = ElementTree.fromstring(book.read("EPUB/nav.xhtml"))
    text = ElementTree.fromstring(book.read("EPUB/text.xhtml"))
    marks = {element.get("id") for element in text.iter() if element.get("id")}
    links = [link.get("href") or "" for link in contents.iter(f"{XHTML}a")]
    assert "text.xhtml" == links[0]
    assert {link.partition("#")[2] for link in links[1:]} <= marks
    depth = {link.text: len(path) for path, link in _walk(contents) if link.tag == f"{XHTML}a"}
    assert {"Roggen & Hafer": 1, "Boden": 2, "Ernte": 2, "Drusch": 3} == depth


PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HARD = read_data("hard-for-books.html")
"""A page with much that validators of books refuse."""


def test_links_within_the_book_resolve() -> None:
    """Every link in the text leads to an id in it, and ids are unique."""
    text = ElementTree.fromstring(open_book(HARD).read("EPUB/text.xhtml"))
    ids = [element.get("id") for element in text.iter() if element.get("id")]
    links = [element.get("href") or "" for element in text.iter(f"{XHTML}a")]
    assert len(ids) == len(set(ids))
    inner = [link[1:] for link in links if link.startswith("#")]
    assert inner
    assert set(inner) <= set(ids)


def test_book_holds_the_pictures_that_are_given() -> None:
    """They are in the manifest and in the text; others are described."""
    html = (
        '<title>Rye</title><p>Rye is green in winter.<img src="a.png" alt="A field">'
        '<img src="b.png" alt="A barn"></p>'
    )
    document = document_of(select(parse(html, url="https://example.org/"), "keep_all"))
    pictures = {"https://example.org/a.png": Picture("image/png", PNG)}
    book = ZipFile(io.BytesIO(write_epub(document, pictures)))
    assert PNG == book.read("EPUB/picture-1.png")
    text = book.read("EPUB/text.xhtml").decode()
    assert '<img src="picture-1.png" alt="A field"/>' in text
    assert '<span class="picture">A barn</span>' in text
    package = ElementTree.fromstring(book.read("EPUB/package.opf"))
    types = {item.get("href"): item.get("media-type") for item in package.iter(f"{OPF}item")}
    assert "image/png" == types["picture-1.png"]


def test_collection_has_a_chapter_for_each_page() -> None:
    """Chapters are in their order in spine and contents, whose links resolve."""
    chapters = [make_chapter(extract(PAGE)), say_missing("Hafer", "it is <lost>")]
    data = write_collection("Saved pages", chapters, datetime(2026, 11, 23, tzinfo=UTC))
    book = ZipFile(io.BytesIO(data))
    package = ElementTree.fromstring(book.read("EPUB/package.opf"))
    order = [ref.get("idref") for ref in package.iter(f"{OPF}itemref")]
    assert ["text-1", "text-2"] == order
    assert ["de", "und"] == [each.text for each in package.iter(f"{DC}language")]
    assert "2026-11-23T00:00:00Z" == package.findtext(f".//{OPF}meta")
    texts = {name: ElementTree.fromstring(book.read(f"EPUB/{name}.xhtml")) for name in order}
    contents = ElementTree.fromstring(book.read("EPUB/nav.xhtml"))
    links = [link.get("href") or "" for link in contents.iter(f"{XHTML}a")]
    assert "text-1.xhtml" == links[0] and "text-2.xhtml" == links[-1]
    for link in links:
        name, _, id = link.partition(".xhtml")
        assert not id or any(id[1:] == each.get("id") for each in texts[name].iter())
    assert "it is <lost>" in "".join(texts["text-2"].itertext())
    assert set(book.namelist()) == {
        *("mimetype", "META-INF/container.xml", "EPUB/package.opf"),
        *(f"EPUB/{item.get('href')}" for item in package.iter(f"{OPF}item")),
    }


@pytest.mark.slow
def test_epubcheck_finds_no_error(tmp_path: Path) -> None:
    """The validator of the W3C, where ``THRESHER_EPUBCHECK`` names its jar, has no objection."""
    jar = os.environ.get("THRESHER_EPUBCHECK")
    if not jar:
        pytest.skip("THRESHER_EPUBCHECK does not name epubcheck.jar")
    pages = (parse(html, url="https://example.org/roggen") for html in (PAGE, HARD))
    documents = [document_of(select(page, "keep_all")) for page in pages]
    chapters = [*map(make_chapter, documents), say_missing("Hafer", "it is lost")]
    collection = write_collection("Saved pages", chapters, datetime(2026, 11, 23, tzinfo=UTC))
    for number, book in enumerate((*map(write_epub, documents), collection)):
        path = tmp_path / f"{number}.epub"
        path.write_bytes(book)
        command = ["java", "-jar", jar, "--failonwarnings", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize("html", ["", "<p>", "<p>Only text, and nothing known of it."])
def test_book_is_whole_when_nothing_is_known(html: str) -> None:
    """A page without title, author, date or text yields a valid book."""
    book = open_book(html)
    assert b"2000-01-01T00:00:00Z" in book.read("EPUB/package.opf")


@given(soups())
def test_book_is_xml_whatever_the_page(soup: str) -> None:
    """Every XML file is well-formed for any page."""
    book = open_book(soup)
    for name in book.namelist():
        if name.endswith((".xml", ".opf", ".xhtml")):
            ElementTree.fromstring(book.read(name))


@pytest.mark.parametrize("attack", ATTACKS)
def test_metadata_are_text_in_a_book(attack: str) -> None:
    """Whatever a page says of itself makes no element, and no address that runs."""
    book = open_book(page_with_metadata(attack))
    for name in book.namelist():
        if not name.endswith((".xml", ".opf", ".xhtml")):
            continue
        for element in ElementTree.fromstring(book.read(name)).iter():
            assert element.tag.rpartition("}")[2] not in ("script", "svg", "form", "img", "input")
            assert not any(map(is_active_address, element.attrib.values()))


def _walk(root: ElementTree.Element) -> list[tuple[list[str], ElementTree.Element]]:
    """Return every element with its enclosing lists."""
    found: list[tuple[list[str], ElementTree.Element]] = []
    waiting: list[tuple[list[str], ElementTree.Element]] = [([], root)]
    while waiting:
        path, element = waiting.pop()
        found.append((path, element))
        below = [*path, "ol"] if element.tag == f"{XHTML}ol" else path
        waiting += [(below, child) for child in element]
    return found


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<ul><li value="3">a</li></ul>', "<ul><li>a</li></ul>"),
        ('<ol><li value="3">a</li></ol>', '<ol><li value="3">a</li></ol>'),
        ('<a href="#none">a</a><a href="/x">y</a>', "<a>a</a><a>y</a>"),
        ('<a href="https://e.org/%zz?a b#c">a</a>', '<a href="https://e.org/%25zz?a%20b#c">a</a>'),
        ('<a href="http://a b/">a</a>', "<a>a</a>"),
        ('<a href="ftp://e.org/a b">a</a>', '<a href="ftp://e.org/a%20b">a</a>'),
        ('<a href="https://mühle.example/">a</a>', '<a href="https://xn--mhle-0ra.example/">a</a>'),
        ('<blockquote cite="x">a</blockquote>', "<blockquote>a</blockquote>"),
        ('<td colspan="0">a</td>', "<td>a</td>"),
        ('<p lang="zz_bad">a</p>', "<p>a</p>"),
        ('<p lang="de">a<br>b &amp; c\x0c</p>', '<p lang="de" xml:lang="de">a<br/>b &amp; c</p>'),
        ('<time datetime="today">a</time>', "<span>a</span>"),
        ('<time datetime="2020-01-31">a</time>', '<time datetime="2020-01-31">a</time>'),
        ("<dl><dd>a</dd></dl>", "<dl><dt></dt><dd>a</dd></dl>"),
        ("<dl><dt>a</dt></dl>", "<dl><dt>a</dt><dd></dd></dl>"),
        ("<rt>a</rt>", "<span>a</span>"),
        ("<ruby><rb>a</rb><rt>b</rt></ruby>", "<ruby>a<rt>b</rt></ruby>"),
        ("<bdo>a</bdo>", "<span>a</span>"),
        ('<i id="a"></i><i id="a"></i>', '<i id="a"></i><i></i>'),
        ('<img src="a.png" alt="Bild">', '<span class="picture">Bild</span>'),
        ("<math></math>", '<math xmlns="http://www.w3.org/1998/Math/MathML"></math>'),
        # An id stays as an anchor, even if the heading repeats the title.
        (
            '<h1 id="top">Rye</h1><a href="#top">a</a><a href="#soil">b</a><h2 id="soil">S</h2>',
            '<span id="top"></span><a href="#top">a</a><a href="#soil">b</a>'
            '<h2 id="part-1"><span id="soil"></span>S</h2>',
        ),
    ],
)
def test_markup_of_books(html: str, expected: str) -> None:
    """Elements are closed, invalid attributes and places repaired, and links lead somewhere."""
    found = prepare_for_book(html, title="Rye")
    assert expected == found.markup
    assert found.has_math == ("<math" in html)
