"""Jupyter shows a document as the reader view."""

from __future__ import annotations

import thresher
from tests.helpers.harbour import HARBOUR


def test_document_is_shown_as_reader_view() -> None:
    """The content is shown with the facts; addresses are escaped, and scripts are not there."""
    page = HARBOUR.replace("</article>", "<script>alert(1)</script></article>")
    shown = thresher.extract(page, url='https://tidewater.example/?"<b>')._repr_html_()
    assert "content · article" in shown
    assert "The harbour that learned to wait" in shown
    assert [] == [part for part in ("<script", '"<b>') if part in shown]
