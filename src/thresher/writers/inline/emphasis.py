"""Delimiters of emphasis in Markdown, where its readers recognise them.

Whether `**` and `*` are delimiters depends on their neighbours (CommonMark 0.31.2, 6.2): not next
to white space inside, and with punctuation inside only next to white space or punctuation outside.
Chinese and Japanese text, and pages that put a bold "Note:" directly before a word, often break
these rules; there the text is written without delimiters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from thresher.writers.inline.marks import EMPHASIS, REPLACEMENTS, STRONG, STRUCK

__all__ = ["find_runs", "join_emphasis", "replace_emphasis"]

_SIGN_OF: Final = {STRONG: "**", EMPHASIS: "*", STRUCK: "~~"}
_OPENING: Final = frozenset(opening for opening, _ in _SIGN_OF)
_CLOSING: Final = frozenset(closing for _, closing in _SIGN_OF)
_EMPHASIS_MARKS: Final = tuple(mark for pair in _SIGN_OF for mark in pair)
_REJOINED: Final = re.compile("\ufdd1\ufdd0|\ufdd3\ufdd2|\ufdd5\ufdd4")
"""A closing mark directly before an opening mark of the same kind."""
_WIDE: Final = "、。，．！？：；…—“”‘’「」『』（）《》〈〉【】〔〕・～"
"""Punctuation of Chinese and Japanese, which have no spaces beside it; never escaped."""
_WIDE_SIGNS: Final = frozenset(_WIDE)
_WIDE_BEFORE_END: Final = re.compile(
    f"(?<![\\s\ufdd0\ufdd2\ufdd4{_WIDE}])([{_WIDE}]+)([\ufdd1\ufdd3\ufdd5]+)(?=\\w)"
)
_WIDE_AFTER_START: Final = re.compile(
    f"(?<=\\w)([\ufdd0\ufdd2\ufdd4]+)([{_WIDE}]+)(?![\\s\ufdd1\ufdd3\ufdd5{_WIDE}])"
)
"""Such punctuation at the edge of emphasis directly beside a letter, where no delimiter is read."""
_LINE_START: Final = re.compile(r"(?:[ >]|[-*+] |\d{1,9}[.)] )*")
"""Block markup that may begin a line."""
_BLOCK_START: Final = re.compile(
    r"#{1,6}(?=[ \n]|$)|[-+>](?=[ \n]|$)|>|\d{1,9}(?=[.)](?:[ \n\ufdd0-\ufdd5]|$))",
    re.MULTILINE,
)
"""A text whose first characters would start a block without the mark before them."""


def join_emphasis(marked: str, runs: Sequence[tuple[int, int]]) -> str:
    """Join emphasis that ends where the same begins, and move wide punctuation out of it.

    ``runs`` are the spans that `find_runs` returns for the text.
    """
    is_rejoined = any(stop - start > 1 for start, stop in runs)
    joined = _REJOINED.sub("", marked) if is_rejoined else marked
    if _touch_wide(marked, runs):
        joined = _WIDE_BEFORE_END.sub(r"\2\1", joined)
        joined = _WIDE_AFTER_START.sub(r"\2\1", joined)
    return joined


def _touch_wide(marked: str, runs: Sequence[tuple[int, int]]) -> bool:
    """Return whether a run of marks has wide punctuation on one side and a word on the other."""
    for start, stop in runs:
        before, after = marked[start - 1 : start], marked[stop : stop + 1]
        for sign, word in ((before, after), (after, before)):
            if sign in _WIDE_SIGNS and (word.isalnum() or word == "_"):
                return True
    return False


def find_runs(marked: str) -> list[tuple[int, int]]:
    """Return the spans of emphasis marks, adjacent marks as one."""
    # Searching for a character takes a fraction of the time that a pattern takes.
    places = sorted(place for mark in _EMPHASIS_MARKS for place in _find_each(marked, mark))
    starts = [place for before, place in pairwise((-2, *places)) if place > before + 1]
    stops = [place + 1 for place, after in pairwise((*places, -2)) if after != place + 1]
    return list(zip(starts, stops, strict=True))


def _find_each(text: str, mark: str) -> Iterator[int]:
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + 1)


def replace_emphasis(marked: str, runs: list[tuple[int, int]]) -> str:
    """Replace the emphasis marks; ``runs`` are their spans, adjacent marks as one."""
    places = [place for start, stop in runs for place in range(start, stop)]
    delimiters = _find_delimiters(marked, runs)
    signs: dict[int, str] = {}
    waiting: list[int] = []
    for place in places:
        mark = marked[place]
        if mark in _OPENING:
            waiting.append(place)
            continue
        opened = waiting.pop() if waiting else -1
        if opened in delimiters and place in delimiters:
            signs[opened] = signs[place] = _SIGN_OF[marked[opened], mark]
    escaped = {
        stop - 1: len(found[0]) if found[0].isdigit() else 0
        for start, stop, found in _find_block_starts(marked, runs)
        if not any(place in signs for place in range(start, stop))
    }
    parts: list[str] = []
    done = 0
    for place in places:
        parts.append(marked[done:place])
        done = place + 1
        if place in escaped:
            digits = escaped[place]
            parts.append(marked[done : done + digits] + "\\")
            done += digits
        parts.append(signs.get(place, ""))
    parts.append(marked[done:])
    return "".join(parts)


def _find_block_starts(
    marked: str, runs: list[tuple[int, int]]
) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Yield the spans of marks before texts that would start a block without them, and the match.

    ``runs`` are the spans of all marks, adjacent marks as one.
    """
    done = 0
    for start, stop in runs:
        line = marked.rfind("\n", done, start) + 1
        is_first = bool(line) or not done
        done = stop
        if is_first and _LINE_START.fullmatch(marked, line, start):
            found = _BLOCK_START.match(marked, stop)
            if found:
                yield start, stop, found


def _find_delimiters(marked: str, runs: list[tuple[int, int]]) -> set[int]:
    """Return the positions of the marks that would be read as delimiters."""
    places: set[int] = set()
    for start, stop in runs:
        before = marked[start - 1] if start else ""
        after = marked[stop] if stop < len(marked) else ""
        closing = sum(map(_CLOSING.__contains__, marked[start:stop]))
        # Where one ends and another starts no delimiter separates them: the first stays.
        inner, outer = (before, after) if closing else (after, before)
        # Most are next to letters, which is fast to check.
        if not inner.isalnum():
            if _is_space(inner):
                continue
            if _is_punctuation(inner) and not (_is_space(outer) or _is_punctuation(outer)):
                continue
        if stop - start == 1:
            places.add(start)
        else:
            places.update(range(start, start + closing if closing else stop))
    return places


def _is_space(char: str) -> bool:
    return not char or char.isspace()


def _is_punctuation(char: str) -> bool:
    return char in REPLACEMENTS or unicodedata.category(char)[0] in "PS"
