"""XML as publishers write it: any text becomes a well-formed document, with nothing left out.

Only what parsers refuse is changed: a stray ``&`` or ``<``, entities of HTML, prefixes that are not
declared, and tags that are not closed or cut off. Document types are dropped, and with them the
entities that they may define.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Final

from thresher.support.xml import format_attribute, format_text, keep_allowed

_NAME: Final = r"[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?"
# No alternative reads over the start of another tag more than once, so all is linear.
_TOKEN: Final = re.compile(
    rf"""<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)
    | (?P<kept><!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z))
    | </(?P<end>{_NAME})\s*>
    | <(?P<start>{_NAME})(?P<attributes>(?:\s(?:[^<>"']|"[^"<]*"|'[^'<]*')*?)?)(?P<empty>/?)>
    | (?P<text>.[^<]*)""",
    re.DOTALL | re.VERBOSE | re.ASCII,
)
_ATTRIBUTE: Final = re.compile(
    rf"""(?<![\w.:-])({_NAME})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))""", re.ASCII
)
_PROLOG: Final = re.compile(
    r"\s*(?:<\?xml.*?\?>\s*)?(?:<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>)?", re.DOTALL | re.IGNORECASE
)
_INSTRUCTION: Final = re.compile(r"<\?(?!xml[\s?])[A-Za-z_][\w.-]*(?:\s.*?)?\?>", re.S | re.A)
_REFERENCE: Final = re.compile(r"&(?:(?:amp|lt|gt|quot|apos);|(\#?\w{1,32};)?)", re.ASCII)
_NAMESPACES: Final = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "media": "http://search.yahoo.com/mrss/",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "slash": "http://purl.org/rss/1.0/modules/slash/",
    "sy": "http://purl.org/rss/1.0/modules/syndication/",
    "thr": "http://purl.org/syndication/thread/1.0",
    "wfw": "http://wellformedweb.org/CommentAPI/",
}
"""Prefixes of feeds, declared where a publisher forgot it."""


@dataclass(slots=True)
class Element:
    """An element near the root of a document, with its place in the text."""

    name: str
    start: int
    tag: str
    """Its start tag."""
    parent: Element | None = None
    stop: int = 0
    children: list[Element] = field(default_factory=list)

    @property
    def local_name(self) -> str:
        """Return the name without its prefix."""
        return self.name.rpartition(":")[2]

    @property
    def ancestors(self) -> Iterator[Element]:
        """Yield the elements around this one, the root last."""
        parent = self.parent
        while parent:
            yield parent
            parent = parent.parent


def mend_xml(text: str, depth: int) -> tuple[str, Element | None]:
    """Return a well-formed document for a text, and its root with the elements down to a depth.

    The root is None if there is no element. Elements that are not closed end with their parents.
    """
    written = _Document()
    text = keep_allowed(text.replace("\r\n", "\n").replace("\r", "\n"))
    prolog = _PROLOG.match(text)
    for token in _TOKEN.finditer(text, prolog.end() if prolog else 0):
        if name := token["start"]:
            written.open(name, token["attributes"], depth)
            if token["empty"]:
                written.close(name)
        elif name := token["end"]:
            written.close(name)
        elif (cdata := token["cdata"]) is not None:
            written.add(f"<![CDATA[{cdata}]]>")
        elif token["kept"]:
            written.add_kept(token["kept"])
        else:
            written.add(_mend_text(token["text"]))
    written.close_all()
    return "".join(written.pieces), written.root


class _Document:
    """The document so far, and the elements that are open."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.root: Element | None = None
        self._n_char = 0
        self._open: list[tuple[str, tuple[str, ...], Element | None]] = []
        """Name, prefixes declared and, near the root, the element of each open tag."""
        self._names: Counter[str] = Counter()
        self._prefixes: Counter[str] = Counter(["xml", "xmlns"])

    def add(self, piece: str) -> None:
        """Write a piece within the root."""
        if self._open:
            self._write(piece)

    def add_kept(self, piece: str) -> None:
        """Write a comment, without what would end it early, or an instruction."""
        if piece.startswith("<!--"):
            inner = re.sub("-(?=-)|-$", "- ", piece[4:].removesuffix("-->"))
            self._write(f"<!--{inner}-->")
        elif _INSTRUCTION.fullmatch(piece):
            self._write(piece)

    def open(self, name: str, attributes: str, depth: int) -> None:
        """Write a start tag, unless the root is closed."""
        if self.root is not None and not self._open:
            return
        values = {key: _unquote(*quoted) for key, *quoted in _ATTRIBUTE.findall(attributes)}
        values = {
            key: value or _namespace(key) for key, value in values.items() if key != "xmlns:xmlns"
        }
        declared = [key[6:] for key in values if key.startswith("xmlns:")]
        self._prefixes.update(declared)
        for prefix in {key.partition(":")[0] for key in (name, *values) if ":" in key}:
            if not self._prefixes[prefix]:
                values[f"xmlns:{prefix}"] = _namespace(f"xmlns:{prefix}")
                declared.append(prefix)
                self._prefixes[prefix] += 1
        tag = f"<{name}{''.join(format_attribute(*pair) for pair in values.items())}>"
        element = None
        if len(self._open) < depth:
            parent = self._open[-1][2] if self._open else None
            element = Element(name, self._n_char, tag, parent)
            if parent:
                parent.children.append(element)
            self.root = self.root or element
        self._open.append((name, tuple(declared), element))
        self._names[name] += 1
        self._write(tag)

    def close(self, name: str) -> None:
        """Write the end tag of an open element and of those within it."""
        while self._names[name]:
            last = self._close_last()
            if last == name:
                return

    def close_all(self) -> None:
        """Write the end tags of all open elements."""
        while self._open:
            self._close_last()

    def _close_last(self) -> str:
        name, declared, element = self._open.pop()
        self._names[name] -= 1
        self._prefixes.subtract(declared)
        self._write(f"</{name}>")
        if element:
            element.stop = self._n_char
        return name

    def _write(self, piece: str) -> None:
        self.pieces.append(piece)
        self._n_char += len(piece)


def _namespace(key: str) -> str:
    """Return the namespace of a prefix without one; an empty text for other attributes."""
    prefix = key[6:] if key.startswith("xmlns:") else ""
    return prefix and _NAMESPACES.get(prefix, f"urn:{prefix}")


def _unquote(*quoted: str) -> str:
    """Return the value of an attribute."""
    return unescape("".join(quoted))


def _mend_text(text: str) -> str:
    text = _REFERENCE.sub(_mend_reference, text.replace(">", "&gt;"))
    return f"&lt;{text[1:]}" if text.startswith("<") else text


def _mend_reference(match: re.Match[str]) -> str:
    """Return a reference as XML has it: entities of HTML as what they stand for."""
    return match[0] if match[1] is None and len(match[0]) > 1 else format_text(unescape(match[0]))
