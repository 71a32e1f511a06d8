"""Small pages and what they are written as: each case in pages/ states one or several outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.data import cases
from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions

PAGES = Path(__file__).parent / "pages"


@cases(PAGES)
def test_page_is_written_as_its_case_says(
    page: str, markdown: str | None, text: str | None, html: str | None
) -> None:
    """Each output that a case states must be that of the whole page."""
    document = document_keeping(page)
    if markdown is not None:
        assert markdown == document.markdown
    if text is not None:
        assert text == document.text
    if html is not None:
        assert html == document.html


def test_words_stay_apart_when_something_between_is_dropped() -> None:
    """Dropping a link between two words must not join them; punctuation stays attached."""
    document = document_keeping("<p>a<a href=x>b</a>c<a href=x>d</a>, e</p>", drop=["a"])
    assert "a c, e" == document.text


def test_a_page_is_written_when_metadata_is_on() -> None:
    """With metadata the HTML must be a page with a head that declares it, safely escaped."""
    document = document_keeping("<html lang=en><title>a &amp; c</title><h1>a &amp; c</h1><p>d")
    written = document.write("html", WriteOptions(metadata=True))
    assert written.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert "<title>a &amp; c</title>" in written
    assert written.endswith("<p>d</p>\n</body>\n</html>")


def test_nothing_is_written_when_nothing_is_kept() -> None:
    """Without kept leaves there must be no markup, not even the div for a direction."""
    assert "" == document_keeping("<html dir=rtl><p>a", []).html


@pytest.mark.parametrize(
    ("html", "options", "expected"),
    [
        ("<p><a href=/x>a</a> b</p><iframe src=/f></iframe>", WriteOptions(links=False), "a b"),
        ("<p>a <a href=/x><img src=/p.png></a></p>", WriteOptions(images=False), "a"),
    ],
    ids=["links", "images"],
)
def test_less_is_written_when_an_option_is_off(
    html: str, options: WriteOptions, expected: str
) -> None:
    """Without links their texts stay, and media go; without images, links around one go too."""
    assert expected == document_keeping(html).write("markdown", options)
