"""The table and matrix of all features, and their invariants."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.pages import STORY, measure
from tests.helpers.trees import soups
from thresher.features import FEATURES, compute_features
from thresher.features.__main__ import write_page
from thresher.features.names import Tokens
from thresher.page.parse import parse

ITEM = "<li class=item><a href=/x>Read more</a></li>"
PAGE = (
    "<title>The old mill</title><nav id=top><ul>" + ITEM * 3 + "</ul></nav><main class='story x'>"
    f"<h1>The old mill</h1><p>{STORY}</p><p><b>{STORY}</b> Yes!</p><h2>More</h2>"
    "<p>A few words, <a href=/y>a link</a>.<br><img src=z></p></main><footer>© 2024</footer>"
)


def test_every_feature_is_named_once_and_documented() -> None:
    """A feature has a name of its own, a group and a summary."""
    names = [feature.name for feature in FEATURES]
    assert len(names) == len(set(names))
    assert all(feature.group and feature.summary for feature in FEATURES)


def test_page_lists_every_feature() -> None:
    """``python -m thresher.features`` has each feature once; numbers in its name may be joined."""
    names = re.findall(r"^\| `(.+?)` \|", write_page(), re.MULTILINE)
    spelled = [
        re.sub(r"\[.*?\]", number, name)
        for name in names
        for number in re.findall(r"\d+", "".join(re.findall(r"\[.*?\]", name))) or [""]
    ]
    assert sorted(feature.name for feature in FEATURES) == sorted(spelled)


@given(soups())
def test_matrix_is_finite_and_repeatable_when_the_page_is_soup(html: str) -> None:
    """Any page with a block has a finite number in every cell, the same each time."""
    page = parse(html)
    if not len(page.blocks):
        return
    found, again = compute_features(page), compute_features(parse(html))
    assert (len(page.blocks), len(FEATURES)) == found.values.shape
    assert np.float32 == found.values.dtype
    assert np.isfinite(found.values).all()
    assert np.array_equal(found.values, again.values)
    assert np.array_equal(found.tokens.hash, again.tokens.hash)
    assert page.blocks.sums(page.leaf_words).tolist() == found.words.tolist()


@pytest.mark.parametrize("html", ["<p><img>", "<svg></svg>", "<video><img></video><img>"])
def test_pages_of_pictures_alone_are_measured(html: str) -> None:
    """A page may have blocks and no text at all; its features have means, too."""
    found = compute_features(parse(html))
    assert np.isfinite(found.values).all() and np.isfinite(found.means).all()


def test_wrappers_change_nothing_but_depth() -> None:
    """Single wrappers around the whole page change only features that count elements."""
    plain, wrapped = measure(PAGE), measure(f"<div><div>{PAGE}</div></div>")
    changed = {name for name in plain if not np.array_equal(plain[name], wrapped[name])}
    assert {"depth", "page_rows"} == changed


def names_by_row(tokens: Tokens) -> list[tuple[int, tuple[int, ...]]]:
    """List the names of each element, each as its row and tokens, in no order of the page's."""
    of_name = [tuple(each.tolist()) for each in np.split(tokens.hash, tokens.start[1:])]
    return sorted(
        (row, of_name[name])
        for row, name in zip(tokens.row.tolist(), tokens.name.tolist(), strict=True)
    )


def test_order_of_attributes_says_nothing() -> None:
    """Names do not depend on the order of attributes."""
    one = compute_features(parse("<p id=a class='b c' role=d>x<p class=e itemprop=f>y"))
    two = compute_features(parse("<p role=d class='b c' id=a>x<p itemprop=f class=e>y"))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.tokens.row, two.tokens.row)
    assert names_by_row(one.tokens) == names_by_row(two.tokens)


@given(st.permutations("abcdefghijklmnopqrstuvwxyz"))
def test_words_of_no_language_are_known(letters: list[str]) -> None:
    """Exchanging the letters of all text changes no feature: features do not depend on words."""
    own = "abcdefghijklmnopqrstuvwxyz"
    spelled = "".join(letters)
    table = str.maketrans(own + own.upper(), spelled + spelled.upper())
    pieces = [piece.partition(">") for piece in PAGE.split("<")]
    coded = "<".join(tag + end + text.translate(table) for tag, end, text in pieces)
    plain, other = compute_features(parse(PAGE)), compute_features(parse(coded))
    assert np.array_equal(plain.values, other.values)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 100_000 + "deep<p>end",
        "<div><p>a</p>" * 20_000,
        "<p class='a b'>x<a href=y>z</a></p>" * 30_000,
        "".join(f"<p class='a{i} b-c{i}' id=d{i}>x</p>" for i in range(20_000)),
        "<h1>" + "<div><h2>a</h2>" * 5_000,
        f"<p>{'x' * 1_000_000}</p><p>{'漢' * 100_000}</p>",
        f"<script>{'@' * 1_000_000}</script><p>x",
    ],
    ids=["deep", "a block at each depth", "wide", "names", "headings", "long words", "signs"],
)
def test_large_pages_are_measured(html: str) -> None:
    """Features are computed for very deep and very long pages."""
    page = parse(html)
    assert len(page.blocks) == len(compute_features(page).values)
