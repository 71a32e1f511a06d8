"""The body of a TEI text, from the tags and texts of a fragment.

TEI restricts where each element may occur, and HTML is more permissive. So every open element has a
`Kind` that describes what it accepts; what does not fit is put into an element that does: loose
text into a paragraph, a block into the item or cell that its list or row needs. Inside paragraphs,
blocks keep only their texts, separated by line breaks. Headings of the text itself open divisions,
nested by level.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from thresher.deadline import check_deadline
from thresher.support.xml import format_attribute, format_text
from thresher.writers.math.formulas import TEX
from thresher.writers.math.tex import drop_tex_links
from thresher.writers.shared.note_marks import NoteLinks, is_mark
from thresher.writers.stream.events import HEADING_LEVELS, Attributes
from thresher.writers.stream.markup import (
    clean_link_url,
    clean_url,
    read_attributes,
    read_language,
    read_markup,
)

# -- elements ----------------------------------------------------------------------------------


class Kind(Enum):
    """The content that an element accepts."""

    DIVISION = auto()
    """Blocks, followed by divisions."""
    FLOW = auto()
    """Blocks."""
    MIXED = auto()
    """Blocks and text."""
    TEXT = auto()
    """Text and inline elements."""
    LIST = auto()
    GLOSSES = auto()
    """Labels and items, alternating."""
    TABLE = auto()
    ROW = auto()


INLINE: Final = {
    "a": "ref",
    "abbr": "abbr",
    "b": 'hi rend="bold"',
    "cite": 'hi rend="cite"',
    "code": "code",
    "del": "del",
    "dfn": "term",
    "em": 'hi rend="italic"',
    "i": 'hi rend="italic"',
    "ins": "add",
    "kbd": "code",
    "mark": 'hi rend="highlight"',
    "q": "q",
    "s": "del",
    "samp": "code",
    "small": 'hi rend="small"',
    "strong": 'hi rend="bold"',
    "sub": 'hi rend="subscript"',
    "sup": 'hi rend="superscript"',
    "time": "date",
    "u": 'hi rend="underline"',
    "var": 'hi rend="italic"',
}
"""Inline element of HTML → of TEI; of others only the text is written."""
BLOCKS: Final = {
    "blockquote": ("quote", Kind.FLOW),
    "dl": ('list type="gloss"', Kind.GLOSSES),
    "figure": ("figure", Kind.FLOW),
    **{name: (f'ab type="head" subtype="{name}"', Kind.TEXT) for name in HEADING_LEVELS},
    "ol": ('list rend="numbered"', Kind.LIST),
    "p": ("p", Kind.TEXT),
    "summary": ('p rend="summary"', Kind.TEXT),
    "table": ("table", Kind.TABLE),
    "ul": ('list rend="bulleted"', Kind.LIST),
}
"""Block of HTML → of TEI, and the content it accepts. The headings are those in quotes, items and
cells."""
PARTS: Final = {
    "caption": (Kind.TABLE, "head", Kind.TEXT),
    "dd": (Kind.GLOSSES, "item", Kind.MIXED),
    "dt": (Kind.GLOSSES, "label", Kind.TEXT),
    "figcaption": (Kind.FLOW, "head", Kind.TEXT),
    "li": (Kind.LIST, "item", Kind.MIXED),
    "td": (Kind.ROW, "cell", Kind.MIXED),
    "th": (Kind.ROW, 'cell role="label"', Kind.MIXED),
    "tr": (Kind.TABLE, "row", Kind.ROW),
}
"""Part of HTML → the element it must be in, its name in TEI, the content it accepts."""
NEEDED: Final = {
    Kind.LIST: ("item", Kind.MIXED),
    Kind.GLOSSES: ("item", Kind.MIXED),
    Kind.TABLE: ("row", Kind.ROW),
    Kind.ROW: ("cell", Kind.MIXED),
    Kind.FLOW: ("p", Kind.TEXT),
    Kind.DIVISION: ("p", Kind.TEXT),
}
"""The element needed around text that an element does not accept."""
EMPTY: Final = {
    Kind.LIST: "<item/>",
    Kind.GLOSSES: "<label/><item/>",
    Kind.TABLE: "<row><cell/></row>",
    Kind.ROW: "<cell/>",
    Kind.FLOW: "<p/>",
    Kind.DIVISION: "<p/>",
}
"""Content of an element that would be empty but must not be."""


# -- attributes and formulas -------------------------------------------------------------------

DATE: Final = re.compile(
    r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])"
    r"(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d)?)?)?)?"
)
"""Dates valid in TEI (W3C XML Schema Part 2, 3.2.7 to 3.2.11), with four-digit years."""
LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")

_ATTRIBUTED: Final = frozenset(("a", "td", "th", "time"))
"""Elements with attributes that TEI has; the language can be that of any element."""


def format_attributes(tag: str, attributes: Attributes) -> str:
    """Format the attributes of an element that TEI has too."""
    if not attributes:
        return ""
    formatted = ""
    language = attributes.get("lang", "")
    if LANGUAGE.fullmatch(language):
        formatted += format_attribute("xml:lang", language)
    if tag == "a":
        formatted += format_attribute("target", attributes["href"])
    if tag == "time" and DATE.fullmatch(when := attributes.get("datetime", "").strip()):
        formatted += format_attribute("when", when)
    if tag in ("td", "th"):
        for name, ours in (("colspan", "cols"), ("rowspan", "rows")):
            count = attributes.get(name, "").strip()
            if count.isascii() and count.isdigit() and 1 < int(count[:9]) <= 65534:
                formatted += format_attribute(ours, str(int(count)))
    return formatted


class _FormulaReader:
    """The content of a `math` element."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._tex = ""
        self._start = -1
        """Index of the first text of the annotation that is open."""

    def open(self, tag: str, attributes: str) -> None:
        """Begin an element in the formula."""
        if tag == "annotation":
            is_tex = read_attributes(attributes).get("encoding") == TEX
            self._start = len(self.texts) if is_tex else -1

    def close(self, tag: str) -> None:
        """End an element in the formula."""
        if tag == "annotation" and self._start >= 0:
            tex = "".join(self.texts[self._start :])
            self._tex = self._tex or drop_tex_links(tex).strip()
            self._start = -1

    def format(self) -> str:
        """Return a `formula`: its annotated TeX, otherwise its text."""
        if self._tex:
            return f'<formula notation="TeX">{format_text(" ".join(self._tex.split()))}</formula>'
        return f"<formula>{format_text(drop_tex_links(''.join(self.texts)))}</formula>"


# -- the body ----------------------------------------------------------------------------------

_RULE: Final = '<milestone unit="section" rend="rule"/>\n'
_IN_LINE: Final = (Kind.MIXED, Kind.TEXT)
_WITH_BLOCKS: Final = (Kind.DIVISION, Kind.FLOW, Kind.MIXED)
_WRAPPERS: Final = frozenset(("details", "tbody", "tfoot", "thead"))
"""Elements of which only the content is written, and which no open line or block continues into."""
_BREAKING: Final = frozenset((*BLOCKS, *PARTS))
_EMPTY_TAGS: Final = frozenset(("br", "hr", "img", "input"))


@dataclass(slots=True)
class _Open:
    """An open TEI element."""

    name: str
    kind: Kind
    level: int = 0
    """Of a division, that of its heading."""
    is_implied: bool = False
    """Whether it was opened because the content needed it; it ends at the first thing that does not
    fit."""
    n_child: int = 0
    before: str = ""
    """The last child."""


def write_body(markup: str, base: str | None = None, *, tracking: bool = False) -> str:
    """Write a fragment as the `body` of a TEI text; its links are resolved on ``base`` if known.

    With ``tracking`` links keep their tracking parameters.
    """
    return _BodyWriter(base, tracking=tracking).write(markup)


class _BodyWriter:
    """The body written so far, and its open elements."""

    def __init__(self, base: str | None, *, tracking: bool) -> None:
        self._base, self._tracking = base, tracking
        self._parts: list[str] = []
        self._open: list[_Open] = []
        self._tags: list[tuple[str, int | None]] = []
        """The open elements of the fragment, and how many were open here before each; None for
        those without an equivalent."""
        self._formula: _FormulaReader | None = None
        self._code: list[str] | None = None
        self._language = ""
        self._notes = NoteLinks()

    def write(self, markup: str) -> str:
        self._begin("body", Kind.DIVISION)
        for name, value in read_markup(markup):
            if not name:
                self._put_text(value)
            elif name[0] == "/":
                self._put_end(name[1:])
            else:
                self._put_start(name, value)
        self._end_to(0)
        return "".join(self._parts)

    # -- tags and texts -------------------------------------------------------------------------

    def _put_text(self, text: str) -> None:
        if self._formula is not None:
            self._formula.texts.append(text)
        elif self._code is not None:
            self._code.append(text)
        elif self._open[-1].kind in _IN_LINE or text.strip():
            check_deadline()
            self._need(_IN_LINE)
            self._add(format_text(text))

    def _put_start(self, tag: str, attributes: str) -> None:
        if self._formula is not None:
            self._formula.open(tag, attributes)
        elif self._code is not None:
            if tag == "code" and attributes and not self._code:
                self._language = read_language(attributes)
        elif tag in _EMPTY_TAGS:
            self._put_empty(tag, attributes)
        elif tag == "math":
            self._formula = _FormulaReader()
        elif tag == "pre":
            self._code = []
        else:
            self._tags.append((tag, self._begin_tag(tag, attributes)))

    def _put_end(self, tag: str) -> None:
        if self._formula is not None:
            if tag == "math":
                self._need(_IN_LINE)
                self._add(self._formula.format())
                self._formula = None
            else:
                self._formula.close(tag)
        elif self._code is not None:
            if tag == "pre":
                self._put_code("".join(self._code))
                self._code, self._language = None, ""
        else:
            self._end_tag(tag)

    def _end_tag(self, tag: str) -> None:
        tags = self._tags
        if tags and (tags[-1][0] == tag or any(name == tag for name, _ in tags)):
            ended = ""
            while ended != tag:
                ended, depth = tags.pop()
                if depth is not None:
                    self._end_to(depth)

    def _put_empty(self, tag: str, attributes: str) -> None:
        if tag == "br":
            self._need(_IN_LINE)
            self._add("<lb/>")
        elif tag == "hr":
            if self._open[-1].is_implied:
                self._end()
            if self._open[-1].kind in _WITH_BLOCKS:
                self._add(_RULE)
        elif tag == "img":
            if self._open[-1].name != "figure":
                self._need(_IN_LINE)
            given = read_attributes(attributes)
            alt = given.get("alt", "")
            inside = f"<desc>{format_text(alt)}</desc>" if alt.strip() else ""
            url = clean_url(given.get("src", ""), self._base) or ""
            place = format_attribute("url", url)
            self._add(f"<graphic{place}>{inside}</graphic>" if inside else f"<graphic{place}/>")

    def _put_code(self, text: str) -> None:
        lang = format_attribute("lang", self._language) if self._language else ""
        markup = f'<code{lang} xml:space="preserve">{format_text(text)}</code>'
        self._break_line()
        self._need((*_WITH_BLOCKS, Kind.TEXT))
        if self._open[-1].kind is Kind.TEXT:
            self._add(markup)
        else:
            self._add(f"<p>{markup}</p>\n")

    def _begin_tag(self, tag: str, markup: str) -> int | None:
        """Open the TEI equivalent of an element; return how many were open, None if it has none."""
        has_attributes = markup and (tag in _ATTRIBUTED or "lang=" in markup)
        attributes = read_attributes(markup) if has_attributes else {}
        if tag in INLINE:
            if tag == "a" and not self._link(attributes):
                return None
            self._need(_IN_LINE)
            depth = len(self._open)
            self._begin(INLINE[tag], Kind.TEXT, format_attributes(tag, attributes))
            return depth
        if tag in _BREAKING:
            self._break_line()
        elif tag not in _WRAPPERS:
            return None
        depth = len(self._open)
        if tag in PARTS:
            around, name, kind = PARTS[tag]
            if self._takes_part(around, tag):
                self._pair(name)
                self._begin(name, kind, format_attributes(tag, attributes))
        elif tag in BLOCKS:
            if self._open[-1].kind is Kind.DIVISION and tag in HEADING_LEVELS:
                return self._begin_division(HEADING_LEVELS[tag])
            self._need((*_WITH_BLOCKS, Kind.TEXT))
            if self._open[-1].kind is not Kind.TEXT:
                self._begin(*BLOCKS[tag], format_attributes(tag, attributes))
        return depth

    def _link(self, attributes: Attributes) -> bool:
        """Make the address of a link absolute; return False if it has none that is safe."""
        if is_mark(note := attributes.get("id", "")):
            attributes |= self._notes.attributes_of(note)
            return True
        href = attributes.get("href", "")
        url = href.strip() and clean_link_url(href, self._base, tracking=self._tracking)
        attributes["href"] = url or ""
        return bool(url)

    def _takes_part(self, around: Kind, tag: str) -> bool:
        """Return whether the innermost open element accepts a part as such."""
        top = self._open[-1]
        if tag == "figcaption":
            return top.name == "figure"
        return top.kind is around and not (tag == "caption" and top.n_child)

    def _begin_division(self, level: int) -> int:
        """Open a division with its heading, after closing those that cannot contain it."""
        while self._open[-1].level >= level:
            self._end()
        self._begin("div", Kind.DIVISION)
        self._open[-1].level = level
        depth = len(self._open)
        self._begin(f'head rend="h{level}"', Kind.TEXT)
        return depth

    # -- what must be open ----------------------------------------------------------------------

    def _need(self, kinds: tuple[Kind, ...]) -> None:
        """Open elements until the innermost is of one of these kinds."""
        while self._open[-1].kind not in kinds:
            name, kind = NEEDED[self._open[-1].kind]
            self._pair(name)
            self._begin(name, kind)
            self._open[-1].is_implied = True

    def _break_line(self) -> None:
        """Close implied elements, and separate what is written into one line from what follows."""
        while self._open[-1].is_implied:
            self._end()
        top = self._open[-1]
        if top.kind is Kind.TEXT and top.n_child and not self._parts[-1].endswith("<lb/>"):
            self._add("<lb/>")

    def _pair(self, name: str) -> None:
        """In a list of glosses, ensure that labels and items alternate."""
        top = self._open[-1]
        if top.kind is Kind.GLOSSES:
            if name == "label" and top.before == "label":
                self._add("<item/>")
            elif name == "item" and top.before != "label":
                self._add("<label/>")

    # -- writing --------------------------------------------------------------------------------

    def _add(self, markup: str) -> None:
        self._parts.append(markup)
        self._open[-1].n_child += 1

    def _begin(self, start: str, kind: Kind, attributes: str = "") -> None:
        name = start.partition(" ")[0]
        if self._open:
            self._open[-1].n_child += 1
            self._open[-1].before = name
        self._parts.append(f"<{start}{attributes}>")
        self._open.append(_Open(name, kind))

    def _end(self) -> None:
        top = self._open.pop()
        if top.kind is Kind.GLOSSES and top.before == "label":
            self._parts.append("<item/>")
        if not top.n_child:
            self._parts.append(EMPTY.get(top.kind, ""))
        in_line = self._open and self._open[-1].kind in _IN_LINE and top.kind is Kind.TEXT
        line_end = "" if in_line and top.name not in ("p", "ab") else "\n"
        self._parts.append(f"</{top.name}>{line_end}")

    def _end_to(self, depth: int) -> None:
        while len(self._open) > depth:
            self._end()
