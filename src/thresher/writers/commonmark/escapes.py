r"""Escapes of signs that Markdown would read as markup (CommonMark 0.31.2, 2.4).

What could become a tag or a character reference is written as a reference (2.5), and not with a
backslash: several readers know no `\<`, and those that find addresses in the text take a backslash
behind one for a part of it, so that the sign after it is markup again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from thresher.deadline import watch
from thresher.writers.stream.marks import EMPHASIS, STRONG, STRUCK

__all__ = [
    "LINE_SIGNS",
    "MARKS",
    "SPACES",
    "escape_alt",
    "escape_code",
    "escape_line_start",
    "escape_words",
    "format_title",
    "format_url",
    "is_plain",
]

SPACES: Final = " \t\n\f\r"
"""White space that the flow of a text collapses; other spaces are characters of it."""
_SPACE_RUN: Final = re.compile("  +")
_LABEL: Final = r"\[(?![\^!]|[ xX]?\])[^\\`\[\]~*_<&|{]*\](?![:\]]| ?[(\uf000-\U0010ffff])"
"""A text in brackets that stays as it is, "[laughs]": it has no address (6.6; some readers allow a
space before one), neither defines one (4.7) nor names a note, an alert or a box of a task, and no
mark of the stream follows it."""
_REFERENCE: Final = r"&(?=(?:#[xX]?)?[A-Za-z0-9]+;)"
_SIGN: Final = (
    r"([\\`\[\]~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<![\t\n\f\r ])\*|\*(?![\t\n\f\r ])"
    rf"|<(?![\t\n\f\r ]|[0-9=][A-Za-z0-9=.%]*[\t\n\f\r ,;:)])|{_REFERENCE}"
    r"|\{(?!\{?[^{}=]*\}))"
)
"""Signs to be escaped: no underscore inside a word, no asterisk between spaces (6.2), no sign of
less before a number that begins no address (6.5), no braces without a value between them (with one
they set an attribute of what is before them in Python-Markdown's `attr_list`)."""
_SIGN_IN_CELL: Final = _SIGN.replace("~]", "~|]")
_ESCAPED: Final = {
    "text": re.compile(f"{_LABEL}|{_SIGN}"),
    "cell": re.compile(f"{_LABEL}|{_SIGN_IN_CELL}"),
    "link": re.compile(_SIGN),
    "link in a cell": re.compile(_SIGN_IN_CELL),
}
"""Where a text stands → signs to be escaped, or what stays as it is."""
_BY_REFERENCE: Final = {"<": "&lt;", "&": "&amp;"}
"""Signs that no backslash precedes, and how they are written."""
_BESIDE_CODE: Final = {**_BY_REFERENCE, "`": "&#96;", "\\": "&#92;"}
"""The same beside code, whose limits some readers would mistake."""
_IN_ATTRIBUTE: Final = {**_BESIDE_CODE, '"': "&quot;", "(": "&#40;", ")": "&#41;"}
"""The same in addresses and titles, where some readers know no escapes."""
MARKS: Final = f"[{''.join(STRONG + EMPHASIS + STRUCK)}]*"
"""Marks between two signs that could be left out, as a pattern."""
_CALLED: Final = re.compile(rf"\\\](?={MARKS}\()")
"""The middle of a link, for readers that know no escape behind their own signs."""
_SIGN_IN_TITLE: Final = re.compile(rf'([<`"\\]|{_REFERENCE}|(?<=\])\()')
_SIGN_IN_URL: Final = re.compile(rf"(\\|{_REFERENCE})")
_SIGN_IN_UNBALANCED_URL: Final = re.compile(rf"([\\()]|{_REFERENCE})")
_SIGN_IN_CODE: Final = re.compile(r"[\\`*_\[\]{}~|$<&:]")
LINE_SIGNS: Final = frozenset("#>-+=0123456789")
"""Signs that may begin a block at the start of a line."""
_LINE_NUMBER: Final = re.compile(r"([0-9]+)([.)])")
_HARMLESS: Final = re.compile(r"\d{1,9}[.)]\w|[-+]+\w|#+\w")
"""Signs that would begin a list or a heading only if white space followed (CommonMark 0.31.2, 4.2,
5.2)."""


def escape_words(
    words: str, *, in_cell: bool, in_link: bool = False, beside_code: bool = False
) -> str:
    """Return words with their white space collapsed, and escaped."""
    if is_plain(words):
        return words
    place = ("link in a cell" if in_cell else "link") if in_link else "cell" if in_cell else "text"
    # One pattern that matches all of them takes ten times as long on a text of short lines.
    for space in SPACES:
        words = words.replace(space, " ")
    return _escape_text(_SPACE_RUN.sub(" ", words), _ESCAPED[place], beside_code=beside_code)


def escape_alt(alt: str, *, beside_code: bool) -> str:
    """Return an alternative text, escaped."""
    return _escape_text(alt, _ESCAPED["link"], beside_code=beside_code)


def _escape_text(text: str, pattern: re.Pattern[str], *, beside_code: bool) -> str:
    escaped = _escape(text, pattern, _BESIDE_CODE if beside_code else _BY_REFERENCE)
    return _CALLED.sub("&#93;", escaped) if "(" in escaped and "]" in escaped else escaped


def _escape(text: str, pattern: re.Pattern[str], references: Mapping[str, str]) -> str:
    """Write each sign that a pattern finds as a reference, or with a backslash."""
    parts: list[str] = []
    done = 0
    for found in watch(pattern.finditer(text)):
        if sign := found[1]:
            parts += text[done : found.start()], references.get(sign) or f"\\{sign}"
            done = found.end()
    return "".join(parts) + text[done:] if parts else text


def escape_line_start(words: str) -> tuple[str, str]:
    """Return the sign that would begin a block, escaped, if there is one, and the other words."""
    if words[0] not in LINE_SIGNS or _HARMLESS.match(words):
        return "", words
    number = _LINE_NUMBER.match(words)
    if number:
        return f"{number[1]}\\{number[2]}", words[number.end() :]
    if words[0].isdecimal():
        return "", words
    return f"\\{words[0]}", words[1:]


def is_plain(words: str) -> bool:
    """Return whether words have nothing to be escaped or collapsed.

    Most have not, and searching for a character takes a small fraction of a pattern's time.
    """
    return not (
        "\n" in words
        or "  " in words
        or "*" in words
        or "_" in words
        or "[" in words
        or "]" in words
        or "<" in words
        or "{" in words
        or "&" in words
        or "`" in words
        or "~" in words
        or "\\" in words
        or "|" in words
        or "\t" in words
        or "\r" in words
        or "\f" in words
    )


def format_url(url: str) -> str:
    """Format a link destination (CommonMark 0.31.2, 6.3)."""
    if "(" in url or ")" in url:
        depth = 0
        for char in url:
            depth += (char == "(") - (char == ")")
            if depth < 0:
                break
        if depth or "](" in url:
            return _escape(url, _SIGN_IN_UNBALANCED_URL, _IN_ATTRIBUTE)
    if "&" in url or "\\" in url:
        return _escape(url, _SIGN_IN_URL, _IN_ATTRIBUTE)
    return url


def format_title(title: str) -> str:
    """Return the title of a link or image as it stands behind the address; "" if it has none."""
    return f' "{_escape(title, _SIGN_IN_TITLE, _IN_ATTRIBUTE)}"' if title else ""


def escape_code(words: str) -> str:
    """Escape what Markdown would read as markup in an element ``code``."""
    return _SIGN_IN_CODE.sub(lambda sign: f"&#{ord(sign[0])};", words)
