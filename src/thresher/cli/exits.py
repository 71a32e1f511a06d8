"""What the command's exit status says."""

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
    Exit.OK: "every input was extracted, or the reader of the output closed it early",
    Exit.FAILED: "an input or a later page failed (the rest is written), or nothing can be written",
    Exit.USAGE: "the command line is wrong; nothing is extracted",
    Exit.NO_CONTENT: "no input failed, but each has no main content, is blocked or needs a browser",
    Exit.INTERRUPTED: "interrupted from the keyboard",
}
"""The status a script can count on, for `--help`; docs/command.md has the same table."""
