"""Delimiters of emphasis in Markdown, where its readers recognise them.

Whether `**` and `*` are delimiters depends on their neighbours (CommonMark 0.31.2, 6.2): not next
to white space inside, and with punctuation inside only next to white space or punctuation outside.
Chinese and Japanese text, and pages that put a bold "Note:" directly before a word, often break
these rules; there the text is written without delimiters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from thresher.support.late import compile_late
from thresher.writers.stream.marks import AS_ELEMENTS, EMPHASIS, STRONG, STRUCK

__all__ = ["write_emphasis"]

_SIGN_OF: Final = {STRONG: "**", EMPHASIS: "*", STRUCK: "~~"}
_OPENING: Final = frozenset(opening for opening, _ in _SIGN_OF)
_CLOSING: Final = frozenset(closing for _, closing in _SIGN_OF)
_MARKS: Final = tuple(mark for pair in _SIGN_OF for mark in pair)
_REJOINED: Final = re.compile("\ufdd1\ufdd0|\ufdd3\ufdd2|\ufdd5\ufdd4")
"""A closing mark directly before an opening mark of the same kind."""
_WIDE: Final = "、。，．！？：；…—“”‘’「」『』（）《》〈〉【】〔〕・～"
"""Punctuation of Chinese and Japanese, which have no spaces beside it; never escaped."""
_WIDE_SIGNS: Final = frozenset(_WIDE)
_WIDE_BEFORE_END: Final = compile_late(
    f"(?<![\\s\ufdd0\ufdd2\ufdd4{_WIDE}])([{_WIDE}]+)([\ufdd1\ufdd3\ufdd5]+)(?=\\w)"
)
_WIDE_AFTER_START: Final = compile_late(
    f"(?<=\\w)([\ufdd0\ufdd2\ufdd4]+)([{_WIDE}]+)(?![\\s\ufdd1\ufdd3\ufdd5{_WIDE}])"
)
"""Such punctuation at the edge of emphasis directly beside a letter, where no delimiter is read."""
_LINE_START: Final = re.compile(r"(?:: )?")
"""Block markup that may begin a line of a paragraph."""
_SCRIPT_MARKS: Final = frozenset(mark for pair in AS_ELEMENTS.values() for mark in pair)
"""Marks that become tags."""
_BLOCK_START: Final = re.compile(
    r"#{1,6}(?=[ \n]|$)|[-+>](?=[ \n]|$)|>|\d{1,9}(?=[.)](?:[ \n\ufdd0-\ufdd5]|$))",
    re.MULTILINE,
)
"""A text whose first characters would start a block without the mark before them."""


def write_emphasis(marked: str, *, begins_line: bool) -> str:
    """Replace the marks of emphasis in a paragraph by delimiters, or by nothing.

    ``begins_line`` says whether the paragraph begins its line, where signs could begin a block.
    """
    runs = _find_runs(marked)
    if not runs:
        return marked
    joined = _join(marked, runs)
    if joined is not marked:
        runs = _find_runs(joined)
    signs = _pair_marks(joined, runs)
    parts: list[str] = []
    done = 0
    for start, stop in runs:
        parts.append(joined[done:start])
        if stop - start == 1:
            written = signs.get(start, "")
        else:
            written = "".join([signs.get(place, "") for place in range(start, stop)])
        done = stop
        if written:
            parts.append(written)
        elif (
            (begins_line if not start else joined[start - 1] in "\n ")
            and _LINE_START.fullmatch(joined, joined.rfind("\n", 0, start) + 1, start)
            and (begins_line or "\n" in joined[:start])
            and (found := _BLOCK_START.match(joined, stop))
        ):
            # Without the mark, the text would begin a block.
            digits = found[0] if found[0].isdigit() else ""
            parts.append(f"{digits}\\")
            done += len(digits)
    parts.append(joined[done:])
    return "".join(parts)


def _find_runs(marked: str) -> list[tuple[int, int]]:
    """Return the spans of emphasis marks, adjacent marks as one."""
    # Searching for a character takes a fraction of the time that a pattern takes.
    places: list[int] = []
    for mark in _MARKS:
        place = marked.find(mark)
        while place >= 0:
            places.append(place)
            place = marked.find(mark, place + 1)
    if not places:
        return []
    places.sort()
    runs: list[tuple[int, int]] = []
    start = stop = -1
    for place in places:
        if place != stop:
            if stop >= 0:
                runs.append((start, stop))
            start = place
        stop = place + 1
    runs.append((start, stop))
    return runs


def _join(marked: str, runs: Sequence[tuple[int, int]]) -> str:
    """Join emphasis that ends where the same begins, and move wide punctuation out of it.

    ``runs`` are the spans that `_find_runs` returns for the text.
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
        if before in _WIDE_SIGNS:
            if after.isalnum() or after == "_":
                return True
        elif after in _WIDE_SIGNS and (before.isalnum() or before == "_"):
            return True
    return False


def _pair_marks(marked: str, runs: list[tuple[int, int]]) -> dict[int, str]:
    """Return the delimiters of the pairs of marks that would both be read as such, by place."""
    delimiters = _find_delimiters(marked, runs)
    signs: dict[int, str] = {}
    waiting: list[int] = []
    for start, stop in runs:
        for place in range(start, stop):
            mark = marked[place]
            if mark in _OPENING:
                waiting.append(place)
                continue
            opened = waiting.pop() if waiting else -1
            if opened in delimiters and place in delimiters:
                signs[opened] = signs[place] = _SIGN_OF[marked[opened], mark]
    return signs


def _find_delimiters(marked: str, runs: list[tuple[int, int]]) -> set[int]:
    """Return the positions of the marks that would be read as delimiters."""
    places: set[int] = set()
    for start, stop in runs:
        before = marked[start - 1] if start else ""
        after = marked[stop] if stop < len(marked) else ""
        if stop - start == 1:
            closing = int(marked[start] in _CLOSING)
        else:
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
    return char in _SCRIPT_MARKS or unicodedata.category(char)[0] in "PS"
