"""The compiled steps of the features give the same results as numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.helpers.compiled_steps import compiled_steps, needs_steps
from tests.helpers.kernel_comparison import assert_same, call_both
from tests.helpers.trees import soups
from thresher.features import FEATURES, by_compiled, characters, measure_blocks, words
from thresher.features.inputs import InputScale
from thresher.features.names import read_tokens
from thresher.page import Page
from thresher.page.parse import parse

SCALE = InputScale(
    mean=np.linspace(-1, 5, len(FEATURES), dtype=np.float32),
    deviation=np.linspace(0.1, 3, len(FEATURES), dtype=np.float32),
    saturation=np.linspace(-1, 1, len(FEATURES), dtype=np.float32).clip(0),
    clip=4.0,
    steps=32.0,
)
"""Half of the features are saturated."""

pytestmark = needs_steps

WORDY = st.text(st.sampled_from("aB9 .,-漢ไ\u0301😀"), max_size=60).map(
    lambda text: f"<p>{text}<br>"
)
"""Texts of many kinds of characters, with long words."""
NAMED = st.text(st.sampled_from("aB9-_ é\t"), max_size=30).map(
    lambda text: f"<p class='{text}' id='{text}'>x"
)
"""Names of every shape."""
CONTENT = st.lists(soups() | WORDY | NAMED, max_size=6).map("".join)


def check(html: str) -> None:
    """Compare each step with its numpy definition on a page."""
    page = parse(html)
    if not len(page.blocks):
        return
    call_both(words.read_words, page)
    read, (_, signature) = call_both(characters.read_characters, page), call_both(read_tokens, page)
    for scale in (None, SCALE):
        mine = measure(page, read, signature, scale)
        theirs = measure_blocks.definition(page, read, signature, scale)
        assert mine is not None
        assert_same(theirs._replace(means=mine.means), mine, "measure_blocks")
        assert mine.values.flags.c_contiguous and mine.inputs.flags.c_contiguous
        np.testing.assert_allclose(theirs.means, mine.means, rtol=1e-12, atol=1e-12)


def measure(page: Page, *read: Any) -> by_compiled.Measured | None:
    """Measure the blocks of a page by the compiled step; None if it refuses."""
    return by_compiled.measure(compiled_steps(), page, *read)


@given(CONTENT)
@example("<div>" * 3000 + "deep" + "<p>x" * 9)
@example(f"<h1>{' '.join(map(str, range(2000)))}</h1><p>7 8 9999")
@example("<title></title><title>Ab c</title><h1></h1><h1>b c</h1><p>b</p><p>b</p>")
def test_any_page_has_the_same_features(html: str) -> None:
    """Every step agrees with numpy on tag soup."""
    check(html)


@given(st.data())
def test_wrong_arrays_are_refused(data: st.DataObject) -> None:
    """Whatever the columns contain, no array is accessed out of bounds."""
    page = parse("<nav><a>x</a><a>y</a></nav><h1>The mill</h1><p>It turns.</p><p>Still.</p>")
    read, (_, signature) = characters.read_characters(page), read_tokens(page)
    column = data.draw(st.sampled_from(["parent", "end", "leaves", "leaf_offset", "block_row"]))
    wrong = getattr(page, column).copy()
    place = data.draw(st.integers(0, wrong.size - 1))
    wrong[place] = data.draw(st.sampled_from([-(2**31), -2, 10**6, 2**31 - 1]))
    page.__dict__[column] = wrong
    for scale in (None, SCALE):
        result = measure(page, read, signature, scale)
        shape = (0 if scale else len(FEATURES), len(page.blocks))
        assert result is None or result.values.shape == shape


@pytest.mark.parametrize("wrong", [{"clip": 1e6}, {"steps": -1.0}, {"mean": SCALE.mean[1:]}])
def test_scales_that_do_not_fit_are_errors(wrong: dict[str, Any]) -> None:
    """Inputs have 16 bits, and each feature has its own scale."""
    page = parse("<p>The mill turns.</p>")
    read, (_, signature) = characters.read_characters(page), read_tokens(page)
    with pytest.raises(ValueError, match="do not fit together"):
        measure(page, read, signature, SCALE._replace(**wrong))


def test_other_hashes_are_no_place() -> None:
    """Known hashes have their index; all others have the number of known ones."""
    steps, known = compiled_steps(), np.arange(0, 7000, 7, dtype=np.uint64)
    table = steps.index_hashes(known, 2048)
    assert table is not None
    asked = np.arange(7100, dtype=np.uint64)
    numbers = steps.number_hashes(known, table, asked)
    np.testing.assert_array_equal(np.where(asked % 7 < 1, asked // 7, 1000).clip(max=1000), numbers)
    assert steps.index_hashes(known, 1000) is None
