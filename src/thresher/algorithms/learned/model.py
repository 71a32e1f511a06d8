"""A trained model in one file, without pickle: vocabulary, page types, network, calibration."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.adapter import Adapter
from thresher.algorithms.learned.arrays import ROLE_PREFIX, read_weights
from thresher.algorithms.learned.calibration import Calibration
from thresher.algorithms.learned.decider import Decider
from thresher.algorithms.learned.network import OF_WORDS, WHOLE, Network, Output
from thresher.algorithms.learned.page_type import PageTypeModel
from thresher.errors import UsageError
from thresher.features import Features
from thresher.features.hashing import Hashes
from thresher.features.inputs import InputScale, standardise
from thresher.native import Steps, kernel, kernel_with
from thresher.roles import ROLES
from thresher.support.cached import cached_property

INPUTS: Final = "0d7a1bab71d45d68"
"""Digest of what this version computes of our own pages as inputs of a model: blocks, names and
features. A test computes it anew; a model that was trained on other inputs is refused."""

_Part = TypeVar("_Part", PageTypeModel, Network, Calibration, Decider, Adapter)

_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplier of hashes in the hash table of the vocabulary (Fibonacci hashing)."""


@dataclass(frozen=True)
class Model:
    """All trained parts; ``vocabulary`` holds the known tokens, sorted, uint64[v]."""

    vocabulary: Hashes
    page_types: PageTypeModel
    network: Network
    calibration: Calibration
    adapter: Adapter | None = None
    """Adjusts the network to a user's own labels."""
    decider: Decider | None = None
    """Decides which blocks are kept; without it, or with `adapter`, the expected F-measure does."""
    roles: Network | None = None
    """Predicts roles: one output for each of `thresher.roles.ROLES`."""
    beta: float = 1.0
    """The β of the F-measure to maximise when neither precision nor recall is favoured."""
    inputs: str = INPUTS
    """`INPUTS` of the version that trained it, 16 hexadecimal digits; empty if it is older."""

    @property
    def kind(self) -> str:
        """One of `thresher.algorithms.learned.adapter.KINDS`, or ``learned``."""
        return self.adapter.kind if self.adapter else "learned"

    def prepare(
        self, features: Features, scope: int, types: npt.NDArray[np.float64] | None = None
    ) -> Inference:
        """Prepare the model's inputs for one page under one scope.

        ``types`` are the page's `Inference.types`, if the caller has them.
        """
        tokens = _number_tokens_of(self, features.tokens.hash)
        if types is None:
            declared = _number_tokens_of(self, features.declared)
            names = np.concatenate((tokens, declared))
            types = self.page_types.probabilities(features, names)
        return Inference(self, features, scope, tokens, types)

    @cached_property
    def scale(self) -> InputScale | None:
        """How features can be quantised for all networks; None if one needs other inputs."""
        scale = self.network.scale
        is_common = not self.adapter and (not self.roles or self.roles.scale.equals(scale))
        return scale if is_common else None

    @cached_property
    def reads_words(self) -> bool:
        """Whether any network needs the first words of blocks."""
        networks = (self.network, self.roles)
        return any(network is not None and network.word_embedding.size > 0 for network in networks)

    @cached_property
    def indices(self) -> npt.NDArray[np.int32]:
        """A hash table of the vocabulary that is at most half full, for the compiled step."""
        return index_hashes(self.vocabulary, 2 << self.vocabulary.size.bit_length())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model; UsageError if the file is not a model, or was trained on other features."""
        arrays = read_weights(path)
        model = cls(
            arrays["vocabulary"],
            _fill(PageTypeModel, arrays),
            _fill(Network, arrays),
            _fill(Calibration, arrays),
            _fill(Adapter, arrays) if "own_output" in arrays else None,
            _fill(Decider, arrays) if "decider_output" in arrays else None,
            _fill_roles(arrays),
            float(arrays.get("beta", 1.0)),
            f"{int(arrays['inputs']):016x}" if "inputs" in arrays else "",
        )
        if model.inputs not in (INPUTS, ""):
            raise UsageError(f"{path} holds a model of inputs of another version; train it anew")
        return model

    def save(self, path: Path) -> None:
        """Write the model."""
        parts = (self.page_types, self.network, self.calibration, self.adapter, self.decider)
        arrays: dict[str, Any] = {}
        for part in parts:
            arrays |= _pack(part) if part else {}
        if self.roles:
            arrays |= {ROLE_PREFIX + name: array for name, array in _pack(self.roles).items()}
        arrays |= {"vocabulary": self.vocabulary, "beta": np.float64(self.beta)}
        if self.inputs:
            arrays["inputs"] = np.uint64(int(self.inputs, 16))
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)


@dataclass(frozen=True, slots=True)
class Inference:
    """A model applied to one page under one scope."""

    model: Model
    features: Features
    scope: int
    tokens: npt.NDArray[np.intp]
    """Vocabulary numbers of the tokens of all names; intp[n_token]."""
    types: npt.NDArray[np.float64]
    """Probability of each page type; float64[n_type]."""

    def run(self, *, hide: int | None = None, is_last: bool = False) -> Output:
        """Run the network and the adapter; options as in `Network.run`."""
        network, adapter = self.model.network, self.model.adapter
        inputs = self.features, self.tokens, self.types, self.scope
        output = network.run(*inputs, hide=hide, is_last=is_last and adapter is None)
        if adapter is None:
            return output
        standard = standardise(self.features.values, network.scale)
        if hide is not None:
            standard[:, hide : hide + 1] = 0
        return replace(output, log_odds=adapter.log_odds(standard, output.log_odds, self.scope))

    def score_roles(self) -> npt.NDArray[np.float32]:
        """Return unnormalised log-probabilities of roles, float32[n_block, n_role].

        All are 0 without a role network.
        """
        roles = self.model.roles
        if roles is None:
            return np.zeros((self.features.words.size, len(ROLES)), np.float32)
        return roles.score_roles(self.features, self.tokens, self.types)


@kernel
def index_hashes(known: Hashes, n_place: int) -> npt.NDArray[np.int32]:
    """Build a hash table of indices, −1 where there is none; ``n_place`` is a power of two."""
    table = np.full(n_place, -1, np.int32)
    places = (known * _SPREAD >> np.uint64(32)) & np.uint64(n_place - 1)
    for index, place in enumerate(places.tolist()):
        while table[place] >= 0:
            place = (place + 1) % n_place  # noqa: PLW2901
        table[place] = index
    return table


def _number_tokens_by_step(
    steps: Steps, model: Model, tokens: Hashes
) -> npt.NDArray[np.intp] | None:
    return steps.number_hashes(model.vocabulary, model.indices, tokens)


@kernel_with(_number_tokens_by_step)
def _number_tokens_of(model: Model, tokens: Hashes) -> npt.NDArray[np.intp]:
    """Return what `number_tokens` does for a model's vocabulary."""
    return number_tokens(model.vocabulary, tokens)


def number_tokens(vocabulary: Hashes, tokens: Hashes) -> npt.NDArray[np.intp]:
    """Return the index of each token in a sorted vocabulary, its size for unknown tokens."""
    if not vocabulary.size:
        return np.zeros(tokens.size, np.intp)
    at = np.searchsorted(vocabulary, tokens)
    known = vocabulary.take(at, mode="clip") == tokens
    return np.where(known, at, vocabulary.size)


def _fill(kind: type[_Part], arrays: dict[str, npt.NDArray[Any]]) -> _Part:
    """Build a dataclass from the arrays named like its fields; `read_weights` misses none."""
    names = arrays.keys() & {field.name for field in fields(kind)}
    return kind(**{name: arrays[name] for name in names})


def _fill_roles(arrays: dict[str, npt.NDArray[Any]]) -> Network | None:
    """Build the role network from its arrays; None if there are none."""
    names = {name: name.removeprefix(ROLE_PREFIX) for name in arrays}
    own = {short: arrays[name] for name, short in names.items() if short != name}
    return _fill(Network, own) if own else None


def _pack(
    part: PageTypeModel | Network | Calibration | Decider | Adapter,
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a part by name, each of its type in the file."""
    arrays = {field.name: getattr(part, field.name) for field in fields(part)}
    return {
        name: array.astype(np.int8) if name in (*WHOLE, *OF_WORDS) else array
        for name, array in arrays.items()
        if array.size or name not in OF_WORDS
    }
