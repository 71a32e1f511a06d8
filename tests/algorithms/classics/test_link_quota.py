"""Mantratzis, Orgun and Cassidy 2005, checked against quotas worked out by hand."""

from __future__ import annotations

import pytest

from tests.algorithms.kept import kept
from thresher.algorithms.classics.link_quota import Params, select
from thresher.page.parse import parse

# Characters in links over all characters, white space aside:
#   each li  4 / 4            ul   8 / 8, and nothing is left once both li are gone
#   p        2 / 6            div  10 / 14, and 2 / 6 once both li are gone
WORKED = (
    '<div><ul><li><a href="/a">aaaa</a><li><a href="/b">bbbb</a></ul>'
    '<p>cccc <a href="/d">dd</a></p></div>'
)


def test_quota_decides_when_worked_by_hand() -> None:
    """Blocks above the threshold are dropped; a score is the threshold minus the quota."""
    selection = select(parse(WORKED), Params())
    assert ["cccc dd"] == kept(selection)
    assert [-0.5, -0.5, 0.5 - 2 / 6] == pytest.approx(selection.score.tolist())
    assert "in a block of more than 50% links" == selection.reason(0)
    assert "in blocks of few links" == selection.reason(2)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (Params(max_quota=0.25), []),
        (Params(max_quota=1), ["aaaa", "bbbb", "cccc dd"]),
        (Params(recount=False), []),
        (Params(recount=False, max_quota=0.75), ["cccc dd"]),
        (Params(block_tags=("p",)), ["aaaa", "bbbb", "cccc dd"]),
        (Params(block_tags=("div",)), []),
    ],
)
def test_parameters_take_effect_when_set(params: Params, expected: list[str]) -> None:
    """Each parameter has the effect that its help describes."""
    assert expected == kept(select(parse(WORKED), params))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # A box is judged again without its lists: h3 4/4 and p 4/5 go, and of the div only "x" is
        # left, which is no link.
        (
            '<div><h3><a href="/m">More</a></h3>x<p>y<a href="/n">news</a></p></div><p>text</p>',
            ["x", "text"],
        ),
        # All the text of a block inside a link counts as linked.
        ('<a href="/c"><div>card</div></a><div>b</div>', ["b"]),
        # The page as a whole is never dropped.
        ('<a href="/1">one</a> <a href="/2">two</a>', ["one two"]),
    ],
)
def test_linked_blocks_are_dropped(html: str, expected: list[str]) -> None:
    """A block goes by what is left of it, and links outside any block are kept."""
    assert expected == kept(select(parse(html), Params()))


def test_pictures_kept_when_a_block_has_no_text() -> None:
    """A block without text has no quota, and is kept."""
    assert select(parse('<div><a href="/x"><img src=a.png></a></div>'), Params()).keep.all()


@pytest.mark.parametrize("html", ["", "word", "just words", "<p>text</p>"])
def test_all_kept_when_page_has_no_links(html: str) -> None:
    """A page without links is kept completely."""
    assert select(parse(html), Params()).keep.all()
