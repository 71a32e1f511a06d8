"""Weights are of the code that reads them: a change of what they get as inputs is noticed."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import INPUTS, Model
from thresher.errors import UsageError
from thresher.evaluation.fidelity.cases import PAGES
from thresher.features import FEATURES, compute_features
from thresher.page.parse import parse

_NAMES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split()
"""The pages of our own that the digest is of: others may be added without new weights."""
_DIGITS = 4
"""Significant digits of a feature's means: platforms differ in the last bits of a logarithm."""


def digest_inputs() -> str:
    """Digest the blocks, names and features of some of our own pages."""
    digest = hashlib.sha256(" ".join(feature.name for feature in FEATURES).encode())
    sums = np.zeros((2, len(FEATURES)))
    for name in sorted(_NAMES, key=Path):
        html = (PAGES / name / "page.html").read_text(encoding="utf-8")
        page = parse(html, url="https://pages.example/")
        features = compute_features(page)
        digest.update(np.ascontiguousarray(page.blocks.start, np.int64).tobytes())
        digest.update(features.tokens.hash.tobytes())
        digest.update(features.first_words.tobytes())
        values = features.values.astype(np.float64)
        sums += values.sum(axis=0), np.arange(1, len(values) + 1) @ values
    digest.update(" ".join(f"{value:.{_DIGITS - 1}e}" for value in sums.ravel()).encode())
    return digest.hexdigest()[: len(INPUTS)]


def test_inputs_are_those_of_the_digest() -> None:
    """If this fails, inputs have changed: set INPUTS to the new digest, and train the weights."""
    assert digest_inputs() == INPUTS


def test_shipped_weights_are_of_these_inputs() -> None:
    """The weights that ship were trained on the inputs that this version computes."""
    assert Model.load(SHIPPED_MODEL).inputs == INPUTS


def test_weights_of_other_inputs_are_refused(tmp_path: Path) -> None:
    """Weights that were trained on other inputs are refused, and the error says what to do."""
    path = tmp_path / "old.npz"
    replace(Model.load(SHIPPED_MODEL), inputs="0" * 16).save(path)
    with pytest.raises(UsageError, match="train it anew"):
        Model.load(path)
