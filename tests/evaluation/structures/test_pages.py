"""Generated pages have the structure between their sentences, and the tables are well-formed."""

from __future__ import annotations

import re

import pytest

from thresher.evaluation.structures.pages import (
    LENGTHS,
    Structure,
    generate_pages,
    read_structures,
)
from thresher.page.parse import parse

_STRUCTURES = read_structures()


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
