"""Gupta et al. 2003: the walk follows the paper, and every setting has an effect."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.kept import kept
from tests.helpers.trees import soups
from thresher import Page, Selection
from thresher.algorithms.crunch import Params, select
from thresher.algorithms.crunch.ads import find_ads
from thresher.algorithms.crunch.filters import find_cells
from thresher.page.parse import parse

STORY = "The mill stands where the river bends, and has done so for three hundred years or more."


def run(html: str, **params: Any) -> Selection:
    return select(parse(html), Params(**params))


# Worked example, five letters a word and 0.25 links a word:
#   menu   2 links, "|" is 1 letter: 0.2 words     → 2 / 0.2   = 10      > 0.25, a link list
#   story  1 link, 71 letters outside it: 14.2     → 1 / 14.2  = 0.070, kept
#   more   1 link, "Read also:" 9 letters: 1.8     → 1 / 1.8   = 0.556   > 0.25, a link list
WORKED = (
    "<table><tr><td><a href=/a>Home</a> | <a href=/b>News</a>"
    f"<td>{STORY} <a href=/c>Map</a>"
    "<td>Read also: <a href=/d>The wheel</a></table>"
)


def test_cells_judged_by_links_per_word_when_worked_out_by_hand() -> None:
    """Ratios, scores and reasons follow the paper's formula."""
    selection = run(WORKED)
    assert 71 == sum(letter != " " for letter in STORY)
    assert [f"{STORY} Map"] == kept(selection)
    expected = [0.25 - 10, 0.25 - 1 / 14.2, 0.25 - 1 / 1.8]
    assert expected == pytest.approx(selection.score.tolist(), abs=1e-5)
    assert [
        "too many links for its words",
        "no filter removes it",
        "too many links for its words",
    ] == [selection.reason(block) for block in range(3)]


AROUND = f"<p>{STORY}</p><p>{STORY}</p><p>{STORY}</p>"
"""Enough text that no page with it is a portal."""


@pytest.mark.parametrize(
    ("html", "params", "before", "after"),
    [
        ("<p><a href=//ads.test>ad</a>", {"ad_hosts": ("ads.test",)}, "ad", ""),
        ("<p><a href=//doubleclick.net>ad</a>", {"remove_ads": False}, "", "ad"),
        ("<ul><li><a href=a>list</a></ul>", {"remove_link_lists": False}, "", "list"),
        ("<ul><li><a href=a>list</a> 12345</ul>", {"max_link_ratio": 1.0}, "", "list 12345"),
        ("<ul><li><a href=a>list</a> 12345</ul>", {"letters_per_word": 1.25}, "", "list 12345"),
        ("<ul><li><a href=a>list</a></ul>", {"cell_tags": ("td",)}, "", "list"),
        ("<div><a href=a>list</a></div>", {"box_tags": ()}, "", "list"),
        ("<p>w <a href=a>link</a>", {"remove_text_links": True}, "w link", "w"),
        ("<p>w <a href=a><img>link</a>", {"remove_image_links": False}, "w", "w link"),
        ("<form>w</form>", {"removed_tags": ()}, "", "w"),
        ("<p>w<kbd>key</kbd>", {"removed_tags": ("kbd",)}, "wkey", "w"),
        ("<table><td>w</table>", {"min_table_chars": 2}, "w", ""),
    ],
)
def test_settings_take_effect_when_changed(
    html: str, params: dict[str, Any], before: str, after: str
) -> None:
    """Each setting has the effect that its help describes."""
    texts = [" ".join(kept(run(AROUND + html, **given))[3:]) for given in ({}, params)]
    assert [before, after] == texts


@pytest.mark.parametrize(
    ("html", "dropping", "keeping"),
    [
        ("<img src=a.png>", {}, {"remove_images": False}),
        ("<a href=a><img src=a.png></a>", {}, {"remove_image_links": False}),
        ("<table><td><video>", {"substance_tags": ()}, {"remove_empty_tables": False}),
        ("<table><td><video>", {"substance_tags": ()}, {"substance_tags": ("video",)}),
    ],
)
def test_pictures_kept_when_their_filter_is_off(
    html: str, dropping: dict[str, Any], keeping: dict[str, Any]
) -> None:
    """Each kind of element that shows without text has its own filter."""
    assert not run(AROUND + html, **dropping).keep[-1]
    assert run(AROUND + html, **dropping | keeping).keep[-1]


def test_pictures_kept_in_link_lists_when_only_contents_go() -> None:
    """A link list loses its links and texts, or everything if the paper's option is set."""
    html = AROUND + "<table><td><a href=a>list</a><video></video></table>"
    assert run(html).keep[-1]
    assert not run(html, whole_cells=True).keep[-1]


def test_score_is_that_of_the_deciding_cell_when_cells_nest() -> None:
    """A deleted block has the score of the outer cell, a kept one that of its innermost cell."""
    # The inner cell has no link. The outer one has 3 for 50 / 5 = 10 words: 0.3.
    links = "<a href=a>x</a>" * 3
    html = f"{AROUND}<ul><li>{links}<ul>{'letters no ' * 5}{'x' * 5}</ul></ul>"
    assert pytest.approx(0.25 - 0.3) == float(run(html).score[-1])
    assert pytest.approx(0.3) == float(run(html, max_link_ratio=0.3).score[-1])


def test_links_of_deleted_parts_count_when_an_outer_cell_is_measured() -> None:
    """A cell is measured before anything inside it is filtered."""
    # 3 links, all in a form that goes, for 50 / 5 = 10 words: 0.3 > 0.25.
    links = "<form>" + "<a href=a>x</a>" * 3 + "</form>"
    html = f"{AROUND}<table><td>{links}{'letters no ' * 5}{'x' * 5}</table>"
    assert STORY == kept(run(html))[-1]
    assert STORY != kept(run(html, max_link_ratio=0.3))[-1]


def walk(page: Page, params: Params) -> set[int]:
    """Return the rows that the paper's walk deletes: top-down, and tables bottom-up afterwards.

    An oracle: it visits one element at a time and deletes as it goes, where `select` adds up.
    """
    gone: set[int] = set()
    ads, cells = find_ads(page, params), find_cells(page, params)

    def inside(row: int) -> range:
        return range(row, int(page.end[row]))

    def is_link(row: int) -> bool:
        return page.name(row) == "a" and page.attr(row, "href") is not None

    def leaves(row: int) -> list[int]:
        return [leaf for leaf in inside(row) if leaf in shown]

    shown = dict(zip(page.leaves.tolist(), page.leaf_chars.tolist(), strict=True))
    pictures = {"img", "svg", "canvas"}
    for row in range(len(page)):
        name = page.name(row)
        if row in gone or name == "#text":
            continue
        links = [at for at in inside(row)[1:] if is_link(at)]
        linked = {leaf for at in links for leaf in inside(at)}
        under_link = any(is_link(at) and row in inside(at) for at in range(row + 1))
        letters = sum(shown[leaf] for leaf in leaves(row) if under_link or leaf not in linked)
        words = letters / params.letters_per_word
        holds_picture = any(page.name(at) in pictures for at in inside(row))
        if (
            ads[row]
            or (is_link(row) and holds_picture and params.remove_image_links)
            or (is_link(row) and not holds_picture and params.remove_text_links)
            or (name in pictures and not under_link and params.remove_images)
            or name in params.removed_tags
        ):
            gone.update(inside(row))
        elif cells[row] and links and (not words or len(links) / words > params.max_link_ratio):
            gone.update(linked)
            gone.update(at for at in inside(row) if page.name(at) == "#text")
    for row in reversed(range(len(page))):
        if page.name(row) == "table":
            left = [at for at in inside(row) if at not in gone]
            chars = sum(shown.get(at, 0) for at in left)
            tags = {page.name(at) for at in left} & set(params.substance_tags)
            if not tags and chars < params.min_table_chars:
                gone.update(inside(row))
    return gone


_ADDRESSES = st.sampled_from(
    ["<a href=u>", "<a href=//criteo.com>", "<img>", "<table><td>", "</a>"]
)


@given(
    pieces=st.lists(soups(4) | _ADDRESSES | st.just("some more words "), max_size=12),
    text_links=st.booleans(),
    table_chars=st.integers(0, 12),
)
def test_result_is_that_of_the_walk_when_generated(
    pieces: list[str], text_links: bool, table_chars: int
) -> None:
    """`select`, which adds up over the table, deletes the same rows as the walk over the tree."""
    page = parse("".join(pieces))
    params = Params(remove_text_links=text_links, min_table_chars=table_chars, keep_portals=False)
    gone = walk(page, params)
    expected = [leaf not in gone for leaf in page.leaves.tolist()]
    selection = select(page, params)
    assert expected == selection.keep.tolist()
    assert np.isfinite(selection.score).all()


@pytest.mark.parametrize("html", ["<table>" * 20_000, "<table><tr><td>" * 20_000 + "x"])
def test_any_depth_selected_when_tables_nest(html: str) -> None:
    """Deep tables have a finite score for each block."""
    selection = run(html, min_table_chars=3)
    assert np.isfinite(selection.score).all()
