"""Extraction of names from bylines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.analysis.metadata.people import MAX_AUTHORS, AuthorStatement, read_names

BYLINES = (
    ("Ada Roth", ("Ada Roth",)),
    ("By Ada Roth", ("Ada Roth",)),
    ("Written by: Ada Roth", ("Ada Roth",)),
    ("Von Ada Roth", ("Ada Roth",)),
    ("作者：王小明", ("王小明",)),
    ("View all posts by Ada Roth", ("Ada Roth",)),
    ("Ada Roth and Tom Beck", ("Ada Roth", "Tom Beck")),
    ("Ada Roth / Updated: May 3", ("Ada Roth",)),
    ("Ada Roth, Tom Beck and Li Wei", ("Ada Roth", "Tom Beck", "Li Wei")),
    ("Ada Roth, Tom Beck, and Li Wei", ("Ada Roth", "Tom Beck", "Li Wei")),
    ("Ada Roth & Tom Beck", ("Ada Roth", "Tom Beck")),
    ("Ada Roth; Tom Beck", ("Ada Roth", "Tom Beck")),
    ("Ada Roth und Tom Beck", ("Ada Roth", "Tom Beck")),
    ("Ada Roth et Tom Beck", ("Ada Roth", "Tom Beck")),
    ("Maria and Tom", ("Maria and Tom",)),
    ("Ada Roth, Ada Roth", ("Ada Roth",)),
    ("Roth, Ada", ("Ada Roth",)),
    ("Ada Roth, PhD, Tom Beck, M.D.", ("Ada Roth", "Tom Beck")),
    ("Ada Roth, Senior Writer", ("Ada Roth",)),
    ("Ada Roth (The Daily Sheaf)", ("Ada Roth",)),
    ("Ada Roth for The Daily Sheaf", ("Ada Roth",)),
    ("Ada Roth @adaroth", ("Ada Roth",)),
    ("Ada Roth 5 min read", ("Ada Roth",)),
    ("ADA ROTH", ("Ada Roth",)),
    ("By Ada de la Roth", ("Ada de la Roth",)),
    ("Björk", ("Björk",)),
    ("By Ada Roth and Tom Beck on May 3, 2024 at 3:53PM PST", ("Ada Roth", "Tom Beck")),
    ("Posted on May 3, 2024 by Ada Roth", ("Ada Roth",)),
    ("Written by Ada Roth in Fields on 1 June 2024", ("Ada Roth",)),
    ("Ada Roth (Brussels, Europe desk)", ("Ada Roth",)),
    ("[Ada Roth]", ("Ada Roth",)),
    ("Ada Roth, Chief Grain Officer and Head of Fields", ("Ada Roth",)),
    ("Ada Roth City Columnist", ("Ada Roth",)),
    ("Ada RothStaff Writer", ("Ada Roth",)),
    ("Ada Roth The Associated Press", ("Ada Roth",)),
    ("by University of Rye", ("University of Rye",)),
    ("Ada Roth of The Daily Sheaf", ("Ada Roth",)),
    ("Ada R.B.", ("Ada R.B.",)),
    ("Ada Roth | Rye Media Network", ("Ada Roth",)),
    ("Ada Roth and WRYE", ("Ada Roth",)),
    ("Rye Media Network", ("Rye Media Network",)),
    ("Ada &amp; Co", ("Ada & Co",)),
)

NO_NAMES = (
    "",
    "By",
    "admin",
    "Joined: May 2024",
    "My Account",
    "Login",
    "→ Learn more",
    "https://example.org/ada",
    "www.example.org",
    "ada@example.org",
    "@adaroth",
    "/authors/ada",
    "ada.roth.12",
    "7:08pm",
    "Bio",
    "View all",
    "March",
    "12345",
    "---",
    "Quelle",
    "Quelle: dpa",
    "Foto: Ada Roth",
    "Letters to the Editor",
    "x" * 90,
    "this is a sentence that has a great many words",
)


@pytest.mark.parametrize(("text", "expected"), BYLINES)
def test_read_names_when_a_byline_is_given(text: str, expected: tuple[str, ...]) -> None:
    """Names come out alone, each once, in order."""
    assert (expected, True) == read_names([AuthorStatement(text)])


@pytest.mark.parametrize("text", NO_NAMES)
def test_read_names_when_there_is_no_name(text: str) -> None:
    """Addresses, account names, labels and sentences are no names."""
    assert ((), False) == read_names([AuthorStatement(text)])


def test_read_names_when_a_person_signs_leaves_organisations_out() -> None:
    """An organisation stands only where no person does, and is never split."""
    firm = AuthorStatement("Roth and Beck", is_organisation=True)
    assert (("Ada Roth",), True) == read_names([firm, AuthorStatement("Ada Roth")])
    assert (("Roth and Beck",), False) == read_names([firm])


def test_read_names_when_each_statement_is_one_name_turns_it_round() -> None:
    """`Last, First` is one name where each statement is known to be one."""
    statements = [
        AuthorStatement("van Roth, Ada", is_single=True),
        AuthorStatement("Beck, Tom K.", is_single=True),
    ]
    assert (("Ada van Roth", "Tom K. Beck"), True) == read_names(statements)


def test_read_names_when_there_are_thousands_keeps_the_first() -> None:
    """The number of names is limited."""
    letters = "abcdefghij"
    names = [AuthorStatement(f"Ada {a}{b}{c}") for a in letters for b in letters for c in letters]
    assert MAX_AUTHORS == len(read_names(names)[0])


@given(st.text(max_size=200))
def test_read_names_never_fails(text: str) -> None:
    """Names read from any text must contain a letter and be stripped of surrounding spaces."""
    names, _ = read_names([AuthorStatement(text)])
    assert all(name == name.strip() and any(map(str.isalpha, name)) for name in names)
