"""thresher.analysis.metadata.people: lines that only name the authors."""

from __future__ import annotations

import pytest

import thresher
from thresher.analysis.metadata.people import drop_byline
from thresher.document import WriteOptions
from thresher.page.parse import parse
from thresher.writers.formats import FormatName

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
