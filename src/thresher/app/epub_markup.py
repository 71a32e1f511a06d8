"""Markup of the chapters of EPUB books, from safe HTML.

By EPUB 3.3 (https://www.w3.org/TR/epub-33/), 5.3 and 6.1, the text is valid HTML in XML syntax, and
every link within the book leads somewhere: what validators refuse is repaired or left out. Elements
in the wrong place become plain ones, so that no text is lost.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Final
from urllib.parse import quote, urlsplit

from thresher.app.markup import (
    ALIGN,
    VOID,
    Attributes,
    MarkupWriter,
    PlaceImage,
    Prepared,
    prepare,
)
from thresher.support.hosts import ascii_host
from thresher.support.xml import format_attributes, format_text
from thresher.writers.stream.markup import SCHEMES

_MATHML: Final = "http://www.w3.org/1998/Math/MathML"
_OBSOLETE: Final = frozenset(("rb", "rtc"))
"""Elements not in XHTML; their content is kept."""
_WITHIN: Final = {
    "rt": ("ruby", "span"),
    "rp": ("ruby", "span"),
    "annotation": ("semantics", "mtext"),
    "annotation-xml": ("semantics", "mtext"),
}
"""Element → the parent that it needs, and what it is written as without that."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_DATE: Final = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
    r"(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?)?"
)
"""A date, with or without a time (HTML Living Standard, 2.3.5)."""
_SPAN: Final = re.compile(r"[1-9]\d{0,2}")
_INTEGER: Final = re.compile(r"-?\d{1,9}")
_NO_HOST: Final = ("mailto", "tel")
"""Schemes of addresses without a host."""
_HOST: Final = re.compile(r"[a-z0-9_.-]+|\[[0-9a-f:.]+\]")
_BARE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_URL_CHARS: Final = "!$%&'()*+,/:;=?@~"
"""Characters of a URL that are not escaped (RFC 3986, 2.2); brackets are of hosts only."""
_ADDRESSES: Final = ("href", "cite")


def prepare_for_book(html: str, *, title: str, place_picture: PlaceImage | None = None) -> Prepared:
    """Prepare safe HTML as the body of an XHTML document.

    Pictures that ``place_picture`` does not place are replaced by their descriptions.
    """
    ids = _Ids()
    ids.feed(html)
    ids.close()
    return prepare(html, _BookWriter(ids.found, place_picture), title)


def is_language(tag: str) -> bool:
    """Return whether a language tag is well formed (RFC 5646, 2.1, without its subtleties)."""
    return _LANGUAGE.fullmatch(tag) is not None


class _Ids(HTMLParser):
    """Collects the ids of elements, which links may lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the id of an element."""
        self.found.update(value for name, value in attrs if name == "id" and value)


class _BookWriter(MarkupWriter):
    """Writer for XHTML: every element is closed, and in a place where it may be."""

    def __init__(self, ids: set[str], place_picture: PlaceImage | None) -> None:
        self._ids = ids
        self._place_picture = place_picture
        self._written: set[str] = set()
        """Ids that are taken."""
        self._open: list[tuple[str, str]] = []
        """Open elements: the tag, and what it was written as."""
        self._terms: list[str] = []
        """Last item of each open description list: dt, dd or nothing."""

    def start(self, tag: str, attributes: Attributes) -> str:
        if tag in _OBSOLETE:
            return ""
        before = self._begin_item(tag)
        written = self._rename(tag, attributes)
        self._repair(written, attributes)
        text = format_attributes(attributes)
        if tag in VOID:
            return f"{before}<{tag}{text}/>"
        self._open.append((tag, written))
        return f"{before}<{written}{text}>"

    def end(self, tag: str) -> str:
        if tag in _OBSOLETE:
            return ""
        _, written = self._open.pop()
        return f"{self._end_list(tag)}</{written}>"

    def text(self, text: str) -> str:
        return format_text(text)

    def image(self, attributes: Attributes) -> str:
        file = self._place_picture(attributes.get("src", "")) if self._place_picture else None
        if file is None:
            return super().image(attributes)
        shown = {"src": file, "alt": attributes.get("alt", "")}
        return f"<img{format_attributes(shown)}/>"

    def _rename(self, tag: str, attributes: Attributes) -> str:
        """Return the element that is valid in this place."""
        if tag in _WITHIN:
            parent, instead = _WITHIN[tag]
            if not self._open or self._open[-1][1] != parent:
                attributes.pop("encoding", None)
                return instead
        if tag == "time" and not _DATE.fullmatch(attributes.get("datetime", "")):
            attributes.pop("datetime", None)  # without it, only a date is valid as content
            return "span"
        if tag == "bdo" and attributes.get("dir") not in ("ltr", "rtl"):
            attributes.pop("dir", None)
            return "span"
        return tag

    def _repair(self, tag: str, attributes: Attributes) -> None:
        """Remove attributes that are invalid here, and complete others."""
        if tag == "math":
            attributes["xmlns"] = _MATHML
        if "lang" in attributes and is_language(attributes["lang"]):
            attributes["xml:lang"] = attributes["lang"]
        else:
            attributes.pop("lang", None)
        for name in _ADDRESSES:
            if name in attributes:
                self._repair_address(name, attributes)
        if tag in ("del", "ins") and not _DATE.fullmatch(attributes.get("datetime", "")):
            attributes.pop("datetime", None)
        for name in ("colspan", "rowspan"):
            if not _SPAN.fullmatch(attributes.get(name, "")):
                attributes.pop(name, None)
        if "align" in attributes:
            attributes["style"] = ALIGN + attributes.pop("align")
        self._repair_numbers(tag, attributes)

    def _repair_numbers(self, tag: str, attributes: Attributes) -> None:
        """Remove numbers of items that are not numbered, and ids that are taken."""
        in_ordered = bool(self._open) and self._open[-1][1] == "ol"
        if "value" in attributes and not (
            tag == "li" and in_ordered and _INTEGER.fullmatch(attributes["value"])
        ):
            del attributes["value"]
        if "id" in attributes:
            if attributes["id"] in self._written or len(attributes["id"].split()) != 1:
                del attributes["id"]
            else:
                self._written.add(attributes["id"])

    def _repair_address(self, name: str, attributes: Attributes) -> None:
        address = attributes.pop(name)
        if address.startswith("#"):
            valid = address if name == "href" and address[1:] in self._ids else None
        else:
            valid = _escape_address(address)
        if valid:
            attributes[name] = valid

    def _begin_item(self, tag: str) -> str:
        """Note an item of a description list; return the term that a description lacks."""
        if tag == "dl":
            self._terms.append("")
        elif tag in ("dt", "dd") and self._terms:
            last, self._terms[-1] = self._terms[-1], tag
            return "<dt></dt>" if tag == "dd" and not last else ""
        return ""

    def _end_list(self, tag: str) -> str:
        """Return what a description list lacks at its end."""
        if tag != "dl" or not self._terms:
            return ""
        return {"": "<dt></dt><dd></dd>", "dt": "<dd></dd>"}.get(self._terms.pop(), "")


def _escape_address(address: str) -> str | None:
    """Return an address with all escaped that must be; None if it is not absolute or malformed."""
    try:
        parts = urlsplit(address)
        host, port = ascii_host(parts.hostname or ""), parts.port
    except ValueError:
        return None
    head = f"{parts.scheme}:"
    if parts.scheme in _NO_HOST:
        if not parts.path:
            return None
    elif parts.scheme in SCHEMES:
        place = f"[{host}]" if ":" in host else host
        if not _HOST.fullmatch(place):
            return None
        head += f"//{place}" + (f":{port}" if port is not None else "")
    else:
        return None
    tail = _escape(parts.path)
    tail += f"?{_escape(parts.query)}" if parts.query else ""
    return head + tail + (f"#{_escape(parts.fragment)}" if parts.fragment else "")


def _escape(part: str) -> str:
    return _BARE_PERCENT.sub("%25", quote(part, safe=_URL_CHARS, errors="replace"))
