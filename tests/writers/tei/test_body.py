"""The body of a TEI text: each case is HTML and its TEI equivalent."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.fixture_pages import PAGES, FixturePage, random_document
from tests.helpers.outputs import words_of
from tests.helpers.trees import soups
from thresher import Document, WriteOptions
from thresher.writers.tei_body import DATE, write_body

TEI: Final = "{http://www.tei-c.org/ns/1.0}"

CASES: Final[dict[str, tuple[str, str]]] = {
    "paragraph": ("<p>a &amp; b</p>", "<p>a &amp; b</p>"),
    "nothing": ("", "<p/>"),
    "loose text": ("a<p>b</p>c", "<p>a</p> <p>b</p> <p>c</p>"),
    "sections": (
        "<p>a<h2>b</h2><p>c<h3>d</h3><p>e<h2>f</h2>",
        '<p>a</p> <div><head rend="h2">b</head> <p>c</p> <div><head rend="h3">d</head>'
        ' <p>e</p> </div> </div> <div><head rend="h2">f</head> </div>',
    ),
    "heading in a quote": (
        "<blockquote><h2>a</h2><p>b</blockquote>",
        '<quote><ab type="head" subtype="h2">a</ab> <p>b</p> </quote>',
    ),
    "heading in a cell": (
        "<table><tr><td><h3>a</h3></table>",
        '<table><row><cell><ab type="head" subtype="h3">a</ab> </cell> </row> </table>',
    ),
    "lists": (
        "<ul><li>a<ol><li>b</ol></ul>",
        '<list rend="bulleted"><item>a<list rend="numbered"><item>b</item> </list> </item> </list>',
    ),
    "list right in a list": (
        "<ul><li>a</li><ul><li>b</ul></ul>",
        '<list rend="bulleted"><item>a</item> <item><list rend="bulleted"><item>b</item>'
        " </list> </item> </list>",
    ),
    "empty list": ("<ul></ul>", '<list rend="bulleted"><item/></list>'),
    "glosses": (
        "<dl><dt>a<dt>b<dd>c<dd>d<dt>e</dl>",
        '<list type="gloss"><label>a</label> <item/><label>b</label> <item>c</item> <label/>'
        "<item>d</item> <label>e</label> <item/></list>",
    ),
    "table": (
        "<table><caption>t</caption><thead><tr><th colspan=2>a</thead><tr><td>b<td></table>",
        '<table><head>t</head> <row><cell role="label" cols="2">a</cell> </row> <row>'
        "<cell>b</cell> <cell></cell> </row> </table>",
    ),
    "empty table": ("<table></table>", "<table><row><cell/></row></table>"),
    "quote without a paragraph": (
        "<blockquote>a</blockquote>",
        "<quote><p>a</p> </quote>",
    ),
    "code": (
        "<pre><code class=language-py>a &lt; b\n\nc</code></pre>",
        '<p><code lang="py" xml:space="preserve">a &lt; b\n\nc</code></p>',
    ),
    "figure": (
        "<figure><img src=/a.png alt=b><figcaption>c</figcaption></figure>",
        '<figure><graphic url="/a.png"><desc>b</desc></graphic><head>c</head> </figure>',
    ),
    "picture": ("<img src=/a.png>", '<p><graphic url="/a.png"/></p>'),
    "inline": (
        "<p><b>a</b><i>b</i><code>c</code><sup>2</sup><del>d</del><u>e</u><q>f</q>",
        '<p><hi rend="bold">a</hi><hi rend="italic">b</hi><code>c</code>'
        '<hi rend="superscript">2</hi><del>d</del><hi rend="underline">e</hi><q>f</q></p>',
    ),
    "link": (
        '<p><a href="/x?a=1&amp;b=&quot;">a</a>',
        '<p><ref target="/x?a=1&amp;b=%22">a</ref></p>',
    ),
    "line break and rule": (
        "<p>a<br>b</p><hr><p>c",
        '<p>a<lb/>b</p> <milestone unit="section" rend="rule"/> <p>c</p>',
    ),
    "blocks in a line": ("<p><b><p>a<p>b</b>", None),  # type: ignore[dict-item]
    "date": (
        "<p><time datetime=2024-05-03>a</time><time datetime=soon>b</time>",
        '<p><date when="2024-05-03">a</date><date>b</date></p>',
    ),
    "language": ("<p lang=de>a<p lang='x y'>b", '<p xml:lang="de">a</p> <p>b</p>'),
    "formula": (
        "<p><math><semantics><mi>x</mi><annotation encoding=application/x-tex>x^2</annotation>"
        "</semantics></math>",
        '<p><formula notation="TeX">x^2</formula></p>',
    ),
    "details": (
        "<details><summary>a</summary>b</details>",
        '<p rend="summary">a</p> <p>b</p>',
    ),
    "ruby": ("<p>a<ruby>b<rt>c</rt></ruby>d", "<p>abcd</p>"),
}
CASES.pop("blocks in a line")


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
def test_body_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says; here line ends are spaces."""
    body = write_body(turbohtml.parse_fragment(html).inner_html)
    inside = body.removeprefix("<body>").removesuffix("</body>\n")
    if "\n\n" not in expected:
        inside = inside.replace("\n", " ")
    assert expected == inside.rstrip()


INLINE: Final = frozenset(
    f"{TEI}{name}"
    for name in (
        *("abbr", "add", "code", "date", "del", "formula", "graphic", "hi", "lb", "q", "ref"),
        "term",
    )
)
BLOCKS: Final = frozenset(
    f"{TEI}{name}" for name in ("ab", "figure", "list", "milestone", "p", "quote", "table")
)
CHILDREN: Final = {
    "body": BLOCKS | {f"{TEI}div"},
    "div": BLOCKS | {f"{TEI}div", f"{TEI}head"},
    "quote": BLOCKS,
    "figure": BLOCKS | {f"{TEI}head", f"{TEI}graphic"},
    "list": {f"{TEI}item", f"{TEI}label"},
    "table": {f"{TEI}head", f"{TEI}row"},
    "row": {f"{TEI}cell"},
    "item": BLOCKS | INLINE,
    "cell": BLOCKS | INLINE,
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
        assert set(children) <= CHILDREN.get(name, INLINE), name
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
    options = WriteOptions(images=False, links=False)
    document.write("tei", options)
    tree = turbohtml.parse_fragment(document.html)
    for pictured in tree.find_all("math"):
        pictured.decompose()
    words = set("".join(words_of(" ".join(body.itertext()))))
    assert set("".join(words_of(" ".join(tree.strings)))) <= words


def test_words_are_separated_when_blocks_are_in_a_line() -> None:
    """Blocks that a paragraph cannot hold must leave their words, separated by line breaks."""
    markup = "<b><p>a</p><ul><li>b</li></ul></b>"
    assert '<body><p><hi rend="bold">a<lb/>b</hi></p>\n</body>\n' == write_body(markup)


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("2024", True),
        ("2024-05", True),
        ("2024-05-03", True),
        ("2024-05-03T10:20:30Z", True),
        ("2024-05-03T10:20:30.5+02:00", True),
        ("2024-05-03T10:20", False),
        ("2024-13-03", False),
        ("3 May 2024", False),
    ],
)
def test_dates_are_those_of_xml_schema(text: str, is_date: bool) -> None:
    """Only dates that are valid in TEI may go into an attribute."""
    assert is_date == bool(DATE.fullmatch(text))
