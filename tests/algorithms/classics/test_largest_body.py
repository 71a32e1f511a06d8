"""McKeown et al. 2001, checked against words counted by hand."""

from __future__ import annotations

import pytest

from tests.algorithms.kept import kept
from thresher.algorithms.classics.largest_body import Params, select
from thresher.page.parse import parse

# Words of each container's own: body 1 (menu), outer div 3 + 2 = 5, inner div 4.
WORKED = "menu<div><p>one two three</p><div>a b c d</div><ul><li>four five</ul></div>"


def test_body_with_most_own_words_kept_when_counted_by_hand() -> None:
    """Paragraphs and lists belong to their container; nested containers do not."""
    selection = select(parse(WORKED), Params())
    assert ["one two three", "four five"] == kept(selection)
    assert [1, 5, 4, 5] == selection.score.tolist()
    assert [
        "in a smaller body of text",
        "in the largest body of text, of 5 words",
        "in a smaller body of text",
    ] == [selection.reason(block) for block in range(3)]


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (Params(min_words=5), ["one two three", "four five"]),
        (Params(min_words=6), []),
        (Params(container_tags=()), ["menu", "one two three", "a b c d", "four five"]),
        (Params(container_tags=("p", "li")), ["menu", "a b c d"]),
    ],
)
def test_parameters_take_effect_when_set(params: Params, expected: list[str]) -> None:
    """Each parameter has the effect that its help describes."""
    assert expected == kept(select(parse(WORKED), params))


def test_reason_names_limit_when_largest_body_is_too_small() -> None:
    """The reason states the limit if no body has enough text."""
    selection = select(parse(WORKED), Params(min_words=6))
    assert "in a body of less than 6 words" == selection.reason(1)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div>a b</div><div>c d</div>", ["a b"]),
        # As on the pages of the paper's time.
        ("<table><tr><td>home news<td>a b c d<p>e f</p><td>ads</table>", ["a b c d", "e f"]),
        ("word", ["word"]),
    ],
)
def test_largest_body_is_kept(html: str, expected: list[str]) -> None:
    """The first of equally large ones, a cell of a layout table, or a single word."""
    assert expected == kept(select(parse(html), Params()))


@pytest.mark.parametrize("html", ["", " ", "<img src=a.png>", "<p>…</p>"])
def test_nothing_kept_when_page_has_no_words(html: str) -> None:
    """A page without words has no body."""
    assert not select(parse(html), Params()).keep.any()
