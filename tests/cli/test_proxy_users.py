"""Users of `thresher proxy` and their passwords."""

from __future__ import annotations

import getpass
import io
import sys
from pathlib import Path

import pytest

from thresher.cli import main
from thresher.cli.proxy_users import ask_password, read_users
from thresher.errors import UsageError
from thresher.proxy.passwords import check_password, hash_password

HASH = hash_password("grain")


def type_in(monkeypatch: pytest.MonkeyPatch, *passwords: str) -> list[str]:
    """Answer at the terminal; return what it asks."""
    asked: list[str] = []
    left = list(passwords)

    def answer(label: str) -> str:
        asked.append(label)
        return left.pop(0)

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(getpass, "getpass", answer)
    return asked


def test_a_password_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name alone asks for the password, twice; a hash is taken as it is."""
    asked = type_in(monkeypatch, "grain", "grain")
    (anna, hashed), bert = read_users(["anna", f"bert:{HASH}"], None)
    assert ("anna", True) == (anna, check_password("grain", hashed))
    assert ("bert", HASH) == bert
    assert ["Password of anna: ", "Password of anna again: "] == asked
    type_in(monkeypatch, "grain", "chaff")
    with pytest.raises(UsageError, match="differ"):
        ask_password("Password")


def test_a_password_is_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal, each password is a line of the standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("grain\nchaff\n"))
    found = dict(read_users(["anna", "bert"], None))
    assert check_password("grain", found["anna"])
    assert check_password("chaff", found["bert"])


def test_no_password_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """A password in the clear is refused, and not repeated in the message."""
    assert 2 == main(["proxy", "--user", "anna:secret"])
    said = capsys.readouterr().err
    assert "--hash-password" in said
    assert "secret" not in said


def test_users_of_a_file(tmp_path: Path) -> None:
    """A file has a user a line, with a password or its hash."""
    path = tmp_path / "users"
    path.write_text(f"# who may\n\nanna:gr ain\nbert:{HASH}\n")
    found = dict(read_users((), path))
    assert check_password("gr ain", found["anna"])
    assert HASH == found["bert"]


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "users"), (b"anna", "line 1"), (b"anna:", "empty"), (b"\xff", "not UTF-8")],
)
def test_wrong_files(tmp_path: Path, content: bytes | None, says: str) -> None:
    """A file that is none is named with what is wrong."""
    path = tmp_path / "users"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=says):
        list(read_users((), path))


def test_hashes_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command prints the hash of a password, for --user and for files."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("grain\n"))
    assert 0 == main(["proxy", "--hash-password"])
    assert check_password("grain", capsys.readouterr().out.strip())
