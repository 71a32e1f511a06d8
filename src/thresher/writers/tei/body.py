"""The body of a TEI text, from the tags and texts of a fragment.

TEI restricts where each element may occur, and HTML is more permissive. So every open element has a
`Kind` that describes what it accepts; what does not fit is put into an element that does: loose
text into a paragraph, a block into the item or cell that its list or row needs. Inside paragraphs,
blocks keep only their texts, separated by line breaks. Headings of the text itself open divisions,
nested by level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.support.xml import format_attribute, format_text
from thresher.writers.shared.note_marks import NoteLinks, is_mark
from thresher.writers.stream.events import HEADING_LEVELS, Attributes
from thresher.writers.stream.markup import (
    LANGUAGE_CLASS,
    clean_image_url,
    clean_link_url,
    read_attributes,
    read_markup,
)
from thresher.writers.tei.attributes import ATTRIBUTED, FormulaReader, format_attributes
from thresher.writers.tei.kinds import BLOCKS, EMPTY, INLINE, NEEDED, PARTS, Kind

__all__ = ["write_body"]

_RULE: Final = '<milestone unit="section" rend="rule"/>\n'
_IN_LINE: Final = (Kind.MIXED, Kind.TEXT)
_WRAPPERS: Final = frozenset(("details", "tbody", "tfoot", "thead"))
"""Elements of which only the content is written, and which no open line or block continues into."""
_BREAKING: Final = frozenset((*BLOCKS, *PARTS))
_EMPTY_TAGS: Final = frozenset(("br", "hr", "img", "input"))
"""Elements that have no end tag."""


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
        self._formula: FormulaReader | None = None
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
            self._need_line()
            self._add(format_text(text))

    def _put_start(self, tag: str, attributes: str) -> None:
        if self._formula is not None:
            self._formula.open(tag, attributes)
        elif self._code is not None:
            if tag == "code" and attributes and not self._code:
                found = LANGUAGE_CLASS.fullmatch(read_attributes(attributes).get("class", ""))
                self._language = found[1] if found else ""
        elif tag in _EMPTY_TAGS:
            self._put_empty(tag, attributes)
        elif tag == "math":
            self._formula = FormulaReader()
        elif tag == "pre":
            self._code = []
        else:
            self._tags.append((tag, self._begin_tag(tag, attributes)))

    def _put_end(self, tag: str) -> None:
        if self._formula is not None:
            if tag == "math":
                self._need_line()
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
        """End an element, and those in it that are still open."""
        tags = self._tags
        if tags and (tags[-1][0] == tag or any(name == tag for name, _ in tags)):
            ended = ""
            while ended != tag:
                ended, depth = tags.pop()
                if depth is not None:
                    self._end_to(depth)

    def _put_empty(self, tag: str, attributes: str) -> None:
        """Write an element without content."""
        if tag == "br":
            self._need_line()
            self._add("<lb/>")
        elif tag == "hr":
            if self._open[-1].is_implied:
                self._end()
            if self._open[-1].kind in (Kind.DIVISION, Kind.FLOW, Kind.MIXED):
                self._add(_RULE)
        elif tag == "img":
            if self._open[-1].name != "figure":
                self._need_line()
            given = read_attributes(attributes)
            alt = given.get("alt", "")
            inside = f"<desc>{format_text(alt)}</desc>" if alt.strip() else ""
            url = clean_image_url(given.get("src", ""), self._base) or ""
            place = format_attribute("url", url)
            self._add(f"<graphic{place}>{inside}</graphic>" if inside else f"<graphic{place}/>")

    def _put_code(self, text: str) -> None:
        lang = format_attribute("lang", self._language) if self._language else ""
        markup = f'<code{lang} xml:space="preserve">{format_text(text)}</code>'
        self._break_line()
        self._need_block()
        if self._open[-1].kind is Kind.TEXT:
            self._add(markup)
        else:
            self._add(f"<p>{markup}</p>\n")

    def _begin_tag(self, tag: str, markup: str) -> int | None:
        """Open the TEI equivalent of an element, if it has one.

        Returns how many elements are to be open after it; None if other rules decide that.
        """
        has_attributes = markup and (tag in ATTRIBUTED or "lang=" in markup)
        attributes = read_attributes(markup) if has_attributes else {}
        if tag in INLINE:
            if tag == "a" and not self._link(attributes):
                return None
            self._need_line()
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
            self._need_block()
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

    def _need_line(self) -> None:
        """Open an element that can contain text."""
        while self._open[-1].kind not in _IN_LINE:
            name, kind = NEEDED[self._open[-1].kind]
            self._pair(name)
            self._begin(name, kind)
            self._open[-1].is_implied = True

    def _need_block(self) -> None:
        """Open an element that can contain a block, if one is possible here."""
        while self._open[-1].kind in (Kind.LIST, Kind.GLOSSES, Kind.TABLE, Kind.ROW):
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
