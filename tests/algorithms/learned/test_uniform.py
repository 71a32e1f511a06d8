"""Uniform lists, tables and code are kept as a whole, as are lists that a sentence announces."""

from __future__ import annotations

import numpy as np
import pytest

from tests.algorithms.learned.masks import flags_of, shown
from thresher.algorithms.learned.landmarks import find_landmarks
from thresher.algorithms.learned.uniform import (
    complete_uniform,
    find_announced_lists,
    find_following_descriptions,
    find_strays,
)
from thresher.features import compute_features
from thresher.page.parse import parse

STORY = "<p>The mill grinds rye from early in the morning.</p>"
LIST = "<ul><li>rye<li>oats<li>wheat and spelt<li>hay</ul>"
LINKS = "<ul><li><a href=/a>rye</a><li><a href=/b>oats</a><li><a href=/c>hay</a></ul>"
POSTS = "<ul>" + 4 * "<li><h3>Ann</h3><p>I grind rye.</p><p>Today</p>" + "</ul>"
TABLE = "<table><tr><th>grain<th>sacks<tr><td>rye<td>12<tr><td>oats<td>9</table>"
LAYOUT = "<table><tr><td>rye<tr><td>Sacks<td>12<td>left<tr><td>a<td>b</table>"
CODE = "<pre><div>mill:</div><div>  hours: 6</div><div>  grain: rye</div></pre>"
PICTURES = f"<table>{'<tr><td><img src=rye.png><td><img src=oats.png>' * 3}</table>"
NESTED = "<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td><table><tr><td>f</table></table>"


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (LIST, "1010", "0101"),
        (LIST, "1000", "0000"),
        (LIST, "1111", "0000"),
        ("<ul><li>rye<li>oats</ul>", "10", "00"),
        (LINKS, "110", "001"),
        (LINKS.replace("</ul>", "<li><a href=/d>bran</a></ul>"), "1100", "0000"),
        (POSTS, "111111000000", "000000000000"),
        (TABLE, "111100", "000011"),
        (TABLE, "110000", "000000"),
        (CODE, "001", "110"),
        (CODE, "000", "000"),
        (LAYOUT, "111000", "000000"),
        (NESTED, "111100", "000000"),
        (PICTURES, "111100", "000000"),
    ],
)
def test_rest_of_a_uniform_whole_is_kept_when_most_is(html: str, keep: str, expected: str) -> None:
    """Half of the items or cells decide, two thirds of links, one line of code.

    Posts, layouts and tables of pictures are not uniform.
    """
    page = parse(f"<div>{html}</div>{STORY}")
    features = compute_features(page)
    landmarks = find_landmarks(page, features)
    likely = np.full(len(keep) + 1, 0.3)
    found = complete_uniform(page, features, landmarks, flags_of(f"{keep}0"), likely)
    assert f"{expected}0" == shown(found)


@pytest.mark.parametrize(
    ("html", "keep", "probability", "expected"),
    [(LIST, "1000", 0.6, "0111"), (LIST, "0000", 0.6, "0000"), (LINKS, "100", 0.6, "000")],
)
def test_rest_of_a_uniform_list_is_kept_when_it_is_likely(
    html: str, keep: str, probability: float, expected: str
) -> None:
    """A list as likely content as not, of which an item is kept, is kept; not one of links."""
    page = parse(html)
    features = compute_features(page)
    landmarks, likely = find_landmarks(page, features), np.full(len(keep), probability)
    assert expected == shown(complete_uniform(page, features, landmarks, flags_of(keep), likely))


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (LIST, "1000", "1000"),
        (LIST, "1100", "0000"),
        (LINKS, "010", "010"),
        ("<ul><li>rye<li>oats</ul>", "10", "00"),
        (POSTS, "100000000000", "000000000000"),
        (TABLE, "110000", "000000"),
    ],
)
def test_items_are_dropped_when_most_of_their_list_is(html: str, keep: str, expected: str) -> None:
    """A few items of a uniform list are a hole in what was dropped."""
    page = parse(html)
    features = compute_features(page)
    landmarks = find_landmarks(page, features)
    assert expected == shown(find_strays(page, features, landmarks, flags_of(keep)))


ANNOUNCED = "<p>These mills are open to visitors:</p>"


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (f"{ANNOUNCED}{LINKS}{STORY}", "10001", "01110"),
        (f"{ANNOUNCED.replace(':', '：')}{LINKS}{STORY}", "10001", "01110"),
        (f"{ANNOUNCED.replace(':', '.')}{LINKS}{STORY}", "10001", "00000"),
        (f"<p>Read more:</p>{LINKS}{STORY}", "10001", "00000"),
        (f"{ANNOUNCED}{LINKS}", "1000", "0000"),
        (f"{ANNOUNCED}{LINKS}<section>{STORY}{STORY}</section>", "100011", "000000"),
        (f"{ANNOUNCED}{LINKS}{STORY}", "00001", "00000"),
    ],
)
def test_list_of_links_is_kept_when_it_is_announced(html: str, keep: str, expected: str) -> None:
    """A sentence with a colon before it and kept text after it make a list part of the text."""
    page = parse(f"<div>{html}</div>")
    features = compute_features(page)
    landmarks = find_landmarks(page, features)
    found = find_announced_lists(page, features, landmarks, flags_of(keep))
    assert expected == "".join("01"[flag] for flag in found.tolist())


TERMS = "<dl><dt>Returns<dd>the sacks</dl>"
LINKED = "<dl><dt><a href=/a>More</a><dd><a href=/b>Other mills</a></dl>"


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (TERMS * 3, "110000", "001111"),
        (TERMS * 2, "0000", "0000"),
        (f"{TERMS}<p>Rye</p>{TERMS}", "11000", "00000"),
        (f"{TERMS}<div>{TERMS}</div>", "1100", "0000"),
        (TERMS + LINKED, "1100", "0000"),
    ],
)
def test_descriptions_are_kept_directly_after_kept_ones(
    html: str, keep: str, expected: str
) -> None:
    """Lists of terms beside each other belong together, unless they are links."""
    page = parse(f"<body>{html}")
    landmarks = find_landmarks(page, compute_features(page))
    found = find_following_descriptions(page, landmarks, flags_of(keep))
    assert expected == "".join("01"[flag] for flag in found.tolist())
