"""What mending adds to a choice and drops from it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.trees import soups
from thresher.algorithms.learned.mend import mend
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.algorithms.learned.reasons import Reason
from thresher.features import compute_features
from thresher.page.parse import parse

DROPPED = {Reason.STRAY, Reason.BAR, Reason.BARE}
"""Reasons of blocks that mending drops; those of all others it adds."""
ARTICLE = np.array([float(kind == "article") for kind in PAGE_TYPES])


@given(soups(), st.integers(0, 2**32 - 1))
def test_every_change_has_a_reason(html: str, seed: int) -> None:
    """Every block that mending adds or drops is listed with the reason for it."""
    page = parse(html)
    n_block = len(page.blocks)
    if not n_block:
        return
    random = np.random.default_rng(seed)
    probability = random.random(n_block)
    before = probability > 0.5
    allowed = random.random(n_block) > 0.2
    features = compute_features(page)
    keep, changed = mend(page, features, before & allowed, probability, allowed, types=ARTICLE)
    added, dropped = (
        np.any([blocks for reason, blocks in changed.items() if (reason in DROPPED) == drops], 0)
        for drops in (False, True)
    )
    assert not (keep & ~before & ~added).any()
    assert not (before & allowed & ~keep & ~dropped).any()


def test_paragraph_between_kept_ones() -> None:
    """A paragraph that is less certain than those around it is kept with them."""
    rows = "".join(f"<p>The {n} load of rye was weighed at noon.</p>" for n in ("first", "second"))
    page = parse(f"<article>{rows}<p>It was dry.</p>{rows}</article>")
    probability = np.array([0.9, 0.9, 0.3, 0.9, 0.9])
    kept, allowed = probability > 0.5, np.ones(5, np.bool_)
    features = compute_features(page)
    keep, changed = mend(page, features, kept, probability, allowed, types=ARTICLE)
    assert keep.all()
    assert [False, False, True, False, False] == changed[Reason.WHOLE].tolist()
