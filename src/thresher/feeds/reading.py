"""Reading of feeds: RSS 0.9 to 2.0, Atom, RDF and JSON Feed, each written again as it was.

A feed keeps all that its publisher wrote, known or not; only the contents of items are put in.
https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/modules/content/,
https://www.rfc-editor.org/rfc/rfc4287, https://www.jsonfeed.org/version/1.1/

Publishers write XML that parsers refuse, so any text first becomes a well-formed document, with
nothing left out. Only what is refused is changed: a stray ``&`` or ``<``, entities of HTML,
prefixes that are not declared, and tags that are not closed or cut off. Document types are dropped,
and with them the entities that they may define.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import turbohtml

from thresher.errors import InputError
from thresher.page.decode import read_utf8
from thresher.support.xml import format_attributes, format_text, keep_allowed

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
        values = {
            key: unescape("".join(quoted)) or _namespace(key)
            for key, *quoted in _ATTRIBUTE.findall(attributes)
            if key != "xmlns:xmlns"
        }
        declared = [key[6:] for key in values if key.startswith("xmlns:")]
        self._prefixes.update(declared)
        for prefix in {key.partition(":")[0] for key in (name, *values) if ":" in key}:
            if not self._prefixes[prefix]:
                values[f"xmlns:{prefix}"] = _namespace(f"xmlns:{prefix}")
                declared.append(prefix)
                self._prefixes[prefix] += 1
        tag = f"<{name}{format_attributes(values)}>"
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


def _mend_text(text: str) -> str:
    text = _REFERENCE.sub(_mend_reference, text.replace(">", "&gt;"))
    return f"&lt;{text[1:]}" if text.startswith("<") else text


def _mend_reference(match: re.Match[str]) -> str:
    """Return a reference as XML has it: entities of HTML as what they stand for."""
    return match[0] if match[1] is None and len(match[0]) > 1 else format_text(unescape(match[0]))


_LINK: Final = "link[rel~='alternate' i][type='application/{}+xml' i]"
"""A link of a page to its feed (HTML Living Standard, 4.6.7.1)."""
_FEED: Final = ", ".join(_LINK.format(kind) for kind in ("rss", "atom"))

_ROOTS: Final = {
    "rss": "application/rss+xml",
    "RDF": "application/rss+xml",
    "feed": "application/atom+xml",
}
"""Local name of the root of a feed → its media type."""
_ROOT: Final = re.compile(r"<(?:\w+:)?(?:rss|RDF|feed)[\s>]")
_PAGE: Final = re.compile(r"<(?:html|body)[\s>]", re.IGNORECASE)
_JSON_TYPE: Final = "application/feed+json"
_JSON_VERSION: Final = "https://jsonfeed.org/version/"
_DEPTH: Final = 4
"""Levels of elements: rss, channel, item and what is in an item."""
_MAX_READ: Final = 2**27
"""Characters around all items together: a kilobyte around each of 100,000, but no megabytes."""
_NO_FEED: Final = "this is no feed: it is neither RSS nor Atom nor JSON Feed"


@dataclass(frozen=True, slots=True)
class FeedItem:
    """One item of a feed."""

    title: str | None
    url: str | None
    """Address of its page; None without a web address."""
    content: str
    """HTML: the item's own content, or else its summary."""
    id: str = ""
    """What tells it from others of its feed: its own identifier, or else address or title."""
    published: datetime | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class SourceFeed:
    """A feed as its publisher wrote it."""

    title: str
    url: str | None
    """Address of the site."""
    items: tuple[FeedItem, ...]
    media_type: str
    warnings: tuple[str, ...]
    """What had to be mended for it to be read."""
    write: Callable[[Mapping[int, str]], str]
    """Returns the feed with other contents, as HTML, of the items at some positions."""


def read_feed(body: bytes, url: str | None = None, http_charset: str | None = None) -> SourceFeed:
    """Read a feed; InputError if it is none, or broken without an item that can be read.

    ``url`` is the base of relative addresses.
    """
    text = read_utf8(body, http_charset=http_charset)[0].decode("utf-8", "replace")
    text = text.removeprefix("\ufeff")
    return _read_json(text, url) if text.lstrip()[:1] == "{" else _read_xml(text, url)


def _read_xml(text: str, url: str | None) -> SourceFeed:
    mended, root = mend_xml(text, _DEPTH)
    at = _ROOT.search(text)
    is_feed = root is not None and root.local_name in _ROOTS
    if at and not is_feed and not _PAGE.search(text, 0, at.start()):
        # After the messages of a failing server, say.
        mended, root = mend_xml(text[at.start() :], _DEPTH)
    if root is None or root.local_name not in _ROOTS:
        raise InputError(_NO_FEED)
    elements = list(_items_of(root))
    warnings = []
    try:
        turbohtml.parse_xml(text)
    except (ValueError, turbohtml.HTMLParseError) as error:
        warnings.append(f"the feed is not well-formed, and was mended: {error}")
    if not elements:
        if warnings:
            raise InputError(f"no item can be read: {warnings[0]}")
        warnings.append("the feed has no items")
    around = _parse(_without(mended, elements))
    home = None if around is None else _resolve(around.link, url)
    site = home or url
    n_around = sum(len(ancestor.tag) for element in elements for ancestor in element.ancestors)
    items = tuple(
        _read_item(element, mended, site) if n_around < _MAX_READ else FeedItem(None, None, "")
        for element in elements
    )
    write = partial(_write_xml, mended, elements)
    title = (around and around.title) or home or "Feed"
    return SourceFeed(title, home, items, _ROOTS[root.local_name], tuple(warnings), write)


def _items_of(root: Element) -> list[Element]:
    channels = [child for child in root.children if child.local_name == "channel"]
    name = "entry" if root.local_name == "feed" else "item"
    children = [child for parent in (root, *channels) for child in parent.children]
    items = [child for child in children if child.local_name == name]
    return sorted(items, key=lambda item: item.start)


def _without(text: str, elements: Sequence[Element]) -> str:
    pieces, at = [], 0
    for element in elements:
        pieces.append(text[at : element.start])
        at = element.stop
    return "".join((*pieces, text[at:]))


def _parse(text: str) -> turbohtml.Feed | None:
    try:
        return turbohtml.parse_xml(text).feed()
    except (ValueError, turbohtml.HTMLParseError):
        return None


def find_feed(body: bytes, url: str, http_charset: str | None = None) -> str | None:
    """Return the address of the first feed that a page names, None if it names none."""
    text = read_utf8(body, http_charset=http_charset)[0].decode("utf-8", "replace")
    link = turbohtml.parse(text).select_one(_FEED)
    return None if link is None else _resolve(str(link.attrs.get("href") or ""), url)


def _read_item(element: Element, text: str, base: str | None) -> FeedItem:
    """Return an item, read alone within the tags around it."""
    around = list(element.ancestors)
    start = "".join(ancestor.tag for ancestor in reversed(around))
    stop = "".join(f"</{ancestor.name}>" for ancestor in around)
    feed = _parse(f"{start}{text[element.start : element.stop]}{stop}")
    if feed is None or not feed.entries:
        return FeedItem(None, None, "")
    entry = feed.entries[0]
    content = entry.content if isinstance(entry.content, str) else None
    url = _resolve(entry.link, base)
    return FeedItem(
        entry.title,
        url,
        content or entry.summary or "",
        id=entry.id or url or entry.title or "",
        published=_read_date(entry.published or entry.updated),
        author=entry.author,
    )


def _write_xml(text: str, elements: Sequence[Element], contents: Mapping[int, str]) -> str:
    pieces, at = ['<?xml version="1.0" encoding="utf-8"?>\n'], 0
    for number, content in sorted(contents.items()):
        item = elements[number]
        prefix, _, local = item.name.rpartition(":")
        if local == "entry":
            name = f"{prefix}:content" if prefix else "content"
            tag = f'<{name} type="html">'
        else:
            name = "content:encoded"
            tag = f'<{name} xmlns:content="http://purl.org/rss/1.0/modules/content/">'
        last = item.stop - len(f"</{item.name}>")
        old = next((child for child in item.children if child.name == name), None)
        start, stop = (old.start, old.stop) if old else (last, last)
        pieces += (text[at:start], f"{tag}{format_text(content)}</{name}>")
        at = stop
    return "".join((*pieces, text[at:], "\n"))


def _read_json(text: str, url: str | None) -> SourceFeed:
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{_NO_FEED}: {error}") from error
    items = feed.get("items")
    if not str(feed.get("version")).startswith(_JSON_VERSION) or not isinstance(items, list):
        raise InputError(_NO_FEED)
    home = _resolve(feed.get("home_page_url"), url)
    site = home or url
    read = tuple(_read_json_item(item if isinstance(item, dict) else {}, site) for item in items)
    warnings = () if read else ("the feed has no items",)
    title = _text_of(feed, "title") or home or "Feed"
    return SourceFeed(title, home, read, _JSON_TYPE, warnings, partial(_write_json, feed))


def _read_json_item(item: Mapping[str, Any], base: str | None) -> FeedItem:
    url = _resolve(item.get("url"), base) or _resolve(item.get("external_url"), base)
    title = _text_of(item, "title")
    authors = item.get("authors")
    first = authors[0] if isinstance(authors, list) and authors else item.get("author")
    return FeedItem(
        title,
        url,
        _text_of(item, "content_html") or _text_of(item, "content_text") or "",
        id=_text_of(item, "id") or url or title or "",
        published=_read_date(_text_of(item, "date_published") or _text_of(item, "date_modified")),
        author=_text_of(first, "name") if isinstance(first, dict) else None,
    )


def _text_of(value: Mapping[str, Any], name: str) -> str | None:
    text = value.get(name)
    return text if isinstance(text, str) else None


def _read_date(date: str | None) -> datetime | None:
    """Return a date of RSS (RFC 822) or of Atom (ISO 8601), in UTC if without a zone."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            stated = read((date or "").strip())
        except (ValueError, TypeError, IndexError):
            continue
        return stated if stated.tzinfo else stated.replace(tzinfo=UTC)
    return None


def _write_json(feed: Mapping[str, Any], contents: Mapping[int, str]) -> str:
    items = [
        item | {"content_html": contents[number]} if number in contents else item
        for number, item in enumerate(feed["items"])
    ]
    written = json.dumps({**feed, "items": items}, ensure_ascii=False, indent=2)
    return written.encode("utf-8", "replace").decode("utf-8") + "\n"


def _resolve(link: object, base: str | None) -> str | None:
    """Return an absolute web address; None for anything else."""
    if not isinstance(link, str) or not link.strip():
        return None
    try:
        url = urljoin(base or "", link.strip())
        return url if urlsplit(url).scheme in ("http", "https") else None
    except ValueError:
        return None
