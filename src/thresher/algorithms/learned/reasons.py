"""Why the method `learned` keeps or drops a block: codes, and what `thresher explain` says."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Reason(IntEnum):
    """Codes of reasons: indices in `REASONS`."""

    CONTENT = 0
    REACHED = 1
    BOILERPLATE = 2
    BEYOND = 3
    EMPTY = 4
    OBSTACLE = 5
    COMMENT = 6
    BETWEEN = 7
    FOREIGN = 8


COMMENT_REASON: Final = "readers' comments, outside the scope"
"""Reason of the blocks that are left out as readers' comments."""
_TEXTS: Final = {
    Reason.CONTENT: "content",
    Reason.REACHED: "kept beside surer blocks: the page's best choice reaches down to it",
    Reason.BOILERPLATE: "boilerplate",
    Reason.BEYOND: "as likely content as not, but the page's best choice ends before it",
    Reason.EMPTY: "the page seems to have no main content",
    Reason.OBSTACLE: "the page is blocked, or its content is not in its HTML",
    Reason.COMMENT: COMMENT_REASON,
    Reason.BETWEEN: "between kept blocks, and not surely anything else",
    Reason.FOREIGN: "of a role that the scope leaves out",
}
REASONS: Final = tuple(_TEXTS[reason] for reason in Reason)
"""What is said of a block, by code."""
