"""Small pages of many kinds come out as a reader sees them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thresher

PAGES = Path(__file__).parent / "pages"
ADDRESS = "https://site.example/2026/page"
OWN_ADDRESS = {"chat-gpt": "https://chatgpt.com/share/6a1"}
"""Addresses of pages that are read by them: there the name of the site is cut off the title."""
NOT_YET = {
    "19-lazy-images",
    "31b-read-more",
    "34-links",
    "54-product",
    "57-srcdoc",
    "64-recipe",
    "65-jsonld-body",
    "68-share-bars",
    "82-verses",
    "85-byline-traps",
    "blog-jekyll-chirpy",
    "language-cjk",
    "news-product",
    "news-recipe-tasty",
    "wiki-flarum",
    "wiki-github-blob",
}
"""Pages that come out wrong; one that is mended is taken out."""


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.html")), ids=lambda path: path.stem)
def test_page_comes_out_as_a_reader_sees_it(page: Path, request: pytest.FixtureRequest) -> None:
    """The Markdown has what the expected file has, in its order, as what it is."""
    if page.stem in NOT_YET:
        request.applymarker(pytest.mark.xfail(strict=True))
    expected = page.with_suffix(".md").read_text(encoding="utf-8")
    document = thresher.extract(page.read_bytes(), url=OWN_ADDRESS.get(page.stem, ADDRESS))
    assert read_lines(expected) == read_lines(document.markdown)


@pytest.mark.parametrize(
    "name",
    [
        *("19-lazy-images", "36-journal-figures", "46-medium", "47-ghost", "48-amp"),
        *("89-comic-image", "96-elementor"),
    ],
)
def test_what_is_kept_is_written_as_a_reader_sees_it(name: str) -> None:
    """Where all is kept, the lines of the expected file come out, in order."""
    page = PAGES / f"{name}.html"
    expected = read_lines(page.with_suffix(".md").read_text(encoding="utf-8"))
    document = thresher.extract(page.read_bytes(), url=ADDRESS, method="keep_all")
    written = iter(read_lines(document.markdown))
    assert [] == [line for line in expected if not any(line in each for each in written)]


def read_lines(markdown: str) -> list[str]:
    """Return the lines that are not blank; which bullet a list has and spaces at ends are free."""
    lines = [re.sub(r"^(\s*)[*+-] ", r"\1- ", line.rstrip()) for line in markdown.splitlines()]
    return [
        line if line.startswith("    ") else re.sub(r"[ \t]+", " ", line) for line in lines if line
    ]
