"""Detection of organisations by name, and removal of agencies' names."""

from __future__ import annotations

import pytest

from thresher.analysis.metadata.people import cut_agency, looks_like_organisation


@pytest.mark.parametrize(
    "name",
    ["Rye News", "The Sheaf", "WRYE", "University of Rye", "Reuters", "the Associated Press"],
)
def test_looks_like_organisation(name: str) -> None:
    """Words that say what it is, an article, capitals alone, or a known agency."""
    assert looks_like_organisation(name)


@pytest.mark.parametrize("name", ["Ada Roth", "Theo Beck", "Björk", "A. B. Roth", "Thea"])
def test_looks_like_organisation_when_it_is_a_person(name: str) -> None:
    """Names of persons are none of these."""
    assert not looks_like_organisation(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Ada Roth The Associated Press", "Ada Roth"),
        ("Ada Roth Reuters", "Ada Roth"),
        ("The Associated Press", "The Associated Press"),
        ("Ada Reuters", "Ada Reuters"),
    ],
)
def test_cut_agency(name: str, expected: str) -> None:
    """Only an agency after a whole name is cut."""
    assert expected == cut_agency(name)
