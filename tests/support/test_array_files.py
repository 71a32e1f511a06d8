"""Files of arrays, and tables of what they must be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thresher.errors import UsageError
from thresher.support.array_files import ArraySpec, check_arrays, read_arrays

TABLE = {
    "first": ArraySpec("float32", ("n", "h"), -1, 1),
    "second": ArraySpec("float32", ("h + 1", "2 * n"), -1, 1),
}


def test_sizes_are_learned_from_the_first_array(tmp_path: Path) -> None:
    """The others must agree with them."""
    first = np.zeros((2, 3), np.float32)
    np.savez(tmp_path / "a.npz", first=first, second=np.zeros((4, 4), np.float32))
    arrays = read_arrays(tmp_path / "a.npz")
    sizes: dict[str, int] = {}
    check_arrays(arrays, TABLE, sizes)
    assert {"n": 2, "h": 3} == sizes
    assert not arrays["first"].flags.writeable
    wrong = arrays | {"second": np.zeros((4, 3), np.float32)}
    with pytest.raises(UsageError, match=r"second has the shape \(4, 3\), not \(4, 4\)"):
        check_arrays(wrong, TABLE, {})


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1.5, -1.5])
def test_values_are_bounded(value: float) -> None:
    """What is no number is beyond any bound."""
    arrays = {"first": np.full((2, 3), value, np.float32)}
    with pytest.raises(UsageError, match="first has values that are not from -1 to 1"):
        check_arrays(arrays, TABLE, {})


def test_no_file_is_no_archive(tmp_path: Path) -> None:
    """A missing file, a folder and a text are errors of ours."""
    (tmp_path / "text").write_text("rye")
    for name in ("gone", ".", "text"):
        with pytest.raises(UsageError):
            read_arrays(tmp_path / name)
