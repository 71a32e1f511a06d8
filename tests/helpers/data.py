"""What tests read: texts in tests/data, and tables of cases in TOML files beside the tests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

DATA: Final = Path(__file__).parents[1] / "data"


def read_data(name: str) -> str:
    """Return the text of a file of tests/data."""
    return (DATA / name).read_text(encoding="utf-8")


def read_tables(path: str | Path) -> dict[str, Any]:
    """Return the tables of a TOML file, or of the one beside a test (`__file__`)."""
    return tomllib.loads(Path(path).with_suffix(".toml").read_text(encoding="utf-8"))


def cases(path: str | Path, *tables: str) -> pytest.MarkDecorator:
    """Run a test on each case of a TOML file, or of all in a folder.

    A case is a table, `["list in an item"]`, whose name is the test's id and whose keys are the
    test's arguments; one that a case leaves out is None. Cases that need no names are an array of
    tables, `[[lists]]`.

    Args:
        path: A folder, or `__file__` of the test: its cases are in the file of this name with
            .toml.
        tables: The tables of the file that hold the cases, `[lists."list in an item"]`; without
            any, the file itself does.
    """
    path = Path(path)
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    rows: list[tuple[str | None, dict[str, Any]]] = []
    for file in files:
        content = read_tables(file)
        for table in tables:
            rows += _read_rows(table, content[table])
        if not tables:
            rows += _read_rows("", content)
    arguments = list(dict.fromkeys(argument for _, row in rows for argument in row))
    return pytest.mark.parametrize(
        arguments,
        [pytest.param(*(row.get(argument) for argument in arguments), id=id) for id, row in rows],
    )


def _read_rows(name: str, table: Any) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Yield the id and the arguments of each case in a table, or in an array of tables."""
    if isinstance(table, list):
        yield from ((name, row) for row in table)
        return
    for key, value in table.items():
        if isinstance(value, list):
            yield from ((key, row) for row in value)
        else:
            yield key, value
