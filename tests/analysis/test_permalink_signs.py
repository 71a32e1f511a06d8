"""Signs of permalinks in headings."""

from __future__ import annotations

import pytest

from thresher.analysis.links import find_signs_of
from thresher.page.parse import parse
from thresher.page.tags import flags_of


def shown(heading: str) -> list[str]:
    page = parse(f"<h2>{heading}</h2><p>Rye is sown.")
    links = page.rows_of(flags_of("a"))
    return [page.text_of(link) for link in find_signs_of(page, links)]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Rye<a class=headerlink href=#rye>¶</a>", ["¶"]),
        ("<a href=#rye>#</a> Rye", ["#"]),
        ("Rye <a class=header-link href=/rye#rye>⚓</a>", ["⚓"]),
        ("Rye <a class=hash-link href=#rye>Link to this heading</a>", ["Link to this heading"]),
        ("<a class=anchor href=#rye>Rye</a>", []),
        ("Rye, see <a href=#oat>oat</a>", []),
        ("Option&lt;<a href=/ref.html>&amp;</a>T&gt;", []),
        ("Rye <a href=/><img src=/chain.png></a>", []),
    ],
)
def test_signs_are_told_from_words_and_from_links_that_lead_elsewhere(
    heading: str, expected: list[str]
) -> None:
    """Only a link that is no part of the heading's words is a sign."""
    assert expected == shown(heading)
