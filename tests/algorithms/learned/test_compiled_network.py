"""The compiled kernels of the network equal the numpy definition, at every SIMD level."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algorithms.learned.models import DEEP, PAGE, make_model, make_network
from tests.helpers.compiled_steps import compiled_steps, needs_steps, without_compiled_steps
from tests.helpers.trees import soups
from thresher.algorithms.learned.compiled_network import SIMD_LEVELS, Sums, add_up, pack
from thresher.algorithms.learned.network import INPUT_STEPS, TYPE_WEIGHT, Network
from thresher.algorithms.learned.page_type import PAGE_TYPES
from thresher.features import FEATURES, compute_features
from thresher.page.parse import parse
from thresher.roles import SCOPES

pytestmark = needs_steps

NETWORKS: Final = (
    make_network(1, n_code=16, n_summary=16),
    make_network(2, n_code=64, n_summary=16),
    make_network(3, n_code=80, n_summary=48),
    make_network(4, n_code=64, n_summary=16, n_word=6),
)
"""They are of sizes that the compiled steps know: units in lots of 16."""


def sums_of(
    network: Network,
    html: str,
    *,
    scope: int = 0,
    hide: int | None = None,
    simd_level: str = "best",
) -> Sums | None:
    """Run the compiled kernels on a page."""
    inference = make_model(network=network).prepare(compute_features(parse(html)), scope)
    types = np.rint(inference.types * (TYPE_WEIGHT * INPUT_STEPS)).astype(np.int16)
    packed = pack(network, simd_level)
    inputs = packed, inference.features, inference.tokens, types
    return add_up(compiled_steps(), *inputs, scope=scope, hide=hide)


def is_same(network: Network, html: str, *, scope: int = 0, hide: int | None = None) -> bool:
    """Return whether both runs of a network are bit-identical."""
    inference = make_model(network=network).prepare(compute_features(parse(html)), scope)
    inputs = inference.features, inference.tokens, inference.types, scope
    mine = network.run(*inputs, hide=hide)
    with without_compiled_steps():
        theirs = network.run(*inputs, hide=hide)
    return np.array_equal(theirs, mine)


@pytest.mark.parametrize("simd_level", SIMD_LEVELS)
@pytest.mark.parametrize("network", NETWORKS, ids=["16-16", "64-16", "80-48", "words"])
@pytest.mark.parametrize("html", [PAGE, PAGE * 20], ids=["page", "long"])
def test_every_simd_level_gives_the_same_sums(simd_level: str, network: Network, html: str) -> None:
    """Votes and codes equal those of plain C at every SIMD level."""
    plain, sums = (sums_of(network, html, simd_level=level) for level in ("plain", simd_level))
    assert plain is not None
    if sums is None:
        pytest.skip(f"this machine has no {simd_level}")
    np.testing.assert_array_equal(plain.votes, sums.votes)
    np.testing.assert_array_equal(plain.code, sums.code)


@pytest.mark.parametrize("scope", range(len(SCOPES)))
@pytest.mark.parametrize("hide", [None, 0, 7, len(FEATURES), len(FEATURES) + len(PAGE_TYPES)])
@pytest.mark.parametrize("html", [PAGE, DEEP], ids=["page", "deep"])
def test_numpy_says_the_same(html: str, hide: int | None, scope: int) -> None:
    """Both give bit-identical log-odds in every scope, with any input hidden."""
    assert all(is_same(network, html, scope=scope, hide=hide) for network in NETWORKS)


@given(soups(), st.sampled_from(range(len(NETWORKS))))
@settings(max_examples=60)
def test_numpy_says_the_same_of_any_page(html: str, which: int) -> None:
    """Both give bit-identical log-odds on tag soup."""
    if len(parse(html).blocks):
        assert is_same(NETWORKS[which], html)


def test_inputs_are_freed_by_the_last_run() -> None:
    """They take most of the memory, and nothing reads them afterwards."""
    model = make_model(network=NETWORKS[0])
    features = compute_features(parse(PAGE), model.scale)
    inference = model.prepare(features, 0)
    expected = inference.run()
    assert features.inputs.size
    assert np.array_equal(expected, inference.run(is_last=True))
    assert not features.inputs.size


def test_sums_beyond_16_bits_are_left_to_numpy() -> None:
    """If sums of names exceed 16 bits, the kernels refuse and numpy computes the page."""
    assert sums_of(NETWORKS[0], DEEP) is None
    assert is_same(NETWORKS[0], DEEP)


def test_paths_of_any_depth_fit() -> None:
    """Paths deeper than the initial buffer are summed correctly."""
    html = "<div>" * 300 + "<p>deep</p>" + "</div>" * 300 + "<p>after it</p>"
    assert sums_of(NETWORKS[0], html) is not None
    assert is_same(NETWORKS[0], html)


def test_other_sizes_are_left_to_numpy() -> None:
    """Numpy computes networks whose number of units is not a multiple of 16."""
    small = make_network(n_code=12, n_summary=5)
    assert sums_of(small, PAGE) is None
    assert is_same(small, PAGE)
