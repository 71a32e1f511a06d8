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
