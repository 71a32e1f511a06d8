"""What reaches a terminal, by a real one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

pty = pytest.importorskip("pty", reason="needs terminals of Unix")

CONTROLS: Final = (
    "\x1b]0;title\x07\x1b[31mred\x9b2J\x9d52;c;eA==\x9c\x08\x0b\x0c\x7f\x85\u202eevil\u2066"
)
PAGE: Final = (
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


def at_terminal(arguments: Sequence[str], folder: Path, *, is_piped: bool = False) -> str:
    """Run the command in a folder with its outputs at a terminal, or the first in a pipe."""
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "thresher", *arguments],
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
        (tmp_path / name).write_text(PAGE.format(CONTROLS, rest), "utf-8")
    (tmp_path / "feed.xml").write_text(FEED, "utf-8")
    return tmp_path


COMMANDS: Final = {
    "extract": ("extract", "--with-metadata", "a.html"),
    "extract several": ("extract", "-m", "keep_all", "-f", "text", "*"),
    "extract html": ("extract", "-f", "html", "a.html"),
    "extract json": ("extract", "-f", "json", "a.html"),
    "extract a missing file": ("extract", "c\x1b[2J\x9b.html"),
    "extract with a wrong option": ("extract", "--\x1b[2J\x9b31m\u202e"),
    "chunk": ("chunk", "-m", "keep_all", "*"),
    "explain": ("explain", "a.html"),
    "filter": ("filter", "a.html"),
    "feed": ("feed", "feed.xml"),
    "sites learn": ("sites", "learn", "*"),
    "sites learn from nothing": ("sites", "learn", "c\x1b[2J.html"),
    "batch": ("batch", "*", "c\x1b[2J.html", "-o", "out\x1b[2J"),
    "eval": ("eval", "c\x1b[2J\x9b"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_is_told_nothing_by_pages(name: str, folder: Path) -> None:
    """No control character of a page, an address or a file's name reaches a terminal."""
    pages = sorted(each.name for each in folder.glob("*.html"))
    arguments = [each for word in COMMANDS[name] for each in (pages if word == "*" else [word])]
    shown = at_terminal(arguments, folder).replace("\r\n", "\n")
    assert shown
    assert [] == OBEYED.findall(shown), shown


def test_controls_are_visible_and_tabs_stay(folder: Path) -> None:
    """A control character is shown as in messages; tabs and line breaks are written."""
    shown = at_terminal(["extract", "-m", "keep_all", "-f", "text", "a.html"], folder)
    assert r"\x9b2J" in shown
    assert r"\u202eevil" in shown
    assert "\r\n" in shown


def test_raw_writes_what_is_there(folder: Path) -> None:
    """With --raw a terminal gets the text as it is."""
    arguments = ["extract", "-m", "keep_all", "-f", "text", "a.html", "--raw"]
    assert "\x9b2J" in at_terminal(arguments, folder)


def test_pipes_and_files_get_what_is_there(folder: Path) -> None:
    """What is not for a terminal is written as it is, the same in a file and in a pipe."""
    arguments = ["extract", "-m", "keep_all", "-f", "text", "a.html"]
    piped = at_terminal(arguments, folder, is_piped=True)
    assert "\x9b2J" in piped
    at_terminal([*arguments, "-o", "a.txt"], folder)
    assert piped == (folder / "a.txt").read_text("utf-8")
