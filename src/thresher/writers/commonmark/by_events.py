"""Markdown of a fragment from its events, with the notes that it refers to."""

from __future__ import annotations

import re
from typing import Final

from thresher.output_room import take_room
from thresher.writers.commonmark.renderer import render_events
from thresher.writers.stream.definitions import join_definitions
from thresher.writers.stream.events import Event
from thresher.writers.stream.lists import arrange_lists
from thresher.writers.stream.notes import extract_notes
from thresher.writers.stream.reader import read_events

__all__ = ["render_by_events"]

_INDENT: Final = "    "


_SCRIPT: Final = re.compile(r"\A([^!-~]*)(?=(?:javascript|vbscript|data):)", re.IGNORECASE)
"""The beginning of a note that would be an address for readers without notes, who take the note for
the definition of a link (CommonMark 0.31.2, 4.7). The word joiner, which is not shown, makes it no
address of a script."""


def render_by_events(text: str, base: str | None, *, tracking: bool, mark: str) -> str:
    """Render the markup of a fragment as Markdown; parameters as of `render_markup`."""
    content, notes = extract_notes(read_events(text, base, tracking=tracking, mark=mark))
    parts = [
        _render(content, mark),
        *(_define(label, _render(note, mark)) for label, note in notes.items()),
    ]
    return "\n\n".join(filter(None, parts))


def _render(events: list[Event], mark: str) -> str:
    return render_events(join_definitions(arrange_lists(events)), mark)


def _define(label: str, note: str) -> str:
    """Return the definition of a note; lines after its first are indented.

    Empty if the output may end early and has no room for it.
    """
    lines = _SCRIPT.sub(r"\1&#8288;", note, count=1).split("\n")
    if not take_room(len(_INDENT) * len(lines)):
        return ""
    indented = [f"{_INDENT}{line}" if line else "" for line in lines[1:]]
    return "\n".join([f"[^{label}]: {lines[0]}", *indented])
