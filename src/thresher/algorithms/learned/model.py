"""A trained model in one file, without pickle: vocabulary, page types, network, calibration."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Self, TypeVar
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from thresher.algorithms.learned.adapter import Adapter
from thresher.algorithms.learned.calibration import Calibration
from thresher.algorithms.learned.chooser import Chooser
from thresher.algorithms.learned.network import WHOLE, Network, Output
from thresher.algorithms.learned.page_type import PageTypeModel
from thresher.algorithms.learned.roles import pick_roles
from thresher.errors import UsageError
from thresher.features import FEATURES, Features
from thresher.features.hashing import Hashes
from thresher.native import REFUSED, compiled
from thresher.support.cached import cached_property

__all__ = ["Inference", "Model", "number_tokens"]

_Part = TypeVar("_Part", PageTypeModel, Network, Calibration, Chooser, Adapter)

_ROLE_PREFIX: Final = "roles_"
"""Prefix of the array names of the role network."""
_BROKEN: Final = (
    *(OSError, EOFError, BadZipFile, zlib.error),  # not an archive, or a damaged one
    *(NotImplementedError, RuntimeError),  # unknown compression, or encrypted
    *(AttributeError, KeyError, TypeError, ValueError),  # other arrays, or no arrays
)
"""Exceptions of numpy and zipfile for files that are not models."""


@dataclass(frozen=True)
class Model:
    """All trained parts; ``vocabulary`` holds the known tokens, sorted, uint64[v]."""

    vocabulary: Hashes
    page_types: PageTypeModel
    network: Network
    calibration: Calibration
    adapter: Adapter | None = None
    """Adjusts the network to a user's own labels."""
    chooser: Chooser | None = None
    """Chooses how much to keep; without it, or with an `adapter`, the expected F-measure does."""
    roles: Network | None = None
    """Predicts roles: one output for each of `thresher.roles.ROLES`."""
    beta: float = 1.0
    """The β of the F-measure to maximise when neither precision nor recall is favoured."""

    @property
    def kind(self) -> str:
        """One of `thresher.algorithms.learned.adapter.KINDS`, or ``learned``."""
        return self.adapter.kind if self.adapter else "learned"

    def prepare(self, features: Features, scope: int) -> Inference:
        """Prepare the model's inputs for one page under one scope."""
        tokens, declared = self._number(features.tokens.hash), self._number(features.declared)
        names = np.concatenate((tokens, declared))
        types = self.page_types.probabilities(features, names)
        return Inference(self, features, scope, tokens, types)

    def _number(self, tokens: Hashes) -> npt.NDArray[np.intp]:
        """Number tokens as `number_tokens` does, compiled if possible."""
        if compiled is not None:
            numbers = np.empty(tokens.size, np.int64)
            done = compiled.number_hashes(*self._known, tokens, numbers)
            if done != REFUSED:
                return numbers
        return number_tokens(self.vocabulary, tokens)

    @cached_property
    def _known(self) -> tuple[Hashes, npt.NDArray[np.int32]]:
        """The vocabulary, and a hash table of it that is at most half full."""
        known = np.ascontiguousarray(self.vocabulary)
        table = np.empty(2 << known.size.bit_length(), np.int32)
        if compiled is not None:
            compiled.index_hashes(known, table)
        return known, table

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model; UsageError if the file is not a model, or was trained on other features."""
        try:
            # Opened here, as numpy leaves the file of a truncated archive open.
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                arrays = {name: _unpack(file[name]) for name in file.files}
            model = cls(
                arrays["vocabulary"],
                _fill(PageTypeModel, arrays),
                _fill(Network, arrays),
                _fill(Calibration, arrays),
                _fill(Adapter, arrays) if "own_output" in arrays else None,
                _fill(Chooser, arrays) if "chooser_output" in arrays else None,
                _fill_roles(arrays),
                float(arrays.get("beta", 1.0)),
            )
        except _BROKEN as error:
            raise UsageError(f"{path} holds no model: {error}") from error
        if model.network.mean.shape != (len(FEATURES),):
            raise UsageError(f"{path} holds a model of other features; train it anew")
        return model

    def save(self, path: Path) -> None:
        """Write the model."""
        arrays: dict[str, Any] = {
            field.name: _pack(field.name, getattr(part, field.name))
            for part in (
                *(self.page_types, self.network, self.calibration),
                self.adapter,
                self.chooser,
            )
            if part
            for field in fields(part)
        }
        if self.roles:
            arrays |= {
                _ROLE_PREFIX + field.name: _pack(field.name, getattr(self.roles, field.name))
                for field in fields(self.roles)
            }
        arrays |= {"vocabulary": self.vocabulary, "beta": np.float64(self.beta)}
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
        standard = network.standardise(self.features.values)
        if hide is not None:
            standard[:, hide : hide + 1] = 0
        return replace(output, log_odds=adapter.log_odds(standard, output.log_odds, self.scope))

    def score_roles(self) -> npt.NDArray[np.float32] | None:
        """Return unnormalised log-probabilities of roles, float32[n_block, n_role].

        None without a role network.
        """
        roles = self.model.roles
        return roles.score_roles(self.features, self.tokens, self.types) if roles else None

    def predict_roles(self) -> npt.NDArray[np.int8] | None:
        """Return each block's most probable role, int8[n_block]; None without a role network."""
        scores = self.score_roles()
        return None if scores is None else pick_roles(scores)


def number_tokens(vocabulary: Hashes, tokens: Hashes) -> npt.NDArray[np.intp]:
    """Return the index of each token in a sorted vocabulary, its size for unknown tokens."""
    if not vocabulary.size:
        return np.zeros(tokens.size, np.intp)
    at = np.searchsorted(vocabulary, tokens)
    known = vocabulary.take(at, mode="clip") == tokens
    return np.where(known, at, vocabulary.size)


def _fill(kind: type[_Part], arrays: dict[str, npt.NDArray[Any]]) -> _Part:
    """Build a dataclass from the arrays named like its fields."""
    return kind(**{field.name: arrays[field.name] for field in fields(kind)})


def _fill_roles(arrays: dict[str, npt.NDArray[Any]]) -> Network | None:
    """Build the role network from its arrays; None if there are none."""
    names = {name: name.removeprefix(_ROLE_PREFIX) for name in arrays}
    own = {short: arrays[name] for name, short in names.items() if short != name}
    return _fill(Network, own) if own else None


def _pack(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert an array to its type in the file."""
    return array.astype(np.int8) if name in WHOLE else array


def _unpack(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Convert an array of the file to its type in memory, read-only."""
    used = array.astype(np.float32) if array.dtype == np.int8 else array
    used.setflags(write=False)
    return used
