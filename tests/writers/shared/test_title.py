"""The title before content that does not begin with it."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.writers.shared.title import find_missing_title

TITLE = "<title>Rye &amp; oat</title><meta property=og:title content='Rye &amp; oat'>"
WITH = WriteOptions(title=True)


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("markdown", "# Rye & oat\n\nText."),
        ("text", "Rye & oat\n\nText."),
        ("html", "<h1>Rye &amp; oat</h1>\n<p>Text.</p>"),
    ],
)
def test_title_comes_first_when_requested(format: str, expected: str) -> None:
    """The title must be a level-one heading before everything else."""
    assert expected == document_keeping(f"{TITLE}<p>Text.").write(format, WITH)


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
def test_title_is_not_repeated_when_the_content_begins_with_it(format: str) -> None:
    """If the first heading is the title already, nothing may change."""
    document = document_keeping(f"{TITLE}<h2>RYE & <i>oat</i></h2><p>Text.")
    assert document.write(format) == document.write(format, WITH)


def test_title_is_missing_when_only_another_heading_is_there() -> None:
    """A different first heading must not replace the title."""
    document = document_keeping(f"{TITLE}<h2>Sown</h2><h2>Rye & oat</h2>", ["h2:first-of-type"])
    assert "Rye & oat" == find_missing_title(document)


def test_nothing_is_added_when_there_is_no_title() -> None:
    """A page without a title must have none in its output either."""
    document = document_keeping("<p>Text.")
    assert find_missing_title(document) is None
    assert "Text." == document.write("markdown", WITH)


def test_title_follows_front_matter_when_both_are_requested() -> None:
    """Front matter must come first."""
    written = document_keeping(f"{TITLE}<p>Text.").write(
        "markdown", WriteOptions(title=True, metadata=True)
    )
    assert written.endswith("---\n\n# Rye & oat\n\nText.")
