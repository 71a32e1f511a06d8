"""Messages of the command about verdicts, on standard error."""

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
"""Verdicts of pages without main content; a listing has its items."""


def has_content(name: str, document: Document) -> bool:
    """Return whether an input has content; if not, print why on standard error."""
    if document.limit:
        say(f"{show_name(name)}: {document.verdict.value}: {document.limit}")
        return bool(document.selection.keep.any())
    if document.verdict not in _FRUITLESS:
        return True
    why = f": {document.obstacle.evidence}" if document.obstacle else ""
    say(f"{show_name(name)}: {document.verdict.value}{why}")
    return False
