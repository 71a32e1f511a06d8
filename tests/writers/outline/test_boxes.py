"""Cards, callouts, captions and fields."""

from __future__ import annotations

from typing import Final

import pytest

import thresher
from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher.document import WriteOptions
from thresher.evaluation.fidelity.cases import render_markdown
from thresher.page.parse import parse
from thresher.page.tags import CODE_OF
from thresher.writers.formats import FormatName
from thresher.writers.outline.boxes import BoxParts, unmark

PAGE = parse("<main><div><h2>a b</h2></div><p>c <a href=d>e f</a></p></main>")
ROW = {PAGE.name(row): row for row in range(len(PAGE))}


def test_heading_in_a_box_is_written_as_its_text() -> None:
    """Headings and paragraphs around a leaf in a box must lose their tag, those above keep it."""
    parts = BoxParts()
    unmark(PAGE, parts, ROW["main"], 0)
    assert {ROW["h2"]: CODE_OF["div"]} == parts.tags
    unmark(PAGE, parts, ROW["p"], 2)
    assert ROW["p"] not in parts.tags


_AROUND = "<p>Some words before it.</p>{}<p>Some words after it, a few more.</p>"


def _write(callout: str, *, alerts: bool = True) -> str:
    html = _AROUND.format(callout)
    written = document_keeping(html).write("markdown", WriteOptions(alerts=alerts))
    return written.partition("\n\n")[2].rpartition("\n\n")[0]


@cases(__file__, "callouts")
def test_callout_is_an_alert_of_its_kind_when_it_is_marked_up_as_one(
    html: str, expected: str
) -> None:
    """A callout must be written with its kind, and its title unless that only names the kind."""
    assert expected == _write(html)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="footnote">a</div>',
        '<p class="note">a</p>',
        '<div class="notes-list">a</div>',
        '<div class="alert">a</div>',
        '<div class="message-cell message-info-block">a</div>',
        '<div class="shop-tabs-panel--additional_information panel">a</div>',
        '<div class="info">a</div>',
    ],
)
def test_element_is_plain_when_it_is_no_callout(html: str) -> None:
    """Only boxes whose class names a kind, or says callout, must become alerts.

    Posts of forums, tabs of shops and lines of author and date have classes with like words.
    """
    assert "a" == _write(html)


def test_title_is_kept_when_alerts_are_not_wanted() -> None:
    """Without alerts a callout must be written as what it holds."""
    html = '<div class="admonition note"><p class="admonition-title">Note</p><p>a</div>'
    assert "Note\n\na" == _write(html, alerts=False)


def test_article_is_no_callout_when_its_class_says_note() -> None:
    """An element with most of the words must not be a callout, unless it begins with a title."""
    assert "a b c" == document_keeping('<div class="note"><p>a b c</div><p>d').markdown[:5]
    html = '<div class="admonition note"><p class="admonition-title">Note</p><p>a b c</div><p>d'
    assert "> [!NOTE]\n> a b c\n\nd" == document_keeping(html).markdown.rstrip()


def test_callout_comes_back_when_markdown_is_read() -> None:
    """The reader used for measuring must see the kind, and not take it for text."""
    read = render_markdown("> [!TIP]\n> **Why**\n>\n> Because.")
    assert read.startswith('<blockquote data-callout="tip">\n<p><strong>Why</strong></p>')


def _write_captions(html: str, format: FormatName = "markdown") -> str:
    return thresher.extract(f"<p>before</p>{html}<p>after", method="keep_all").write(format)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="figure-caption"><h4>Figure 2. </h4><p>The slope.</p></div>',
        "<figure><figcaption><div><b>Figure 2.</b></div><div>The slope.</div>"
        "</figcaption></figure>",
        '<div class="caption"><p>Figure 2.</p><p>The slope.</p></div>',
    ],
)
def test_label_begins_the_caption(html: str) -> None:
    """A label in a block of its own must be the beginning of the caption."""
    assert "before\n\nFigure 2. The slope.\n\nafter" == _write_captions(html).replace("*", "")
    assert "Figure 2. The slope." in _write_captions(html, "text")
    assert "<h4>" not in _write_captions(html, "html")


@cases(__file__, "headings")
def test_heading_stays_when_it_is_no_label(html: str, expected: str) -> None:
    """A heading without a number, over something else than text, or in no caption is one."""
    assert f"before\n\n{expected}\n\nafter" == _write_captions(html)


_FIELDS = '<div><span class="label">Ort</span><span class="value">Kiel</span></div>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (_FIELDS * 2, "Ort: Kiel\n\nOrt: Kiel"),
        (
            '<ul><li><div class="spec__key"><p>Height:</p></div> <div class="spec__value"><p>'
            "<b>30</b> cm</p></div><li><p class=key>Size (l)</p><p class=spec__value>2</p></ul>",
            "- Height: **30** cm\n- Size (l): 2",
        ),
        (_FIELDS, "Ort Kiel"),
        ('<p><b class="value">1911</b> <b class="label">Founded</b></p>' * 2, None),
        ('<p><b class="value">1911</b> in <b class="value">May</b></p>' * 2, None),
        ('<pre><div><b class="key">a</b> <b class="value">1</b></div></pre>' * 2, None),
        ('<div><h3 class="title">Kiel</h3><p class="value">Rain</p></div>' * 2, None),
    ],
)
def test_label_is_set_off_from_its_value(html: str, expected: str | None) -> None:
    """Label and value of fields must be one line with a colon, unless a sign is there."""
    written = _write_captions(html)
    if expected is None:
        assert ":" not in written
    else:
        assert f"before\n\n{expected}\n\nafter" == written


TEXT: Final = (
    "<p>Most of the people who spoke wanted the building kept, whatever it should hold.</p>"
)
MEDIUM: Final = (
    '<div class="link-block"><a href="https://m.example/a"><h2>Knots</h2><h3>A list</h3>'
    "<p>m.example</p></a></div>"
)


def _write_cards(card: str, around: str = TEXT) -> str:
    """Return the Markdown of what stands between two paragraphs."""
    markdown = thresher.extract(f"{around}{card}{around}", method="keep_all").markdown
    return markdown.partition("\n\n")[2].rpartition("\n\n")[0]


@cases(__file__, "cards")
def test_card_in_a_text_is_one_link_with_its_title(html: str, expected: str) -> None:
    """What a card says besides its title, and the name of a file, must not be written."""
    assert expected == _write_cards(html)


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
    assert words in _write_cards(html, TEXT[:30])


def test_picture_with_the_name_of_a_toggle_is_written() -> None:
    """A picture opens nothing, wherever it stands."""
    assert (
        "![a](/b.png)"
        in thresher.extract(
            f'{TEXT}<img class="toggle" src="/b.png" alt="a">', method="keep_all"
        ).markdown
    )


def test_every_format_has_the_card_as_one_link() -> None:
    """Text, HTML and TEI must have the title, and nothing else of the card."""
    document = thresher.extract(f"{TEXT}{MEDIUM}{TEXT}", method="keep_all")
    for format in ("text", "html", "tei"):
        written = document.write(format)
        assert "Knots" in written
        assert "A list" not in written
    assert '<p><a href="https://m.example/a">Knots</a></p>' in document.write("html")
    assert "Knots" in document.write("markdown", WriteOptions(links=False))
