"""Output cut to a limit: at the end of a piece, with a note of how much was left out.

Everything before the note is the beginning of the uncut output, plus what closes the elements open
there. A larger limit never yields less output. Only metadata that leave no room for content are
shortened, so that some of it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from thresher.chunking import BREAKS, QUARTERS, OutputLayout, Piece, estimate_tokens, token_offsets
from thresher.document import WriteOptions
from thresher.writers.shared.added import find_metadata_room

IntArray = npt.NDArray[np.int64]

_NOTE: Final = "[… {:,} of {:,} characters left out]"
_LEAST_CHARS: Final = 20
"""Characters of the content that metadata have to leave room for."""
_CUT: Final = "…"
"""Marks where a piece was cut."""
_MAX_SIGN_QUARTERS: Final = 2
"""Maximum quarters of a token that a character of a tag counts."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """The rules for cutting one format."""

    end: Callable[[str, str, int], str]
    """(kept text, note, start of its last piece) → the output."""
    count_closing: Callable[[str, IntArray, Piece | None], IntArray]
    """Counts the characters that close what is open at each position in a text, in a piece."""
    whole: re.Pattern[str] | None
    """Text that is never cut in two."""


def write_limited(
    lay_out: Callable[[int | None], OutputLayout], options: WriteOptions, cutting: Cutting
) -> str:
    """Write an output within limits; if its metadata leave no room for content, they are shortened.

    ``lay_out`` gives the output with metadata of about so many characters, None for all of them.
    """
    whole = lay_out(None)
    written = fit_to_limits(whole, options, cutting)
    content = whole.pieces[0].start if whole.pieces else 0
    if not options.metadata or written.startswith(whole.text[: content + _LEAST_CHARS]):
        return written
    shorter = lay_out(find_metadata_room(options))
    return fit_to_limits(shorter, options, cutting, n_char=len(whole.text))


def fit_to_limits(
    layout: OutputLayout, options: WriteOptions, cutting: Cutting, *, n_char: int | None = None
) -> str:
    """Cut an output to the limits of ``options``; one within them stays unchanged.

    ``n_char`` are the characters of the whole, if the layout has fewer.
    """
    text = layout.text
    if not options.is_limited:
        return text
    max_chars = len(text) if options.max_chars is None else options.max_chars
    quarters = token_offsets(text)
    total = int(quarters[-1])
    max_quarters = total if options.max_tokens is None else options.max_tokens * QUARTERS
    n_char = n_char or len(text)
    if len(text) == n_char and len(text) <= max_chars and total <= max_quarters:
        return text

    note = cutting.end("", _note(0, n_char), 0)
    note_chars = len(note) + len(f"{_CUT}\n\n")
    note_quarters = (estimate_tokens(note) + estimate_tokens(f"{_CUT}\n\n")) * QUARTERS

    def last_fitting(places: IntArray, piece: Piece | None = None) -> int | None:
        """Return the last of ascending positions after which what must follow still fits."""
        closing = cutting.count_closing(text, places, piece)
        good = places + closing + note_chars <= max_chars
        closing_quarters = closing * _MAX_SIGN_QUARTERS
        good &= quarters[places] + closing_quarters + note_quarters <= max_quarters
        return int(places[good][-1]) if good.any() else None

    pieces = layout.pieces
    head = len(text[: pieces[0].start].rstrip()) if pieces else 0
    ends = np.array([0, head, *(piece.stop for piece in pieces)], np.int64)
    kept = last_fitting(ends) or 0
    behind = next((piece for piece in pieces if piece.stop > kept), None)
    room = min(max_chars, int(np.searchsorted(quarters, max_quarters, "right")) - 1)
    if behind and kept * 2 < room:
        # Whole pieces would leave most of the limit unused.
        for places in _inner_breaks(text, behind, room, cutting.whole):
            if place := last_fitting(places, behind):
                start = text[:place].rstrip()
                return cutting.end(f"{start}{_CUT}", _note(place, n_char), behind.start)
    start = text[:kept].rstrip()
    return cutting.end(start, _note(kept, n_char), kept)


def _note(kept: int, total: int) -> str:
    return _NOTE.format(total - kept, total)


def _inner_breaks(
    text: str, piece: Piece, room: int, whole: re.Pattern[str] | None
) -> list[IntArray]:
    """Return the positions at which a piece could be cut, a list for each kind, the best first."""
    stop = min(piece.stop, room)
    kinds = [
        np.array([match.end() for match in pattern.finditer(text, piece.start, stop)], np.int64)
        for pattern in BREAKS
    ]
    kinds.append(np.arange(piece.start + 1, stop + 1))
    spans = (
        [match.span() for match in whole.finditer(text, piece.start, piece.stop)] if whole else []
    )
    starts = np.array([-1, *(start for start, _ in spans)], np.int64)
    stops = np.array([-1, *(stop for _, stop in spans)], np.int64)
    return [
        places[stops[np.searchsorted(starts, places, "left") - 1] <= places] for places in kinds
    ]


# -- plain text ---------------------------------------------------------------------------------


def _end_plain(kept: str, note: str, _: int) -> str:
    return f"{kept}\n\n{note}" if kept else note


def _close_nothing(_: str, places: IntArray, __: Piece | None) -> IntArray:
    return np.zeros(places.size, np.int64)


PLAIN: Final = Cutting(_end_plain, _close_nothing, None)

# -- Markdown -----------------------------------------------------------------------------------

_WHOLE_IN_MARKDOWN: Final = re.compile(
    r"\\.|&[#\w]{1,32};|<code>[^<\n]*</code>|<[^<>\s]+>|`[^`\n]+`"
    r"|!?\[(?:[^\[\]\n]|!\[[^\[\]\n]*\]\([^()\[\]\s]*\))*\]\([^()\n]*\)"
)
"""Escapes, references, tags, links, and code, of which a half would be markup. Code with backticks
between several is not beside code with tags."""
_FENCE: Final = re.compile(r"((?:[ >]|[-*+] |\d{1,9}[.)] )*)(`{3,})")


def _close_fence(text: str, start: int) -> str:
    """Return what ends the code block that begins at an offset, "" if none begins there."""
    fence = _FENCE.match(text, start)
    indent = re.sub(r"[^ >]", " ", fence[1]) if fence else ""
    return f"\n{indent}{fence[2]}" if fence else ""


def _end_markdown(kept: str, note: str, start: int) -> str:
    return _end_plain(kept + (_close_fence(kept, start) if kept.endswith(_CUT) else ""), note, 0)


def _count_fence(text: str, places: IntArray, piece: Piece | None) -> IntArray:
    return np.full(places.size, len(_close_fence(text, piece.start)) if piece else 0)


MARKDOWN: Final = Cutting(_end_markdown, _count_fence, _WHOLE_IN_MARKDOWN)

# -- HTML ---------------------------------------------------------------------------------------

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*+)[^<>]*>")
"""A tag as the HTML writer formats it, without "<" or ">" in its attributes."""
_VOID: Final = frozenset(("br", "hr", "img", "link", "meta", "wbr"))
_EMPTY_END: Final = re.compile(r"<(?!/|br\b|hr\b|img\b|link\b|meta\b)[^<>]*>\s*\Z")
_AROUND_ALL: Final = ("html", "body")


def _end_html(kept: str, note: str, _: int) -> str:
    stop = len(kept)
    while match := _EMPTY_END.match(kept, max(kept.rfind("<", 0, stop), 0), stop):
        if match[0].startswith(("<body", "<html", "<!")):
            break
        stop = match.start()
    kept = kept[:stop].rstrip()
    opened: list[str] = []
    for tag in _TAG.finditer(kept):
        if tag[2] in _VOID:
            continue
        if tag[1]:
            opened.pop()
        else:
            opened.append(tag[2])
    outer = [name for name in opened if name in _AROUND_ALL]
    inner = "".join(f"</{name}>" for name in reversed(opened[len(outer) :]))
    kept = f"{kept}{inner}\n" if kept else ""
    after = "".join(f"\n</{name}>" for name in reversed(outer))
    return f"{kept}<p>{note}</p>{after}"


def _count_tags(text: str, places: IntArray, _: Piece | None) -> IntArray:
    """Count the characters of the end tags of all elements that are open at each position."""
    tags = [tag for tag in _TAG.finditer(text) if tag[2] not in _VOID]
    chars = [(-1 if tag[1] else 1) * len(f"\n</{tag[2]}>") for tag in tags]
    ends = np.array([tag.end() for tag in tags], np.int64)
    total = np.concatenate(([0], np.cumsum(chars, dtype=np.int64)))
    return total[np.searchsorted(ends, places, "right")]


HTML: Final = Cutting(_end_html, _count_tags, re.compile(r"<[^<>]*>|&[^;\s]{1,32};"))
