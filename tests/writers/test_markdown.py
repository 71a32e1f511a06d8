"""Markdown: each case is markup of real pages and its expected output."""

from __future__ import annotations

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions


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
