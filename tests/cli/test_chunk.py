"""`thresher chunk` and `explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Web
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
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


STORY = "<title>Körner</title><p>穀物 <b>and</b> more".encode()


@pytest.mark.parametrize("method", ALGORITHMS)
def test_explain_by_every_method(command: Command, method: str) -> None:
    """Every method gives a report of the page that names the method."""
    ran = command("explain", "-m", method, "-", stdin=STORY)
    assert ran.status in (Exit.OK, Exit.NO_CONTENT)
    assert ran.out.startswith("<!DOCTYPE html>")
    assert f"<title>Körner: explained by {method}</title>" in ran.out
    assert "穀物 and more" in ran.out


def test_explain_without_a_name_reads_standard_input(command: Command) -> None:
    """A page piped in is explained by the default method."""
    ran = command("explain", stdin=STORY)
    assert f"explained by {DEFAULT_METHOD}" in ran.out


def test_explain_into_a_file(command: Command, tmp_path: Path) -> None:
    """With -o the report is written to the file, and nothing is printed."""
    page, report = tmp_path / "page.html", tmp_path / "new" / "report.html"
    page.write_bytes(STORY)
    ran = command("explain", page, "-m", "keep_all", "-o", report)
    assert (Exit.OK, "", []) == ran
    assert command("explain", page, "-m", "keep_all").out == report.read_text(encoding="utf-8")


def test_explain_of_a_fetched_page(command: Command, web: Web) -> None:
    """The report of a fetched page has its URL."""
    url = web.serve("/story", STORY)
    ran = command("explain", "-m", "keep_all", url)
    assert Exit.OK == ran.status
    assert f'<a href="{url}"' in ran.out


def test_explain_heeds_its_options(command: Command) -> None:
    """Parameters, base URL and charset are those of the command line."""
    options = ("-p", "degree=2", "--url", "https://a.example/", "--charset", "koi8-r")
    ran = command("explain", "-m", "max_density", *options, stdin="<p>зерно".encode("koi8-r"))
    for part in ("degree = 2", 'href="https://a.example/"', "зерно"):
        assert part in ran.out


def test_explain_where_nothing_is_found(command: Command) -> None:
    """A page without main content has a report, and gives the status of such a page."""
    ran = command("explain", stdin=b"<p></p>")
    assert (Exit.NO_CONTENT, ["thresher: standard input: no main content"]) == (
        ran.status,
        ran.errors,
    )
    assert "This page shows no text." in ran.out


def test_explain_of_error_page(command: Command) -> None:
    """An error page has a report with that verdict, which is also printed, and status 3."""
    ran = command("explain", "-m", "keep_all", stdin=b"<title>404 Not Found</title><h1>404</h1>")
    assert Exit.NO_CONTENT == ran.status
    assert "Verdict: blocked or error page" in ran.out
    assert ran.errors[0].startswith("thresher: standard input: blocked or error page: ")


@pytest.mark.parametrize(
    ("name", "says"), [("gone.html", "no such file"), (".", "this is a directory")]
)
def test_explain_of_no_page(command: Command, name: str, says: str) -> None:
    """An input that cannot be read is reported in one line."""
    ran = command("explain", name)
    assert (Exit.FAILED, "") == (ran.status, ran.out)
    assert [True] == [f"thresher: {name}: {says}" in line for line in ran.errors]


def test_explain_of_pdf(command: Command) -> None:
    """A file that is not HTML is reported in one line."""
    ran = command("explain", stdin=b"%PDF-1.7 ")
    assert Exit.FAILED == ran.status
    assert ran.errors[0].startswith("thresher: standard input: ")


@pytest.mark.parametrize(
    "argv",
    [["-m", "magic"], ["-p", "speed=1"], ["-p", "speed"], ["--charset", "runes"], ["a", "b"]],
)
def test_explain_refuses_what_makes_no_sense(command: Command, argv: list[str]) -> None:
    """Incorrect usage is reported before anything is read."""
    ran = command("explain", *argv, stdin=STORY)
    assert (Exit.USAGE, "") == (ran.status, ran.out)


def test_explain_on_a_terminal(command: Command) -> None:
    """At a terminal without input, the command asks for one instead of waiting."""
    ran = command("explain")
    assert Exit.USAGE == ran.status
    assert "no input" in ran.errors[0]
