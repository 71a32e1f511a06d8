"""Features as a whole: their table, their matrix, and what no page may do to them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.features.pages import measure
from tests.trees import soups
from thresher.features import FEATURES, compute_features
from thresher.features.__main__ import write_page
from thresher.page import Page
from thresher.parse import parse

ROOT = Path(__file__).parents[2]


def test_every_feature_is_named_once_and_documented() -> None:
    """A feature has a name of its own, a group and a summary."""
    names = [feature.name for feature in FEATURES]
    assert len(names) == len(set(names))
    assert all(feature.group and feature.summary for feature in FEATURES)


def test_docs_list_the_features() -> None:
    """The page of the docs is the one the table makes: ``python -m thresher.features``."""
    assert write_page() == (ROOT / "docs" / "features.md").read_text(encoding="utf-8")


@given(soups())
def test_matrix_is_finite_and_repeatable_when_the_page_is_soup(html: str) -> None:
    """Any page with a block has a finite number in every cell, the same each time."""
    page = parse(html)
    if not len(page.blocks):
        return
    once, again = compute_features(page).values, compute_features(parse(html)).values
    assert (len(page.blocks), len(FEATURES)) == once.shape
    assert np.float32 == once.dtype
    assert np.isfinite(once).all()
    assert np.array_equal(once, again)


def test_wrappers_change_nothing_but_depth() -> None:
    """Single elements around all of a page say nothing: only what counts elements moves."""
    story = "<h1>Mill</h1><p>One word, two words.</p><ul><li>first</li><li>second</li></ul>"
    plain, wrapped = measure(story), measure(f"<div><div>{story}</div></div>")
    changed = {name for name in plain if not np.array_equal(plain[name], wrapped[name])}
    assert {"depth", "page_rows"} == changed


@pytest.mark.parametrize(
    "html",
    ["<div>" * 30_000 + "deep" + "<p>end", "<p class='a b'>x<a href=y>z</a></p>" * 20_000],
    ids=["deep", "wide"],
)
def test_large_pages_are_measured(html: str) -> None:
    """Neither depth nor length stops the features."""
    page: Page = parse(html)
    assert len(page.blocks) == len(compute_features(page).values)
