"""Marks in texts that stand for inline markup until Markdown is rendered.

They are noncharacters, which Unicode reserves for internal use; `drop_marks` removes them from the
input first.
"""

from __future__ import annotations

from typing import Final

from thresher.writers.blocks.definitions import COLON
from thresher.writers.math.dollars import DOLLAR
from thresher.writers.shared.note_marks import CLOSE_REFERENCE, OPEN_REFERENCE

__all__ = [
    "ANY_MARK",
    "APART",
    "CODE",
    "DISPLAY",
    "EMPHASIS",
    "FORMULA",
    "MARKS_OF",
    "REPLACEMENTS",
    "SCRIPTS",
    "STRONG",
    "STRUCK",
    "drop_marks",
]

APART: Final = "\ufddc"
"""Mark that keeps its neighbours apart and is removed at the end."""
STRONG, EMPHASIS, STRUCK, CODE, FORMULA, DISPLAY = (
    ("\ufdd0", "\ufdd1"),
    ("\ufdd2", "\ufdd3"),
    ("\ufdd4", "\ufdd5"),
    ("\ufdd6", "\ufdd7"),
    ("\ufdd8", "\ufdd9"),
    ("\ufdda", "\ufddb"),
)
SCRIPTS: Final = {
    "sub": ("\U0003ffff", "\U0004fffe"),
    "sup": ("\U0004ffff", "\U0005fffe"),
}
"""Opening, closing and separating marks: noncharacters, which Unicode reserves for internal use."""
MARKS_OF: Final = {
    "b": STRONG,
    "strong": STRONG,
    "em": EMPHASIS,
    "i": EMPHASIS,
    "del": STRUCK,
    "s": STRUCK,
}
REPLACEMENTS: Final = {
    OPEN_REFERENCE: "[^",
    CLOSE_REFERENCE: "]",
    APART: "",
    **{mark: f"<{tag}>" for tag, (mark, _) in SCRIPTS.items()},
    **{mark: f"</{tag}>" for tag, (_, mark) in SCRIPTS.items()},
}
"""Marks with a fixed replacement."""
ANY_MARK: Final = (*map(chr, range(0xFDD0, 0xFDDC)), *REPLACEMENTS, COLON, DOLLAR)
_ENCODED: Final = ((b"\xef", b"\xb7"), (b"\xbf", b"\xbe"), (b"\xbf", b"\xbf"))
"""Two adjacent bytes of which every mark contains a pair in UTF-8, and few other characters do."""


def drop_marks(utf8: bytes) -> bytes:
    """Remove the characters that serve as marks from a text."""
    # Searching for one byte takes a fraction of the time that searching for two takes.
    if any(one in utf8 and one + other in utf8 for one, other in _ENCODED):
        for mark in ANY_MARK:
            utf8 = utf8.replace(mark.encode(), b"")
    return utf8
