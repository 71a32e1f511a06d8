"""Pages, columns of pages and facts, as all integrations read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.harbour import HARBOUR, HARBOUR_FILE, NO_PAGE
from thresher.errors import InputError, UsageError
from thresher.integrations.reading import extract_texts, read_sources, read_text


def test_facts_are_plain_values() -> None:
    """Facts are strings and numbers; what is unknown is not there."""
    text = read_text(HARBOUR, url="https://tidewater.example/2026/harbour")
    assert text.text.startswith("# The harbour that learned to wait")
    assert "Mara Lindqvist" == text.facts["authors"]
    assert "content" == text.facts["verdict"]
    assert {str, float} >= {type(value) for value in text.facts.values()}


def test_column_keeps_its_length() -> None:
    """A column has a value for each page, None for what is no page."""
    texts = list(extract_texts([HARBOUR, None, NO_PAGE, float("nan")], "text"))  # type: ignore[list-item]
    assert [True, False, False, False] == [text is not None for text in texts]


def test_sources_that_fail_are_raised_or_skipped(tmp_path: Path) -> None:
    """A file that is no page or is missing raises, or is left out if that is asked for."""
    broken = tmp_path / "broken.html"
    broken.write_text(NO_PAGE, encoding="utf-8")
    gone = tmp_path / "gone.html"
    texts = list(read_sources([broken, gone, tmp_path, HARBOUR_FILE], "text", "skip"))
    assert [str(HARBOUR_FILE)] == [text.facts["source"] for text in texts]
    with pytest.raises(InputError):
        list(read_sources([broken], "text", "raise"))
    with pytest.raises(FileNotFoundError):
        list(read_sources([gone], "text", "raise"))
    with pytest.raises(UsageError, match="on_error"):
        list(read_sources([], "text", "ignore"))
