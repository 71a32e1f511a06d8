"""Footnotes in the sentence they belong to."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.analysis.footnotes.references import find_inline_notes
from thresher.page.parse import parse


def note(mark: str, text: str) -> str:
    """Return a note as LaTeXML writes it."""
    sup = f'<sup class="ltx_note_mark">{mark}</sup>'
    return (
        f'<span class="ltx_note ltx_role_footnote">{sup}<span class="ltx_note_outer">'
        f'<span class="ltx_note_content">{sup}<span class="ltx_tag ltx_tag_note">{mark}</span>'
        f"{text}</span></span></span>"
    )


CASES: Final[dict[str, tuple[str, list[tuple[str, str]]]]] = {
    "a note": (f"<p>a{note('1', 'b <i>c</i>')} d", [("1", "b c")]),
    "a star": (f"<p>a{note('*', 'b')}", [("*", "b")]),
    "a note in a note": (f"<p>a{note('1', 'b' + note('2', 'c'))}", [("1", "b22 2c")]),
    "no mark": ("<p>a<span class=ltx_note><span class=ltx_note_outer>b</span></span>", []),
    "a note of paragraphs": (f"<div>a{note('1', 'b<p>c</p>')}</div>", []),
}


@pytest.mark.parametrize(("html", "expected"), CASES.values(), ids=list(CASES))
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
