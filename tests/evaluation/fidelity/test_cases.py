"""Pages with their expected content: of corpora whose labels have markup, and our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.corpora import write_corpus
from tests.helpers.data import cases
from thresher.errors import InputError
from thresher.evaluation.corpora import find_corpora
from thresher.evaluation.fidelity.cases import Case, read_cases, read_corpus, render_markdown
from thresher.evaluation.fidelity.structure import read_structure
from thresher.evaluation.metrics import score_bags

CASES = list(read_cases())


@cases(__file__, "markdown")
def test_markdown_is_read_as_documented(markdown: str, expected: str) -> None:
    """Each extension is supported, and an amount of money is not a formula."""
    assert expected in render_markdown(markdown)


def test_marks_of_footnotes_leave_no_text() -> None:
    """Footnote marks leave no text, so that only the text of the note remains."""
    html = render_markdown("rye[^1] oats\n\n[^1]: grain\n")
    assert "<p>rye oats</p>" in html
    assert "<p>grain</p>" in html


def cases_of(folder: Path, *pages: dict[str, str]) -> list[Case]:
    """Pack pages into a corpus for fidelity, and read its cases."""
    write_corpus(folder, "marked", pages)
    (folder / "MANIFEST.tsv").write_text("corpus\trole\nmarked\tfidelity\n")
    (corpus,) = find_corpora([folder])
    return list(read_corpus(corpus, 2))


def test_labels_are_html_or_markdown(tmp_path: Path) -> None:
    """HTML is both the gold and the content, unchanged; Markdown is rendered as HTML."""
    html, markdown = cases_of(
        tmp_path,
        {"html": "<p>x", "gold_html": "<h2>rye</h2>", "text": "rye", "title": "t"},
        {"html": "<p>y"},
        {"html": "<p>z", "text": "## oats"},
        {"html": "<p>z", "text": "one page too many"},
    )
    assert ("<h2>rye</h2>", "rye", "t") == (html.gold, html.text, html.title)
    assert "<body><h2>rye</h2></body>" in (html.content or "")
    assert ("<h2>oats</h2>\n", None, None) == (markdown.gold, markdown.text, markdown.content)


def test_relative_addresses_of_labels_are_those_of_the_page(tmp_path: Path) -> None:
    """Labels made on another address lead where the page's own links lead."""
    label = "<a href=http://fakehost/rye>rye</a><img src=http://fakehost/test/mill.png>"
    known, unknown = cases_of(
        tmp_path,
        {"html": "<p>x", "gold_html": label, "url": "https://mills.example/2026/story"},
        {"html": "<p>y", "gold_html": label},
    )
    assert "href=https://mills.example/rye>" in known.gold
    assert "src=https://mills.example/2026/mill.png>" in known.gold
    assert (label, "http://fakehost/test/page.html") == (unknown.gold, unknown.url)


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_expected_words_are_on_the_page(case: Case) -> None:
    """The expected Markdown has the words of the content, which is not the whole page."""
    gold, content = read_structure(case.gold), read_structure(case.content or "")
    assert 0.93 < score_bags(gold.words, content.words).f1
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
