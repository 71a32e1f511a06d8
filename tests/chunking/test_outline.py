"""The headings of a page."""

from __future__ import annotations

from tests.helpers.fixture_pages import document_keeping
from thresher.chunking.outline import Heading, find_headings, outline_of, paths_of

PAGE = (
    "<h1>Grain</h1><p>a<h3>Rye</h3><p>b<h2>Oat <b>and</b> <i>spelt</i></h2><h3> </h3>"
    "<h3>Sown</h3><div><h2><div>Wheat</div><div>(soft)</div></h2></div><nav><h2>More</h2></nav>"
)


def test_headings_are_listed_when_kept() -> None:
    """Every kept heading with text is listed with its level, and the first block it is from."""
    found = find_headings(document_keeping(PAGE, drop=["nav"]).selection)
    assert (
        Heading(1, "Grain", 0),
        Heading(3, "Rye", 2),
        Heading(2, "Oat and spelt", 4),
        Heading(3, "Sown", 5),
        Heading(2, "Wheat (soft)", 6),
    ) == found


def test_headings_are_a_tree_when_arranged() -> None:
    """A heading contains the following ones of lower rank, even if ranks are skipped."""
    outline = document_keeping(PAGE, drop=["nav"]).outline
    assert ["Grain"] == [heading.title for heading in outline]
    assert ["Rye", "Oat and spelt", "Wheat (soft)"] == [each.title for each in outline[0].children]
    assert (Heading(3, "Sown", 5),) == outline[0].children[1].children


def test_tree_has_several_roots_when_ranks_rise() -> None:
    """A page that begins with a low heading has it as a root beside a later, higher one."""
    headings = [Heading(3, "a", 0), Heading(1, "b", 1), Heading(1, "c", 2)]
    assert tuple(headings) == outline_of(headings)


def test_paths_end_in_the_heading_itself() -> None:
    """A heading's path has those it is under, the highest first."""
    headings = find_headings(document_keeping(PAGE, drop=["nav"]).selection)
    assert [
        ("Grain",),
        ("Grain", "Rye"),
        ("Grain", "Oat and spelt"),
        ("Grain", "Oat and spelt", "Sown"),
        ("Grain", "Wheat (soft)"),
    ] == paths_of(headings)


def test_no_heading_is_listed_when_there_is_none() -> None:
    """A page without headings has an empty outline."""
    assert () == document_keeping("<p>a").outline
