"""The table of compiled steps is read as it is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from thresher.native import table
from thresher.native.table import Argument, Size, read_constants, read_steps

TABLE = """\
# A comment
constant N_KIND = 3

count(values: i32[n], edges: u8[n + 1, 2],
        inout sums: f64[N_KIND, n], limit: int, share: float, scratch work: u64[limit])
        -> n_kept: int, kept: bool[count of n]
    Count values,
    and keep some.
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that is read in place of the table."""
    file = tmp_path / "steps.txt"
    monkeypatch.setattr(table, "_FILE", file)
    monkeypatch.setattr(table, "read_constants", read_constants.__wrapped__)
    return file


def test_a_step_is_read(written: Path) -> None:
    """Every kind of argument and result has its name, type, role and sizes.

    Callers pass all arguments but scratch memory.
    """
    written.write_text(TABLE, encoding="utf-8")
    (step,) = read_steps.__wrapped__()
    n = Size("n", 0)
    assert ("count", "Count values, and keep some.") == (step.name, step.summary)
    assert step.arguments == (
        Argument("values", "i32", "input", (n,)),
        Argument("edges", "u8", "input", (Size("n", 1), Size("", 2))),
        Argument("sums", "f64", "inout", (Size("", 3), n)),
        Argument("limit", "int", "input", ()),
        Argument("share", "float", "input", ()),
        Argument("work", "u64", "scratch", (Size("limit", 0),)),
    )
    assert step.given == step.arguments[:-1]
    assert step.results == (
        Argument("n_kept", "int", "result", ()),
        Argument("kept", "bool", "result", (Size("n", 0, is_count=True),)),
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("count(values: i32[n])", "not a step"),
        ("count(values: i32) -> kept: int", "not an argument"),
        ("count(limit: int[n]) -> kept: int", "not an argument"),
        ("count(values: i33[n]) -> kept: int", "not an argument"),
        ("count(values: i32[n - 1]) -> kept: int", "not a size"),
    ],
)
def test_a_malformed_entry_is_an_error(written: Path, entry: str, message: str) -> None:
    """The message quotes what cannot be read."""
    written.write_text(f"{entry}\n    Count.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_steps.__wrapped__()


def test_names_of_steps_and_arguments_are_unique() -> None:
    """In the table of this package no step, and no argument of a step, is declared twice."""
    steps = read_steps()
    assert len(steps) == len({step.name for step in steps})
    for step in steps:
        names = [each.name for each in (*step.arguments, *step.results)]
        assert len(names) == len(set(names)), step.name
        assert step.summary, step.name


def test_no_step_has_more_arrays_than_a_call_holds() -> None:
    """The glue keeps results and scratch memory of a call in arrays of fixed sizes."""
    header = (Path(table.__file__).parent / "glue.h").read_text(encoding="utf-8")
    room = {name: int(n) for name, n in re.findall(r"MAX_(RESULTS|SCRATCH) = (\d+)", header)}
    for step in read_steps():
        scratch = [each for each in step.arguments if each.role == "scratch"]
        assert len(scratch) <= room["SCRATCH"], step.name
        assert len(step.results) <= room["RESULTS"], step.name
