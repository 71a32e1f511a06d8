"""What stands between kept blocks is kept with them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from thresher.algorithms.learned.between import find_between
from thresher.algorithms.learned.roles import TextRoles
from thresher.features import compute_features
from thresher.page.parse import parse

FIVE = "<main><p>a a<p>b b b<p>c<p>d d<p>e e</main>"


def find(
    keep: str,
    probability: list[float],
    *,
    credit: float = 0,
    foreign: Sequence[float] = (),
    caption: Sequence[float] = (),
    html: str = FIVE,
) -> list[bool]:
    page = parse(html)
    flags = np.array([flag == "1" for flag in keep])
    captions, of_no_scope = (np.array(each or [0.0] * flags.size) for each in (caption, foreign))
    texts, credits = np.zeros(flags.size), np.full(flags.size, credit)
    roles = TextRoles(texts, credits, captions, texts, of_no_scope)
    allowed = np.array([flag != "x" for flag in keep])
    features = compute_features(page)
    found: list[bool] = find_between(
        page, features, flags, probability=np.array(probability), roles=roles, allowed=allowed
    ).tolist()
    return found


@pytest.mark.parametrize(
    ("keep", "probability", "expected"),
    [
        ("1...1", [1, 0.4, 0.4, 0.4, 1], "01110"),
        ("1...1", [1, 0.1, 0.1, 0.9, 1], "01110"),
        ("1...1", [1, 0.4, 0.1, 0.1, 1], "00000"),
        ("1.1.1", [1, 0.4, 1, 0.1, 1], "01000"),
        ("..1..", [0.4, 0.4, 1, 0.4, 0.4], "00000"),
        (".....", [0.4] * 5, "00000"),
        ("11111", [1.0] * 5, "00000"),
    ],
    ids=["likely", "mean by words", "unlikely", "each gap", "ends", "nothing kept", "all kept"],
)
def test_likely_blocks_between_kept_ones_are_kept_together(
    keep: str, probability: list[float], expected: str
) -> None:
    """All of a gap is kept if its words have a mean probability of 0.3, otherwise nothing."""
    assert [flag == "1" for flag in expected] == find(keep, probability)


def test_a_gap_with_a_block_that_surely_is_foreign_stays_out() -> None:
    """A menu, teaser or advertisement that is surely one keeps what stands with it out."""
    likely = [1, 0.4, 0.4, 0.4, 1]
    assert not any(find("1...1", likely, foreign=[0, 0, 0.85, 0, 0]))
    assert [False, True, True, True, False] == find("1...1", likely, foreign=[0.9, *[0.7] * 3, 0.9])


LINKS = "<ul><li><a href=b>b</a><li><a href=c>c</a></ul>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<p>a a:{LINKS}<p>d d", True),
        (f"<p>a a{LINKS}<p>d d", False),
        (f"<p>a a:<div>{LINKS}</div><p>d d", False),
        ("<p>a a:<ul><li>b</ul><p>c<p>d d", False),
    ],
    ids=["list", "no colon", "in a box", "and more"],
)
def test_a_list_that_a_colon_announces_is_kept(html: str, expected: bool) -> None:
    """A list of links stays that is all there is between a block with a colon and the next one."""
    foreign, likely = [0, 0.99, 0.99, 0], [0.6, 0.01, 0.01, 0.6]
    found = find("1..1", likely, foreign=foreign, html=f"<main>{html}</main>")
    assert [False, expected, expected, False] == found
    unsure = [0.4, 0.01, 0.01, 0.6]
    assert not any(find("1..1", unsure, foreign=foreign, html=f"<main>{html}</main>"))


def test_bylines_and_dates_stay_where_they_are() -> None:
    """A byline between a kept title and a kept text is not kept with them."""
    assert not any(find("1...1", [1, 0.4, 0.4, 0.4, 1], credit=0.6))


def test_pictures_between_kept_blocks_are_kept() -> None:
    """A block without words weighs as much as a word."""
    html = "<main><p>a a<p><img src=b alt=''><p>c c</main>"
    assert [False, True, False] == find("1.1", [1, 0.4, 1], html=html)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [("<img src=b>", True), ("<math><mi>b</math>", True), ("<pre>b</pre>", True), ("b", False)],
    ids=["picture", "formula", "code", "text"],
)
def test_pictures_formulas_and_code_come_from_a_lower_bar_on(inner: str, expected: bool) -> None:
    """Between kept blocks they are kept from a probability of 0.1 on, beside others too."""
    html = f"<main><p>a a<div>{inner}</div><p>c c c c<p>d d</main>"
    assert [False, expected, False, False] == find("1..1", [1, 0.15, 0.01, 1], html=html)


def test_a_picture_that_surely_is_no_part_of_the_text_stays_out() -> None:
    """The logo of a menu is not kept for being a picture."""
    html = "<main><p>a a<div><img src=b></div><p>c c c c<p>d d</main>"
    likely = [1, 0.15, 0.01, 1]
    assert not any(find("1..1", likely, foreign=[0, 0.85, 0, 0], html=html))


GALLERY = "<p>a a" + "<figure><img src=b><figcaption>c c</figcaption></figure>" * 8 + "<p>d d"


def test_pictures_of_the_text_are_kept_whatever_their_probability() -> None:
    """A gallery stays, however long: captions and pictures are no distance to the text."""
    unlikely, caption = [1, *[0.01] * 16, 1], [0, *[0.9] * 16, 0]
    found = find(f"1{'.' * 16}1", unlikely, caption=caption, html=f"<main>{GALLERY}</main>")
    assert [False, *[True, False] * 8, False] == found


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        ("<img src=b><p>a a<p>c c", ".11", True),
        ("<p>a a<p>c c<div><img src=b></div>", "11.", True),
        ("<img src=b><p>a<p>b<p>c<p>d<p>e<p>f<p>c c", "." * 7 + "1", False),
    ],
    ids=["above", "below", "far"],
)
def test_pictures_that_begin_or_end_a_text_are_kept(html: str, keep: str, expected: bool) -> None:
    """A picture of the text may stand above or below all of it, near by."""
    caption = [0.95 * (block == keep.find(".")) for block in range(len(keep))]
    found = find(keep, [0.01] * len(keep), caption=caption, html=f"<main>{html}</main>")
    assert expected == any(found)


def test_blocks_that_a_scope_excludes_are_not_kept() -> None:
    """Where a block may not be kept, nothing of the gap is."""
    assert not any(find("1.x.1", [1, 0.9, 0.9, 0.9, 1]))


def test_blocks_without_a_near_common_container_are_apart() -> None:
    """What stands between blocks that none of the five nearest containers holds is not kept."""
    nested = "<div><p>a" * 7 + "</div>" * 7
    assert not any(find("......1.1", [0.9] * 9, html=f"{nested}<p>b<p>c"))
