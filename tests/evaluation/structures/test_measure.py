"""A structure is whole if its pieces are in order between its neighbours; its form is apart."""

from __future__ import annotations

import pytest

from thresher.evaluation.structures.pages import (
    Structure,
    StructureOutcome,
    StructurePage,
    count_outcomes,
    judge,
    write_table,
)

_LIST = Structure("list", "<ul>…</ul>", ("Rye", "Oats"), r"(?m)^[-*+] Rye")
_PAGE = StructurePage(_LIST, "plain", 1, "", "It is before.", "It is after.")


@pytest.mark.parametrize(
    ("between", "is_whole", "is_shaped"),
    [
        ("- Rye\n- Oats", True, True),
        ("Rye, **Oats**", True, False),
        ("- Oats\n- Rye", False, False),
        ("- Rye", False, False),
        ("", False, False),
    ],
)
def test_structure_is_judged(between: str, *, is_whole: bool, is_shaped: bool) -> None:
    """Pieces must be there in order; the form is another question."""
    markdown = f"# Title\n\nIt is before.\n\n{between}\n\nIt is after.\n"
    assert StructureOutcome(is_whole=is_whole, is_shaped=is_shaped) == judge(_PAGE, markdown)


@pytest.mark.parametrize(
    "markdown",
    ["- Rye\n- Oats\n\nIt is after.", "It is after.\n\n- Rye\n- Oats\n\nIt is before."],
)
def test_neighbours_must_be_around_it(markdown: str) -> None:
    """A structure whose neighbours are gone or have changed places is not whole."""
    assert not judge(_PAGE, markdown).is_whole


def test_table_has_shares_and_failures() -> None:
    """The table gives shares of pages, and names what fails."""
    whole = StructureOutcome(is_whole=True, is_shaped=False)
    torn = StructureOutcome(is_whole=False, is_shaped=False)
    table = write_table([count_outcomes("mill", [(_PAGE, whole), (_PAGE, torn)])])
    assert "| mill | 50.0 | 0.0 |" in table
    assert "Not whole, on how many pages, mill: list 1." in table
