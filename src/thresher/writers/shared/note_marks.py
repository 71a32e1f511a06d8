"""Marks of footnotes in a fragment, later linked in HTML and listed in Markdown.

The marks are ids that begin with noncharacters, so none of the page's own can be mistaken for one.
"""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Text

__all__ = [
    "CLOSE_REFERENCE",
    "OPEN_REFERENCE",
    "back_link_id",
    "extract_notes",
    "is_mark",
    "link_notes",
    "note_id",
    "reference_id",
    "strip_mark",
]

_NOTE, _REFERENCE, _BACK = "\U0001fffe", "\U0001ffff", "\U0002fffe"
"""First characters of ids of notes, of references and of links back; Unicode reserves these
noncharacters for internal use."""
_MARKED: Final = re.compile(
    f"[{_NOTE}{_REFERENCE}{_BACK}][0-9A-Za-z-]+" + r"(?:\|.{1,16})?", re.DOTALL
)
OPEN_REFERENCE, CLOSE_REFERENCE = "\U0002ffff", "\U0003fffe"
"""Characters around the label of a reference in the text that the renderer sees."""
_ENCLOSED: Final = re.compile(
    f"{OPEN_REFERENCE}[^{OPEN_REFERENCE}{CLOSE_REFERENCE}]*{CLOSE_REFERENCE}"
)
_SIGNS: Final = re.compile(r"[\ufdd0-\ufdef]*")
"""Noncharacters that writers temporarily put into text, as `thresher.writers.outline.layout`
does."""
_BEHIND_ENCLOSED: Final = re.compile(r"[\])][.:]?(?!\S)")
_BEHIND_WORD: Final = re.compile(r"[.:)\]](?!\S)")
_BEHIND_SIGN: Final = re.compile(r"[.:)\]]?(?!\S)")
"""What may follow the mark of a note in brackets, after a number or letter, after a star."""
_BRACKET: Final = re.compile(r"[\])][.:]?")
"""What remains if the mark itself was a link."""
_PUNCTUATION: Final = re.compile(r"[\s,;\u2013-]*")


def note_id(label: str, mark: str) -> str:
    """Return the marked id of a note."""
    return f"{_NOTE}{label}|{mark}"


def reference_id(label: str) -> str:
    """Return the marked id of a reference to a note."""
    return _REFERENCE + label


def back_link_id(label: str) -> str:
    """Return the marked id of a link back from a note."""
    return _BACK + label


def link_notes(tree: Element) -> None:
    """Replace the marked ids of a tree by real ones, and link notes and references, in place."""
    n_reference: dict[str, int] = {}
    n_back: dict[str, int] = {}
    for element in tree.select("[id]"):
        kind, label = _read_id(element)
        if kind == _NOTE:
            element.attrs["id"] = f"fn-{label}"
            continue
        counts = n_reference if kind == _REFERENCE else n_back
        counts[label] = counts.get(label, 0) + 1
        place = f"fnref-{label}" + (f"-{counts[label]}" if counts[label] > 1 else "")
        if kind == _REFERENCE:
            element.attrs["href"] = f"#fn-{label}"
            element.attrs["id"] = place
        else:
            del element.attrs["id"]
            element.attrs["href"] = f"#{place}"


def extract_notes(tree: Element) -> dict[str, Element]:
    """Remove the marked notes from a tree, and replace references by marks.

    Returns label → an element that holds the note, in order. Elements left empty are removed too.
    """
    notes: dict[str, Element] = {}
    marked = tree.select("[id]")
    for element in marked:
        kind, label = _read_id(element)
        if kind == _REFERENCE:
            _drop_brackets(element)
            # A sign that says where a run begins may come first.
            sign = _SIGNS.match(element.text)
            element.set_text(f"{sign[0] if sign else ''}{OPEN_REFERENCE}{label}{CLOSE_REFERENCE}")
            element.unwrap()
    if marked:
        _lower_references(tree)
    for element in marked:
        kind, label = _read_id(element)
        if kind == _NOTE:
            around = element.parent
            element.extract()
            mark = (element.attr("id") or "").partition("|")[2]
            # Reuse the element as a plain container: the parser allocates 60 kB for each new
            # element.
            element.tag = "div"
            element.attrs.clear()
            notes[label] = element
            _drop_mark(element, mark)
            _drop_empty(around, tree)
    if notes:
        _drop_last_rules(tree)
    return notes


def strip_mark(text: str, mark: str) -> str:
    """Remove a note's own mark from the beginning of its text."""
    # A sign that says where a run begins may come first.
    signs = _SIGNS.match(text)
    before = signs[0] if signs else ""
    text = text[len(before) :].lstrip()
    return before + text[_end_of_mark(text, mark) :].lstrip()


def _end_of_mark(text: str, mark: str) -> int:
    """Return the end of the mark that begins a text, with the signs around it; 0 for none."""
    found: re.Match[str] | None = None
    if text.startswith(("[", "(")) and text.startswith(mark, 1):
        found = _BEHIND_ENCLOSED.match(text, 1 + len(mark))
    if not found and text.startswith(mark):
        behind = _BEHIND_WORD if mark[:1].isalnum() else _BEHIND_SIGN
        found = behind.match(text, len(mark))
    found = found or _BRACKET.match(text)
    return found.end() if found else 0


def _drop_mark(note: Element, mark: str) -> None:
    for text in note.descendants:
        if isinstance(text, Text) and text.data.strip():
            text.data = strip_mark(text.data, mark)
            return


def is_mark(value: str) -> bool:
    """Return whether an id is marked."""
    return _MARKED.fullmatch(value) is not None


def _read_id(element: Element) -> tuple[str, str]:
    value = element.attr("id") or ""
    return value[:1], value[1:].partition("|")[0]


def _drop_brackets(reference: Element) -> None:
    """Remove the brackets from the texts beside a reference: it gets its own."""
    before, after = reference.previous_sibling, reference.next_sibling
    if not (isinstance(before, Text) and isinstance(after, Text)):
        return
    if before.data.endswith("[") and after.data.startswith("]"):
        before.data, after.data = before.data[:-1], after.data[1:]


def _lower_references(tree: Element) -> None:
    """Unwrap each `sup` that holds only references: Markdown readers raise them already."""
    for raised in tree.find_all("sup"):
        text = raised.text
        if OPEN_REFERENCE in text and _PUNCTUATION.fullmatch(
            _SIGNS.sub("", _ENCLOSED.sub("", text))
        ):
            raised.unwrap()


def _drop_empty(element: object, tree: Element) -> None:
    """Remove an element that is empty, and ancestors that become empty."""
    while isinstance(element, Element) and element is not tree and element.tag != "body":
        if any(not isinstance(child, Text) or child.data.strip() for child in element.children):
            return
        around = element.parent
        element.extract()
        element = around


def _drop_last_rules(tree: Element) -> None:
    """Remove rules that nothing follows."""
    for child in reversed(list(tree.children)):
        if isinstance(child, Element) and child.tag == "hr":
            child.extract()
        elif not isinstance(child, Text) or child.data.strip():
            return
