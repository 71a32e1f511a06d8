"""Languages and text directions."""

from __future__ import annotations

import pytest

from tests.helpers.fixture_pages import document_keeping


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<ul><li><div dir=rtl>b</div></ul>", 1),
        ("<p>a<ul dir=rtl><li>b</ul>", 1),
        ("<div dir=rtl><div dir=rtl><p>a</div></div><p>b", 1),
        ("<p>a <span dir=rtl>b</span>", 1),
        ("<p>a<h2><div dir=rtl>b</div></h2>", 0),
    ],
)
def test_direction_is_set_once_when_the_page_sets_it(html: str, expected: int) -> None:
    """A direction must be in the HTML once, unless no element can carry it."""
    assert expected == document_keeping(html).html.count('dir="rtl"')
