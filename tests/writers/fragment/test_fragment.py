"""The kept part of a page as a fragment."""

from __future__ import annotations

import pytest

from tests.helpers.cases import cases
from tests.helpers.fixture_pages import document_keeping
from thresher import WriteOptions
from thresher.page.parse import parse
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.fragment.slices import format_start_tag, keep_attributes


@cases(__file__, "cut")
def test_fragment_is_as_expected_when_cut(html: str, drop: list[str], expected: str) -> None:
    """Each case must be written as its table says."""
    document = document_keeping(html, drop=drop)
    assert expected == write_fragment(document, WriteOptions()).markup.decode()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2 {} title=t lang=de>A</h2>", '<h2 lang="de">A</h2>'),
        ("<p><a {} href='/x?a=1&b=2'>A</a>", '<p><a href="/x?a=1&amp;b=2">A</a></p>'),
        ("<a {} href=/x><h2>A</h2></a>", '<h2><a href="/x">A</a></h2>'),
        ("<p><math {}><mi>A</mi></math>", "<p>A</p>"),
    ],
)
def test_attributes_are_filtered_when_there_are_thousands(html: str, expected: str) -> None:
    """Only attributes that the sanitiser keeps may be written of a start tag with thousands."""
    many = " ".join(f"x{number}=1" for number in range(5000))
    document = document_keeping(html.replace("{}", many))
    assert expected == write_fragment(document, WriteOptions()).markup.decode()


def test_only_allowed_attributes_stay_when_a_tag_is_formatted() -> None:
    """Attributes must be those of clean HTML, escaped, and never the page's own id."""
    page = parse("<body><li id=a class=b lang='&quot;' value=3>c")
    row = int(page.parent[page.leaves[0]])
    assert '<li lang="&quot;" value="3">' == format_start_tag(
        "li", keep_attributes(page, row, "li")
    )
