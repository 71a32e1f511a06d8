"""Files of models: saved, loaded, and rejected if invalid."""

from __future__ import annotations

import hashlib
import pickle
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algorithms.learned.models import (
    PAGE,
    features_of,
    make_decider,
    make_model,
    make_role_network,
)
from tests.algorithms.learned.test_adapter import make_adapter
from thresher.algorithms.learned import SHIPPED_MODEL
from thresher.algorithms.learned.model import Model, number_tokens, read_weights
from thresher.algorithms.learned.network import (
    CLIP,
    INPUT_STEPS,
    MAX_LEVEL,
    MAX_WEIGHT,
    TYPE_WEIGHT,
    WHOLE,
)
from thresher.errors import UsageError
from thresher.features import FEATURES

EXACT = 2**24
"""Whole numbers up to this are exact in float32."""


def write(path: Path, **changes: Any) -> Path:
    """Write the file of a model with some arrays changed."""
    make_model().save(path)
    with np.load(path) as file:
        arrays = dict(file) | changes
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


def test_model_gives_the_same_when_read_back(tmp_path: Path) -> None:
    """A model that was saved gives the same log-odds and scores of roles."""
    model = make_model(decider=make_decider(), roles=make_role_network(1))
    model.save(tmp_path / "model.npz")
    loaded = Model.load(tmp_path / "model.npz")
    ours, theirs = (each.prepare(features_of(), 1) for each in (model, loaded))
    assert ours.run().tolist() == theirs.run().tolist()
    assert ours.score_roles().tolist() == theirs.score_roles().tolist()


def test_file_is_the_same_when_written_again(tmp_path: Path) -> None:
    """Files contain neither dates nor paths, so that digests identify models."""
    paths = [tmp_path / name for name in ("a.npz", "b.npz")]
    make_model(decider=make_decider(), roles=make_role_network(1)).save(paths[0])
    Model.load(paths[0]).save(paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_whole_numbers_are_small_in_the_file(tmp_path: Path) -> None:
    """Integers are stored as bytes and loaded as float32."""
    make_model().save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz", allow_pickle=False) as file:
        assert {np.dtype(np.int8)} == {file[name].dtype for name in WHOLE}
    network = Model.load(tmp_path / "model.npz").network
    assert {np.dtype(np.float32)} == {getattr(network, name).dtype for name in WHOLE}


def test_arrays_are_read_only_when_loaded(tmp_path: Path) -> None:
    """Loaded arrays are read-only."""
    make_model().save(tmp_path / "model.npz")
    loaded = read_weights(tmp_path / "model.npz")
    assert not any(array.flags.writeable for array in loaded.values())


def test_invalid_file_is_rejected(tmp_path: Path) -> None:
    """Any other file, or a missing one, raises UsageError with the name of the file."""
    contents = {"empty": b"", "text": b"weights", "pickle": pickle.dumps({"vocabulary": 1})}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    np.save(tmp_path / "array.npy", np.zeros(3))
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        archive.writestr("vocabulary.npy", "no array")
    for name in (*contents, "array.npy", "archive", "absent", "."):
        with pytest.raises(UsageError, match=re.escape(f"{tmp_path / name} holds no model")):
            Model.load(tmp_path / name)


def test_model_without_a_network_for_roles(tmp_path: Path) -> None:
    """The role network is optional, without it all roles score 0, but it must be complete."""
    model = Model.load(write(tmp_path / "model.npz"))
    inference = model.prepare(features_of(), 0)
    assert model.roles is None
    assert not inference.score_roles().any()
    levels = make_role_network().levels
    with pytest.raises(UsageError, match="holds no model"):
        Model.load(write(tmp_path / "part.npz", roles_levels=levels))


def test_model_without_a_decider(tmp_path: Path) -> None:
    """The decider is optional, but must be complete."""
    assert Model.load(write(tmp_path / "model.npz")).decider is None
    output = make_decider().decider_output
    with pytest.raises(UsageError, match=r"holds no model: .*decider_mean"):
        Model.load(write(tmp_path / "part.npz", decider_output=output))


def test_model_of_other_features(tmp_path: Path) -> None:
    """Weights for a different set of features are rejected with a message of their own."""
    path = write(tmp_path / "model.npz", mean=np.zeros(len(FEATURES) + 1, np.float32))
    with pytest.raises(UsageError, match="a model of other features; train it anew"):
        Model.load(path)


class Trap:
    """Reports when a pickle of it is loaded."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a pickle was read",)


def test_pickle_is_never_read(tmp_path: Path) -> None:
    """Pickles in files of weights are never executed."""
    trap = np.array([Trap()], dtype=object)
    with pytest.raises(UsageError, match="holds no model"):
        Model.load(write(tmp_path / "model.npz", levels=trap))
    (tmp_path / "bare").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(UsageError, match="holds no model"):
        Model.load(tmp_path / "bare")


@given(st.sets(st.integers(0, 2**64 - 1), max_size=9), st.lists(st.integers(0, 2**64 - 1)))
def test_tokens_are_numbered(known: set[int], tokens: list[int]) -> None:
    """A known token has its index, an unknown token the number after the last index."""
    vocabulary = np.array(sorted(known), np.uint64)
    some = [*tokens, *sorted(known)]
    expected = [sorted(known).index(t) if t in known else len(known) for t in some]
    assert expected == number_tokens(vocabulary, np.array(some, np.uint64)).tolist()


def test_features_are_quantised_only_if_all_read_them_alike() -> None:
    """Adapters read features as they are, and a network for roles may have another scale."""
    model = make_model()
    other = replace(model.network, mean=model.network.mean + np.float32(1))
    assert replace(model, roles=make_role_network()).scale is not None
    assert replace(model, roles=other).scale is None
    assert replace(model, adapter=make_adapter()).scale is None


def test_declarations_count_for_types_only() -> None:
    """Declarations of a page affect its type; as names they are not around any block."""
    model = make_model()
    features = features_of(PAGE)
    assert features.declared.size
    assert features.tokens.hash.size == model.prepare(features, 0).tokens.size


def test_shipped_model_is_the_one_of_its_card() -> None:
    """The card of the shipped weights states their digest."""
    card = SHIPPED_MODEL.with_suffix(".md").read_text(encoding="utf-8")
    assert hashlib.sha256(SHIPPED_MODEL.read_bytes()).hexdigest() in card


def test_shipped_sums_stay_exact() -> None:
    """No sum of the shipped network exceeds the integers that float32 represents exactly.

    Sums of names are not checked: their number depends on the page, and `Network` handles it.
    """
    network = Model.load(SHIPPED_MODEL).network
    largest = max(round(CLIP * INPUT_STEPS), TYPE_WEIGHT * INPUT_STEPS)
    sums = {
        "feature": np.abs(network.feature_weights).sum(axis=0).max() * largest,
        **{
            name: np.abs(getattr(network, f"{name}_weights")).sum(axis=-2).max() * MAX_LEVEL
            for name in ("second", "summary", "context", "output")
        },
    }
    assert all(most < EXACT for most in sums.values())
    n_input = max(network.context_weights.shape[2], len(network.feature_weights))
    assert n_input * MAX_WEIGHT * MAX_LEVEL < EXACT, "nor after another training"
