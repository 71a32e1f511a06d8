"""thresher.writers.outline.spoken: words for screen readers."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("15<i class=sr-only> minutes</i> <b aria-hidden=true>minutes</b>", "15 **minutes**"),
        ("<b aria-hidden=true>minutes</b> <i class=sr-only>minutes</i> left", "**minutes** left"),
        ("15<i class=sr-only> minutes</i> <b aria-hidden=true>min</b>", "15 *minutes* **min**"),
        (
            "15<i class=unit> minutes</i> <b aria-hidden=true>minutes</b>",
            "15 *minutes* **minutes**",
        ),
        ("15<i class=sr-only> minutes</i> <b>minutes</b>", "15 *minutes* **minutes**"),
    ],
    ids=["before", "after", "other words", "no class", "not hidden"],
)
def test_words_are_written_once_when_eyes_and_ears_have_their_own(html: str, expected: str) -> None:
    """Of the same words for screen readers and for everyone else, only those shown are written."""
    document = document_keeping(f"<p>{html}")
    assert expected == document.markdown
    assert expected.replace("*", "") == document.text
