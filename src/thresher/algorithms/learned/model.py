"""A trained model as one file, no pickle: vocabulary, page types, network and calibration."""

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
"""Of the names of arrays of the network for roles."""
_BROKEN: Final = (
    *(OSError, EOFError, BadZipFile, zlib.error),  # no archive, or a damaged one
    *(NotImplementedError, RuntimeError),  # one that is packed or locked in another way
    *(AttributeError, KeyError, TypeError, ValueError),  # other arrays, or none
)
"""What numpy and zipfile raise on files that hold no model."""


@dataclass(frozen=True)
class Model:
    """Everything that training found; ``vocabulary`` are the known tokens, sorted, uint64[v]."""

    vocabulary: Hashes
    page_types: PageTypeModel
    network: Network
    calibration: Calibration
    adapter: Adapter | None = None
    """What a reader's own labels add to the network."""
    chooser: Chooser | None = None
    """Decides how much to keep; without it, or with `adapter`, the highest expected F does."""
    roles: Network | None = None
    """What tells roles: its outputs are those of `thresher.roles.ROLES`."""
    beta: float = 1.0
    """The β of the F-measure that is maximised where nobody favours precision or recall."""

    @property
    def kind(self) -> str:
        """What it is: one of `thresher.algorithms.learned.adapter.KINDS`, or ``learned``."""
        return self.adapter.kind if self.adapter else "learned"

    def prepare(self, features: Features, scope: int) -> Inference:
        """Read a page under a scope."""
        tokens, declared = self._number(features.tokens.hash), self._number(features.declared)
        names = np.concatenate((tokens, declared))
        types = self.page_types.probabilities(features, names)
        return Inference(self, features, scope, tokens, types)

    def _number(self, tokens: Hashes) -> npt.NDArray[np.intp]:
        """Number tokens as `number_tokens` does."""
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
        """Read a model; UsageError where the file holds none, or one for other features."""
        try:
            # Opened here: of an archive that breaks off, numpy would leave the file open.
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
    """What a model sees of one page, under one scope."""

    model: Model
    features: Features
    scope: int
    tokens: npt.NDArray[np.intp]
    """Numbers of the tokens of all names; intp[n_token]."""
    types: npt.NDArray[np.float64]
    """Probability of each page type; float64[n_type]."""

    def run(self, *, hide: int | None = None, is_last: bool = False) -> Output:
        """Run the network, and what was learned on top of it; the options are those there."""
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
        """Score the roles of each block, float32[n_block, n_role]; None without a network for it.

        The higher, the more probable; e to their power is in proportion to probabilities.
        """
        roles = self.model.roles
        return roles.score_roles(self.features, self.tokens, self.types) if roles else None

    def predict_roles(self) -> npt.NDArray[np.int8] | None:
        """Tell the most probable role of each block, int8[n_block]; None without a network."""
        scores = self.score_roles()
        return None if scores is None else pick_roles(scores)


def number_tokens(vocabulary: Hashes, tokens: Hashes) -> npt.NDArray[np.intp]:
    """Number tokens by their place in a sorted vocabulary, unknown ones by its size."""
    if not vocabulary.size:
        return np.zeros(tokens.size, np.intp)
    at = np.searchsorted(vocabulary, tokens)
    known = vocabulary.take(at, mode="clip") == tokens
    return np.where(known, at, vocabulary.size)


def _fill(kind: type[_Part], arrays: dict[str, npt.NDArray[Any]]) -> _Part:
    """Make a dataclass of arrays, each from the array of its field's name."""
    return kind(**{field.name: arrays[field.name] for field in fields(kind)})


def _fill_roles(arrays: dict[str, npt.NDArray[Any]]) -> Network | None:
    """Make the network for roles of its arrays; None where there are none."""
    names = {name: name.removeprefix(_ROLE_PREFIX) for name in arrays}
    own = {short: arrays[name] for name, short in names.items() if short != name}
    return _fill(Network, own) if own else None


def _pack(name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array as it lies in the file."""
    return array.astype(np.int8) if name in WHOLE else array


def _unpack(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return an array of the file as it is used, read-only."""
    used = array.astype(np.float32) if array.dtype == np.int8 else array
    used.setflags(write=False)
    return used
