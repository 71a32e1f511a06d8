"""Mantratzis, Orgun and Cassidy 2005, checked against quotas worked out by hand."""

from __future__ import annotations

import pytest

from thresher.algorithms.classics.link_quota import Params, select
from thresher.page.parse import parse
from thresher.selection import Selection


def kept(selection: Selection) -> list[str]:
    page = selection.page
    return [page.block_text(b, selection.keep) for b in selection.block_keep.nonzero()[0].tolist()]


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


def test_box_dropped_when_the_rest_of_it_is_a_link() -> None:
    """A box is judged again without its lists, so that a linked heading is dropped too."""
    html = '<div><h3><a href="/m">More</a></h3>x<p>y<a href="/n">news</a></p></div><p>text</p>'
    # h3 4/4 and p 4/5 go; of the div only "x" is left, which is no link.
    assert ["x", "text"] == kept(select(parse(html), Params()))


def test_blocks_dropped_when_inside_a_link() -> None:
    """All the text of a block inside a link counts as linked."""
    assert ["b"] == kept(select(parse('<a href="/c"><div>card</div></a><div>b</div>'), Params()))


def test_pictures_kept_when_a_block_has_no_text() -> None:
    """A block without text has no quota, and is kept."""
    assert select(parse('<div><a href="/x"><img src=a.png></a></div>'), Params()).keep.all()


def test_body_kept_when_it_is_all_links() -> None:
    """The page as a whole is never dropped, so that links outside any block are kept."""
    assert ["one two"] == kept(select(parse('<a href="/1">one</a> <a href="/2">two</a>'), Params()))


@pytest.mark.parametrize("html", ["", "word", "just words", "<p>text</p>"])
def test_all_kept_when_page_has_no_links(html: str) -> None:
    """A page without links is kept completely."""
    assert select(parse(html), Params()).keep.all()
