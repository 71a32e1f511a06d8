"""Escapes of signs that Markdown would read as markup (CommonMark 0.31.2, 2.4)."""

from __future__ import annotations

import re
from typing import Final

from thresher.deadline import watch

__all__ = [
    "LINE_SIGNS",
    "SPACES",
    "escape_alt",
    "escape_line_start",
    "escape_title",
    "escape_words",
    "format_url",
    "is_plain",
]

SPACES: Final = " \t\n\f\r"
"""White space that the flow of a text collapses; other spaces are characters of it."""
_SPACE_RUN: Final = re.compile("  +")
_LABEL: Final = r"\[(?![\^!]|[ xX]?\])[^\\`\[\]~*_<&|]*\](?![(:\]\uf000-\U0010ffff])"
"""A text in brackets that stays as it is, "[laughs]": it has no address (6.6), neither defines one
(4.7) nor names a note, an alert or a box of a task, and no mark of the stream follows it."""
_SIGN: Final = (
    r"([\\`\[\]~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|(?<![\t\n\f\r ])\*|\*(?![\t\n\f\r ])"
    r"|<(?![\t\n\f\r ])|&(?=(?:#[xX]?)?[A-Za-z0-9]+;))"
)
"""Signs to be escaped: no underscore inside a word, no asterisk between spaces (6.2)."""
_SIGN_IN_CELL: Final = _SIGN.replace("~]", "~|]")
_ESCAPED: Final = {
    "text": re.compile(f"{_LABEL}|{_SIGN}"),
    "cell": re.compile(f"{_LABEL}|{_SIGN_IN_CELL}"),
    "link": re.compile(_SIGN),
    "link in a cell": re.compile(_SIGN_IN_CELL),
}
"""Where a text stands → signs to be escaped, or what stays as it is."""
_REFERENCE: Final = re.compile(r"&(?=(?:#[xX]?)?[A-Za-z0-9]+;)|\\")
LINE_SIGNS: Final = frozenset("#>-+=0123456789")
"""Signs that may begin a block at the start of a line."""
_LINE_NUMBER: Final = re.compile(r"([0-9]+)([.)])")
_HARMLESS: Final = re.compile(r"\d{1,9}[.)]\w|[-+]+\w|#+\w")
"""Signs that would begin a list or a heading only if white space followed (CommonMark 0.31.2, 4.2,
5.2)."""


def escape_words(words: str, *, in_cell: bool, in_link: bool = False) -> str:
    """Return words with their white space collapsed, and escaped."""
    if is_plain(words):
        return words
    place = ("link in a cell" if in_cell else "link") if in_link else "cell" if in_cell else "text"
    # One pattern that matches all of them takes ten times as long on a text of short lines.
    for space in SPACES:
        words = words.replace(space, " ")
    return _escape(_SPACE_RUN.sub(" ", words), _ESCAPED[place])


def escape_alt(alt: str) -> str:
    """Return an alternative text, escaped."""
    return _escape(alt, _ESCAPED["link"])


def _escape(text: str, pattern: re.Pattern[str]) -> str:
    """Put a backslash before each sign that a pattern finds."""
    parts: list[str] = []
    done = 0
    for found in watch(pattern.finditer(text)):
        if found[1]:
            parts += text[done : found.start()], "\\"
            done = found.start()
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
    if "&" in url or "\\" in url:
        url = _REFERENCE.sub(r"\\\g<0>", url)
    if "(" in url or ")" in url:
        depth = 0
        for char in url:
            depth += (char == "(") - (char == ")")
            if depth < 0:
                break
        if depth:
            url = url.replace("(", "\\(").replace(")", "\\)")
    return url


def escape_title(title: str) -> str:
    """Escape the signs that would end a title, or be read as a character reference."""
    if "&" in title or "\\" in title:
        title = _REFERENCE.sub(r"\\\g<0>", title)
    return title.replace('"', '\\"')
