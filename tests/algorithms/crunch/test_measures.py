"""Links, letters, and the link ratio."""

from __future__ import annotations

import pytest

from thresher.algorithms.crunch.measures import count_letters, find_links, link_ratios
from thresher.algorithms.crunch.params import Params
from thresher.page.parse import parse


@pytest.mark.parametrize(
    ("html", "ratio"),
    [
        ("<td><a href=u>link</a> ten letters", 1 / (10 / 5)),
        ("<td><a href=u>link</a><a href=v>link</a> 1234 5", 2 / (5 / 5)),
        ("<td><a href=u>link</a>", 0.25 + 1),
        ("<td>words alone", 0.0),
        ("<td>", 0.0),
        ("<td><a name=u>five5</a>", 0.0),
        ("<td><script>letters</script><a href=u>x</a>12345", 1.0),
    ],
)
def test_ratio_follows_the_formula_when_worked_out_by_hand(html: str, ratio: float) -> None:
    """The ratio is links × 5 / letters outside links: limit + 1 without words, 0 without links."""
    page = parse(f"<table><tr>{html}</table>")
    cell = page.tagged(["td"]).nonzero()[0]
    assert [ratio] == pytest.approx(link_ratios(page, Params())[cell].tolist())


def test_words_count_when_the_link_is_around() -> None:
    """A link around the element does not reduce its words."""
    page = parse("<a href=u><table><td>12345 <a href=v>12345</a></table></a>")
    assert [1 / 2] == link_ratios(page, Params())[page.tagged(["td"])].tolist()


def test_links_are_anchors_with_an_address() -> None:
    """Neither an `a` without `href` nor another element with one is a link."""
    page = parse("<a>x</a><a href=u>y</a><link href=v>")
    assert ["a"] == [page.name(row) for row in find_links(page).nonzero()[0].tolist()]


def test_letters_are_those_shown_when_counted() -> None:
    """White space, titles and scripts are not counted."""
    page = parse("<title>title</title><p> a b\nc </p><script>x</script>")
    assert 3 == count_letters(page).sum()
