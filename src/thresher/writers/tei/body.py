"""Conversion of a clean HTML tree to the body of a TEI text.

TEI restricts where each element may occur, and HTML is more permissive. So every open element has a
`Kind` that describes what it accepts; what does not fit is put into an element that does: loose
text into a paragraph, a block into the item or cell that its list or row needs. Inside paragraphs,
blocks keep only their texts, separated by line breaks. Headings of the text itself open divisions,
nested by level.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from turbohtml import Element, Node, Text

from thresher.deadline import check_deadline
from thresher.support.xml import format_attribute, format_text
from thresher.writers.tei.attributes import format_attributes, format_formula
from thresher.writers.tei.kinds import BLOCKS, EMPTY, INLINE, NEEDED, PARTS, Kind

__all__ = ["write_body"]

_RULE: Final = '<milestone unit="section" rend="rule"/>\n'
_LANGUAGE_CLASS: Final = "language-"
_IN_LINE: Final = (Kind.MIXED, Kind.TEXT)
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_WRAPPERS: Final = frozenset(("details", "tbody", "tfoot", "thead"))
"""Elements of which only the content is written, and which no open line or block continues into."""
_BREAKING: Final = frozenset((*BLOCKS, *PARTS, "pre"))


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


def write_body(tree: Element) -> str:
    """Write the content of an element as the `body` of a TEI text."""
    return _BodyWriter().write(tree)


class _BodyWriter:
    """The body written so far, and its open elements."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._open: list[_Open] = []

    def write(self, tree: Element) -> str:
        self._begin("body", Kind.DIVISION)
        waiting: list[Iterator[Node] | int] = [iter(list(tree.children))]
        while waiting:
            check_deadline()
            top = waiting[-1]
            if isinstance(top, int):
                self._end_to(top)
                waiting.pop()
                continue
            node = next(top, None)
            if node is None:
                waiting.pop()
            elif isinstance(node, Text):
                self._put_text(node.data)
            elif isinstance(node, Element) and not self._put_whole(node):
                depth = self._put_start(node)
                waiting += [] if depth is None else [depth]
                waiting.append(iter(list(node.children)))
        self._end_to(0)
        return "".join(self._parts)

    # -- nodes ----------------------------------------------------------------------------------

    def _put_text(self, text: str) -> None:
        if text.strip() or self._open[-1].kind in _IN_LINE:
            self._need_line()
            self._add(format_text(text))

    def _put_whole(self, element: Element) -> bool:
        """Write an element that is written together with all its content; False for others."""
        tag = element.tag
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
            alt = element.attr("alt") or ""
            inside = f"<desc>{format_text(alt)}</desc>" if alt.strip() else ""
            place = format_attribute("url", element.attr("src") or "")
            self._add(f"<graphic{place}>{inside}</graphic>" if inside else f"<graphic{place}/>")
        elif tag == "math":
            self._need_line()
            self._add(format_formula(element))
        elif tag == "pre":
            self._put_code(element)
        else:
            return False
        return True

    def _put_code(self, pre: Element) -> None:
        code = pre.find("code")
        named = ((code.attr("class") if code is not None else "") or "").split()
        language = next((n for n in named if n.startswith(_LANGUAGE_CLASS)), "")
        lang = format_attribute("lang", language.removeprefix(_LANGUAGE_CLASS)) if language else ""
        markup = f'<code{lang} xml:space="preserve">{format_text(pre.text)}</code>'
        self._break_line()
        self._need_block()
        if self._open[-1].kind is Kind.TEXT:
            self._add(markup)
        else:
            self._add(f"<p>{markup}</p>\n")

    def _put_start(self, element: Element) -> int | None:
        """Open the TEI equivalent of an element, if it has one.

        Returns how many elements are to be open after it; None if other rules decide that.
        """
        tag = element.tag
        if tag in INLINE:
            self._need_line()
            depth = len(self._open)
            self._begin(INLINE[tag], Kind.TEXT, format_attributes(element))
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
                self._begin(name, kind, format_attributes(element))
        elif tag in BLOCKS:
            if self._open[-1].kind is Kind.DIVISION and tag in _HEADINGS:
                return self._begin_division(int(tag[1]))
            self._need_block()
            if self._open[-1].kind is not Kind.TEXT:
                self._begin(*BLOCKS[tag], format_attributes(element))
        return depth

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
