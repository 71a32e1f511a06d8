"""Plain text."""

from __future__ import annotations

from tests.helpers.fixture_pages import document_keeping


def test_words_stay_apart_when_something_between_is_dropped() -> None:
    """Dropping a link between two words must not join them; punctuation stays attached."""
    document = document_keeping("<p>a<a href=x>b</a>c<a href=x>d</a>, e</p>", drop=["a"])
    assert "a c, e" == document.text
