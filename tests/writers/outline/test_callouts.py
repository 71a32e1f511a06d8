"""thresher.writers.outline.callouts: notes, tips and warnings in boxes."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher.document import WriteOptions
from thresher.evaluation.fidelity.cases import render_markdown

_AROUND = "<p>Some words before it.</p>{}<p>Some words after it, a few more.</p>"


def _write(callout: str, *, alerts: bool = True) -> str:
    html = _AROUND.format(callout)
    written = document_keeping(html).write("markdown", WriteOptions(alerts=alerts))
    return written.partition("\n\n")[2].rpartition("\n\n")[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<div class="admonition note"><p class="admonition-title">Note</p><p>a<p>b</div>',
            "> [!NOTE]\n> a\n>\n> b",
        ),
        (
            '<div class="admonition danger"><p class="admonition-title">Hot</p><p>a</div>',
            "> [!CAUTION]\n> **Hot**\n>\n> a",
        ),
        (
            '<div class="theme-admonition theme-admonition-tip alert"><div class="heading_x">tip'
            "</div><div><p>a</div></div>",
            "> [!TIP]\n> a",
        ),
        (
            '<blockquote class="blockquote-tag blockquote-tag-tip"><p class="blockquote-tag-title">'
            "Tip<p>a</blockquote>",
            "> [!TIP]\n> a",
        ),
        ('<aside class="callout">a</aside>', "> [!NOTE]\n> a"),
        ('<div class="warning"><p>Warning!<p>a</div>', "> [!WARNING]\n> a"),
        ('<div class="alert alert-info">a</div>', "> [!NOTE]\n> a"),
        ('<div data-callout="important"><div>a</div></div>', "> [!IMPORTANT]\n> a"),
        ("<blockquote class=note><ul><li>a</ul></blockquote>", "> [!NOTE]\n> - a"),
        ('<details class="hint"><summary>Why</summary>a</details>', "> [!TIP]\n> **Why**\n>\n> a"),
        (
            '<div class="admonitionblock note"><table><tr><td class=icon><div class=title>Note'
            "</div><td>a</table></div>",
            "> [!NOTE]\n> a",
        ),
        (
            '<figure class="block-color-gray_background callout"><div><span class=icon>💡</span>'
            "</div><div>a b</div></figure>",
            "> [!NOTE]\n> a b",
        ),
        (
            '<div class="kg-card kg-callout-card kg-callout-card-blue"><div class=kg-callout-emoji>'
            "💡</div><div class=kg-callout-text>a</div></div>",
            "> [!NOTE]\n> a",
        ),
        (
            '<div class="confluence-information-macro confluence-information-macro-warning">'
            '<p class=title>Hot</p><div class="confluence-information-macro-body">a</div></div>',
            "> [!WARNING]\n> **Hot**\n>\n> a",
        ),
        (
            "<div class=ak-editor-panel data-panel-type=error><div>⛔</div><p>a</div>",
            "> [!CAUTION]\n> a",
        ),
        (
            '<aside class="callout"><span>❗</span><h4>Hot</h4><p>a</aside>',
            "> [!NOTE]\n> #### Hot\n>\n> a",
        ),
    ],
)
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
    """An element with most of the words must not be a callout."""
    assert "a b c" == document_keeping('<div class="note"><p>a b c</div><p>d').markdown[:5]


def test_callout_comes_back_when_markdown_is_read() -> None:
    """The reader used for measuring must see the kind, and not take it for text."""
    read = render_markdown("> [!TIP]\n> **Why**\n>\n> Because.")
    assert read.startswith('<blockquote data-callout="tip">\n<p><strong>Why</strong></p>')
