"""Our own pages are complete, and their expected output matches their content."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import InputError
from thresher.evaluation.fidelity.cases import Case, read_cases
from thresher.evaluation.fidelity.score import bag_f1
from thresher.evaluation.fidelity.structure import read_structure

CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_expected_words_are_on_the_page(case: Case) -> None:
    """The expected Markdown has the words of the content, which is not the whole page."""
    gold, content = read_structure(case.gold), read_structure(case.content or "")
    assert 0.93 < bag_f1(gold.words, content.words)
    assert len(content.words) < len(read_structure(case.html).words)


def test_a_broken_page_is_reported(tmp_path: Path) -> None:
    """A folder without a page, or with a selector that matches nothing, is an input error."""
    folder = tmp_path / "page"
    folder.mkdir()
    with pytest.raises(InputError):
        list(read_cases(tmp_path))
    (folder / "about.toml").write_text('url = "u"\ntitle = "t"\nkeep = "nav"\n')
    (folder / "page.html").write_text("<p>rye")
    (folder / "expected.md").write_text("rye")
    with pytest.raises(InputError, match="nav"):
        list(read_cases(tmp_path))
