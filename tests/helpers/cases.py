"""Tables of cases, in TOML files beside the tests that read them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest


def cases(test_file: str, *tables: str) -> pytest.MarkDecorator:
    """Run a test on each case of some tables of the TOML file beside it.

    A table `[lists]` has a sub-table for each case, `[lists."list in an item"]`, whose name is the
    test's id and whose keys are the test's arguments; one that a case leaves out is None. Cases
    that need no names are an array of tables, `[[lists]]`.

    Args:
        test_file: `__file__` of the test. Its cases are in the file of this name with .toml.
        tables: The names of the tables; without any, all in the file.
    """
    content = tomllib.loads(Path(test_file).with_suffix(".toml").read_text(encoding="utf-8"))
    rows = [row for table in tables or content for row in _read_rows(content[table])]
    arguments = list(dict.fromkeys(argument for _, row in rows for argument in row))
    return pytest.mark.parametrize(
        arguments,
        [pytest.param(*(row.get(argument) for argument in arguments), id=id) for id, row in rows],
    )


def _read_rows(
    table: dict[str, Any] | list[dict[str, Any]],
) -> Iterable[tuple[str | None, dict[str, Any]]]:
    return table.items() if isinstance(table, dict) else ((None, row) for row in table)
