"""Markdown: each case is markup of real pages and its expected output."""

from __future__ import annotations

import pytest

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions

TABLES = ("blocks", "headings", "notes", "lists", "links", "inline", "code", "formulas", "tables")


@cases(__file__, *TABLES, "escapes")
def test_markdown_is_as_expected_when_written(html: str, expected: str) -> None:
    """Each case must be written as its table says."""
    assert expected == document_keeping(html).markdown


def test_words_stay_when_a_line_break_is_in_bold() -> None:
    """A bold text must stay whole: turbohtml 1.15 with a converter for bold loses "May" here."""
    html = "<p><b>fourteen chars<br>z</b></p><p><b>Ripe grain in May</b> rye</p>"
    assert document_keeping(html).markdown.endswith("**Ripe grain in May** rye")


def test_only_link_texts_are_written_when_links_are_off() -> None:
    """Without links their texts must stay, and media must be omitted."""
    document = document_keeping("<p><a href=/x>a</a> b</p><iframe src=/f></iframe>")
    assert "a b" == document.write("markdown", WriteOptions(links=False))


def test_no_image_is_written_when_images_are_off() -> None:
    """Without images a link around one must vanish too."""
    document = document_keeping("<p>a <a href=/x><img src=/p.png></a></p>")
    assert "a" == document.write("markdown", WriteOptions(images=False))


def test_front_matter_comes_first_when_metadata_is_on() -> None:
    """The metadata must be between lines of dashes before the text."""
    document = document_keeping("<title>T: &quot;t&quot;</title><p>a</p>")
    written = document.write("markdown", WriteOptions(metadata=True))
    assert written.startswith("---\n")
    assert written.endswith('---\n\n# T: "t"\n\na')


def test_marks_are_dropped_when_the_page_has_their_characters() -> None:
    """The noncharacters that serve as marks must not be read as such when a page contains them."""
    assert "ab" == document_keeping("<p>a\ufdd0\ufdd5b\U0005ffff</p>").markdown


MATHJAX = "<script src=https://maths.example/MathJax.js></script>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{MATHJAX}<p>Of \\(n\\) sacks, \\[ a_n < 2 \\]", "Of $n$ sacks, $$a_n \\lt  2$$"),
        (f"{MATHJAX}<p>So <b>\\(n\\)</b> <code>\\(n\\)</code>", "So **$n$** `\\(n\\)`"),
        ("<p>Of \\(n\\) sacks", "Of \\\\(n\\\\) sacks"),
    ],
    ids=["shown by a script", "not in code", "shown by none"],
)
def test_raw_tex_is_a_formula_when_a_script_shows_it(html: str, expected: str) -> None:
    """TeX must be written as a formula if a script of the page renders it, otherwise as text."""
    assert expected == document_keeping(html).markdown


@cases(__file__, "underlined")
def test_markdown_when_headings_are_of_another_kind(html: str, expected: str) -> None:
    """A summary must stand out as on the page; a heading must lose its edit link."""
    assert expected == document_keeping(f"<body>{html}").markdown
