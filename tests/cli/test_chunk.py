"""`thresher chunk`: one JSON object per line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from thresher.cli.exits import Exit
from thresher.extraction import extract

PAGE = "<h1>Grain</h1>" + "".join(
    f"<h2>Part {n}</h2><p>{'Rye is sown <a href=/x>in autumn</a>. ' * 4}</p>" for n in range(3)
)
KEEP_ALL = ("chunk", "-m", "keep_all")


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text("")
    (tmp_path / "bare.html").write_text("<title>Bare</title><p></p>")
    return tmp_path


def test_chunks_are_those_of_the_library(command: Command, pages: Path) -> None:
    """Each line is a chunk of the document, with its source."""
    ran = command(*KEEP_ALL, "--max-chars", "200", "page.html")
    records = [json.loads(line) for line in ran.out.splitlines()]
    chunks = extract(PAGE, method="keep_all").chunks(200)
    assert (Exit.OK, []) == (ran.status, ran.errors)
    assert [chunk.text for chunk in chunks] == [record["text"] for record in records]
    assert {
        "input": "page.html",
        "url": None,
        "index": 1,
        "count": len(chunks),
        "headings": ["Grain", "Part 1"],
        "text": chunks[1].text,
        "blocks": list(chunks[1].blocks),
        "start": chunks[1].start,
        "stop": chunks[1].stop,
        "repeated": "",
        "source": list(chunks[1].source or ()),
        "spans": [list(span) for span in chunks[1].spans],
        "byte_spans": [list(span) for span in chunks[1].byte_spans],
    } == records[1]


def test_chunks_are_within_tokens(command: Command, pages: Path) -> None:
    """With a limit of tokens, characters have none unless it is given."""
    ran = command(*KEEP_ALL, "--max-tokens", "30", "page.html")
    chunks = extract(PAGE, method="keep_all").chunks(max_tokens=30)
    assert len(chunks) > 3
    assert [chunk.text for chunk in chunks] == [json.loads(x)["text"] for x in ran.out.splitlines()]
    ran = command(*KEEP_ALL, "--max-tokens", "9", "page.html")
    assert (Exit.USAGE, ["thresher: --max-tokens must be 20 or more, not 9"]) == ran[::2]


def test_chunks_follow_the_options(command: Command, pages: Path) -> None:
    """Format, links and output are those of the options."""
    assert "(/x)" in command(*KEEP_ALL, "page.html").out
    assert "(/x)" not in command(*KEEP_ALL, "--no-links", "page.html").out
    text = json.loads(command(*KEEP_ALL, "-f", "text", "page.html").out)["text"]
    assert extract(PAGE, method="keep_all").text == text
    assert "" == command(*KEEP_ALL, "-o", "out/chunks.jsonl", "page.html", "page.html").out
    assert 2 == len((pages / "out/chunks.jsonl").read_text().splitlines())


def test_chunks_of_others_come_when_an_input_fails(command: Command, pages: Path) -> None:
    """An input that cannot be read is reported, and the others are written."""
    ran = command(*KEEP_ALL, "empty.html", "page.html", "gone.html")
    assert Exit.FAILED == ran.status
    assert 1 == len(ran.out.splitlines())
    assert "thresher: 2 of 3 inputs failed" == ran.errors[-1]


def test_no_chunks_when_nothing_is_kept(command: Command, pages: Path) -> None:
    """A page without content has no lines, and status 3 if all pages are such."""
    ran = command(*KEEP_ALL, "bare.html")
    assert (Exit.NO_CONTENT, "", ["thresher: bare.html: no main content"]) == ran
    assert Exit.OK == command(*KEEP_ALL, "bare.html", "page.html").status


def test_chunks_of_stdin(command: Command) -> None:
    """A page from standard input is chunked like any other."""
    record = json.loads(command(*KEEP_ALL, stdin=b"<p>Rye").out)
    assert ("standard input", "Rye") == (record["input"], record["text"])


def test_usage_error_when_chunks_are_too_small(command: Command, pages: Path) -> None:
    """A size that is too small for a sentence is incorrect usage."""
    ran = command("chunk", "--max-chars", "49", "page.html")
    assert (Exit.USAGE, "") == ran[:2]
    assert "50 or more" in ran.errors[0]
