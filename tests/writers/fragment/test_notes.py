"""Markup of footnotes in a fragment."""

from __future__ import annotations

from tests.helpers.fixture_pages import document_keeping


def test_notes_are_separated_when_they_share_a_paragraph() -> None:
    """Each note between two anchors must get an element of its own."""
    html = document_keeping(
        "<p>a<sup><a href=#x>1</a></sup> b<sup><a href=#y>2</a></sup></p>"
        "<div><a name=x></a>c d<br><br><a name=y></a>e f</div>"
    ).html
    assert '<div id="fn-1">\n<p>c d</p>\n</div>\n<div id="fn-2">\n<p>e f</p>\n</div>' in html
