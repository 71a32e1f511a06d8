"""Outputs: their names, collisions and writing."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from thresher.cli.outputs import label, plan_files, say, write_files


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


def test_plan_files_of_same_name() -> None:
    """Inputs with the same name get different files, in the order of the inputs."""
    names = ["a/x.html", "b/X.html", "https://example.org/x", "a/x-2.html", "c/x.html"]

    files = [path.name for path in plan_files(names, Path("out"), "text")]

    assert ["x.txt", "X-2.txt", "x-3.txt", "x-2-2.txt", "x-4.txt"] == files


def test_plan_files_of_many_same_names() -> None:
    """No two inputs get the same file, however many share a name."""
    paths = plan_files(["index.html"] * 2_000, Path("out"), "html")

    assert 2_000 == len(set(paths))


def test_plan_files_beside_inputs(tmp_path: Path) -> None:
    """No output file is one of the inputs, however it is spelled."""
    name = str(tmp_path / "sub" / ".." / "x.html")

    assert [tmp_path / "x-2.html"] == plan_files([name], tmp_path, "html")


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("markdown", "<!-- a--&gt;b\\n.html -->"),
        ("html", "<!-- a--&gt;b\\n.html -->"),
        ("inplace", "<!-- a--&gt;b\\n.html -->"),
        ("text", "==> a-->b\\n.html <=="),
        ("json", ""),
        ("jsonl", ""),
        ("csv", ""),
    ],
)
def test_label(format: str, line: str) -> None:
    """A label is a single line, and cannot end the comment that it is in."""
    assert line == label("a-->b\n.html", format)


def test_write_files_in_utf8(tmp_path: Path) -> None:
    """Files are UTF-8 and end in one line break, and their folders are created."""
    paths = [tmp_path / "a" / "b" / "one.txt", tmp_path / "two.txt", tmp_path / "three.txt"]

    write_files([(0, "Körner"), (1, "x\n"), (2, "")], paths)

    assert ["Körner\n".encode(), b"x\n", b""] == [path.read_bytes() for path in paths]


def test_say_without_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If standard error is closed, messages are dropped, not mixed with the output."""
    monkeypatch.setattr(sys, "stderr", None)

    say("message")

    assert "" == capsys.readouterr().out


def test_say_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the reader of standard error is gone, nothing is raised."""

    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Broken())

    say("message")
