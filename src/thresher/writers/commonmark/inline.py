r"""A run of inline tokens as Markdown: escapes, code spans, links, images.

Signs are escaped only where Markdown would read them as markup (CommonMark 0.31.2, 2.4 and 6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from thresher.deadline import check_deadline
from thresher.writers.commonmark.signs import (
    LINE_SIGNS,
    MARKS,
    SPACES,
    escape_alt,
    escape_code,
    escape_dollars,
    escape_line_start,
    escape_words,
    format_title,
    format_url,
    is_plain,
    write_emphasis,
)
from thresher.writers.stream.events import (
    Box,
    Break,
    CodeSpan,
    FormulaText,
    InlineImage,
    LinkEnd,
    LinkStart,
    Reference,
    RunStart,
    Token,
)
from thresher.writers.stream.markup import AS_ELEMENTS, COLON, DOLLAR, EMPHASIS, STRONG, STRUCK

BREAK: Final = "\n"
"""A line break in a rendered run."""
_DEFINITION: Final = "\n: "
"""The beginning of a definition in a rendered run."""

_WIDE_SPACES: Final = re.compile("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""White space beyond ASCII."""
_NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"
_FLOWING_SPACES: Final = re.compile(r"[^\S\xa0]+")
_LONE_SPACE: Final = re.compile(r"(?<!\s)\xa0(?!\s)")
_TAGS: Final = tuple(
    (mark, f"<{slash}{tag}>")
    for tag, marks in AS_ELEMENTS.items()
    for mark, slash in zip(marks, ("", "/"), strict=True)
)
_ENDS: Final = frozenset((Break, LinkEnd))
"""Tokens at the edge of a line or a link."""
_OPENING_MARKS: Final = "".join(marks[0] for marks in (STRONG, EMPHASIS, STRUCK))
_CLOSING_MARKS: Final = frozenset(marks[1] for marks in (STRONG, EMPHASIS, STRUCK))
_OPENING: Final = frozenset("\"'(")
"""Signs that open words, in ASCII."""
_BACKTICKS: Final = re.compile("`+")
_TAG_START: Final = re.compile(r"<(?=[A-Za-z/!?])")
_SHOWN: Final = re.compile("https?://", re.ASCII | re.IGNORECASE)
"""What begins an address that all readers of `<…>` know as one."""
_NO_AUTOLINK: Final = re.compile(r"[\x00-\x20<>\x7f]|[/'\"]on[a-z]+=", re.ASCII | re.IGNORECASE)
"""What must not be in one: what ends it, and a handler for readers that take it for a tag."""
_IN_ADDRESS: Final = re.compile(
    rf":(?={MARKS}/{MARKS}/)|(w{MARKS}w{MARKS}w{MARKS})\.", re.IGNORECASE
)
"""The sign by which readers find an address in a text, whatever marks are left out there."""
_TEX_BRACE: Final = re.compile(r"(\\?)(?<! ) ++\{")
_TEX_CALL: Final = re.compile(r"\]\s*\(")


def render_run(
    tokens: Sequence[Token], *, mark: str = "", in_cell: bool = False, in_heading: bool = False
) -> str:
    """Render the tokens of a run; ``mark`` stands for the starts of runs."""
    if len(tokens) == 1 and type(tokens[0]) is str:
        # Most runs are one text, without signs to be escaped.
        text = tokens[0]
        # Python's white space has separators that HTML does not have (U+001C to U+001F).
        words = text.strip(SPACES) if text.isascii() else text.strip()
        is_ascii = words.isascii() or not (in_heading or DOLLAR in words or COLON in words)
        if is_ascii and words[:1] not in LINE_SIGNS and is_plain(words):
            return words
    starts = ""
    if mark:
        # Between a link and its text, the start of a run must not change how the link is written.
        rest = [token for token in tokens if type(token) is not RunStart]
        starts = mark * (len(tokens) - len(rest))
        tokens = rest
    codes = [token.text for token in tokens if type(token) is CodeSpan]
    writer = _Writer(in_cell=in_cell, in_heading=in_heading, codes=codes)
    text = ""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if type(token) is str:
            text += token
        else:
            if text:
                writer.put_text(text, token)
                text = ""
            check_deadline()
            place = writer.put_token(token, tokens, place)
    if text:
        writer.put_text(text, None)
    return starts + writer.finish()


class _Writer:
    """The text written so far, and what is owed to what follows: white space, or breaks."""

    def __init__(self, *, in_cell: bool, in_heading: bool, codes: Sequence[str]) -> None:
        self.in_cell, self.in_heading = in_cell, in_heading
        # Readers without tables take a row for a line of text.
        self.beside_code = in_cell or bool(codes)
        self.beside_tags = in_cell or any(map(_TAG_START.search, codes))
        self.parts: list[str] = []
        self.text_start = 0
        """The first of the parts since the last token that is not text."""
        self.owed = ""
        """A space, or as many breaks as are owed; not written at the end."""
        self.at_line = self.at_edge = True
        """Whether a line begins here, or a line or a link."""
        self.link_ends: list[str] = []
        """Closing syntax of the open links, innermost last."""
        self.has_formula = False

    def finish(self) -> str:
        text = "".join(self.parts)
        if text.isascii():  # marks are not
            return text
        if DOLLAR in text:
            text = escape_dollars(text, has_formula=self.has_formula)
        text = write_emphasis(text, begins_line=not (self.in_cell or self.in_heading))
        if any(marks[0] in text for marks in AS_ELEMENTS.values()):
            for mark, tag in _TAGS:
                text = text.replace(mark, tag)
        return text

    def _pay(self) -> None:
        """Write the white space or the breaks that are owed."""
        if self.owed == " ":
            if not self.at_edge:
                self.parts.append(" ")
        elif self.in_heading:
            self.parts.append("" if self.at_line else " ")
        elif self.in_cell:
            self.parts.append("<br>" * len(self.owed))
        else:
            first = "\\" if self.at_line else "  "
            self.parts.append(first + BREAK + f"\\{BREAK}" * (len(self.owed) - 1))
            self.at_line = True
        self.owed = ""
        self.at_edge = False

    def put(self, text: str) -> None:
        """Write Markdown."""
        if self.owed:
            self._pay()
        else:
            self._end_address()
        self.parts.append(text.replace("|", "\\|") if self.in_cell else text)
        self.at_line = self.at_edge = False

    def put_text(self, text: str, following: Token | None) -> None:
        """Write a text, its white space collapsed, and escaped."""
        if not text.isascii():
            if self.in_heading or text[0].isspace() or text[-1].isspace():
                text = self._trim_wide(text, following)
            if COLON in text:
                self._put_definitions(text)
                return
        words = text.strip(SPACES)
        if not words:
            if text and not self.owed:
                self.owed = " "
            return
        if not self.owed and text[0] in SPACES:
            self.owed = " "
        if self.owed:
            self._pay()
        if self.at_line and not (self.in_cell or self.in_heading):
            sign, words = escape_line_start(words)
            self.parts.append(sign)
        self.parts.append(
            escape_words(
                words,
                in_cell=self.in_cell,
                in_link=bool(self.link_ends),
                beside_code=self.beside_code,
            )
        )
        self.at_line = self.at_edge = False
        if text[-1] in SPACES:
            self.owed = " "

    def _put_definitions(self, text: str) -> None:
        """Write a term and its definitions, each on a line of its own."""
        for place, part in enumerate(text.split(COLON)):
            if place:
                self.parts.append(_DEFINITION)
                self.at_line = self.at_edge = True
                self.owed = ""
            if part:
                self.put_text(part, None)

    def _trim_wide(self, text: str, following: Token | None) -> str:
        """Return a text without white space beyond ASCII at the edges of its line."""
        if self.in_heading:
            text = _WIDE_SPACES.sub(" ", text)
        if (self.at_edge or self.owed[:1] == BREAK) and text[0].isspace():
            text = text.lstrip()
        if text[-1:].isspace() and (following is None or type(following) in _ENDS):
            text = f"{text.rstrip()} "
        return text

    def put_token(self, token: Token, tokens: Sequence[Token], place: int) -> int:
        """Write a token that is not text; return the place of the next."""
        if type(token) is LinkStart:
            if not self.owed and _begins_with_space(tokens, place):
                self.owed = " "
            end = 0 if token.title else _find_autolink_end(token.url, tokens, place)
            if end:
                self.put(f"<{token.url}>")
                return end
            self.open_link(token)
        elif type(token) is LinkEnd:
            self.close_link()
        else:
            begins = self.at_edge or self.owed[:1] == BREAK
            self.put_special(token)
            if begins and type(token) is InlineImage and _is_beside_words(token, tokens, place):
                self.owed = " "
        self.text_start = len(self.parts)
        return place

    def open_link(self, link: LinkStart) -> None:
        """Begin a link."""
        if self.owed:
            self._pay()
        else:
            self._end_address()
            if self.parts and self.parts[-1].endswith("!"):
                self.parts[-1] = f"{self.parts[-1][:-1]}\\!"
        self.parts.append("[")
        self.link_ends.append(f"]({format_url(link.url)}{format_title(link.title)})")
        self.at_line, self.at_edge = False, True

    def close_link(self) -> None:
        """End a link; white space at its end comes after it."""
        end = self.link_ends.pop()
        self.parts.append(end.replace("|", "\\|") if self.in_cell else end)
        self.at_line = self.at_edge = False

    def put_special(self, token: Token) -> None:
        if isinstance(token, Break):
            self.owed = BREAK if self.owed == " " else self.owed + BREAK
        elif isinstance(token, CodeSpan):
            self._put_code(token.text)
        elif isinstance(token, InlineImage):
            alt = escape_alt(token.alt, beside_code=self.beside_code)
            self.put(f"![{alt}]({format_url(token.url) or '<>'}{format_title(token.title)})")
        elif isinstance(token, FormulaText):
            self._put_formula(token)
        elif isinstance(token, Reference):
            self.put(f"[^{token.label}]")
        elif isinstance(token, Box):
            self.put("[x]" if token.is_checked else "[ ]")
            self.owed = " "

    def _put_code(self, text: str) -> None:
        words = " ".join(text.split())
        if _NO_BREAK_SPACE in text:
            words = _collapse_code(text)
        if text[:1].isspace() and not self.owed:
            self.owed = " "
        if not words:
            return
        runs = set(_BACKTICKS.findall(words))
        if (runs and self.beside_tags) or (
            self.in_cell and "|" in words and _TAG_START.search(words)
        ):
            # Some readers find other limits of such code, and markup in it or behind it.
            self.put(f"<code>{escape_code(words)}</code>")
        else:
            fence = "`"
            while fence in runs:
                fence += "`"
            padding = " " if words.startswith("`") or words.endswith("`") else ""
            self.put(f"{fence}{padding}{words}{padding}{fence}")
        if text[-1].isspace():
            self.owed = " "

    def _end_address(self) -> None:
        """Write an address that reaches up to here so that readers do not find it in the text.

        They would take what follows for a part of it: also a bracket, or a backtick of code.
        """
        text = "".join(self.parts[self.text_start :])
        start = max(map(text.rfind, SPACES)) + 1
        if _IN_ADDRESS.search(text, start):
            ended = _IN_ADDRESS.sub(_refer_to_sign, text[start:])
            self.parts[self.text_start :] = [text[:start], ended]

    def _put_formula(self, formula: FormulaText) -> None:
        """Write a formula, in which readers that know none must find no markup."""
        tex = _TAG_START.sub(r"\\lt ", " ".join(formula.tex.split()))
        tex = tex.replace("\\`", "\\grave ").replace("`", "\\lq ")
        check_deadline()
        tex = _TEX_CALL.sub("]{}(", tex)
        check_deadline()
        # A brace behind a space could begin attributes (Python-Markdown's `attr_list`).
        tex = _TEX_BRACE.sub(lambda brace: "\\ {}{" if brace[1] else "{", tex)
        sign = "$$" if formula.is_display else "$"
        self.put(f"{sign}{tex}{sign}")
        self.has_formula = True
        check_deadline()
        if _IN_ADDRESS.search(tex):
            self.owed = " "  # an address reaches up to white space


def _refer_to_sign(found: re.Match[str]) -> str:
    return f"{found[1]}&#46;" if found[1] else "&#58;"


def _collapse_code(text: str) -> str:
    """Return code with its white space collapsed, but for several no-break spaces that align it."""
    return _LONE_SPACE.sub(" ", _FLOWING_SPACES.sub(" ", text).strip())


def _begins_with_space(tokens: Sequence[Token], place: int) -> bool:
    following = tokens[place] or (tokens[place + 1] if place + 1 < len(tokens) else "")
    return type(following) is str and following[:1].isspace()


def _is_beside_words(image: InlineImage, tokens: Sequence[Token], place: int) -> bool:
    """Return whether words directly follow an image that is no initial: it floats beside them."""
    for token in islice(tokens, place, None):
        if type(token) is LinkEnd:
            continue
        if type(token) is not str or len(image.alt) == 1:
            return False
        if first := token.lstrip(_OPENING_MARKS)[:1]:
            opens = first.isalnum() or first in _OPENING
            return opens if first.isascii() else not first.isspace() and first not in _CLOSING_MARKS
    return False


def _find_autolink_end(url: str, tokens: Sequence[Token], place: int) -> int:
    """Return the place after a link, at whose text it is, if it shows its own address; else 0."""
    text = tokens[place]
    if type(text) is not str or not url.startswith(text[:1].replace(DOLLAR, "$")):
        return 0
    place += 1
    while place < len(tokens) and type(token := tokens[place]) is str and len(text) < len(url):
        text += token
        place += 1
    shows_url = text.replace(DOLLAR, "$") == url and type(tokens[place]) is LinkEnd
    if shows_url and _SHOWN.match(url) and not _NO_AUTOLINK.search(url):
        return place + 1
    return 0
