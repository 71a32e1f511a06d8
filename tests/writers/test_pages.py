"""Small pages and what they are written as: each case in pages/ states one or several outputs."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping

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
