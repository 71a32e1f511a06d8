"""Generated pages with a structure, which is whole if its pieces stand in order."""

from __future__ import annotations

import re

import pytest

from thresher.evaluation.structures import __main__ as command
from thresher.evaluation.structures.pages import (
    LENGTHS,
    Structure,
    StructureOutcome,
    StructurePage,
    generate_pages,
    judge,
    read_structures,
    write_outcomes,
)
from thresher.page.parse import parse

_STRUCTURES = read_structures()
_LIST = Structure("list", "<ul>…</ul>", ("Rye", "Oats"), r"(?m)^[-*+] Rye")
_PAGE = StructurePage(_LIST, "plain", "", "It is before.", "It is after.")


def test_every_structure_has_a_page_in_each_layout_and_length() -> None:
    """Each structure has as many pages as there are layouts and lengths, none twice."""
    pages = list(generate_pages())
    assert len(_STRUCTURES) >= 60
    assert len(_STRUCTURES) * 10 * len(LENGTHS) == len(pages)
    assert len(pages) == len({page.html for page in pages})


def test_a_structure_stands_between_its_sentences() -> None:
    """The sentences around a structure are on the page once, before and after it."""
    for page in generate_pages():
        assert 1 == page.html.count(page.before) == page.html.count(page.after)
        places = [page.html.index(part) for part in (page.before, page.structure.html, page.after)]
        assert sorted(places) == places


@pytest.mark.parametrize("structure", _STRUCTURES, ids=lambda structure: structure.name)
def test_pieces_are_in_the_structure_in_order(structure: Structure) -> None:
    """The pieces are text of the structure's own HTML, or of its pictures, in their order."""
    shown = parse(structure.html).text_of(0) + " ".join(re.findall(r"alt='(.*?)'", structure.html))
    letters, at = re.sub(r"[\W_]+", "", shown), 0
    for piece in structure.pieces:
        at = letters.index(re.sub(r"[\W_]+", "", piece), at) + 1
    re.compile(structure.form)


@pytest.mark.parametrize(
    ("between", "outcome"),
    [
        ("- Rye\n- Oats", StructureOutcome.SHAPED),
        ("Rye, **Oats**", StructureOutcome.WHOLE),
        ("- Oats\n- Rye", StructureOutcome.TORN),
        ("- Rye", StructureOutcome.TORN),
        ("It is after.\n\n- Rye\n- Oats", StructureOutcome.TORN),
    ],
)
def test_structure_is_judged(between: str, outcome: StructureOutcome) -> None:
    """Pieces must be there in order, with their neighbours around; the form is another question."""
    markdown = f"# Title\n\nIt is before.\n\n{between}\n\nIt is after.\n"
    assert outcome is judge(_PAGE, markdown)
    assert not judge(_PAGE, markdown.replace("It is before.", ""))


def test_a_note_counts_where_its_mark_is() -> None:
    """What a footnote says is read at its mark, and without a mark it is not there."""
    text = "It is before.\n\nRye.{}\n\nIt is after.\n\n[^1]: Oats"
    assert judge(_PAGE, text.format("[^1]"))
    assert not judge(_PAGE, text.format(""))


def test_table_has_shares_and_failures() -> None:
    """The table gives shares of pages, and names what fails."""
    judged = [(_PAGE, StructureOutcome.WHOLE), (_PAGE, StructureOutcome.TORN)]
    table = write_outcomes({"mill": judged})
    assert "| mill | 50.0 | 0.0 |" in table
    assert "Not whole, on how many pages, mill: list 1." in table


def test_command_writes_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command writes the shares of our own output; no peer is needed."""
    pages = [page for page in generate_pages() if page.structure.name == "two-item-list"]
    monkeypatch.setattr(command, "generate_pages", lambda: iter(pages))
    assert not command.main(["--peer", "none"])
    assert "| thresher | 100.0 | 100.0 |" in capsys.readouterr().out
