"""What a verdict means to who runs the command: a line on standard error, or none."""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from thresher.cli.inputs import show_name
from thresher.cli.outputs import say
from thresher.document import Document, Verdict

__all__ = ["has_content"]

_FRUITLESS: Final[Set[Verdict]] = {
    *(Verdict.NO_MAIN_CONTENT, Verdict.BLOCKED, Verdict.NEEDS_BROWSER),
}
"""Verdicts of pages without any content that was asked for; a listing has its items."""


def has_content(name: str, document: Document) -> bool:
    """Tell whether an input has content; say so where it has none, with the evidence."""
    if document.limit:
        say(f"{show_name(name)}: {document.verdict.value}: {document.limit}")
        return bool(document.selection.keep.any())
    if document.verdict not in _FRUITLESS:
        return True
    why = f": {document.obstacle.evidence}" if document.obstacle else ""
    say(f"{show_name(name)}: {document.verdict.value}{why}")
    return False
