"""Marks in the texts of a stream: what is emphasised, raised or lowered, and literal dollar signs.

They are noncharacters, which Unicode reserves for internal use; `drop_marks` removes them from the
input first. Renderers replace them once the text around them is known.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "ANY_MARK",
    "AS_ELEMENTS",
    "COLON",
    "DOLLAR",
    "EMPHASIS",
    "HIGHLIGHTED",
    "SCRIPTS",
    "STRONG",
    "STRUCK",
    "drop_marks",
]

STRONG, EMPHASIS, STRUCK = (
    ("\ufdd0", "\ufdd1"),
    ("\ufdd2", "\ufdd3"),
    ("\ufdd4", "\ufdd5"),
)
"""Opening and closing marks."""
SCRIPTS: Final = {
    "sub": ("\U0003ffff", "\U0004fffe"),
    "sup": ("\U0004ffff", "\U0005fffe"),
}
"""Opening and closing marks of subscripts and superscripts."""
HIGHLIGHTED: Final = ("\U0006ffff", "\U0007fffe")
"""Opening and closing marks of highlighted text."""
AS_ELEMENTS: Final = {**SCRIPTS, "mark": HIGHLIGHTED}
"""Element that Markdown has only as such → its marks."""
COLON: Final = "\U0006fffe"
"""Mark of the line break and the colon before a definition."""
DOLLAR: Final = "\U0005ffff"
"""Mark of a literal dollar sign, which is none of a formula."""
ANY_MARK: Final = (
    *(mark for pair in (STRONG, EMPHASIS, STRUCK, *AS_ELEMENTS.values()) for mark in pair),
    *(COLON, DOLLAR),
)
_ENCODED: Final = ((b"\xef", b"\xb7"), (b"\xbf", b"\xbe"), (b"\xbf", b"\xbf"))
"""Two adjacent bytes of which every mark contains a pair in UTF-8, and few other characters do."""


def drop_marks(utf8: bytes) -> bytes:
    """Remove the characters that serve as marks from a text."""
    # Searching for one byte takes a fraction of the time that searching for two takes.
    if any(one in utf8 and one + other in utf8 for one, other in _ENCODED):
        for mark in ANY_MARK:
            utf8 = utf8.replace(mark.encode(), b"")
    return utf8
