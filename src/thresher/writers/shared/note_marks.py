"""Marks of footnotes in a fragment, later linked in HTML and listed in Markdown.

The marks are ids that begin with noncharacters, so none of the page's own can be mistaken for one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from turbohtml import Element

_NOTE, _REFERENCE, _BACK = "\U0001fffe", "\U0001ffff", "\U0002fffe"
"""First characters of ids of notes, of references and of links back; Unicode reserves these
noncharacters for internal use."""
_MARKED: Final = re.compile(
    f"[{_NOTE}{_REFERENCE}{_BACK}][0-9A-Za-z-]+" + r"(?:\|.{1,40})?", re.DOTALL
)
_BEHIND_ENCLOSED: Final = re.compile(r"[\])][.:]?(?!\S)")
_BEHIND_WORD: Final = re.compile(r"[.:)\]](?!\S)")
_BEHIND_SIGN: Final = re.compile(r"[.:)\]]?(?!\S)")
"""Characters that may follow a note's mark: in brackets, after a number or letter, after a star."""
_BRACKET: Final = re.compile(r"[\])][.:]?")
"""Rest of the brackets if the mark itself was a link."""


def note_id(label: str, mark: str) -> str:
    """Return the marked id of a note."""
    return f"{_NOTE}{label}|{mark}"


def reference_id(label: str) -> str:
    """Return the marked id of a reference to a note."""
    return _REFERENCE + label


def back_link_id(label: str) -> str:
    """Return the marked id of a link back from a note."""
    return _BACK + label


class NoteLinks:
    """Links between notes and the references to them, which get real ids."""

    def __init__(self) -> None:
        self._n_reference: Counter[str] = Counter()
        self._n_back: Counter[str] = Counter()

    def attributes_of(self, value: str) -> dict[str, str]:
        """Return the attributes of the next element with a marked id, in place of that."""
        kind, label = value[0], value[1:].partition("|")[0]
        if kind == _NOTE:
            return {"id": f"fn-{label}"}
        counts = self._n_reference if kind == _REFERENCE else self._n_back
        counts[label] += 1
        place = f"fnref-{label}" + (f"-{counts[label]}" if counts[label] > 1 else "")
        return (
            {"id": place, "href": f"#fn-{label}"} if kind == _REFERENCE else {"href": f"#{place}"}
        )


def link_notes(tree: Element) -> None:
    """Replace the marked ids of a tree by real ones, and link notes and references, in place."""
    links = NoteLinks()
    for element in tree.select("[id]"):
        linked = links.attributes_of(element.attr("id") or "")
        if "id" not in linked:
            del element.attrs["id"]
        for name, value in linked.items():
            element.attrs[name] = value


def strip_mark(text: str, mark: str) -> str:
    """Remove a note's own mark from the beginning of its text."""
    text = text.lstrip()
    return text[_end_of_mark(text, mark) :].lstrip()


def _end_of_mark(text: str, mark: str) -> int:
    """Return the end of the mark that begins a text, with the signs around it; 0 for none."""
    match: re.Match[str] | None = None
    if text.startswith(("[", "(")) and text.startswith(mark, 1):
        match = _BEHIND_ENCLOSED.match(text, 1 + len(mark))
    if not match and text.startswith(mark):
        behind = _BEHIND_WORD if mark[:1].isalnum() else _BEHIND_SIGN
        match = behind.match(text, len(mark))
    match = match or _BRACKET.match(text)
    return match.end() if match else 0


def is_mark(value: str) -> bool:
    """Return whether an id is marked."""
    return _MARKED.fullmatch(value) is not None


def has_notes(markup: str) -> bool:
    """Return whether markup has marked ids."""
    return not markup.isascii() and any(sign in markup for sign in (_NOTE, _REFERENCE, _BACK))


def read_reference(value: str) -> str:
    """Return the label of the note that a marked id refers to; empty for other ids."""
    return value[1:] if value[:1] == _REFERENCE and is_mark(value) else ""


def read_note(value: str) -> tuple[str, str] | None:
    """Return the label and the mark of a note from its marked id; None for other ids."""
    if value[:1] != _NOTE or not is_mark(value):
        return None
    label, _, mark = value[1:].partition("|")
    return label, mark
