"""Models for tests: of random weights, and of weights that follow one feature."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.calibration import Calibration
from thresher.algorithms.learned.context import N_INPUT
from thresher.algorithms.learned.decider import Decider
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.network import CLIP, INPUT_STEPS, MAX_LEVEL, MAX_WEIGHT, Network
from thresher.algorithms.learned.page_type import PAGE_TYPES, PageTypeModel
from thresher.algorithms.learned.surroundings import N_CONTAINER, SHIFTS
from thresher.features import FEATURES, Features, compute_features
from thresher.features.hashing import Hashes
from thresher.features.inputs import saturate
from thresher.features.words import N_BUCKET
from thresher.page.parse import parse
from thresher.roles import ROLES, SCOPES

__all__ = [
    "COLUMN",
    "DEEP",
    "NEVER_EMPTY",
    "PAGE",
    "calibrate",
    "features_of",
    "follow_network",
    "make_decider",
    "make_model",
    "make_network",
    "make_page_types",
    "make_role_network",
    "watch_feature",
]

COLUMN: Final = {feature.name: column for column, feature in enumerate(FEATURES)}
"""The column of each feature."""
PAGE: Final = """<!doctype html><html><head><title>The mill</title>
<meta property="og:type" content="article"></head><body class="home page">
<nav class="menu top-bar"><ul><li><a href="/">Home</a><li><a href="/news">News</a>
<li><a href="/shop">Shop</a></ul></nav>
<main><article class="entry-content"><h1>The mill</h1><p class="byline">By Ada Miller</p>
<p>The wheel turns slowly in the morning, and the miller waits for the water to rise before he lets
down the stones. It takes an hour, sometimes two, until the first flour falls.</p>
<p>Nobody hurries him. <a href="/grain">Grain</a> keeps, and so does talk.</p>
<blockquote><p>“Rye is patient.”</p></blockquote><img src="mill.jpg" alt="The mill"></article>
<aside class="related"><h2>More</h2><p><a href="/barley">Barley</a></p></aside></main>
<div class="comments"><p>Lovely! <a href="/u/1">Bo</a></p></div>
<footer><a href="/legal">Legal</a> <a href="/contact">Contact</a></footer></body></html>"""

_WORDY: Final = "<div class='" + "-".join(map("".join, product("abcdefghijklm", repeat=3))) + "'>"
"""An element with 2,197 names."""
DEEP: Final = _WORDY * 200 + "<p>deep</p>" + "</div>" * 200 + "<p>after it</p>"
"""A block inside so many names that their sums exceed 16 bits, and the exact integers of
float32."""

N_NET: Final = 2
N_CODE: Final = 12
N_SUMMARY: Final = 5
N_NAME: Final = 3
N_WORD_CODE: Final = 4
N_ROUND: Final = 2

NEVER_EMPTY: Final = np.array([-30.0, 0.0, 0.0])
"""Weights of emptiness that take no page for empty."""

Array = npt.NDArray[np.float32]


def features_of(html: str = PAGE) -> Features:
    """Compute the features of a page."""
    return compute_features(parse(html))


def make_model(
    seed: int = 0,
    *,
    network: Network | None = None,
    decider: Decider | None = None,
    roles: Network | None = None,
    **numbers: float,
) -> Model:
    """Make a model of random weights that knows half of `PAGE`'s names.

    Without a decider it keeps what has the highest expected F-measure and takes no page for empty,
    and without a network for roles it tells none. ``numbers`` are for `calibrate`.
    """
    vocabulary = _vocabulary()
    return Model(
        vocabulary,
        make_page_types(seed, vocabulary.size),
        network or make_network(seed),
        calibrate(**numbers),
        decider=decider,
        roles=roles,
    )


def make_decider(seed: int = 0, *, n_first: int = 9, n_second: int = 5) -> Decider:
    """Make a decider of random weights, whose confidence is what it expects."""
    random = np.random.default_rng(seed)
    return Decider(
        decider_mean=random.normal(0.5, 0.2, N_INPUT),
        decider_deviation=random.uniform(0.2, 1, N_INPUT),
        decider_first=random.normal(0, 0.3, (N_INPUT + 1, n_first)),
        decider_second=random.normal(0, 0.5, (n_first + 1, n_second)),
        decider_output=random.normal(0, 0.5, (n_second + 1, 1)),
        decider_empty=NEVER_EMPTY,
        decider_knots=np.array([0.0, 1.0]),
        decider_reached=np.array([0.0, 1.0]),
    )


def follow_network(shift: float = 0.0) -> Decider:
    """Make a decider that returns the network's log-odds, of which it sees a third, shifted."""
    decider = make_decider(n_first=2, n_second=2)
    first, second = np.zeros((N_INPUT + 1, 2)), np.zeros((3, 2))
    first[0] = 1, -1
    second[:2] = np.eye(2)
    return replace(
        decider,
        decider_mean=np.zeros(N_INPUT),
        decider_deviation=np.ones(N_INPUT),
        decider_first=first,
        decider_second=second,
        decider_output=np.array([[3.0], [-3.0], [shift]]),
    )


def calibrate(*, slope: float = 1.0, shift: float = 0.0) -> Calibration:
    """Make a calibration, alike for every scope, whose confidence is what is expected.

    Blocks are chosen by their probabilities.
    """
    return Calibration(
        block_slope=np.full(len(SCOPES), slope, np.float64),
        block_shift=np.full(len(SCOPES), shift, np.float64),
        choice_slope=np.full(len(SCOPES), slope, np.float64),
        choice_shift=np.full(len(SCOPES), shift, np.float64),
        expected=np.array([0.0, 1.0]),
        reached=np.array([0.0, 1.0]),
    )


def make_page_types(seed: int, n_token: int) -> PageTypeModel:
    """Make a random model of page types."""
    random = np.random.default_rng(seed)
    n_mean, n_type = 2 * len(FEATURES), len(PAGE_TYPES)
    tokens = random.normal(0, 0.2, (n_token + 1, n_type))
    tokens[-1] = 0
    return PageTypeModel(
        type_mean=random.normal(0, 1, n_mean).astype(np.float32),
        type_deviation=random.uniform(0.5, 2, n_mean).astype(np.float32),
        type_feature_weights=random.normal(0, 0.05, (n_mean, n_type)).astype(np.float32),
        type_token_weights=tokens.astype(np.float32),
        type_bias=random.normal(0, 0.5, n_type).astype(np.float32),
    )


def make_role_network(seed: int = 0) -> Network:
    """Make networks of random weights that tell roles."""
    return make_network(seed, n_output=len(ROLES))


def make_network(
    seed: int = 0,
    *,
    n_code: int = N_CODE,
    n_summary: int = N_SUMMARY,
    n_output: int = 1,
    n_word: int = N_WORD_CODE,
) -> Network:
    """Make networks of random weights, scaled so that what leaves a layer is neither 0 nor cut."""
    random = np.random.default_rng(seed)

    def weights(*shape: int) -> Array:
        return random.integers(-MAX_WEIGHT, MAX_WEIGHT + 1, shape).astype(np.float32)

    def scale(n_input: int, size: float, *shape: int) -> Array:
        usual = MAX_WEIGHT * size * np.sqrt(n_input)
        return np.asarray(random.uniform(1, 3, shape) / usual, np.float32)

    def bias(*shape: int) -> Array:
        return random.normal(0, 0.5, shape).astype(np.float32)

    n_names = N_NAME * (N_CONTAINER + 1)
    n_wide = n_code + n_summary * (len(SHIFTS) + N_CONTAINER + 2)
    n_feature = len(FEATURES)
    saturation = (np.arange(n_feature) % 3 == 0).astype(np.float32)
    values = saturate(features_of().values, saturation)
    return Network(
        mean=values.mean(axis=0),
        deviation=values.std(axis=0) + np.float32(0.1),
        saturation=saturation,
        embedding=weights(_vocabulary().size + 1, N_NET * N_NAME),
        feature_weights=weights(n_feature + len(PAGE_TYPES), N_NET * n_code),
        name_weights=weights(N_NET, n_names, n_code),
        first_scale=scale(n_names, 4 * MAX_WEIGHT, N_NET, n_code),
        first_bias=bias(len(SCOPES), N_NET, n_code),
        second_weights=weights(N_NET, n_code, n_code),
        second_scale=scale(n_code, 100, N_NET, n_code),
        second_bias=bias(N_NET, n_code),
        summary_weights=weights(N_ROUND, N_NET, n_code, n_summary),
        summary_scale=scale(n_code, 100, N_ROUND, N_NET, n_summary),
        summary_bias=bias(N_ROUND, N_NET, n_summary),
        context_weights=weights(N_ROUND, N_NET, n_wide, n_code),
        context_scale=scale(n_wide, 100, N_ROUND, N_NET, n_code),
        context_bias=bias(N_ROUND, N_NET, n_code),
        output_weights=weights(N_NET, n_code, n_output),
        output_scale=scale(n_code, 100, N_NET, n_output),
        output_bias=bias(N_NET, n_output),
        levels=random.uniform(60, 120, (2 + 2 * N_ROUND, N_NET)).astype(np.float32),
        word_embedding=weights(N_BUCKET + 1, N_NET * n_word),
        word_weights=weights(N_NET, n_word, n_code),
    )


def watch_feature(name: str, *, low: float, high: float) -> Network:
    """Make one network whose log-odds are −`CLIP` where a feature is low, `CLIP` where high.

    Between them they are linear, up to rounding.
    """
    n_names = N_NAME * (N_CONTAINER + 1)
    n_wide = N_CODE + N_SUMMARY * (len(SHIFTS) + N_CONTAINER + 2)

    def first_only(*shape: int, column: int = 0) -> Array:
        array = np.zeros(shape, np.float32)
        array[..., column, 0] = MAX_WEIGHT
        return array

    def every(value: float, *shape: int) -> Array:
        return np.full(shape, value, np.float32)

    level = MAX_LEVEL / (2 * CLIP)
    carry = 1 / (MAX_WEIGHT * level)
    return Network(
        mean=every((low + high) / 2, len(FEATURES)),
        deviation=every((high - low) / (2 * CLIP), len(FEATURES)),
        saturation=every(0, len(FEATURES)),
        embedding=every(0, _vocabulary().size + 1, N_NAME),
        feature_weights=first_only(len(FEATURES) + len(PAGE_TYPES), N_CODE, column=COLUMN[name]),
        name_weights=every(0, 1, n_names, N_CODE),
        word_embedding=every(0, N_BUCKET + 1, N_WORD_CODE),
        word_weights=every(0, 1, N_WORD_CODE, N_CODE),
        first_scale=every(1 / (MAX_WEIGHT * INPUT_STEPS), 1, N_CODE),
        first_bias=every(CLIP, len(SCOPES), 1, N_CODE),
        second_weights=first_only(1, N_CODE, N_CODE),
        second_scale=every(carry, 1, N_CODE),
        second_bias=every(0, 1, N_CODE),
        summary_weights=every(0, 1, 1, N_CODE, N_SUMMARY),
        summary_scale=every(1, 1, 1, N_SUMMARY),
        summary_bias=every(0, 1, 1, N_SUMMARY),
        context_weights=first_only(1, 1, n_wide, N_CODE),
        context_scale=every(carry, 1, 1, N_CODE),
        context_bias=every(0, 1, 1, N_CODE),
        output_weights=first_only(1, N_CODE, 1),
        output_scale=every(carry, 1, 1),
        output_bias=every(-CLIP, 1, 1),
        levels=every(level, 4, 1),
    )


def _vocabulary() -> Hashes:
    return np.unique(features_of().tokens.hash)[::2]
