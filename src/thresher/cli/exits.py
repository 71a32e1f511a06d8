"""Exit statuses of the command."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

__all__ = ["EXITS", "Exit"]


class Exit(IntEnum):
    """Exit status of the command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_CONTENT = 3
    INTERRUPTED = 130
    """128 + SIGINT, as shells report it."""


EXITS: Final[Mapping[Exit, str]] = {
    Exit.OK: "every input was extracted, or the output was closed early",
    Exit.FAILED: "an input or a later page failed (the rest is written), or nothing can be written",
    Exit.USAGE: "the command line is wrong; nothing is extracted",
    Exit.NO_CONTENT: "no input failed, but all lack main content, are blocked or need a browser",
    Exit.INTERRUPTED: "interrupted from the keyboard",
}
"""Meaning of each status, for `--help`; docs/command.md has the same table."""
