"""Inline elements in Markdown, with delimiters only where a Markdown reader recognises them.

Whether `**` and `*` are delimiters depends on their neighbours (CommonMark 0.31.2, 6.2): not next
to white space inside, and with punctuation inside only next to white space or punctuation outside.
Chinese and Japanese text, and pages that put a bold "Note:" directly before a word, often break
these rules; there the text is written without delimiters. So inline elements become marks in the
text, which the renderer treats as letters, and are replaced once the text around them is known.

The renderer's own hook for this, a converter for each element, loses words: in turbohtml 1.15 a
line break before or inside one converted element can cut off the end of a later one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from turbohtml import Element, Node, Text

from thresher.deadline import watch
from thresher.writers.blocks.definitions import COLON
from thresher.writers.inline.quotes import choose_quotation_marks
from thresher.writers.inline.scripts import format_script
from thresher.writers.inline.texts import APART, adapt_texts
from thresher.writers.math.dollars import DOLLAR, mark_dollars, replace_dollar_marks
from thresher.writers.math.formulas import TEX
from thresher.writers.shared.note_marks import CLOSE_REFERENCE, OPEN_REFERENCE

__all__ = ["drop_marks", "mark_inline", "replace_inline_marks"]

_STRONG, _EMPHASIS, _STRUCK, _CODE, _FORMULA, _DISPLAY = (
    ("\ufdd0", "\ufdd1"),
    ("\ufdd2", "\ufdd3"),
    ("\ufdd4", "\ufdd5"),
    ("\ufdd6", "\ufdd7"),
    ("\ufdd8", "\ufdd9"),
    ("\ufdda", "\ufddb"),
)
_SCRIPTS: Final = {
    "sub": ("\U0003ffff", "\U0004fffe"),
    "sup": ("\U0004ffff", "\U0005fffe"),
}
"""Opening, closing and separating marks: noncharacters, which Unicode reserves for internal use."""
_MARKS_OF: Final = {
    "b": _STRONG,
    "strong": _STRONG,
    "em": _EMPHASIS,
    "i": _EMPHASIS,
    "del": _STRUCK,
    "s": _STRUCK,
}
_SIGN_OF: Final = {_STRONG: "**", _EMPHASIS: "*", _STRUCK: "~~"}
_OPENING: Final = frozenset(opening for opening, _ in _SIGN_OF)
_CLOSING: Final = frozenset(closing for _, closing in _SIGN_OF)
_REPLACEMENTS: Final = {
    OPEN_REFERENCE: "[^",
    CLOSE_REFERENCE: "]",
    APART: "",
    **{mark: f"<{tag}>" for tag, (mark, _) in _SCRIPTS.items()},
    **{mark: f"</{tag}>" for tag, (_, mark) in _SCRIPTS.items()},
}
"""Marks with a fixed replacement."""
_ANY: Final = (*map(chr, range(0xFDD0, 0xFDDC)), *_REPLACEMENTS, COLON, DOLLAR)
_ENCODED: Final = ((b"\xef", b"\xb7"), (b"\xbf", b"\xbe"), (b"\xbf", b"\xbf"))
"""Two adjacent bytes of which every mark contains a pair in UTF-8, and few other characters do."""
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
_LITERAL: Final = re.compile(
    r"(?<!`)`+ ?([\ufdd6\ufdd8\ufdda])([^\ufdd6-\ufddb]*)[\ufdd7\ufdd9\ufddb] ?`+"
)
"""Marked code as the renderer writes it."""
_BACKTICKS: Final = re.compile("`+")
_LINE_START: Final = re.compile(r"(?:[ >]|[-*+] |\d{1,9}[.)] )*")
"""Block markup that may begin a line."""
_BLOCK_START: Final = re.compile(
    r"#{1,6}(?=[ \n]|$)|[-+>](?=[ \n]|$)|>|\d{1,9}(?=[.)](?:[ \n\ufdd0-\ufdd5]|$))",
    re.MULTILINE,
)
"""A text whose first characters would start a block without the mark before them."""

_CODE_TAGS: Final = ("code", "kbd", "samp")
_MARKED_TAGS: Final = (*_CODE_TAGS, *_SCRIPTS, "math", "pre", "q", "rt", "summary")
_BOLD_ALREADY: Final = "strong, b, h1, h2, h3, h4, h5, h6, p, div, br"
"""Elements that already emphasise a summary, or that emphasis cannot enclose."""
_PLAIN: Final = (
    "abbr, bdi, bdo, cite, dfn, ins, mark, q, rb, rt, rtc, ruby, small, span, sub, sup, time, u,"
    " var"
)
"""Elements without Markdown syntax."""
_STRIPPED: Final = f"{_PLAIN}, {', '.join(_MARKS_OF)}"


def drop_marks(utf8: bytes) -> bytes:
    """Remove the characters that serve as marks from a text."""
    # Searching for one byte takes a fraction of the time that searching for two takes.
    if any(one in utf8 and one + other in utf8 for one, other in _ENCODED):
        for mark in _ANY:
            utf8 = utf8.replace(mark.encode(), b"")
    return utf8


def mark_inline(tree: Element, *, has_dollars: bool = True, adapts_texts: bool = True) -> None:
    """Convert the inline elements of a tree to marks in its text, in place.

    ``has_dollars`` says whether there may be dollar signs, ``adapts_texts`` whether texts may have
    to be adapted.
    """
    if next(iter(tree.iter_elements(_MARKED_TAGS)), None) is not None:
        _mark_special(tree)
    if has_dollars:
        mark_dollars(tree)
    for element in watch(reversed(list(tree.iter_elements(_MARKS_OF)))):
        _mark_emphasis(element)
    # Inside them turbohtml 1.15 does not see that a text begins a line: `<sup>1. </sup>` would
    # start a list.
    tree.strip_tags(_STRIPPED)
    tree.normalize()
    if adapts_texts:
        adapt_texts(tree)


def _mark_special(tree: Element) -> None:
    """Convert the inline elements other than emphasis to marks or characters."""
    for pre in tree.find_all("pre"):
        pre.strip_tags(_STRIPPED)
    for code in watch(list(tree.iter_elements(_CODE_TAGS))):
        _mark_code(code)
    for script in watch(tree.find_all(list(_SCRIPTS))):
        _mark_script(script)
    for summary in tree.find_all("summary"):
        if summary.text.strip() and not summary.select(_BOLD_ALREADY):
            summary.wrap_children(Element("strong"))
    for reading in tree.find_all("rt"):
        _enclose(reading, "(", ")")
    for quote in tree.find_all("q"):
        opening, closing = choose_quotation_marks(quote.text)
        _enclose(quote, opening, closing)
    for formula in watch(tree.find_all("math")):
        _mark_formula(formula)


def _format_marked(tex: str, *, is_display: bool) -> list[Element | Text]:
    """Return a formula as marked code, separated from its neighbours."""
    # Readers without support for formulas must find neither HTML nor a link in it.
    tex = " ".join(tex.split()).replace("<", "\\lt ").replace("](", "] (")
    opening, closing = _DISPLAY if is_display else _FORMULA
    return [
        Text(APART),
        Element("code", children=[Text(f"{opening}{tex}{closing}")]),
        Text(APART),
    ]


def _mark_formula(formula: Element) -> None:
    for note in formula.find_all("annotation"):
        if note.text.strip() and note.attr("encoding") == TEX:
            is_display = formula.attr("display") == "block"
            formula.replace_with(*_format_marked(note.text, is_display=is_display))
            return


def _mark_code(code: Element) -> None:
    """Mark code, merged with code directly after it: backticks could not separate the two."""
    parent = code.parent
    if not isinstance(parent, Element) or parent.tag == "pre":
        return
    while isinstance(behind := code.next_sibling, Element) and behind.tag in _CODE_TAGS:
        code.extend(list(behind.children))
        behind.extract()
    _move_spaces_out(code)
    for script in code.find_all(list(_SCRIPTS)):
        before = script.previous_sibling
        last = before.text[-1:] if isinstance(before, Element | Text) else ""
        script.set_text(format_script(script.text, raised=script.tag == "sup", before=last))
    for line_break in code.find_all("br"):
        line_break.replace_with(Text(" "))
    if code.find("a") is not None:
        _split_at_links(code)
    elif text := " ".join(code.text.split()):
        code.set_text(f"{_CODE[0]}{text}{_CODE[1]}")


def _split_at_links(code: Element) -> None:
    """Replace code that contains links by code before, inside and after each link."""
    pieces: list[Node] = []
    pending = ""
    code.strip_tags(_STRIPPED)
    code.normalize()
    for child in list(code.children):
        if isinstance(child, Element) and child.tag == "a":
            inside = _mark_piece(child.text)
            child.clear()
            child.extend(inside)
            pieces += [*_mark_piece(pending), child]
            pending = ""
        else:
            pending += child.text
    code.replace_with(*pieces, *_mark_piece(pending))


def _mark_piece(text: str) -> list[Node]:
    """Return a part of code as marked code, with the spaces at its edges outside."""
    words = " ".join(text.split())
    if not words:
        return [Text(" ")] if text else []
    marked: list[Node] = [Element("code", children=[Text(f"{_CODE[0]}{words}{_CODE[1]}")])]
    before: list[Node] = [Text(" ")] if text[0].isspace() else []
    after: list[Node] = [Text(" ")] if text[-1].isspace() else []
    return [*before, *marked, *after]


def _mark_script(script: Element) -> None:
    """Mark superscript or subscript text unless it is only a link, which is clear enough."""
    _move_spaces_out(script)
    linked = "".join(link.text for link in script.find_all("a"))
    text = script.text.strip()
    if text and text != linked.strip():
        _enclose(script, *_SCRIPTS[script.tag])


def _enclose(element: Element, opening: str, closing: str) -> None:
    if element.text.strip():
        element.insert(0, Text(opening))
        element.append(Text(closing))


def _mark_emphasis(element: Element) -> None:
    _move_spaces_out(element)
    if element.text.strip() or element.find("img") is not None:
        opening, closing = _MARKS_OF[element.tag]
        element.insert(0, Text(opening))
        element.append(Text(closing))


def _move_spaces_out(element: Element) -> None:
    """Move the white space at the edges of an inline element out of it."""
    children = list(element.children)
    for child in children[:1]:
        if isinstance(child, Text) and child.data[:1].isspace():
            child.data = child.data.lstrip()
            element.insert_before(Text(" "))
    for child in children[-1:]:
        if isinstance(child, Text) and child.data[-1:].isspace():
            child.data = child.data.rstrip()
            element.insert_after(Text(" "))


def replace_inline_marks(marked: str) -> str:
    """Replace the marks in rendered Markdown by delimiters, or by nothing."""
    runs = _find_runs(marked)
    is_rejoined = any(stop - start > 1 for start, stop in runs)
    replaced = _REJOINED.sub("", marked) if is_rejoined else marked
    if _touch_wide(marked, runs):
        replaced = _WIDE_BEFORE_END.sub(r"\2\1", replaced)
        replaced = _WIDE_AFTER_START.sub(r"\2\1", replaced)
    replaced = replace_dollar_marks(replaced, _FORMULA[0] + _DISPLAY[0])
    if replaced is not marked:
        runs = _find_runs(replaced)
    if runs:
        replaced = _replace_emphasis(replaced, runs)
    if "`" in replaced:
        replaced = _LITERAL.sub(_format_literal, replaced)
    for mark, sign in _REPLACEMENTS.items():
        replaced = replaced.replace(mark, sign)
    return replaced


def _touch_wide(marked: str, runs: Sequence[tuple[int, int]]) -> bool:
    """Return whether a run of marks has wide punctuation on one side and a word on the other."""
    for start, stop in runs:
        before, after = marked[start - 1 : start], marked[stop : stop + 1]
        for sign, word in ((before, after), (after, before)):
            if sign in _WIDE_SIGNS and (word.isalnum() or word == "_"):
                return True
    return False


def _find_runs(marked: str) -> list[tuple[int, int]]:
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


def _replace_emphasis(marked: str, runs: list[tuple[int, int]]) -> str:
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
    return char in _REPLACEMENTS or unicodedata.category(char)[0] in "PS"


def _format_literal(found: re.Match[str]) -> str:
    """Write TeX between dollar signs, code between backticks (CommonMark 0.31.2, 6.1)."""
    mark, text = found[1], found[2]
    if mark == _FORMULA[0]:
        return f"${text}$"
    if mark == _DISPLAY[0]:
        return f"$${text}$$"
    runs = set(_BACKTICKS.findall(text))
    fence = "`"
    while fence in runs:
        fence += "`"
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"
