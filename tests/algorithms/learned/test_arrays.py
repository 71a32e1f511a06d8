"""Files of weights with every kind of fault."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from tests.algorithms.learned.models import (
    PAGE,
    features_of,
    make_decider,
    make_model,
    make_role_network,
)
from tests.algorithms.learned.test_adapter import make_adapter
from thresher.algorithms.learned import SHIPPED_MODEL, Params, select
from thresher.algorithms.learned.model import Model, read_weights
from thresher.errors import UsageError
from thresher.page.parse import parse

Array = np.ndarray[Any, Any]
FEATURES = features_of()
PARSED = parse(PAGE)
MODELS = (*("small", "perceptron", "mlp"), pytest.param("shipped", marks=pytest.mark.slow))


@cache
def file_of(kind: str) -> bytes:
    """Return the file of a model; those of tests are not compressed."""
    if kind == "shipped":
        return SHIPPED_MODEL.read_bytes()
    model = make_model(decider=make_decider(), roles=make_role_network(1))
    if kind != "small":
        model = replace(model, decider=None, adapter=make_adapter(n_hidden=2 * (kind == "mlp")))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        model.save(path)
        with np.load(path) as file:
            arrays: dict[str, Any] = dict(file)
        np.savez(path, **arrays)
        return path.read_bytes()


@cache
def arrays_in(kind: str) -> Mapping[str, Any]:
    with np.load(BytesIO(file_of(kind))) as file:
        return dict(file)


def filled(value: float) -> Callable[[Array], Array]:
    """Return a change that puts a value in the middle of an array, as far as its type has it."""

    def change(array: Array) -> Array:
        changed = array.copy()
        with np.errstate(all="ignore"):
            changed.flat[array.size // 2 : array.size // 2 + 1] = np.array(value).astype(
                array.dtype
            )
        return changed

    return change


CHANGES: Mapping[str, Callable[[Array], Array | None]] = {
    "missing": lambda array: None,
    "NaN": filled(float("nan")),
    "infinite": filled(float("inf")),
    "minus infinite": filled(float("-inf")),
    "huge": filled(3e38),
    "large": filled(9e5),
    "negative": filled(-128),
    "zero": lambda array: array * 0,
    "empty": lambda array: array.reshape(-1)[:0],
    "scalar": lambda array: np.zeros((), array.dtype),
    "one more": lambda array: np.append(array, array[:1], axis=0) if array.ndim else array[None],
    "one less": lambda array: array[:-1] if array.ndim else array[None],
    "none": lambda array: array[:0] if array.ndim else array[None],
    "flat": lambda array: array.reshape(-1, 1),
    "transposed": lambda array: array.T,
    "reversed": lambda array: array[..., ::-1] if array.ndim else array,
    "float64": lambda array: array.astype(np.float64),
    "int64": lambda array: array.astype(np.int64),
    "int8": lambda array: np.zeros(array.shape, np.int8),
    "complex": lambda array: array.astype(np.complex64),
    "text": lambda array: array.astype("U8"),
    "big endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "dates": lambda array: np.zeros(array.shape, "datetime64[s]"),
    "records": lambda array: np.zeros(array.shape, [("a", "f4")]),
}


def alter(kind: str, name: str, change: str) -> dict[str, Any]:
    """Return the arrays of a model, one of them changed."""
    arrays = dict(arrays_in(kind))
    array = CHANGES[change](arrays.pop(name))
    return arrays if array is None else arrays | {name: array}


def check_harmless(path: Path) -> bool:
    """Read and run a model: it is refused in words, or all its scores are finite."""
    try:
        model = Model.load(path)
    except UsageError as error:
        assert str(error).startswith(f"{path} holds ")
        assert "\n" not in str(error)
        return False
    inference = model.prepare(FEATURES, 0)
    assert np.isfinite(inference.run()).all()
    assert np.isfinite(inference.types).all()
    assert np.isfinite(inference.score_roles()).all()
    selection = select(PARSED, Params(model=str(path)))
    assert np.isfinite(selection.score).all()
    return True


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", MODELS)
def test_a_changed_array_breaks_nothing(kind: str, change: str, tmp_path: Path) -> None:
    """Whichever array is changed, the file is refused in words, or gives finite scores."""
    with np.errstate(over="ignore"):
        own = kind in {"perceptron", "mlp"}
        names = [name for name in arrays_in(kind) if not own or name.startswith("own_")]
        if kind == "small":  # some arrays for each change; with the shipped model all
            names = names[list(CHANGES).index(change) % 5 :: 5]
        for number, name in enumerate(names):
            path = tmp_path / f"{number}.npz"  # another for each: models are cached by name
            np.savez(path, **alter(kind, name, change))
            check_harmless(path)


REFUSED = {
    "missing": "it has no array levels",
    "NaN": "its array levels has values that are not from -1e+06 to 1e+06",
    "one less": "its array levels has the shape (5, 2), not (6, 2)",
    "float64": "its array levels is float64, not float32",
    "big endian": "its array levels is >f4, not float32",
}


@pytest.mark.parametrize("change", REFUSED)
def test_the_error_says_what_is_wrong(change: str, tmp_path: Path) -> None:
    """It names the array, what it is and what it should be."""
    np.savez(tmp_path / "a.npz", **alter("small", "levels", change))
    with pytest.raises(UsageError) as caught:
        read_weights(tmp_path / "a.npz")
    assert f"{tmp_path / 'a.npz'} holds no model: {REFUSED[change]}" == str(caught.value)


@pytest.mark.parametrize("name", ["vocabulary", "expected", "decider_knots"])
def test_what_is_searched_must_ascend(name: str, tmp_path: Path) -> None:
    """Otherwise a search would find anything."""
    np.savez(tmp_path / "a.npz", **alter("small", name, "reversed"))
    with pytest.raises(UsageError, match=f"{name} does not ascend"):
        read_weights(tmp_path / "a.npz")


def test_an_array_that_no_model_has_is_refused(tmp_path: Path) -> None:
    """It is a mistake, or of another version."""
    np.savez(tmp_path / "a.npz", **arrays_in("small"), weights=np.zeros(3))
    with pytest.raises(UsageError, match='a model has no array "weights"'):
        read_weights(tmp_path / "a.npz")


@pytest.mark.parametrize("kind", ["small", MODELS[-1]])
def test_damaged_bytes_break_nothing(kind: str, tmp_path: Path) -> None:
    """Whichever bytes of the file are changed or cut off, the same holds."""
    chance = random.Random(4)
    whole = file_of(kind)
    paths = (tmp_path / f"{number}.npz" for number in count())  # models are cached by name
    # The ends have the headers of the archive and of its first array, and the list of all.
    places = [*range(200), *range(len(whole) - 200, len(whole))]
    places += chance.sample(range(len(whole)), 200)
    for at in places[:: 6 if kind == "small" else 1]:
        changed = bytearray(whole)
        changed[at] ^= 1 << chance.randrange(8)
        path = next(paths)
        path.write_bytes(changed)
        check_harmless(path)
    for size in chance.sample(range(len(whole)), 50):
        path = next(paths)
        path.write_bytes(whole[:size])
        assert not check_harmless(path)


def test_an_archive_of_endless_zeros_is_refused(tmp_path: Path) -> None:
    """A small file must not take all memory: neither what it unpacks to nor what it announces."""
    header = BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (2**45,)}
    )
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("levels.npy", header.getvalue())
    with pytest.raises(UsageError, match="holds no model"):
        read_weights(tmp_path / "a.npz")
    with (
        zipfile.ZipFile(tmp_path / "b.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("levels.npy", "w") as member,
    ):
        for _ in range(300):
            member.write(bytes(2**20))
    with pytest.raises(UsageError, match="bytes of arrays, the limit is"):
        read_weights(tmp_path / "b.npz")
