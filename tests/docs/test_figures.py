"""The figures of the docs: drawn from the code as it is, and shown with a text in their place."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.docs.figures.__main__ import FIGURES, main
from tests.docs.figures.canvas import shorten

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "images" / "figures"


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_that_of_the_code(name: str) -> None:
    """The figure in docs/ is what `python -m tests.docs.figures docs/images/figures` draws."""
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == FIGURES[name]()


def test_figures_are_all_shown_with_alternative_texts() -> None:
    """Each figure is on a page of the docs, with a text for those who do not see it."""
    shown = {
        name: text
        for page in DOCS.rglob("*.md")
        for text, name in re.findall(
            r"!\[([^\]]*)\]\([^)]*images/figures/([^)]*)\.svg\)", page.read_text(encoding="utf-8")
        )
    }
    assert set(FIGURES) == set(shown) == {file.stem for file in FOLDER.iterdir()}
    assert [] == [name for name, text in shown.items() if len(text) < 40]


def test_figures_are_written_when_the_command_runs(tmp_path: Path) -> None:
    """The command writes every figure, as XML that is well-formed."""
    assert 0 == main([str(tmp_path / "figures")])
    written = {file.stem: file for file in (tmp_path / "figures").iterdir()}
    assert set(FIGURES) == set(written)
    for file in written.values():
        assert "{http://www.w3.org/2000/svg}svg" == ElementTree.parse(file).getroot().tag


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a  b\nc", "a b c"), ("abcdef", "abcdef"), ("abcdefg", "abcde…"), ("abcd efg", "abcd…")],
)
def test_text_is_shortened_to_one_line(text: str, expected: str) -> None:
    """White space is one space, and a text that is too long ends with an ellipsis."""
    assert expected == shorten(text, 6)
