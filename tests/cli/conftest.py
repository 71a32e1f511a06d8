"""The command run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.fetching.web import Web
from thresher.cli import main

__all__ = ["Command", "Ran", "Web"]


class Ran(NamedTuple):
    """Result of a run of the command."""

    status: int
    out: str
    errors: list[str]
    """Lines on standard error."""


Command = Callable[..., Ran]


class Terminal(io.BytesIO):
    """Standard input that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def command(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command with arguments, and with bytes on standard input or else a terminal."""

    def run(*argv: object, stdin: bytes | None = None) -> Ran:
        file = Terminal() if stdin is None else io.BytesIO(stdin)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        status = main([str(arg) for arg in argv])
        out, err = capsysbinary.readouterr()
        return Ran(status, out.decode("utf-8"), err.decode("utf-8").splitlines())

    return run
