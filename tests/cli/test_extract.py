"""Output, messages and exit status of `thresher extract`."""

from __future__ import annotations

import csv
import errno
import io
import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Web
from tests.helpers import judged
from thresher.algorithms import ALGORITHMS
from thresher.cli.console import Exit
from thresher.document import Document
from thresher.extraction import extract
from thresher.writers import FORMATS
from thresher.writers.formats import FormatName

PAGE = (
    "<title>Rye</title><p>Rye is <a href='/sown'>sown</a> in autumn. <img src='/ear.png' alt='ear'>"
)
KEEP_ALL = ("extract", "-m", "keep_all")
"""The command with a method that leaves nothing out."""


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with pages in it: three good, and some that are not."""
    monkeypatch.chdir(tmp_path)
    for name in ("rye", "oat", "emmer"):
        (tmp_path / f"{name}.html").write_text(f"<p>A field of {name}.")
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text("")
    (tmp_path / "bare.html").write_text("<title>Bare</title><p></p>")
    (tmp_path / "gone.html").write_text("<title>404 Not Found</title><h1>404</h1><p>Gone.")
    (tmp_path / "app.html").write_text("<div id=root></div><script src=/app.js></script>")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "out"),
    [
        (["rye.html"], "A field of rye.\n"),
        (["rye.html", "-o", "-"], "A field of rye.\n"),
        (["page.html", "--no-images", "--no-links", "--no-title"], "Rye is sown in autumn.\n"),
        (
            ["page.html", "--no-title", "--url", "https://grain.example/"],
            "Rye is [sown](https://grain.example/sown) in autumn. "
            "![ear](https://grain.example/ear.png)\n",
        ),
        (
            ["page.html", "--no-images", "--with-title"],
            "# Rye\n\nRye is [sown](/sown) in autumn.\n",
        ),
        (
            ["-p", "min_chars=1", "-p", " min_chars =0", "-m", "link_ratio", "rye.html"],
            "A field of rye.\n",
        ),
        (
            ["-f", "text", "none.html", "rye.html", "oat.html"],
            "==> rye.html <==\nA field of rye.\n\n==> oat.html <==\nA field of oat.\n",
        ),
        (
            ["none.html", "rye.html", "oat.html"],
            "<!-- rye.html -->\nA field of rye.\n\n<!-- oat.html -->\nA field of oat.\n",
        ),
    ],
)
def test_extract_writes(command: Command, pages: Path, options: list[str], out: str) -> None:
    """Pages are put out as Markdown as the options say, several of them below their names."""
    assert out == command(*KEEP_ALL, *options).out


@pytest.mark.parametrize("format", FORMATS)
def test_extract_writes_what_the_library_writes(
    command: Command, pages: Path, format: FormatName
) -> None:
    """Every format is what the library makes of the page with the default method."""
    expected = extract(PAGE.encode()).write(format).rstrip("\n")

    assert "Rye" in expected
    assert f"{expected}\n" == command("extract", "-f", format, "page.html").out


@pytest.mark.parametrize("argument", [(), ("-",)])
def test_extract_of_stdin(command: Command, argument: tuple[str, ...]) -> None:
    """Bytes on standard input are a page, with or without a dash."""
    assert (Exit.OK, "Rye\n", []) == command(*KEEP_ALL, *argument, stdin=b"<p>Rye")


def test_extract_of_url(command: Command, web: Web) -> None:
    """A fetched page is read in the server's charset or ours, its links from its own address."""
    url = web.serve("/r/", "<p>Gerste: ä, <a href='x'>y</a>".encode("cp1252"),
                    Content_Type="text/html; charset=windows-1252")  # fmt: skip

    assert f"Gerste: ä, [y]({web.url}/r/x)\n" == command(*KEEP_ALL, url).out
    assert "Gerste: δ" in command(*KEEP_ALL, "--charset", "iso-8859-7", url).out


def test_extract_at_a_terminal(command: Command) -> None:
    """Nothing to read and a terminal on standard input is a mistake, with a hint."""
    ran = command("extract")

    assert Exit.USAGE == ran.status
    assert [
        "thresher: no input; name a file or a URL, or pipe a page in (see --help)"
    ] == ran.errors


def test_extract_of_listing(command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A listing is a result like any other; its front matter tells what it is."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    options = ("-m", "judged", "-p", "page_type=listing", "--with-metadata")
    ran = command("extract", *options, "rye.html")
    assert (Exit.OK, []) == (ran.status, ran.errors)
    assert ran.out.startswith("---\n")
    assert 'verdict: "listing only"\npage_type: "listing"\nconfidence: 0.88\n---' in ran.out


@pytest.mark.parametrize("limit", ["--max-chars", "--max-tokens"])
def test_extract_within_a_limit(command: Command, pages: Path, limit: str) -> None:
    """A limit cuts what is longer, in the output and on standard error says so, and no other."""
    (pages / "long.html").write_text("<p>A field of rye in the wind.</p>" * 50)

    ran = command(*KEEP_ALL, limit, "200", "long.html", "rye.html")

    assert Exit.OK == ran.status
    assert "A field of rye.\n" in ran.out
    assert 1 == ran.out.count("characters left out]")
    (said,) = ran.errors
    assert re.fullmatch(r"thresher: long.html: cut to \d+ of 1,4\d\d characters", said)


def test_extract_of_several_as_csv(command: Command, pages: Path) -> None:
    """The names of the columns come once, the input is the first of them."""
    out = command(*KEEP_ALL, "-f", "csv", "empty.html", "rye.html", "oat.html").out

    names, *rows = csv.reader(io.StringIO(out, newline=""))
    assert "input" == names[0]
    assert [("rye.html", "A field of rye."), ("oat.html", "A field of oat.")] == [
        (row[0], row[-1]) for row in rows
    ]


def test_extract_of_several_as_tei(command: Command, pages: Path) -> None:
    """Two XML documents do not fit into one file; into a folder they do."""
    ran = command(*KEEP_ALL, "-f", "tei", "rye.html", "oat.html")

    assert (Exit.USAGE, "") == ran[:2]
    assert Exit.OK == command(*KEEP_ALL, "-f", "tei", "rye.html", "oat.html", "-o", "out/").status
    assert "<p>A field of oat.</p>" in (pages / "out" / "oat.xml").read_text()


@pytest.mark.parametrize("charset", ["big5", "utf-16le", "UTF-8", "shift_jis", "utf8"])
def test_extract_with_charset(command: Command, charset: str) -> None:
    """--charset decides how bytes that do not say are read, under any label of the standard."""
    page = "<p>穀物".encode(charset)
    assert "穀物\n" == command(*KEEP_ALL, "--charset", charset, stdin=page).out


@pytest.mark.parametrize("command_name", ["extract", "explain"])
def test_scope_and_favor_reach_the_method(
    command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch, command_name: str
) -> None:
    """--scope and --favor are parameters of the method, beside those of -p."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    format = ("-f", "json") if command_name == "extract" else ()
    argv = ("--scope", "thread", "--favor", "2", "-p", "keeps=yes", "rye.html")
    ran = command(command_name, "-m", "judged", *format, *argv)

    assert Exit.OK == ran.status
    assert "thread, 2" in ran.out


@pytest.mark.parametrize(
    ("roles", "out"),
    [
        ("", "A mill by the river.\n"),
        ("title,date", "A mill by the river.\n"),
        ("title, related", "A mill by the river.\n\nRye bread.\n"),
    ],
)
def test_extract_with_roles(
    command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch, roles: str, out: str
) -> None:
    """--keep writes the blocks of some roles too, though they were not selected."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    (pages / "mill.html").write_text("<p>A mill by the river.</p><p>Rye bread.</p>")
    ran = command("extract", "-m", "judged", "--keep", roles, "mill.html")
    assert (Exit.OK, out) == (ran.status, ran.out)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--keep", "title,story"], 'unknown role "story"; one of title, '),
        (["--scope", "novel"], "invalid choice: 'novel'"),
        (["--scope", "article"], "link_ratio has no scope"),
        (["--favor", "precision"], "link_ratio has no favor"),
        (["--favor", "much"], "must be balanced, precision, recall or a number above 0"),
        (["--favor", "0"], "--favor"),
        (["--favor", "nan"], 'not "nan"'),
        (["-p", "min_words"], "NAME=VALUE"),
        (["-p", "none=1"], 'no parameter "none"'),
        (["-p", "min_words=many"], "min_words must be a whole number of 0 or more"),
        (["-m", "guess"], "invalid choice: 'guess'"),
        (["-f", "pdf"], "invalid choice: 'pdf'"),
        (["--charset", "klingon"], 'unknown charset "klingon"'),
        (["--timeout", "soon"], "--timeout"),
        (["--timeout", "1e9"], "--timeout"),
        (["--max-bytes", "0"], "--max-bytes"),
        (["--max-bytes", "²"], "--max-bytes"),
        (["--max-bytes", "9999999999"], "--max-bytes"),
        (["--max-chars", "99"], "max_chars must be a whole number of 100 or more"),
        (["--keep", "title"], "the method link_ratio assigns no roles"),
        (["--user-agent", "a\nb"], "--user-agent"),
        (["--user-agent", "müller"], "--user-agent"),
        (["-", "-"], "only once"),
        (["oat.html", "-o", "page.html"], "page.html is a file"),
    ],
)
def test_extract_with_wrong_arguments(
    command: Command, pages: Path, argv: list[str], words: str
) -> None:
    """A wrong command line says what is wrong with status 2, and nothing is extracted."""
    ran = command("extract", "-m", "link_ratio", "rye.html", *argv)

    assert (Exit.USAGE, "") == (ran.status, ran.out)
    assert words in ran.errors[-1]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["none.html"], "none.html: no such file"),
        (["empty.html"], "empty.html: "),
        (["."], ".: this is a directory; name the pages in it: *.html"),
        (["page.html/x"], "page.html/x: Not a directory"),
        (["ftp://example.org/"], "ftp://example.org/: only http and https"),
        (["http://127.0.0.1:1/"], "http://127.0.0.1:1/: no connection"),
        (["--max-bytes", "10", "rye.html"], "rye.html: "),
        (["rye.html", "-o", "page.html/x"], "cannot write page.html"),
    ],
)
def test_extract_of_failing_input(
    command: Command, pages: Path, argv: list[str], words: str
) -> None:
    """What cannot be read or written is one line on standard error, with status 1."""
    ran = command(*KEEP_ALL, *argv)
    assert (Exit.FAILED, "", 1) == (ran.status, ran.out, len(ran.errors))
    assert ran.errors[0].startswith(f"thresher: {words}")
    assert ("--max-bytes" in argv) == ("the limit is 10" in ran.errors[0])


def test_extract_of_forbidden_file(
    command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that may not be read is one line on standard error."""

    def forbid(*_: object) -> None:  # a file mode would not keep root out
        raise PermissionError(errno.EACCES, "Permission denied", "rye.html")

    monkeypatch.setattr(Path, "open", forbid)

    assert ["thresher: rye.html: Permission denied"] == command(*KEEP_ALL, "rye.html").errors


def test_extract_from_public_addresses_alone(command: Command, web: Web) -> None:
    """--no-private forbids addresses of this machine before anything is asked for."""
    assert Exit.FAILED == command(*KEEP_ALL, "--no-private", web.serve("/", b"<p>Rye")).status
    assert [] == web.requests


def test_extract_of_slow_url(command: Command, web: Web) -> None:
    """--timeout ends a fetch, for which the server is told the value of --user-agent."""
    url = web.serve_by("/", lambda _: (web.over.wait(), None)[1])
    ran = command(*KEEP_ALL, "--timeout", 0.2, "--user-agent", "Reaper/2", url)
    assert [f"thresher: {url}: no complete answer within 0.2 s"] == ran.errors
    assert "Reaper/2" == web.requests[0][1]["user-agent"]


def test_extract_goes_on_after_a_bug(
    command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug of ours on one page is one line that helps to find it, and no more."""

    def fail_on_oat(self: Document, *_: object) -> str:
        if "oat" in self.page.source:
            raise ZeroDivisionError("by\nzero")
        return "fine"

    monkeypatch.setattr(Document, "write", fail_on_oat)

    ran = command(*KEEP_ALL, "oat.html", "rye.html")

    assert (Exit.FAILED, "<!-- rye.html -->\nfine\n") == (ran.status, ran.out)
    assert (
        "internal error, please report it: ZeroDivisionError: by\\nzero (test_extract.py:"
        in (ran.errors[0])
    )


def test_extract_of_error_page(command: Command, pages: Path) -> None:
    """An error page must be written and reported as one, with the evidence."""
    ran = command(*KEEP_ALL, "gone.html")
    assert Exit.NO_CONTENT == ran.status
    assert "Gone." in ran.out
    (said,) = ran.errors
    assert said.startswith("thresher: gone.html: blocked or error page: An error page: ")
    assert ["thresher: bare.html: no main content"] == command(*KEEP_ALL, "bare.html").errors
    assert command(*KEEP_ALL, "app.html").errors[0].startswith("thresher: app.html: needs")


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["rye.html", "bare.html"], Exit.OK),
        (["bare.html", "gone.html", "app.html"], Exit.NO_CONTENT),
        (["bare.html", "none.html"], Exit.FAILED),
        (["rye.html", "none.html"], Exit.FAILED),
        (["none.html", "none.html"], Exit.FAILED),
    ],
)
def test_extract_status_of_several(
    command: Command, pages: Path, names: list[str], status: Exit
) -> None:
    """A failure outweighs everything; a page without content counts when all are."""
    assert status == command(*KEEP_ALL, *names).status


def test_extract_of_several_to_json_lines(command: Command, pages: Path) -> None:
    """Several pages as JSON are an object a line, naming its input first; failures are counted."""
    names = ("rye.html", "none.html", "empty.html", "-", "oat.html")
    ran = command(*KEEP_ALL, "-f", "json", *names, stdin="<p>Körner".encode())
    lines = ran.out.split("\n")
    named = [next(iter(json.loads(line).items())) for line in lines if line]
    inputs = ("rye.html", "standard input", "oat.html")
    assert [("input", name) for name in inputs] == named
    assert (4, "") == (len(lines), lines[-1])
    assert "Körner" in lines[1]
    assert Exit.FAILED == ran.status
    assert ("thresher: 2 of 5 inputs failed", 3) == (ran.errors[-1], len(ran.errors))


@pytest.mark.parametrize(
    ("argv", "written"),
    [
        *(
            (["rye.html", "oat.html", "-o", to], ["oat.md", "rye.md"])
            for to in ("out", "old", "o/")
        ),
        (["-f", "html", "rye.html", "-o", "new/"], ["rye.html"]),
        (["-f", "html", "rye.html", "-o", "."], ["rye-2.html"]),
        (["rye.html", "-o", "out/rye.md"], ["rye.md"]),
        (["empty.html", "-o", "rye.html"], []),
    ],
)
def test_extract_to_files(
    command: Command, pages: Path, argv: list[str], written: list[str]
) -> None:
    """-o puts one page into a file, several into a folder, one too if it is there or has a slash.

    Nothing is on standard output, and no input is touched.
    """
    (pages / "old").mkdir()
    before = {*pages.rglob("*.*")}
    ran = command(*KEEP_ALL, *argv)
    assert ("", bool(written)) == (ran.out, ran.status is Exit.OK)
    assert written == sorted(path.name for path in {*pages.rglob("*.*")} - before)
    assert "<p>A field of rye." == (pages / "rye.html").read_text()
    for path in {*pages.rglob("rye*.*")} - before:
        assert "A field of rye." in path.read_text()
