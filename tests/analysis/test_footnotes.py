"""Footnotes: references, with and without links, and the notes that they refer to."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.analysis.footnotes import Footnotes, find_footnotes
from thresher.analysis.footnotes.references import (
    brackets_around,
    find_inline_notes,
    find_note_span,
    find_plain_marks,
    is_bracketed,
    read_mark,
)
from thresher.analysis.links import find_inner_links
from thresher.page import Page
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF


def link_in(html: str) -> tuple[Page, int]:
    """Return a page and the row of its first link."""
    page = parse(f"<body>{html}")
    return page, page.tag.tolist().index(CODE_OF["a"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[12]", "12"), (" 3b ", "3b"), ("fn 4", "fn 4"), ("†", "†"), ("see below", None), ("", None)],
)
def test_mark_is_read_when_it_is_short(text: str, expected: str | None) -> None:
    """Numbers, letters and signs are marks, with or without brackets; words are none."""
    assert expected == read_mark(text)


def test_brackets_are_found_when_they_stand_around_a_link() -> None:
    """Brackets in elements of their own must be distinguished from those in a longer text."""
    page, row = link_in("<p>x <b>[</b><a href=#n>1</a><b>]</b></p>")
    assert (1, 3) == brackets_around(page, row)
    page, row = link_in("<p>x [<a href=#n>1</a>] y</p>")
    assert is_bracketed(page, row)
    assert () == brackets_around(page, row)
    page, row = link_in("<p><a href=#n>1</a>")
    assert not is_bracketed(page, row)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<li id=n>a <b>b</b>", ("li", "a b")),
        ("<p><a id=n></a>1. a b", ("p", "1. a b")),
        ("<div class=footnote><p><a id=n></a>a<p>b</div>", ("div", "ab")),
        ("<dl><dt id=n>1<dd>a b</dl>", ("dd", "1a b")),
        ("<dl><dt id=n>mill<dd>a b</dl>", None),
        ("<h5><a id=n>(1)</a></h5><p>a b</p>", ("", "(1)a b")),
        ("<h5><a id=n>(1)</a></h5><ul><li>a b</ul>", None),
        ("<h5 id=n>Mill</h5><p>a b</p>", None),
        ("<p>a <a id=n></a>b", None),
        ("<h2 id=n>a</h2>", None),
        ("<article id=n><p>a</article>", None),
        ("<div id=n><h3>a</h3><p>b</div>", None),
        ("<table id=n><tr><td>a<tr><td>b</table>", None),
        ("<p id=n></p>", None),
    ],
)
def test_note_is_the_element_that_begins_at_a_target(
    html: str, expected: tuple[str, str] | None
) -> None:
    """It is the target or the block it begins; parts of the page and headings are none."""
    page = parse(f"<body><p>x</p>{html}")
    target = next(row for row, name in page.attributes.values("id").items() if name == "n")
    span = find_note_span(page, target)
    found = span and (
        page.name(span[0]) if span[0] >= 0 else "",
        "".join(map(page.leaf_text, range(*span[1:]))),
    )
    assert expected == found


def read(html: str) -> Footnotes:
    page = parse(f"<body>{html}")
    keep = np.ones(page.leaves.size, np.bool_)
    return find_footnotes(page, keep, find_inner_links(page, keep))


NOTE = "<p id=n>a b</p>"


@pytest.mark.parametrize(
    "reference",
    [
        "<a href=#n><sup>1</sup></a>",
        "<sup><a href=#n>1</a></sup>",
        "<a href=#n>[1]</a>",
        "[<a href=#n>1</a>]",
        "<a role=doc-noteref href=#n>1</a>",
        "<a data-footnote-ref href=#n>1</a>",
        "<a class=noteref href=#n>note 1</a>",
        "<span class=footnote-ref><a href=#n>1</a></span>",
    ],
)
def test_reference_is_found_when_one_sign_tells(reference: str) -> None:
    """A short link to a note further down is a reference if there is further evidence."""
    assert [0] == list(read(f"<p>x {reference}.</p>{NOTE}").references.values())


@pytest.mark.parametrize(
    "html",
    [
        f"<p>x <a href=#n>1</a></p>{NOTE}",
        f"<p class=footnote-ref>x <a href=#n>1</a></p>{NOTE}",
        f"<p class=foot>x <b class=foot><a href=#n>1</a></b></p>{NOTE}",
        f"<p>x <sup><a href=#n>see below</a></sup></p>{NOTE}",
        f"{NOTE}<p>x <sup><a href=#n>1</a></sup></p>",
        "<p>x <sup><a href=#n>1</a></sup></p><h2 id=n>a b</h2>",
        "<p>x <sup><a href=#n>1</a></sup></p><div id=n><h3>a</h3><p>b c</div>",
        "<p>x <sup><a href=#n>1</a></sup></p><p>a <b id=n>b</b> c</p>",
        "<div id=n><p>x <sup><a href=#n>1</a></sup> b</p></div>",
    ],
)
def test_nothing_is_found_when_a_link_is_no_reference(html: str) -> None:
    """Links without evidence, with words, upwards, and to sections are not references."""
    assert Footnotes() == read(html)


def test_links_back_are_found_when_they_lead_to_the_reference() -> None:
    """A link in the note to the reference leads back; another link does not."""
    found = read(
        "<p id=top>x <sup id=r><a href=#n>1</a></sup></p>"
        "<p>y</p><p id=n>a b <a href=#r>up</a> <a href=/z>c</a></p>"
    )
    assert [0] == list(found.back_links.values())


def test_labels_differ_when_two_notes_have_one_mark() -> None:
    """Each note has a unique label of letters and digits."""
    notes = "".join(
        f"<p>x<sup><a href=#n{i}>{mark}</a></sup></p><p id=n{i}>a b</p>"
        for i, mark in enumerate(("1", "1", "*", "2"))
    )
    assert ["1", "3", "4", "2"] == [note.label for note in read(notes).notes]


REFERENCE = "<p>x <sup id=r><a href=#n>1</a></sup> y</p>"


@cases(__file__, "ornaments")
def test_ornaments_are_what_says_nothing_of_the_note(
    note: str, back: int, ornaments: list[str], arrows: list[str]
) -> None:
    """Back links, repeated marks and arrows without a target are separated from the text."""
    page = parse(f"<body>{REFERENCE}<p id=n>{note}</p>")
    keep = np.ones(page.leaves.size, np.bool_)
    found = find_footnotes(page, keep, find_inner_links(page, keep))
    assert 1 == len(found.notes)
    assert back == len(found.back_links)
    assert ornaments == [page.leaf_text(leaf).strip() for leaf in found.ornaments]
    assert arrows == [page.leaf_text(leaf).strip() for leaf in found.arrows]


TEXT: Final = "<p>One.<sup>1</sup> Two.<sup>2</sup> And so on.</p>"
NOTES: Final = "<sup>1</sup> Box 4.<br><sup>2</sup> Page 31."


@cases(__file__, "lines")
def test_notes_are_found_when_their_marks_are_in_the_text(
    html: str, expected: list[list[str]]
) -> None:
    """A raised mark that begins a line at the end is a note if the text has it, and no other."""
    page = parse(f"<body>{html}")
    found = find_plain_marks(page, np.ones(page.leaves.size, np.bool_))
    lines = [page.lines.start[page.lines.of_leaf[each.first] + 1] for each in found]
    spans = [range(each.first, line) for each, line in zip(found, lines, strict=True)]
    texts = ["".join(map(page.leaf_text, span)) for span in spans]
    assert expected == [[each.mark, text] for each, text in zip(found, texts, strict=True)]


def test_notes_are_written_apart_when_they_are_lines() -> None:
    """Each line must be a note, in Markdown, HTML and text, and all else stay in place."""
    document = document_keeping(f"{TEXT}<p>Last.<br>{NOTES}</p>")
    expected = "One.[^1] Two.[^2] And so on.\n\nLast.\n\n[^1]: Box 4.\n\n[^2]: Page 31."
    assert expected == document.markdown
    assert '<sup><a id="fnref-1" href="#fn-1">1</a></sup> Two.' in document.html
    assert '<div id="fn-2">\n<p><sup>2</sup> Page 31.</p>\n</div>' in document.html
    assert "One.[1] Two.[2] And so on.\n\nLast.\n\n[1] Box 4.\n\n[2] Page 31." == document.text


def test_numbers_of_notes_are_written_once() -> None:
    """The number that begins a line of a note is its label."""
    document = document_keeping(f"{TEXT}<hr><p><b>1</b> Box 4.</p><p>[2] Page 31.</p>")
    assert document.markdown.endswith("so on.\n\n[^1]: Box 4.\n\n[^2]: Page 31.")


@pytest.mark.parametrize(
    ("mark", "note", "written"),
    [
        ("1", "1 Holm archive, box 7.", "Holm archive, box 7."),
        ("1", "[1]  Holm archive.", "Holm archive."),
        ("1", "1. See <i>Holm</i>.", "See Holm."),
        ("a", "a) Holm archive.", "Holm archive."),
        ("a", "a box of the archive.", "a box of the archive."),
        ("1", "10 boxes of letters.", "10 boxes of letters."),
    ],
    ids=["number", "brackets", "period", "letter", "a word", "another number"],
)
def test_the_mark_before_a_note_in_its_text_is_not_repeated(
    mark: str, note: str, written: str
) -> None:
    """The label of a note says its number already."""
    html = f"<p>It was sold.<sup><a href=#n>{mark}</a></sup><p id=n>{note}<p>Then it rained."
    document = document_keeping(html, ["p"])
    assert f"[{mark}] {written}" in document.text
    assert f"[^{mark}]: {written}" in document.markdown.replace("*", "")


def test_an_element_around_lines_ends_with_each_note() -> None:
    """Emphasis and the like around several notes must not hold them together."""
    document = document_keeping(f"{TEXT}<p><small><i>{NOTES}</i></small></p>")
    assert document.markdown.endswith("\n\n[^1]: *Box 4.*\n\n[^2]: *Page 31.*")


def test_marks_without_a_text_are_none() -> None:
    """A page of empty elements has no notes, and empty ones at its end are none."""
    assert [] == find_plain_marks(parse("<sup></sup><sup></sup>"), np.zeros(0, np.bool_))
    assert [] == find_plain_marks(parse("a<sup></sup><sup></sup>"), np.ones(1, np.bool_))


def note(mark: str, text: str) -> str:
    """Return a note as LaTeXML writes it."""
    sup = f'<sup class="ltx_note_mark">{mark}</sup>'
    return (
        f'<span class="ltx_note ltx_role_footnote">{sup}<span class="ltx_note_outer">'
        f'<span class="ltx_note_content">{sup}<span class="ltx_tag ltx_tag_note">{mark}</span>'
        f"{text}</span></span></span>"
    )


INLINE_CASES: Final[dict[str, tuple[str, list[tuple[str, str]]]]] = {
    "a note": (f"<p>a{note('1', 'b <i>c</i>')} d", [("1", "b c")]),
    "a star": (f"<p>a{note('*', 'b')}", [("*", "b")]),
    "a note in a note": (f"<p>a{note('1', 'b' + note('2', 'c'))}", [("1", "b22 2c")]),
    "no mark": ("<p>a<span class=ltx_note><span class=ltx_note_outer>b</span></span>", []),
    "a note of paragraphs": (f"<div>a{note('1', 'b<p>c</p>')}</div>", []),
}


@pytest.mark.parametrize(("html", "expected"), INLINE_CASES.values(), ids=list(INLINE_CASES))
def test_note_is_found_when_it_follows_its_mark(html: str, expected: list[tuple[str, str]]) -> None:
    """A box after a mark is a note, without its own marks, if it is in the sentence."""
    page = parse(f"<body>{html}")
    found = find_inline_notes(page, np.ones(page.leaves.size, np.bool_))
    texts = [" ".join(page.leaf_texts(np.arange(each.first, each.stop))) for each in found]
    assert [mark for mark, _ in expected] == [each.mark for each in found]
    assert [text.replace(" ", "") for _, text in expected] == [
        text.replace(" ", "") for text in texts
    ]


HTML: Final = (
    f"<p>One{note('1', 'See <em>b</em>.')} and two [<a href=#b1>1</a>].</p>"
    f"<ul><li>Three{note('2', 'Box 4.')}</li><li>four</li></ul><p>End.</p>"
    "<ul><li id=b1>Holm 1981.</li></ul>"
)


def test_notes_are_behind_the_text_in_markdown() -> None:
    """A note must leave its sentence whole, and have a label that no other has."""
    expected = (
        "One[^n1] and two [^1].\n\n- Three[^2]\n- four\n\nEnd.\n\n"
        "[^n1]: See *b*.\n\n[^2]: Box 4.\n\n[^1]: Holm 1981."
    )
    assert expected == document_keeping(HTML).markdown


def test_notes_are_behind_their_paragraph_in_html() -> None:
    """A note must follow the paragraph or the list around it, linked with its mark."""
    html = document_keeping(HTML).html
    assert '<p>One<sup><a id="fnref-n1" href="#fn-n1">1</a></sup> and two [' in html
    assert '].</p>\n<div id="fn-n1">\n<p>See <em>b</em>.</p>\n</div>' in html
    assert '<li>four</li>\n</ul>\n<div id="fn-2">\n<p>Box 4.</p>\n</div>' in html


def test_notes_are_at_the_end_of_plain_text() -> None:
    """A note must leave its sentence whole in plain text too."""
    expected = (
        "One[n1] and two [1].\n\n- Three[2]\n- four\n\nEnd.\n\n[1] Holm 1981.\n\n"
        "[n1] See b.\n\n[2] Box 4."
    )
    assert expected == document_keeping(HTML).text


def test_chunks_are_of_the_whole_text() -> None:
    """Chunks must be parts of what is written, notes included."""
    document = document_keeping(HTML)
    for format in ("markdown", "text"):
        chunks = document.chunks(60, format)
        written = document.write(format)
        assert all(each.text in written for each in chunks)
