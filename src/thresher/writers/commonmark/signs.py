"""Signs of Markdown: escaped where it would read a text as markup, written where it reads them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from thresher.deadline import watch
from thresher.support.late import compile_late
from thresher.writers.stream.markup import AS_ELEMENTS, DOLLAR, EMPHASIS, STRONG, STRUCK

# -- escapes -----------------------------------------------------------------------------------
#
# What could become a tag or a character reference is written as a reference (2.5), and not with a
# backslash: several readers know no `\<`, and those that find addresses in the text take a
# backslash behind one for a part of it, so that the sign after it is markup again.

SPACES: Final = " \t\n\f\r"
"""White space that the flow of a text collapses; other spaces are characters of it."""
_SPACE_RUN: Final = re.compile("  +")
MARKS: Final = f"[{''.join(STRONG + EMPHASIS + STRUCK)}]*"
"""Marks between two signs that could be left out, as a pattern."""
_LABEL: Final = (
    r"\[(?![\^!]|[ xX]?\])[^\\`\[\]~*_<&|{]*\]"
    rf"(?!{MARKS}+(?:[:\]]| ?[(\uf000-\U0010ffff]))"
)
"""A text in brackets that stays as it is, "[laughs]": it has no address (6.6; some readers allow a
space before one), neither defines one (4.7) nor names a note, an alert or a box of a task, and no
mark of the stream follows it but those of emphasis."""
_REFERENCE: Final = r"&(?=#[xX]?[A-Za-z0-9]+;|[A-Za-z0-9]{2,};)"
"""What could begin a character reference, of which none has a name of one letter."""
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
_CALLED: Final = re.compile(rf"\\\](?={MARKS}\()")
"""The middle of a link, for readers that know no escape behind their own signs."""
_SIGN_IN_TITLE: Final = {
    '"': re.compile(rf'([<`"\\]|{_REFERENCE}|(?<=\])\()'),
    "'": re.compile(rf"([<`\\]|{_REFERENCE}|(?<=\])\()"),
}
"""Quotation marks around a title → signs to be escaped in it."""
_SIGN_IN_URL: Final = re.compile(rf"(\\|{_REFERENCE})")
_SIGN_IN_UNBALANCED_URL: Final = re.compile(rf"([\\()]|{_REFERENCE})")
_MAY_BE_SIGN: Final = re.compile(r'[\\`\[\]~|_*<&{"()]')
"""Where any of these patterns may match: a search for one of some characters is fast."""
_SIGN_IN_CODE: Final = re.compile(r"[\\`*_\[\]{}~|$<&:]")
LINE_SIGNS: Final = frozenset("#>-+=0123456789")
"""Signs that may begin a block at the start of a line."""
_NOT_PLAIN: Final = ("  ", *"*_[]<{&`~\\|\n\t\r\f")
"""Of these, each text with something to be escaped or collapsed has one."""
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
    done = reached = 0
    for place in watch(_MAY_BE_SIGN.finditer(text)):
        if place.start() < reached or not (match := pattern.match(text, place.start())):
            continue
        reached = match.end()
        if sign := match[1]:
            parts += text[done : match.start()], references.get(sign) or f"\\{sign}"
            done = reached
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
    """Return whether words have nothing to be escaped or collapsed, as most.

    Searching for a character takes a small fraction of a pattern's time.
    """
    return not any(map(words.__contains__, _NOT_PLAIN))


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
    if not title:
        return ""
    mark = "'" if '"' in title and "'" not in title else '"'
    return f" {mark}{_escape(title, _SIGN_IN_TITLE[mark], _IN_ATTRIBUTE)}{mark}"


def escape_code(words: str) -> str:
    """Escape what Markdown would read as markup in an element ``code``."""
    return _SIGN_IN_CODE.sub(lambda sign: f"&#{ord(sign[0])};", words)


# -- dollar signs ------------------------------------------------------------------------------
#
# Readers that support formulas (Pandoc, GitHub, Obsidian, markdown-it) open one at a `$` followed
# by a character other than white space, and close it at a `$` that follows such a character and
# is not followed by a digit. So "from $5 to $10" contains no formula and stays unchanged, but "$5
# or 10$" would be one. In a paragraph that contains a formula, and in runs of several dollar
# signs, all are escaped: readers differ on these cases, and one unescaped sign too many would
# turn formulas inside out. Jupyter's reader, which would also read the first example as a
# formula, is ignored: supporting it would make all prices ugly for every other reader.

_DOLLARS: Final = re.compile(f"{DOLLAR}+")
_OPENING: Final = re.compile(r"\$(?=\S)")
_CLOSING: Final = re.compile(r"(?<=\S)\$(?!\d)")


def escape_dollars(text: str, *, has_formula: bool) -> str:
    """Replace the marks of literal dollar signs in a paragraph, escaped where that is needed."""
    if has_formula:
        return text.replace(DOLLAR, r"\$")
    if "$" not in text and text.count(DOLLAR) == 1:
        return text.replace(DOLLAR, "$")  # nothing can close the formula
    # URLs contain dollar signs too, at which a formula could close.
    plain = text.replace(DOLLAR, "$")
    last = max((match.start() for match in _CLOSING.finditer(plain)), default=-1)

    def format_run(run: re.Match[str]) -> str:
        place = run.start()
        opens = _OPENING.match(plain, place) and place + 1 < last
        n_sign = run.end() - place
        return r"\$" * n_sign if opens or n_sign > 1 else "$"

    return _DOLLARS.sub(format_run, text)


# -- emphasis ----------------------------------------------------------------------------------
#
# Whether `**` and `*` are delimiters depends on their neighbours (CommonMark 0.31.2, 6.2): not
# next to white space inside, and with punctuation inside only next to white space or punctuation
# outside. Chinese and Japanese text, and pages that put a bold "Note:" directly before a word,
# often break these rules; there the text is written without delimiters.

_SIGN_OF: Final = {STRONG: "**", EMPHASIS: "*", STRUCK: "~~"}
_OPENING_MARKS: Final = frozenset(opening for opening, _ in _SIGN_OF)
_CLOSING_MARKS: Final = frozenset(closing for _, closing in _SIGN_OF)
_MARK_RUN: Final = re.compile("[\ufdd0-\ufdd5]+")
_REJOINED: Final = re.compile("\ufdd1\ufdd0|\ufdd3\ufdd2|\ufdd5\ufdd4")
"""A closing mark directly before an opening mark of the same kind."""
_WIDE: Final = "、。，．！？：；…—“”‘’「」『』（）《》〈〉【】〔〕・～"
"""Punctuation of Chinese and Japanese, which have no spaces beside it; never escaped."""
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
    r"#{1,6}(?=[ \n]|$)|[-+>](?=[ \n]|$)|>|\d{1,9}(?=[.)](?:[ \n\ufdd0-\ufdd5]|$))", re.MULTILINE
)
"""A text whose first characters would start a block without the mark before them."""


def write_emphasis(marked: str, *, begins_line: bool) -> str:
    """Replace the marks of emphasis in a paragraph by delimiters, or by nothing.

    ``begins_line`` says whether the paragraph begins its line, where signs could begin a block.
    """
    if not _MARK_RUN.search(marked):
        return marked
    # Emphasis that ends where the same begins is one, and wide punctuation moves out of it.
    joined = _REJOINED.sub("", marked)
    joined = _WIDE_BEFORE_END.sub(r"\2\1", joined)
    joined = _WIDE_AFTER_START.sub(r"\2\1", joined)
    runs = [run.span() for run in _MARK_RUN.finditer(joined)]
    signs = _pair_marks(joined, runs)
    parts: list[str] = []
    done = 0
    for start, stop in runs:
        parts.append(joined[done:start])
        written = "".join([signs.get(place, "") for place in range(start, stop)])
        done = stop
        if written:
            parts.append(written)
        elif (
            (begins_line if not start else joined[start - 1] in "\n ")
            and _LINE_START.fullmatch(joined, joined.rfind("\n", 0, start) + 1, start)
            and (begins_line or "\n" in joined[:start])
            and (block_start := _BLOCK_START.match(joined, stop))
        ):
            # Without the mark, the text would begin a block.
            digits = block_start[0] if block_start[0].isdigit() else ""
            parts.append(f"{digits}\\")
            done += len(digits)
    parts.append(joined[done:])
    return "".join(parts)


def _pair_marks(marked: str, runs: list[tuple[int, int]]) -> dict[int, str]:
    """Return the delimiters of the pairs of marks that would both be read as such, by place."""
    delimiters = _find_delimiters(marked, runs)
    signs: dict[int, str] = {}
    waiting: list[int] = []
    for start, stop in runs:
        for place in range(start, stop):
            mark = marked[place]
            if mark in _OPENING_MARKS:
                waiting.append(place)
                continue
            opened = waiting.pop() if waiting else -1
            if opened in delimiters and place in delimiters:
                signs[opened] = signs[place] = _SIGN_OF[marked[opened], mark]
    return signs


def _find_delimiters(marked: str, runs: list[tuple[int, int]]) -> set[int]:
    places: set[int] = set()
    for start, stop in runs:
        before = marked[start - 1] if start else ""
        after = marked[stop] if stop < len(marked) else ""
        closing = sum(map(_CLOSING_MARKS.__contains__, marked[start:stop]))
        # Where one ends and another starts no delimiter separates them: the first stays.
        inner, outer = (before, after) if closing else (after, before)
        # Most are next to letters, which is fast to check.
        if not inner.isalnum():
            if _is_space(inner):
                continue
            if _is_punctuation(inner) and not (_is_space(outer) or _is_punctuation(outer)):
                continue
        places.update(range(start, start + closing if closing else stop))
    return places


def _is_space(char: str) -> bool:
    return not char or char.isspace()


def _is_punctuation(char: str) -> bool:
    return char in _SCRIPT_MARKS or unicodedata.category(char)[0] in "PS"
