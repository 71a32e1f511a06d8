"""Cases are the pages of a corpus whose labels have markup."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from thresher.evaluation.corpora import find_corpora
from thresher.evaluation.fidelity.cases import Case, read_corpus


def cases_of(folder: Path, *pages: dict[str, str]) -> list[Case]:
    """Pack pages into a corpus for fidelity, and read its cases."""
    with lzma.open(folder / "marked.jsonl.xz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(page) + "\n" for page in pages)
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
