"""A folder of Markdown files."""

from __future__ import annotations

import json
from pathlib import Path

from thresher.batch.model import Record
from thresher.batch.sinks.markdown import INDEX, write_markdown

RECORDS = [
    Record("a", url="http://farm.example/fields/rye.html?x=1", markdown="# Rye\n\n"),
    Record("b", error="InputError: none"),
    Record("c", url="http://farm.example/", markdown="Oats \ud800"),
    Record("../../etc/passwd", markdown="Wheat"),
    Record("..", markdown="Barley"),
    Record("d", url="http://farm.example/" + "é" * 300, markdown="Millet"),
]


def test_a_file_a_page_that_has_content(tmp_path: Path) -> None:
    """File names are safe, short and unique; the index has every record and its file."""
    write_markdown(RECORDS, tmp_path / "part")
    rows = [json.loads(line) for line in (tmp_path / "part" / INDEX).read_text().splitlines()]
    assert [record.id for record in RECORDS] == [row["id"] for row in rows]
    assert rows[0]["file"] == "00000-x-1.md"
    assert rows[1]["file"] is None
    assert "# Rye\n" == (tmp_path / "part" / rows[0]["file"]).read_text()
    assert "Oats ?\n" == (tmp_path / "part" / rows[2]["file"]).read_text()
    files = {file.name for file in (tmp_path / "part").iterdir()}
    assert {row["file"] for row in rows if row["file"]} | {INDEX} == files
    assert ["part"] == [path.name for path in tmp_path.iterdir()]
