"""Pages are read from folders and files, and presented to their labeller."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from thresher.batch.model import Item
from thresher.errors import InputError, UsageError
from thresher.labelling.model import NewPage
from thresher.labelling.reading import (
    ShownPage,
    page_of,
    read_for_labels,
    read_pages,
    text_of,
)

SAYS = "The ferryman counted the sacks twice while the others waited at the bridge. "
HTML = (
    "<title>Rye</title><nav><ul><li><a href=/>Home</a></ul></nav><main><h2>Rye</h2>"
    f"<p>{SAYS * 3}</p><p>{SAYS * 2}</p><pre>x = 1</pre><blockquote>{SAYS}</blockquote>"
    "<table><td>7 sacks</table><p><img src=a.jpg></p></main><p hidden>Unseen</p>"
)


def test_blocks_of_a_page() -> None:
    """Each block has its kind and the model's suggestion; hidden blocks and links are marked."""
    shown = read_for_labels(HTML, "https://a.example/")
    assert [*("item", "heading", "text", "text", "code", "quote", "cell", "picture", "text")] == [
        block.kind for block in shown.blocks
    ]
    assert [0, 2, 0] == [block.level for block in shown.blocks[:3]]
    assert [True, False] == [block.is_link for block in shown.blocks[:2]]
    assert [False, True] == [block.is_hidden for block in shown.blocks[-2:]]
    assert shown.blocks[2].keep > shown.blocks[0].keep
    assert shown.blocks[2].probability > 0.5 > shown.blocks[0].probability
    assert "Rye" == shown.title
    assert 0 < shown.confidence <= 1


def test_reading_survives_json() -> None:
    """A page read back from JSON is the same."""
    shown = read_for_labels(HTML, None)
    assert shown == ShownPage.of_json(shown.to_json())


def test_text_of_a_label() -> None:
    """The text has one line per kept block; pictures and pages without blocks have none."""
    shown = read_for_labels(HTML, None)
    keep = np.zeros(len(shown.blocks), np.bool_)
    keep[[1, 6, 7]] = True
    assert "Rye\n7 sacks" == text_of(shown, keep)
    assert shown.suggest().tolist() == [block.keep for block in shown.blocks]
    empty = read_for_labels("<p></p>", None)
    assert ((), "") == (empty.blocks, text_of(empty, empty.suggest()))


def test_pages_of_a_folder(tmp_path: Path) -> None:
    """HTML files are read in the order of their names; a PDF with an HTML name is skipped."""
    (tmp_path / "b.html").write_bytes("<meta charset=latin1><p>Käse".encode("latin-1"))
    (tmp_path / "a.html").write_text("<p>rye")
    (tmp_path / "c.html").write_bytes(b"%PDF-1.7")
    skipped: Counter[str] = Counter()
    pages = list(read_pages([str(tmp_path)], skipped))
    assert ["<p>rye", "<meta charset=latin1><p>Käse"] == [page.html for page in pages]
    ((reason, count),) = skipped.items()
    assert ("PDF" in reason, 1) == (True, count)


def test_pages_of_json_lines(tmp_path: Path) -> None:
    """Each line is a page with its URL; a malformed line is counted."""
    path = tmp_path / "pages.jsonl"
    row = {"id": "x", "html": "<p>rye", "url": "https://a.example/"}
    path.write_text(json.dumps(row) + "\n{\n")
    skipped: Counter[str] = Counter()
    assert [NewPage("x", "<p>rye", "https://a.example/")] == list(read_pages([str(path)], skipped))
    assert 1 == skipped.total()


def test_unusable_input_is_rejected(tmp_path: Path) -> None:
    """A missing input raises UsageError; the limit on a page's size applies here too."""
    with pytest.raises(UsageError, match="no such file"):
        list(read_pages([str(tmp_path / "absent")], Counter()))
    with pytest.raises(InputError, match="more than 3 bytes"):
        page_of(Item("a", "<p>rye"), 3)
