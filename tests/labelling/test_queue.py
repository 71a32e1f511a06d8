"""Pages are read from folders and files and decoded; anything else is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from thresher.batch.model import Item
from thresher.errors import InputError, UsageError
from thresher.labelling.model import NewPage
from thresher.labelling.reading import SkippedPages, page_of, read_pages


def test_pages_of_a_folder(tmp_path: Path) -> None:
    """HTML files are read in the order of their names; a PDF with an HTML name is skipped."""
    (tmp_path / "b.html").write_bytes("<meta charset=latin1><p>Käse".encode("latin-1"))
    (tmp_path / "a.html").write_text("<p>rye")
    (tmp_path / "c.html").write_bytes(b"%PDF-1.7")
    skipped = SkippedPages()
    pages = list(read_pages([str(tmp_path)], skipped))
    assert ["<p>rye", "<meta charset=latin1><p>Käse"] == [page.html for page in pages]
    assert 1 == skipped.left_out.total()
    assert "PDF" in next(iter(skipped.left_out))


def test_pages_of_json_lines(tmp_path: Path) -> None:
    """Each line is a page with its URL; a malformed line is counted."""
    path = tmp_path / "pages.jsonl"
    row = {"id": "x", "html": "<p>rye", "url": "https://a.example/"}
    path.write_text(json.dumps(row) + "\n{\n")
    skipped = SkippedPages()
    assert [NewPage("x", "<p>rye", "https://a.example/")] == list(read_pages([str(path)], skipped))
    assert 1 == skipped.left_out.total()


def test_missing_input_is_rejected(tmp_path: Path) -> None:
    """A missing input raises UsageError."""
    with pytest.raises(UsageError, match="no such file"):
        list(read_pages([str(tmp_path / "absent")], SkippedPages()))


def test_too_large_page_is_rejected() -> None:
    """The limit on a page's size applies here too."""
    with pytest.raises(InputError, match="more than 3 bytes"):
        page_of(Item("a", "<p>rye"), 3)
