"""Adaptation of safe HTML to its destination: the reading page, or by another writer an EPUB book.

The input is the output of the writer `html`, which is safe and well formed. Depending on the
destination it gets heading anchors, proxied images, classes in place of styles, or XML syntax.
The posts of a thread are written one by one, each with its author, date and place.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import escape
from html.parser import HTMLParser
from typing import Final

from thresher.analysis.metadata.normalise import key_of
from thresher.analysis.threads import Post
from thresher.document import Document, WriteOptions
from thresher.support.hosts import is_web
from thresher.writers.fragment.posts import MIN_POSTS, MIN_SHARE
from thresher.writers.stream.markup import SCHEMES
from thresher.writers.thread import find_excerpts, rearrange

PlaceImage = Callable[[str], str | None]
"""Address of an image → address to load it from; None if it is not shown."""

UNTITLED: Final = WriteOptions(title=False)
"""Options of content that is shown below its title."""
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
VOID: Final = frozenset(("br", "hr", "img", "input"))
"""Elements without an end tag (HTML Living Standard, 13.1.2) that the writer lets through."""
ALIGN: Final = "text-align: "
"""The only style that the writer lets through."""

Attributes = dict[str, str]


@dataclass(frozen=True, slots=True)
class HeadingMark:
    """Heading with an anchor."""

    id: str
    level: int
    """1 to 6."""
    title: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """Prepared markup, and facts about it."""

    markup: str
    headings: tuple[HeadingMark, ...]
    n_image: int
    """Number of images, shown or not."""
    has_math: bool


def prepare_for_page(
    html: str, *, title: str, place_image: PlaceImage | None = None, first_part: int = 1
) -> Prepared:
    """Prepare safe HTML for a page of the app whose heading is the title.

    A first heading equal to the title is removed, and first-level headings are demoted. Without
    ``place_image``, images are replaced by their descriptions. The anchors of headings are numbered
    from ``first_part``.
    """
    return prepare(html, _PageWriter(place_image), title, first_part)


def prepare(html: str, writer: MarkupWriter, title: str, first_part: int = 1) -> Prepared:
    """Pass safe HTML to a writer; the other arguments are those of `prepare_for_page`."""
    parser = _Parser(writer, title, first_part)
    parser.feed(html)
    parser.close()
    markup = "".join(parser.pieces)
    return Prepared(markup, tuple(parser.headings), parser.n_image, "<math" in markup)


class MarkupWriter:
    """Writes the parts of a document."""

    def start(self, tag: str, attributes: Attributes) -> str:
        """Return a start tag; attributes may be changed."""
        return f"<{tag}{_format_attributes(attributes)}>"

    def end(self, tag: str) -> str:
        """Return an end tag."""
        return f"</{tag}>"

    def text(self, text: str) -> str:
        """Return escaped text."""
        return escape(text, quote=False)

    def image(self, attributes: Attributes) -> str:
        """Return an image, or its description in place of it."""
        described = " ".join(attributes.get("alt", "").split())
        return f'<span class="picture">{self.text(described)}</span>' if described else ""


class _PageWriter(MarkupWriter):
    """Writer for the reading page: proxied images, and accessibility attributes."""

    def __init__(self, place_image: PlaceImage | None) -> None:
        self._place_image = place_image

    def start(self, tag: str, attributes: Attributes) -> str:
        match tag:
            case "a" if not attributes.get("href", "#").startswith("#"):
                _link_outside(attributes)
            case "td" | "th":
                aligned = attributes.pop("style", "").removeprefix(ALIGN)
                if aligned:
                    attributes["class"] = f"to-{aligned}"
            case "table":
                return f'<div class="scroll" tabindex="0"><table{_format_attributes(attributes)}>'
            case "pre":
                attributes["tabindex"] = "0"  # scrollable, so it must be reachable by keyboard
            case "input":
                attributes["aria-label"] = "done" if "checked" in attributes else "to do"
        return f"<{tag}{_format_attributes(attributes)}>"

    def end(self, tag: str) -> str:
        return "</table></div>" if tag == "table" else f"</{tag}>"

    def image(self, attributes: Attributes) -> str:
        address = self._place_image(attributes.get("src", "")) if self._place_image else None
        if address is None:
            return super().image(attributes)
        shown = {"src": address, "alt": attributes.get("alt", ""), "loading": "lazy"}
        size = {name: attributes[name] for name in ("width", "height") if name in attributes}
        return f"<img{_format_attributes(shown | size)}>"


class _Parser(HTMLParser):
    """Passes the parts of safe HTML to a writer, and collects its headings."""

    def __init__(self, writer: MarkupWriter, title: str, first_part: int) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.headings: list[HeadingMark] = []
        self.n_image = 0
        self._writer = writer
        self._title_key = key_of(title)
        self._first_part = first_part
        self._open: tuple[str, int, list[str], str] | None = None
        """Tag, index of the first piece, texts and id of the open heading."""
        self._is_first = True
        self._lower_by = 0
        """Levels by which headings are demoted: one, after the first first-level heading."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write a start tag."""
        attributes = {name: value or "" for name, value in attrs}
        if tag == "img":
            self.n_image += 1
            self.pieces.append(self._writer.image(attributes))
        elif tag in _HEADINGS and self._open is None:
            self._open = (tag, len(self.pieces), [], attributes.get("id", ""))
        else:
            self.pieces.append(self._writer.start(tag, attributes))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write an element without content."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Write an end tag; a heading is written whole, once its level is known."""
        if tag in VOID:
            return
        if self._open is None or tag != self._open[0]:
            self.pieces.append(self._writer.end(tag))
            return
        _, start, texts, id = self._open
        self._open = None
        title = " ".join("".join(texts).split())
        if self._is_first and self._title_key and key_of(title) == self._title_key:
            del self.pieces[start:]
            self._write_anchor(len(self.pieces), id)
        elif title:
            self._write_anchor(start, id)
            self._write_heading(int(tag[1]), start, title)
        self._is_first = self._is_first and not title

    def handle_data(self, data: str) -> None:
        """Write text."""
        if self._open is not None:
            self._open[2].append(data)
        self.pieces.append(self._writer.text(data))

    def _write_anchor(self, place: int, id: str) -> None:
        """Write the target of links to a heading, whose own id is that of the outline."""
        if id:
            anchor = self._writer.start("span", {"id": id}) + self._writer.end("span")
            self.pieces.insert(place, anchor)

    def _write_heading(self, level: int, start: int, title: str) -> None:
        if level == 1:
            self._lower_by = 1
        tag = f"h{min(level + self._lower_by, 6)}"
        mark = HeadingMark(f"part-{len(self.headings) + self._first_part}", int(tag[1]), title)
        self.headings.append(mark)
        self.pieces.insert(start, self._writer.start(tag, {"id": mark.id}))
        self.pieces.append(self._writer.end(tag))


def _link_outside(attributes: Attributes) -> None:
    """Mark a link to another page; one without a host, of a page without an address, is none."""
    address = attributes.pop("href")
    if address.startswith("//"):
        address = f"https:{address}"
    if address.partition(":")[0].lower() in SCHEMES:
        attributes["href"] = address
        attributes["rel"] = "noreferrer"


def _format_attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())


MAX_DEPTH: Final = 6
"""Levels of indentation; deeper replies are shown at the last."""


@dataclass(frozen=True, slots=True)
class WrittenPost:
    """One post."""

    number: int
    """From 1, in the order of the page."""
    author: str | None
    iso: str | None
    """Date in ISO 8601."""
    date: str | None
    """Date as the page says it."""
    depth: int
    score: int | None
    is_question: bool
    is_accepted: bool
    permalink: str | None
    html: str


@dataclass(frozen=True, slots=True)
class ThreadMarkup:
    """Kept content of a page with threads, as clean HTML."""

    before: str
    posts: tuple[WrittenPost, ...]
    behind: str


def write_posts(document: Document) -> ThreadMarkup | None:
    """Write the kept posts one by one, and the content around them; None without a thread."""
    shown: dict[int, Post] = {}
    # A text that no page can contain, because it is chosen after the page was read.
    mark = secrets.token_hex(16)

    def head(post: Post, number: int) -> str:
        shown[number] = post
        return f"{mark}-{number}"

    excerpts = [replace(excerpt, level=0) for excerpt in find_excerpts(document, head)]
    n_shown = sum(int(document.page.leaf_words[excerpt.leaves].sum()) for excerpt in excerpts)
    if len(shown) < MIN_POSTS or n_shown < MIN_SHARE * document.selection.words:
        return None
    if excerpts[-1].heading is None:
        excerpts[-1] = replace(excerpts[-1], heading=f"{mark}-0")
    html = rearrange(document, excerpts).write("html", UNTITLED)
    before, *parts = re.split(rf"<h2>\s*{mark}-(\d+)\s*</h2>", html)
    written = dict(zip(map(int, parts[::2]), parts[1::2], strict=True))
    behind = written.pop(0, "")
    posts = tuple(_describe_post(shown[number], number, html) for number, html in written.items())
    return ThreadMarkup(before, posts, behind)


def _describe_post(post: Post, number: int, html: str) -> WrittenPost:
    return WrittenPost(
        number=number,
        author=post.author,
        iso=post.date.iso if post.date else None,
        date=post.date.raw if post.date else None,
        depth=min(post.depth, MAX_DEPTH),
        score=post.score,
        is_question=post.is_question,
        is_accepted=post.accepted,
        permalink=post.permalink if is_web(post.permalink) else None,
        html=html.strip(),
    )
