"""Names in bylines, organisations among them, and lines that only name the authors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher
from tests.helpers.data import cases
from thresher.analysis.metadata.people import (
    MAX_AUTHORS,
    AuthorStatement,
    cut_agency,
    drop_byline,
    looks_like_organisation,
    read_names,
)
from thresher.document import WriteOptions
from thresher.page.parse import parse
from thresher.writers.formats import FormatName

NO_NAMES = (
    "",
    "By",
    "admin",
    "Super User",
    "Joined: May 2024",
    "My Account",
    "Login",
    "→ Learn more",
    "View all",
    "https://example.org/ada",
    "www.example.org",
    "ada@example.org",
    "@adaroth",
    "/authors/ada",
    "ada.roth.12",
    "7:08pm",
    "Bio",
    "March",
    "12345",
    "---",
    "Quelle",
    "Quelle: dpa",
    "x" * 90,
    "Foto: Ada Roth",
    "Photograph by Ada Roth, Rye Pictures",
    "Sat, 4 May, 2024 - 06:36",
    "Freitag, 3. Mai 2024",
    "责编：王小明",
    "未知 责编：王小明",
    "责任编辑 王小明",
    "Letters to the Editor",
    "Insights from",
    "Print",
    "Vcard",
    "this is a sentence that has a great many words",
)


@cases(__file__, "bylines")
def test_read_names_when_a_byline_is_given(text: str, expected: list[str]) -> None:
    """Names come out alone, each once, in order."""
    assert (tuple(expected), True) == read_names([AuthorStatement(text)])


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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((each, True) for each in ("Rye News", "The Sheaf", "WRYE", "University of Rye")),
        *((each, True) for each in ("Reuters", "the Associated Press")),
        *((each, False) for each in ("Ada Roth", "Theo Beck", "Björk", "A. B. Roth", "Thea")),
    ],
)
def test_looks_like_organisation(name: str, expected: bool) -> None:
    """Words that say what it is, an article, capitals alone, or a known agency."""
    assert expected is looks_like_organisation(name)


@pytest.mark.parametrize("name", ["The Associated Press", "Ada Reuters"])
def test_cut_agency_leaves_other_names(name: str) -> None:
    """Only an agency after a whole name is cut."""
    assert name == cut_agency(name)


_TEXT = "<p>" + "The light was lit at dusk, and the keeper wrote the hour in his log. " * 3


def _write_rest(line: str) -> list[str]:
    document = thresher.extract(f"<h1>The lamp</h1>{line}{_TEXT}", method="keep_all")
    selection = drop_byline(document.selection, ["Ada Holm", "Bo Lind"])
    page = document.page
    return [page.text_of(row).strip() for row in page.leaves[selection.keep].tolist()][:-1]


@pytest.mark.parametrize(
    "line", ["By Ada Holm", "Von Ada Holm und Bo Lind", "Bo Lind, reporter", "Ada Holm, 3 May 2026"]
)
def test_a_line_of_authors_is_dropped(line: str) -> None:
    """Their names with what introduces them, a date or a role are no text, in any language."""
    assert ["The lamp"] == _write_rest(f"<p>{line}</p>")


@pytest.mark.parametrize("line", ["Ada Holm opened the door.", "By Kim Berg", "The keeper"])
def test_other_lines_stay(line: str) -> None:
    """Not a sentence about an author, another's name, or any other line."""
    assert ["The lamp", line] == _write_rest(f"<p>{line}</p>")


def test_names_below_the_text_stay() -> None:
    """A byline stands above the text."""
    page = parse(f"<h1>The lamp</h1>{_TEXT}</p><p>Ada Holm</p>")
    selection = thresher.select(page, "keep_all")
    assert drop_byline(selection, ["Ada Holm"]) is selection
    assert drop_byline(selection, []) is selection


def test_a_page_of_a_name_stays() -> None:
    """What would leave nothing is not done."""
    selection = thresher.select(parse("<p>Ada Holm"), "keep_all")
    assert drop_byline(selection, ["Ada Holm"]) is selection


@pytest.mark.parametrize("format", ["markdown", "text", "thread"])
def test_front_matter_has_the_authors_alone(format: FormatName) -> None:
    """With metadata the byline is not in the text; without, and where it is asked for, it is."""
    html = f"<meta name=author content='Ada Holm'><h1>The lamp</h1><p>By Ada Holm</p>{_TEXT}"
    document = thresher.extract(html, method="keep_all")
    assert 1 == document.write(format, WriteOptions(metadata=True)).count("Ada Holm")
    assert 1 == document.write(format).count("By Ada Holm")
