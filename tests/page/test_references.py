"""Character references of long attributes are replaced part by part."""

from __future__ import annotations

import html

import pytest

from thresher.deadline import deadline
from thresher.errors import LimitError
from thresher.page.references import unescape


@pytest.mark.parametrize(
    "text", ["x", "&lt;", "&#x41;&ampx; & &notit;" * 9_000, "é&eacute" * 20_000]
)
def test_text_is_that_of_the_standard_library(text: str) -> None:
    """Where a long text is divided makes no difference."""
    assert html.unescape(text) == unescape(text)


def test_deadline_is_checked_inside_a_long_text() -> None:
    """Millions of references end at the deadline."""
    with deadline(1e-9), pytest.raises(LimitError):
        unescape("x&lt;" * 20_000)
