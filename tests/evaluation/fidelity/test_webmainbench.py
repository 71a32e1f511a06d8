"""The metrics of WebMainBench on files in its format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.evaluation.fidelity.conftest import Echo
from thresher.errors import InputError
from thresher.evaluation.fidelity.webmainbench import read_pages, score_markdown, write_bench
from thresher.evaluation.leaderboard.peer_runs import Entrant, Outputs

TABLE = "| grain | sacks |\n| --- | --- |\n| rye | 12 |"


def write_file(folder: Path, *pages: Mapping[str, object]) -> Path:
    file = folder / "bench.jsonl"
    file.write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    return file


def test_pages_are_read_from_lines(tmp_path: Path) -> None:
    """Both names of the expected Markdown are known, and other fields ignored."""
    page = {"track_id": "a", "html": "<p>rye", "url": "u", "meta": {"level": "hard"}}
    file = write_file(
        tmp_path,
        page | {"convert_main_content": "rye"},
        {"html": "<p>oats", "groundtruth_content": "oats"},
        {"html": "<p>one page too many"},
    )
    first, second = read_pages(file, 2)
    assert ("a", "u", "<p>rye", "rye") == first
    assert ("1", None, "<p>oats", "oats") == second


@pytest.mark.parametrize("text", ["rye", '{"url": "u"}', "[1]"])
def test_another_file_is_an_input_error(text: str, tmp_path: Path) -> None:
    """A line without a page is reported with the name of its file."""
    (tmp_path / "x").write_text(text)
    with pytest.raises(InputError, match="WebMainBench"):
        list(read_pages(tmp_path / "x"))


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ("rye", "rye", {"text": 1.0, "overall": 1.0}),
        ("", "", {"overall": 1.0}),
        ("rye", "rye ok", {"text": 0.5, "overall": 0.5}),
        ("$ab$", "$ac$", {"text": 0.75, "formula": 0.5, "overall": 0.625}),
        ("```\nab\n```", "```\nab\n```", {"text": 1.0, "code": 1.0, "overall": 1.0}),
        (TABLE, TABLE, {"text": 1.0, "table": 1.0, "TEDS": 1.0, "overall": 1.0}),
        ("", TABLE, {"text": 0.0, "table": 0.0, "TEDS": 0.0, "overall": 0.0}),
    ],
)
def test_metrics_apply_where_a_side_has_the_feature(
    found: str, gold: str, expected: dict[str, float]
) -> None:
    """Each is a similarity, and the overall score the mean of those that apply."""
    assert expected == pytest.approx(score_markdown(found, gold))


def test_tools_are_rows_of_a_table(tmp_path: Path, echo: Entrant, outputs: Outputs) -> None:
    """Ours comes first, and each column is a mean over the pages where it applies."""
    html = "<article><p>Rye is a grain that grows where wheat would not grow at all.</p></article>"
    gold = "Rye is a grain that grows where wheat would not grow at all."
    file = write_file(tmp_path, {"html": html, "convert_main_content": gold})
    table = write_bench(read_pages(file), {echo: Echo()}, outputs).splitlines()
    assert "| tool | overall | text | code | formula | table | TEDS | pages |" == table[0]
    assert "| thresher | 100.0 | 100.0 | – | – | – | – | 1 |" == table[2]
    assert table[3].startswith("| markitdown | ")
