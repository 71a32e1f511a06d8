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
from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.cli import extract as command_module
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


def test_extract_of_file(command: Command, pages: Path) -> None:
    """One page is put out as Markdown, with nothing before it, and status 0."""
    assert (Exit.OK, "A field of rye.\n", []) == command(*KEEP_ALL, "rye.html")


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
    """A fetched page is read in the server's charset, its links from its own address."""
    url = web.serve("/r/", "<p>Gerste: ä, <a href='x'>y</a>".encode("cp1252"),
                    Content_Type="text/html; charset=windows-1252")  # fmt: skip

    assert f"Gerste: ä, [y]({web.url}/r/x)\n" == command(*KEEP_ALL, url).out


def test_extract_at_a_terminal(command: Command) -> None:
    """Nothing to read and a terminal on standard input is a mistake, with a hint."""
    ran = command("extract")

    assert Exit.USAGE == ran.status
    assert [
        "thresher: no input; name a file or a URL, or pipe a page in (see --help)"
    ] == ran.errors


def test_extract_with_url(command: Command, pages: Path) -> None:
    """--url is the base of a file's links."""
    out = command(*KEEP_ALL, "--url", "https://grain.example/", "page.html").out

    assert "(https://grain.example/sown)" in out


def test_extract_without_links(command: Command, pages: Path) -> None:
    """--no-links leaves the text of links only."""
    out = command(*KEEP_ALL, "--no-links", "page.html").out

    assert "Rye is sown in autumn." in out


def test_extract_without_images(command: Command, pages: Path) -> None:
    """--no-images leaves images out, which are there without it."""
    assert "ear.png" in command(*KEEP_ALL, "page.html").out
    assert "ear.png" not in command(*KEEP_ALL, "--no-images", "page.html").out


def test_extract_with_metadata(command: Command, pages: Path) -> None:
    """--with-metadata puts the title first."""
    out = command(*KEEP_ALL, "--with-metadata", "page.html").out

    assert out.startswith("---\n")
    assert "Rye" in out.split("---\n")[1]


def test_extract_with_title(command: Command, pages: Path) -> None:
    """--with-title puts the title first as a heading."""
    assert command(*KEEP_ALL, "--with-title", "page.html").out.startswith("# Rye\n\nRye is ")


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


def test_extract_with_too_low_a_limit(command: Command, pages: Path) -> None:
    """A limit without room for the note is a mistake."""
    ran = command(*KEEP_ALL, "--max-chars", "99", "rye.html")

    assert (Exit.USAGE, "") == ran[:2]
    assert "100 or more" in ran.errors[0]


def test_extract_of_several_as_json_lines(command: Command, pages: Path) -> None:
    """Each page must be one line that begins with its input; a failed page must have no line."""
    out = command(*KEEP_ALL, "-f", "jsonl", "rye.html", "empty.html", "oat.html").out

    records = [json.loads(line) for line in out.splitlines()]
    assert ["rye.html", "oat.html"] == [record["input"] for record in records]
    assert ["input", "schema"] == list(records[0])[:2]


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


def test_extract_with_charset(command: Command) -> None:
    """--charset decides how bytes that do not say are read."""
    assert "穀物\n" == command(*KEEP_ALL, "--charset", "big5", stdin="<p>穀物".encode("big5")).out


@pytest.mark.parametrize("charset", ["utf-16le", "UTF-8", "latin1", "shift_jis", "utf8"])
def test_extract_with_known_charset(command: Command, charset: str) -> None:
    """Every label of the Encoding Standard is taken."""
    assert Exit.OK == command(*KEEP_ALL, "--charset", charset, stdin=b"<p>Rye").status


def test_extract_with_params(command: Command, pages: Path) -> None:
    """-p reaches the method, which judges by it."""
    rye = b"<div>Rye is sown in autumn, long before winter.</div>"
    base = ("extract", "-m", "link_ratio", "-p", "max_link_ratio=1")

    assert Exit.OK == command(*base, "-p", "min_chars=0", stdin=rye).status
    assert Exit.NO_CONTENT == command(*base, "-p", "min_chars=1000", stdin=rye).status


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


def test_extract_with_roles_by_a_method_without_any(command: Command, pages: Path) -> None:
    """A method that assigns no roles cannot keep any, and says so."""
    ran = command(*KEEP_ALL, "--keep", "title", "rye.html")
    assert ran.status in (Exit.USAGE, Exit.FAILED)
    assert "the method keep_all assigns no roles" in ran.errors[-1]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--keep", "title,story"], 'unknown role "story"; one of title, '),
        (["--scope", "novel"], "invalid choice: 'novel'"),
        (["--scope", "article"], "link_ratio has no scope"),
        (["--favor", "precision"], "link_ratio has no favor"),
        (["--favor", "much"], "must be balanced, precision, recall or a number above 0"),
        (["--favor", "0"], "--favor"),
        (["--favor", "nan"], "--favor"),
        (["--favor", "inf"], "--favor"),
        (["-p", "min_words"], "NAME=VALUE"),
        (["-p", "none=1"], 'no parameter "none"'),
        (["-p", "min_words=many"], "min_words must be a whole number of 0 or more"),
        (["-p", "min_words=-1"], "min_words must be a whole number of 0 or more"),
        (["-m", "guess"], "invalid choice: 'guess'"),
        (["-f", "pdf"], "invalid choice: 'pdf'"),
        (["--charset", "klingon"], 'unknown charset "klingon"'),
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "nan"], "--timeout"),
        (["--timeout", "soon"], "--timeout"),
        (["--max-bytes", "0"], "--max-bytes"),
        (["--max-bytes", "1e6"], "--max-bytes"),
        (["--user-agent", "a\nb"], "--user-agent"),
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
    ("name", "words"),
    [
        ("none.html", "none.html: no such file"),
        ("empty.html", "empty.html: "),
        (".", ".: this is a directory; name the pages in it: *.html"),
        ("page.html/x", "page.html/x: Not a directory"),
        ("ftp://example.org/", "ftp://example.org/: only http and https"),
        ("http://127.0.0.1:1/", "http://127.0.0.1:1/: no connection"),
    ],
)
def test_extract_of_failing_input(command: Command, pages: Path, name: str, words: str) -> None:
    """An input that fails is one line on standard error, with status 1."""
    ran = command(*KEEP_ALL, name)

    assert (Exit.FAILED, "", 1) == (ran.status, ran.out, len(ran.errors))
    assert ran.errors[0].startswith(f"thresher: {words}")


def test_extract_of_forbidden_file(
    command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that may not be read is one line on standard error."""

    def forbid(*_: object) -> None:  # a file mode would not keep root out
        raise PermissionError(errno.EACCES, "Permission denied", "rye.html")

    monkeypatch.setattr(Path, "open", forbid)

    assert ["thresher: rye.html: Permission denied"] == command(*KEEP_ALL, "rye.html").errors


def test_extract_of_page_beyond_the_limit(command: Command, pages: Path) -> None:
    """--max-bytes refuses a larger page and says which limit that was."""
    ran = command(*KEEP_ALL, "--max-bytes", 10, "rye.html")

    assert (Exit.FAILED, 1) == (ran.status, len(ran.errors))
    assert "the limit is 10" in ran.errors[0]


def test_extract_of_slow_url(command: Command, web: Web) -> None:
    """--timeout ends a fetch."""
    url = web.serve_by("/", lambda _: void(web.over.wait()))

    assert [f"thresher: {url}: no complete answer within 0.2 s"] == command(
        *KEEP_ALL, "--timeout", 0.2, url
    ).errors


def void(_: object) -> None:
    """Return nothing."""


def test_extract_says_who_asks(command: Command, web: Web) -> None:
    """The server must receive the value of --user-agent."""
    command(*KEEP_ALL, "--user-agent", "Reaper/2", web.serve("/", b"<p>Rye"))

    assert "Reaper/2" == web.requests[0][1]["user-agent"]


def test_extract_goes_on_after_failures(command: Command, pages: Path) -> None:
    """Inputs that fail are counted at the end, and keep no other from being extracted."""
    ran = command(*KEEP_ALL, "rye.html", "none.html", "empty.html", "oat.html", "emmer.html")

    assert Exit.FAILED == ran.status
    assert ["rye", "oat", "emmer"] == [
        name for name in ("rye", "none", "empty", "oat", "emmer") if f"field of {name}" in ran.out
    ]
    assert ("thresher: 2 of 5 inputs failed", 3) == (ran.errors[-1], len(ran.errors))


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
    assert [True] == [
        line.startswith("thresher: gone.html: blocked or error page: An error page: ")
        for line in ran.errors
    ]


def test_extract_of_listing(command: Command, pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A listing is a result like any other; its front matter tells what it is."""
    monkeypatch.setitem(ALGORITHMS, "judged", judged.JUDGED)
    ran = command(
        "extract", "-m", "judged", "-p", "page_type=listing", "--with-metadata", "rye.html"
    )

    assert (Exit.OK, []) == (ran.status, ran.errors)
    assert 'verdict: "listing only"\npage_type: "listing"\nconfidence: 0.88\n---' in ran.out


def test_extract_of_page_without_content(command: Command, pages: Path) -> None:
    """A page without main content is empty, noted, and has a status of its own."""
    ran = command(*KEEP_ALL, "bare.html")

    assert (Exit.NO_CONTENT, "") == (ran.status, ran.out)
    assert ["thresher: bare.html: no main content"] == ran.errors


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["rye.html", "oat.html"], Exit.OK),
        (["rye.html", "bare.html"], Exit.OK),
        (["bare.html", "bare.html"], Exit.NO_CONTENT),
        (["gone.html"], Exit.NO_CONTENT),
        (["app.html"], Exit.NO_CONTENT),
        (["bare.html", "gone.html", "app.html"], Exit.NO_CONTENT),
        (["gone.html", "rye.html"], Exit.OK),
        (["gone.html", "none.html"], Exit.FAILED),
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


@pytest.mark.parametrize(
    ("format", "out"),
    [
        ("markdown", "<!-- rye.html -->\nA field of rye.\n\n<!-- oat.html -->\nA field of oat.\n"),
        ("text", "==> rye.html <==\nA field of rye.\n\n==> oat.html <==\nA field of oat.\n"),
    ],
)
def test_extract_of_several_to_stdout(
    command: Command, pages: Path, format: FormatName, out: str
) -> None:
    """Several pages on standard output must be labelled with their names."""
    assert out == command(*KEEP_ALL, "-f", format, "none.html", "rye.html", "oat.html").out


def test_extract_of_several_to_json_lines(command: Command, pages: Path) -> None:
    """Several pages as JSON are an object a line, each naming its input first."""
    out = command(
        *KEEP_ALL, "-f", "json", "rye.html", "none.html", "-", stdin="<p>Körner".encode()
    ).out

    lines = out.split("\n")
    named = [next(iter(json.loads(line).items())) for line in lines if line]
    assert [("input", "rye.html"), ("input", "standard input")] == named
    assert (3, "") == (len(lines), lines[-1])
    assert "Körner" in lines[1]


def test_extract_of_one_to_json(command: Command, pages: Path) -> None:
    """One page as JSON is one object, as the library writes it."""
    out = command(*KEEP_ALL, "-f", "json", "rye.html").out

    assert json.loads(extract(b"<p>A field of rye.", method="keep_all").json()) == json.loads(out)


def test_extract_to_file(command: Command, pages: Path) -> None:
    """-o puts one page into a file, and nothing on standard output."""
    ran = command(*KEEP_ALL, "rye.html", "-o", "out/rye.md")

    assert (Exit.OK, "", []) == ran
    assert "A field of rye.\n" == (pages / "out" / "rye.md").read_text()


def test_extract_to_dash(command: Command, pages: Path) -> None:
    """-o - is standard output."""
    assert "A field of rye.\n" == command(*KEEP_ALL, "rye.html", "-o", "-").out


def test_extract_that_fails_leaves_file_alone(command: Command, pages: Path) -> None:
    """An input that fails does not touch the file its output would go to."""
    assert Exit.FAILED == command(*KEEP_ALL, "empty.html", "-o", "rye.html").status
    assert "<p>A field of rye." == (pages / "rye.html").read_text()


@pytest.mark.parametrize("output", ["out", "out/", "old"])
def test_extract_of_several_to_folder(command: Command, pages: Path, output: str) -> None:
    """-o puts several pages into a folder, a file each, whether it is there or not."""
    (pages / "old").mkdir()

    assert Exit.OK == command(*KEEP_ALL, "rye.html", "oat.html", "-o", output).status
    assert ["oat.md", "rye.md"] == sorted(path.name for path in (pages / output).iterdir())


@pytest.mark.parametrize("output", ["new/", "."])
def test_extract_of_one_to_folder(command: Command, pages: Path, output: str) -> None:
    """-o puts one page into a folder that is there, or is called one by a slash."""
    assert Exit.OK == command(*KEEP_ALL, "-f", "html", "rye.html", "-o", output).status
    assert (pages / output / ("rye-2.html" if output == "." else "rye.html")).exists()
    assert "<p>A field of rye." == (pages / "rye.html").read_text()


def test_extract_to_unwritable_path(command: Command, pages: Path) -> None:
    """An output that cannot be written ends the command with status 1 and names the path."""
    ran = command(*KEEP_ALL, "rye.html", "-o", "page.html/x")

    assert (Exit.FAILED, 1) == (ran.status, len(ran.errors))
    assert ran.errors[0].startswith("thresher: cannot write page.html")


def test_extract_reads_nothing_before_arguments_are_checked(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong parameter is found before any input is read."""
    read: list[str] = []
    monkeypatch.setattr(command_module, "load", lambda name, _: read.append(name))

    command(*KEEP_ALL, "x.html", "-p", "none=1")

    assert [] == read


def test_extract_default_method(command: Command) -> None:
    """The method used when none is named is the library's."""
    assert DEFAULT_METHOD in ALGORITHMS
    assert f"(default: {DEFAULT_METHOD})" in " ".join(command("extract", "--help").out.split())
