"""Footnotes, taken out of the stream: Markdown writes them behind everything else."""

from __future__ import annotations

import re
from typing import Final

from thresher.writers.shared.note_marks import read_note, strip_mark
from thresher.writers.stream.events import Close, Event, Open, Rule, Run

__all__ = ["extract_notes"]

_MARKS: Final = re.compile("[\ufdd0-\ufdef]*")


def extract_notes(events: list[Event]) -> tuple[list[Event], dict[str, list[Event]]]:
    """Return the events without notes, and those of each note by its label, in order.

    Elements that contained nothing but notes are left out, and rules that nothing follows.
    """
    notes: dict[str, list[Event]] = {}
    if not any(type(event) is Open and "id" in event.attributes for event in events):
        return events, notes
    targets: list[list[Event]] = [[]]
    opened: list[tuple[Open, str | None]] = []
    emptied: set[int] = set()
    """Positions of open elements in the target that contained a note."""
    for event in events:
        target = targets[-1]
        if isinstance(event, Open):
            note = read_note(event.attributes.get("id", "")) if event.attributes else None
            opened.append((event, None if note is None else note[1]))
            if note is None:
                target.append(event)
            else:
                targets.append(notes.setdefault(note[0], []))
        elif isinstance(event, Close) and opened:
            element, mark = opened.pop()
            if mark is not None:
                _drop_mark(target, mark)
                targets.pop()
                emptied.add(len(targets[-1]) - 1)
            elif target[-1] is element and len(target) - 1 in emptied:
                emptied.discard(len(target) - 1)
                target.pop()
                emptied.add(len(target) - 1)
            else:
                target.append(event)
        else:
            target.append(event)
    kept = targets[0]
    while notes and kept and isinstance(kept[-1], Rule):
        kept.pop()
    return kept, notes


def _drop_mark(note: list[Event], mark: str) -> None:
    """Remove a note's own mark from the beginning of its text."""
    for event in note:
        if not isinstance(event, Run):
            continue
        for place, token in enumerate(event.tokens):
            if isinstance(token, str) and _MARKS.sub("", token).strip():
                event.tokens[place] = strip_mark(token, mark)
                return
