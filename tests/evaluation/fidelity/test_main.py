"""The command measures our own pages and corpora, and writes one page of Markdown."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from thresher.evaluation.fidelity.__main__ import build_parser, format_command, main


@pytest.fixture
def own_pages(tmp_path: Path) -> Path:
    """A folder with one page of our own."""
    folder = tmp_path / "pages" / "list"
    folder.mkdir(parents=True)
    (folder / "about.toml").write_text('url = "https://x.example/"\ntitle = "t"\nkeep = "ul"\n')
    (folder / "page.html").write_text("<ul><li>Rye is a grain<li>Oats are another</ul>")
    (folder / "expected.md").write_text("- Rye is a grain\n- Oats are none\n")
    return folder.parent


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of a page whose label is HTML and a page without a label."""
    path = tmp_path / "readability.jsonl.xz"
    pages = [
        {"html": "<p>rye", "gold_html": "<p>oats", "text": "oats", "id": "readability/nytimes-5"},
        {"html": "<p>wheat"},
    ]
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(page) + "\n" for page in pages)
    return path


def test_everything_is_on_one_page(
    own_pages: Path, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The output has our pages, the corpus with its judgements, and the properties."""
    output = tmp_path / "docs" / "fidelity.md"
    call = [str(corpus), "--own-pages", str(own_pages), "--properties", "--peer", "none"]
    assert 0 == main([*call, "-o", str(output)])
    text = output.read_text()
    assert "with `python -m thresher.evaluation.fidelity CORPUS --peer none --properties`" in text
    assert "each with one feature: 1." in text
    assert "- `list`: lists 50" in text
    assert "- `readability/nytimes-5` 0%: A front page" in text
    assert "| readability | 2 | 0 | 0 | 0 | 0 | 0 |" in text
    assert "own pages, content: done" in capsys.readouterr().err


def test_the_metrics_of_webmainbench_are_an_option(own_pages: Path, tmp_path: Path) -> None:
    """A file of the benchmark adds a section, without its location in the command."""
    bench, output = tmp_path / "bench.jsonl", tmp_path / "out.md"
    bench.write_text('{"html": "<p>Rye is a grain", "convert_main_content": "Rye is a grain"}\n')
    call = ["--own-pages", str(own_pages), "--peer", "none", "--webmainbench", str(bench)]
    assert 0 == main([*call, "-o", str(output)])
    assert "--peer none --webmainbench FILE`" in output.read_text()
    assert "## WebMainBench" in output.read_text()


def test_a_peer_that_is_missing_takes_no_part(
    own_pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing peer is reported, and the others continue."""
    call = ["--own-pages", str(own_pages), "--environment", str(tmp_path), "--no-install"]
    assert 0 == main([*call, "--peer", "markitdown"])
    written = capsys.readouterr()
    assert "| thresher |" in written.out
    assert "markitdown: not installed" in written.err


@pytest.mark.parametrize("call", [["--peer", "nobody"], ["--no-such-option"], ["/no/corpus"]])
def test_incorrect_usage_is_reported(call: list[str], own_pages: Path) -> None:
    """Incorrect usage gives status 2, as in every command here."""
    assert 2 == main([*call, "--own-pages", str(own_pages), "--peer", "none"][:None])


def test_a_broken_folder_is_reported(tmp_path: Path) -> None:
    """Invalid data with correct usage gives status 1."""
    assert 1 == main(["--own-pages", str(tmp_path / "none"), "--peer", "none"])


def test_the_command_is_formatted_without_locations() -> None:
    """The reported command omits file locations, as they do not affect the result."""
    args = build_parser().parse_args(["/data/x", "--pages", "3", "-o", "/tmp/y"])
    assert "python -m thresher.evaluation.fidelity CORPUS --pages 3" == format_command(args)
