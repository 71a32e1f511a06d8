"""Users of `thresher proxy` and their passwords, which never stand on the command line.

Whoever has an account on a machine can read the command lines of all its processes, and shells keep
them. So a password is asked for, read from a file, or given as its hash.
"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from thresher.errors import UsageError
from thresher.proxy.passwords import hash_password, is_hash
from thresher.support.files import explain_os_error
from thresher.support.quoting import quote

__all__ = ["ask_password", "read_users"]


def read_users(spelled: Iterable[str], file: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the names and hashed passwords of users, those of the file first.

    ``spelled`` are ``NAME``, whose password is asked for, or ``NAME:HASH``. UsageError for a
    password in the clear, an empty one, or a file that cannot be read.
    """
    if file:
        yield from _read_file(file)
    for each in spelled:
        name, colon, hashed = each.partition(":")
        if colon and not is_hash(hashed):
            raise UsageError(
                f"--user {name}: others on this machine can read a password on the command line: "
                f"give --user {name} to be asked for it, --users-file, or its hash, which "
                "thresher proxy --hash-password prints"
            )
        yield name, hashed if colon else hash_password(ask_password(f"Password of {name}"))


def ask_password(label: str) -> str:
    """Ask for a password twice at the terminal, or read it from a line of the standard input.

    UsageError if the two differ.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass(f"{label}: ")
    if getpass.getpass(f"{label} again: ") != password:
        raise UsageError("the two passwords differ")
    return password


def _read_file(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the users of a file: a line ``NAME:PASSWORD`` or ``NAME:HASH`` for each."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {explain_os_error(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, password = line.partition(":")
        if not colon:
            raise UsageError(f"{path}, line {number}: {quote(name)} has no password after a colon")
        yield name.strip(), password if is_hash(password) else hash_password(password)
