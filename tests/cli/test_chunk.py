"""`thresher chunk` and `explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Web
from thresher.algorithms import DEFAULT_METHOD
from thresher.cli.console import Exit
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
    chunk = chunks[1]
    assert {
        **{"input": "page.html", "url": None, "index": 1, "count": len(chunks)},
        **{"headings": ["Grain", "Part 1"], "text": chunk.text, "blocks": list(chunk.blocks)},
        **{"start": chunk.start, "stop": chunk.stop, "repeated": ""},
        "source": list(chunk.source or ()),
        "spans": [list(span) for span in chunk.spans],
        "byte_spans": [list(span) for span in chunk.byte_spans],
    } == records[1]


def test_chunks_are_within_tokens(command: Command, pages: Path) -> None:
    """With a limit of tokens, characters have none unless it is given."""
    ran = command(*KEEP_ALL, "--max-tokens", "30", "page.html")
    chunks = extract(PAGE, method="keep_all").chunks(max_tokens=30)
    assert len(chunks) > 3
    assert [chunk.text for chunk in chunks] == [json.loads(x)["text"] for x in ran.out.splitlines()]


def test_chunks_follow_the_options(command: Command, pages: Path) -> None:
    """Format, links and output are those of the options."""
    assert "(/x)" in command(*KEEP_ALL, "page.html").out
    assert "(/x)" not in command(*KEEP_ALL, "--no-links", "page.html").out
    text = json.loads(command(*KEEP_ALL, "-f", "text", "page.html").out)["text"]
    assert extract(PAGE, method="keep_all").text == text
    assert "" == command(*KEEP_ALL, "-o", "out/chunks.jsonl", "page.html", "page.html").out
    assert 2 == len((pages / "out/chunks.jsonl").read_text().splitlines())


@pytest.mark.parametrize(
    ("argv", "status", "n_chunk", "says"),
    [
        (["empty.html", "page.html", "gone.html"], Exit.FAILED, 1, "2 of 3 inputs failed"),
        (["bare.html"], Exit.NO_CONTENT, 0, "bare.html: no main content"),
        (["bare.html", "page.html"], Exit.OK, 1, "bare.html: no main content"),
        (["--max-chars", "49", "page.html"], Exit.USAGE, 0, "50 or more"),
        (["--max-tokens", "9", "page.html"], Exit.USAGE, 0, "--max-tokens must be 20 or more"),
        ([], Exit.OK, 1, ""),
    ],
)
def test_chunks_of_inputs_that_fail(
    command: Command, pages: Path, *, argv: list[str], status: Exit, n_chunk: int, says: str
) -> None:
    """What cannot be chunked is reported, and the others, or standard input, are written."""
    ran = command(*KEEP_ALL, *argv, stdin=b"<p>Rye")
    assert (status, n_chunk) == (ran.status, len(ran.out.splitlines()))
    assert says in "".join(ran.errors[-1:])
    assert argv or {"input": "standard input", "text": "Rye"}.items() <= json.loads(ran.out).items()


STORY = "<title>Körner</title><p>穀物 <b>and</b> more".encode()


@pytest.mark.parametrize("method", [DEFAULT_METHOD, "keep_all"])
def test_explain_by_a_method(command: Command, method: str) -> None:
    """A method gives a report of the page that names the method."""
    ran = command("explain", "-m", method, "-", stdin=STORY)
    assert ran.status in (Exit.OK, Exit.NO_CONTENT)
    assert ran.out.startswith("<!DOCTYPE html>")
    assert f"<title>Körner: explained by {method}</title>" in ran.out
    assert "穀物 and more" in ran.out


def test_explain_into_a_file(command: Command, web: Web, tmp_path: Path) -> None:
    """With -o the report is written to the file; that of a fetched page has its URL."""
    report = tmp_path / "new" / "report.html"
    argv = ("explain", web.serve("/story", STORY), "-m", "keep_all")
    assert (Exit.OK, "", []) == command(*argv, "-o", report)
    assert command(*argv).out == report.read_text(encoding="utf-8")
    assert f'<a href="{web.url}/story"' in report.read_text(encoding="utf-8")


def test_explain_heeds_its_options(command: Command) -> None:
    """Parameters, base URL and charset are those of the command line."""
    options = ("-p", "degree=2", "--url", "https://a.example/", "--charset", "koi8-r")
    ran = command("explain", "-m", "max_density", *options, stdin="<p>зерно".encode("koi8-r"))
    for part in ("degree = 2", 'href="https://a.example/"', "зерно"):
        assert part in ran.out


@pytest.mark.parametrize(
    ("page", "says", "shows"),
    [
        (b"<p></p>", "no main content", "This page shows no text."),
        (
            b"<title>404 Not Found</title><h1>404</h1>",
            "blocked or error page: ",
            "Verdict: blocked or error page",
        ),
    ],
)
def test_explain_without_content(command: Command, page: bytes, says: str, shows: str) -> None:
    """A page without main content has a report all the same, a message and status 3."""
    ran = command("explain", "-m", "keep_all", stdin=page)
    assert Exit.NO_CONTENT == ran.status
    assert ran.errors[0].startswith(f"thresher: standard input: {says}")
    assert shows in ran.out


@pytest.mark.parametrize(
    ("argv", "status", "says"),
    [
        (["gone.html"], Exit.FAILED, "gone.html: no such file"),
        ([], Exit.FAILED, "standard input: "),
        (["-m", "magic"], Exit.USAGE, "magic"),
        (["a", "b"], Exit.USAGE, "b"),
    ],
)
def test_explain_refused(command: Command, argv: list[str], status: Exit, says: str) -> None:
    """What is no page or no option is reported in the last line, and there is no report."""
    ran = command("explain", *argv, stdin=b"%PDF-1.7 ")
    assert (status, "") == (ran.status, ran.out)
    assert says in ran.errors[-1]
