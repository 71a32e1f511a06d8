"""What the command reads and writes."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Web
from thresher.cli.console import (
    STDIN,
    Reading,
    label,
    load,
    plan_files,
    say,
    stdin_is_piped,
    write_files,
)
from thresher.errors import InputError, LimitError
from thresher.limits import Limits

PAGE = b"<p>Rye is sown in autumn."


def set_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_load_of_page_at_the_limit(
    tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An input of maximal size is read, from any source; a larger, endless or closed one not."""
    (tmp_path / "page").write_bytes(PAGE)
    for name in (str(tmp_path / "page"), STDIN, web.serve("/", PAGE)):
        set_stdin(monkeypatch, PAGE)
        assert PAGE == load(name, Reading(limits=Limits(len(PAGE)))).body
        set_stdin(monkeypatch, PAGE)
        with pytest.raises(LimitError):
            load(name, Reading(limits=Limits(len(PAGE) - 1)))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="closed"):
        load(STDIN, Reading())
    if Path("/dev/zero").exists():
        with pytest.raises(LimitError):
            load("/dev/zero", Reading(limits=Limits(len(PAGE))))


def test_stdin_is_piped_from_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal or a closed stream is not a pipe; bytes are."""
    set_stdin(monkeypatch, b"")
    assert stdin_is_piped()
    monkeypatch.setattr(sys, "stdin", None)
    assert not stdin_is_piped()
    master, terminal = os.openpty()
    with os.fdopen(master), os.fdopen(terminal) as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert not stdin_is_piped()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("page.html", "page.md"),
        ("deep/down/page.old.htm", "page.old.md"),
        ("-", "stdin.md"),
        ("https://example.org/news/story.html?id=3#top", "story.md"),
        ("https://example.org/news/", "news.md"),
        ("https://example.org/", "example.org.md"),
        ("https://example.org:8080", "example.org-8080.md"),
        ("https://example.org/k%C3%B6rner", "körner.md"),
        ("https://example.org/..%2F..%2Fetc%2Fpasswd", "passwd.md"),
        ("https://example.org/%2e%2e", "page.md"),
        ("https://[::1", "page.md"),
        (".html", "html.md"),
        ("a b\n\x1b[31m.html", "a-b-31m.md"),
        ("...", "page.md"),
        (f"{'long' * 50}.html", f"{'long' * 15}.md"),
    ],
)
def test_plan_files_names(name: str, file: str) -> None:
    """A file is named after the last segment of its input, without unsafe characters."""
    assert [Path("out", file)] == plan_files([name], Path("out"), "markdown")


def test_plan_files_of_same_name(tmp_path: Path) -> None:
    """No two inputs get the same file, and no file is an input, however it is spelled."""
    names = ["a/x.html", "b/X.html", "https://example.org/x", "a/x-2.html", "c/x.html"]
    files = [path.name for path in plan_files(names, Path("out"), "text")]
    assert ["x.txt", "X-2.txt", "x-3.txt", "x-2-2.txt", "x-4.txt"] == files
    assert 2_000 == len(set(plan_files(["index.html"] * 2_000, Path("out"), "html")))
    name = str(tmp_path / "sub" / ".." / "x.html")
    assert [tmp_path / "x-2.html"] == plan_files([name], tmp_path, "html")


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("markdown", "<!-- a--&gt;b\\n.html -->"),
        ("text", "==> a-->b\\n.html <=="),
        ("json", ""),
    ],
)
def test_label(format: str, line: str) -> None:
    """A label is a single line, and cannot end the comment that it is in."""
    assert line == label("a-->b\n.html", format)


def test_write_files_in_utf8(tmp_path: Path) -> None:
    """Files are UTF-8 and end in one line break, and their folders are created."""
    paths = [tmp_path / "a" / "b" / "one.txt", tmp_path / "two.txt", tmp_path / "three.txt"]

    write_files(zip(paths, ("Körner", "x\n", ""), strict=True))

    assert ["Körner\n".encode(), b"x\n", b""] == [path.read_bytes() for path in paths]


def test_say_to_nobody(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """If standard error is closed or its reader gone, messages are dropped, without an error."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    for stream in (None, Broken()):
        monkeypatch.setattr(sys, "stderr", stream)
        say("message")
    assert "" == capsys.readouterr().out


pty = pytest.importorskip("pty", reason="needs terminals of Unix")

CONTROLS: Final = (
    "\x1b]0;title\x07\x1b[31mred\x9b2J\x9d52;c;eA==\x9c\x08\x0b\x0c\x7f\x85\u202eevil\u2066"
)
HOSTILE_PAGE: Final = (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><title>Rye {0}</title></head><body>'
    '<h1>Rye {0}</h1><p>The barn was full {0} by night, and the <a href="/a{0}">rain {0}</a> '
    "came\tafter that, for a week and a day, over the whole of the valley.</p>"
    + "{1}</body></html>"
)
FEED: Final = (
    '<rss version="2.0"><channel><title>Rye \x9b31m\u202e</title><link>http://a.example/</link>'
    "<description>d</description></channel></rss>"
)
OBEYED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys, but for line breaks and tabs; the terminal itself adds returns."""


def at_terminal(
    arguments: Sequence[str], folder: Path, *, program: Sequence[str] = (), is_piped: bool = False
) -> str:
    """Run the command, or a program, in a folder at a terminal, or its output in a pipe."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *(program or ("-m", "thresher")), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if is_piped else its,
        stderr=its,
    )
    os.close(its)
    shown = b""
    try:
        while data := os.read(ours, 2**16):
            shown += data
    except OSError:
        pass  # the end, on Linux
    os.close(ours)
    piped, _ = process.communicate(timeout=60)
    return (piped if is_piped else shown).decode("utf-8", "surrogateescape")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two pages and a feed; the name of one is hostile."""
    for name, rest in (("a.html", ""), ("b\x1b[31m\x9b2J\u202e.html", "<p>Wheat and barley.</p>")):
        (tmp_path / name).write_text(HOSTILE_PAGE.format(CONTROLS, rest), "utf-8")
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")
    return tmp_path


RUN_EACH: Final = """import json, sys
from thresher.cli import main
for name, argv in json.loads(sys.argv[1]).items():
    try:
        main(argv)
    except SystemExit:
        pass
    print("\\n----", name, flush=True)
"""


def test_a_terminal_is_told_nothing_by_pages(folder: Path) -> None:
    """No control character of a page, an address or a file's name reaches a terminal."""
    pages = sorted(each.name for each in folder.glob("*.html"))
    commands = {
        "extract": ["extract", "--with-metadata", "a.html"],
        "extract several": ["extract", "-m", "keep_all", "-f", "text", *pages],
        "extract html": ["extract", "-f", "html", "a.html"],
        "extract json": ["extract", "-f", "json", "a.html"],
        "extract a missing file": ["extract", "c\x1b[2J\x9b.html"],
        "extract with a wrong option": ["extract", "--\x1b[2J\x9b31m\u202e"],
        "chunk": ["chunk", "-m", "keep_all", *pages],
        "explain": ["explain", "a.html"],
        "filter": ["filter", "a.html"],
        "feed": ["feed", "feed.xml"],
        "sites learn": ["sites", "learn", *pages],
        "sites learn from nothing": ["sites", "learn", "c\x1b[2J.html"],
        "batch": ["batch", *pages, "c\x1b[2J.html", "-o", "out\x1b[2J"],
        "eval": ["eval", "c\x1b[2J\x9b"],
    }
    program = ("-c", RUN_EACH)
    shown = at_terminal([json.dumps(commands)], folder, program=program).replace("\r\n", "\n")
    for name in commands:
        of_command, ended, shown = shown.partition(f"\n---- {name}\n")
        assert ended and of_command, name
        assert [] == OBEYED.findall(of_command), name


def test_controls_are_visible_at_terminals_only(folder: Path) -> None:
    """A terminal is shown controls as messages are; pipes, files and --raw get what is there."""
    arguments = ["extract", "-m", "keep_all", "-f", "text", "a.html"]
    shown = at_terminal(arguments, folder)
    assert r"\x9b2J" in shown
    assert r"\u202eevil" in shown
    assert "\r\n" in shown
    assert "\x9b2J" in at_terminal([*arguments, "--raw"], folder)
    piped = at_terminal(arguments, folder, is_piped=True)
    assert "\x9b2J" in piped
    at_terminal([*arguments, "-o", "a.txt"], folder)
    assert piped == (folder / "a.txt").read_text("utf-8")
