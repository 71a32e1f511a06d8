"""thresher.writers.outline.boxes: one link for a card that links a page or a file."""

from __future__ import annotations

from typing import Final

import pytest

import thresher
from thresher.document import WriteOptions

TEXT: Final = (
    "<p>Most of the people who spoke wanted the building kept, whatever it should hold.</p>"
)
MEDIUM: Final = (
    '<div class="link-block"><a href="https://m.example/a"><h2>Knots</h2><h3>A list</h3>'
    "<p>m.example</p></a></div>"
)


def _write(card: str, around: str = TEXT) -> str:
    """Return the Markdown of what stands between two paragraphs."""
    markdown = thresher.extract(f"{around}{card}{around}", method="keep_all").markdown
    return markdown.partition("\n\n")[2].rpartition("\n\n")[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (MEDIUM, "[Knots](https://m.example/a)"),
        (
            '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container"'
            ' href="https://b.example/"><div class="kg-bookmark-title">Ink</div><div>A guide.</div>'
            '<img src="/i.png"><span>B</span></a></figure>',
            "[Ink](https://b.example/)",
        ),
        (
            '<figure><a class="bookmark source" href="https://b.example/"><div><div'
            ' class="bookmark-title">Ink</div><div class="bookmark-text">A guide.</div></div>'
            '<img src="/i.png"></a><figcaption>Seen in May</figcaption></figure>',
            "[Ink](https://b.example/)\n\nSeen in May",
        ),
        (
            '<aside class="onebox" data-onebox-src="https://m.example/a"><header><a'
            ' href="https://m.example/a">m.example</a></header><article><h3><a'
            ' href="https://m.example/a">Fuses</a></h3><p>A list.</p></article></aside>',
            "[Fuses](https://m.example/a)",
        ),
        (
            '<a class="LinkCard" href="https://z.example/"><span class="LinkCard-contents"><div'
            ' class="LinkCard-title">Nets</div><div>z.example</div></span></a>',
            "[Nets](https://z.example/)",
        ),
        (
            '<div class="kg-card kg-file-card"><a href="https://f.example/f.pdf" title="Download"'
            ' download><div class="kg-file-card-title">Recipe</div><div>Ink</div>'
            "<div>f.pdf</div><div>2 MB</div></a></div>",
            "[Recipe (f.pdf)](https://f.example/f.pdf)",
        ),
    ],
)
def test_card_in_a_text_is_one_link_with_its_title(html: str, expected: str) -> None:
    """What a card says besides its title, and the name of a file, must not be written."""
    assert expected == _write(html)


@pytest.mark.parametrize(
    ("html", "words"),
    [
        (MEDIUM * 9, "A list"),
        ('<div class="card"><h5>Knots</h5><p>A list</p><a href="/a">Go</a></div>', "A list"),
        (
            '<div class="link-block"><a href="/a"><h2>Knots</h2></a><a href="/b">A list</a></div>',
            "A list",
        ),
        ('<div class="link-block"><a href="/a"><p>Knots</p><p>A list</p></a></div>', "A list"),
    ],
)
def test_words_of_a_box_stay_when_it_is_no_card(html: str, words: str) -> None:
    """A list of cards, and a box with text, several addresses or no title, must stay whole."""
    assert words in _write(html, TEXT[:30])


def test_every_format_has_the_card_as_one_link() -> None:
    """Text, HTML and TEI must have the title, and nothing else of the card."""
    document = thresher.extract(f"{TEXT}{MEDIUM}{TEXT}", method="keep_all")
    for format in ("text", "html", "tei"):
        written = document.write(format)
        assert "Knots" in written
        assert "A list" not in written
    assert '<p><a href="https://m.example/a">Knots</a></p>' in document.write("html")
    assert "Knots" in document.write("markdown", WriteOptions(links=False))
