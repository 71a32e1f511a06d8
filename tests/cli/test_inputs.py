"""Reading inputs: files, standard input and URLs, and those that are rejected."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Web
from thresher.cli.inputs import STDIN, Loaded, Reading, is_url, load, stdin_is_piped
from thresher.errors import InputError, LimitError
from thresher.limits import Limits

PAGE = b"<p>Rye is sown in autumn."


def set_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_load_of_file(tmp_path: Path) -> None:
    """A file is read as bytes, with the given URL and charset."""
    (tmp_path / "page.html").write_bytes(PAGE)

    loaded = load(str(tmp_path / "page.html"), Reading(url="https://example.org/", charset="gbk"))

    assert Loaded(PAGE, "https://example.org/", "gbk") == loaded


def test_load_of_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input is read as bytes, whatever the encoding of the terminal."""
    set_stdin(monkeypatch, b"\xff\x00")

    assert Loaded(b"\xff\x00", None, None) == load(STDIN, Reading())


def test_load_of_url(web: Web) -> None:
    """A fetched page has its own address and the server's charset."""
    web.serve("/new", PAGE, Content_Type="text/html; charset=gbk")
    start = web.serve("/", status=302, Location="/new")

    loaded = load(start, Reading(url="https://example.org/"))

    assert Loaded(PAGE, f"{web.url}/new", "gbk") == loaded


def test_load_of_url_with_charset(web: Web) -> None:
    """A charset given by the caller replaces the server's."""
    url = web.serve("/", PAGE, Content_Type="text/html; charset=gbk")

    assert "big5" == load(url, Reading(charset="big5")).http_charset


def test_load_of_page_at_the_limit(
    tmp_path: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An input of exactly the maximal size is read, a larger one rejected, from any source."""
    (tmp_path / "page").write_bytes(PAGE)
    for name in (str(tmp_path / "page"), STDIN, web.serve("/", PAGE)):
        set_stdin(monkeypatch, PAGE)
        assert PAGE == load(name, Reading(limits=Limits(len(PAGE)))).body
        set_stdin(monkeypatch, PAGE)
        with pytest.raises(LimitError):
            load(name, Reading(limits=Limits(len(PAGE) - 1)))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_load_of_endless_device() -> None:
    """An endless device exceeds the limit, and is not read for ever."""
    with pytest.raises(LimitError):
        load("/dev/zero", Reading(limits=Limits(1_000)))


def test_load_of_directory(tmp_path: Path) -> None:
    """A directory is rejected, and the message suggests a pattern."""
    with pytest.raises(InputError, match=r"directory.*\*\.html"):
        load(str(tmp_path), Reading())


def test_load_of_missing_file(tmp_path: Path) -> None:
    """A missing file gives the error of open()."""
    with pytest.raises(FileNotFoundError):
        load(str(tmp_path / "none"), Reading())


def test_load_of_closed_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed standard input is rejected."""
    monkeypatch.setattr(sys, "stdin", None)

    with pytest.raises(InputError, match="closed"):
        load(STDIN, Reading())


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
    ("name", "url"),
    [
        ("https://example.org/", True),
        ("FTP://example.org/", True),
        ("page.html", False),
        ("example.org/page", False),
        ("C:\\page.html", False),
        ("-", False),
    ],
)
def test_is_url(name: str, url: bool) -> None:
    """A URL has a scheme and two slashes."""
    assert url == is_url(name)
