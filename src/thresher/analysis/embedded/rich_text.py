"""Conversion of text as data to HTML: strings, lists of paragraphs, and trees of editors.

These trees differ in names but share a structure: a node has a type, and a text or a list of nodes
(ProseMirror, Slate, Lexical, Editor.js, Portable Text, Contentful, Gutenberg, Draft.js). So a node
is interpreted by words in its type, never by the names of one system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Final

from thresher.analysis.structured import JsonValue, as_list

MAX_DEPTH: Final = 48
"""Levels of nodes that are read; nested lists in quotes have some twenty."""
MAX_NODES: Final = 20_000

_TAG: Final = re.compile(
    r"</?(?:a|b|blockquote|br|div|em|figure|h[1-6]|i|img|li|ol|p|section|span|strong|table|ul)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_ESCAPED_TAG: Final = re.compile(r"&lt;/?(?:p|br|div|strong|em|h[1-6]|ul|li|a\s)", re.IGNORECASE)
_EMPTY_LINE: Final = re.compile(r"\n[ \t\r\xa0]*\n")
_KIND_KEYS: Final = (
    "tagName tag _type type __typename nodeType blockName kind name component"
).split()
_STYLE: Final = re.compile(r"h[1-6]|blockquote")
_CONTENT_KEYS: Final = tuple(
    "children content nodes blocks paragraphs items html innerHTML text value body data"
    " model attributes root".split()
)
"""Keys of a node's text or nodes, in order of precedence."""
_LINK_KEYS: Final = ("href", "url", "uri")
_NO_LETTER: Final = re.compile(r"[^a-z0-9]+")
_SKIPPED: Final = re.compile(
    r"^(?:ads?|script|social|style|svg)$|advert|audio|button|carousel|dropzone|embed|figure|gallery"
    r"|iframe|image|img|input|interactive|media|metadata|newsletter|photo|picture|promo|recirc"
    r"|related|video"
)
_HEADING: Final = re.compile(r"^h([1-6])$|head(?:er|ing|line)|crosshead")
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_INLINE: Final = re.compile(
    r"^(?:core)?(?:a|abbr|b|bold|code|codespan|em|emphasis|fragment|highlight|hyperlink|i|inline"
    r"|italic|link|mark|s|span|strong|sub|sup|text|textinline|textnode|u|underline)$"
)
_BY_WORD: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), tag)
    for pattern, tag in (
        (r"quote", "blockquote"),
        (r"listitem|^li$|checklist", "li"),
        (r"unordered|bullet|^ul$", "ul"),
        (r"ordered|numbered|^ol$", "ol"),
        (r"list", "ul"),
        (r"tablerow|^tr$", "tr"),
        (r"tableheader|headercell|^th$", "th"),
        (r"tablecell|^td$", "td"),
        (r"^table$", "table"),
        (r"preformatted|code|^pre$", "pre"),
        (r"hardbreak|linebreak|^br$", "br"),
        (r"paragraph|^p$|textblock|^unstyled$", "p"),
    )
)


def is_markup(text: str) -> bool:
    """Return whether a string is HTML."""
    return "<" in text and _TAG.search(text) is not None


def markup_of_text(text: str) -> str:
    """Return a string as HTML: unchanged if it is HTML, else its paragraphs.

    Paragraphs are separated by empty lines or, without any, by line breaks.
    """
    if not is_markup(text) and _ESCAPED_TAG.search(text):
        text = unescape(text)
    if is_markup(text):
        return text
    text = unescape(text).replace("\r\n", "\n").strip()
    parts = _EMPTY_LINE.split(text)
    if len(parts) == 1:
        parts = text.split("\n")
    return "".join(f"<p>{_escape_lines(part)}</p>" for part in parts if part.strip())


def kind_of(node: dict[str, JsonValue]) -> str:
    """Return the type of a node, letters and digits in lower case; empty if it has none."""
    style = node.get("style")
    if isinstance(style, str) and _STYLE.fullmatch(style):
        return style
    for key in _KIND_KEYS:
        kind = node.get(key)
        if isinstance(kind, str) and kind:
            return _NO_LETTER.sub("", kind.lower().removeprefix("core/"))
    return ""


def write_rich_text(value: JsonValue) -> str:
    """Convert a node or a list of nodes to HTML; nodes beyond the limits are omitted."""
    return "".join(_Budget().block(value, MAX_DEPTH))


class _Budget:
    """Converter with a budget of nodes, because a value may contain shared parts."""

    def __init__(self) -> None:
        self.left = MAX_NODES

    def spend(self, depth: int) -> bool:
        """Spend one node; return False if none is left."""
        self.left -= 1
        return self.left >= 0 and depth > 0

    def block(self, node: JsonValue, depth: int) -> Iterator[str]:
        """Yield a node as block-level markup."""
        if not self.spend(depth):
            return
        if isinstance(node, str):
            yield markup_of_text(node)
        elif isinstance(node, list):
            for part in node:
                yield from self.block(part, depth - 1)
        elif isinstance(node, dict):
            kind = kind_of(node)
            if not _SKIPPED.search(kind):
                yield from self._element(node, kind, depth - 1)

    def _element(self, node: dict[str, JsonValue], kind: str, depth: int) -> Iterator[str]:
        tag = _tag_of(node, kind)
        content = _content_of(node)
        if tag == "br":
            yield "<br>"
        elif tag == "pre":
            yield f"<pre>{''.join(self.inline(content, depth))}</pre>"
        elif tag and tag[0] in "ph" and not _is_block_markup(content):
            yield f"<{tag}>{''.join(self.inline(content, depth))}</{tag}>"
        elif tag and tag[0] != "p":
            yield f"<{tag}>"
            for part in as_list(content):
                is_item = tag in ("ul", "ol") and not _is_item(part)
                yield "<li>" if is_item else ""
                yield from self._flow(part, depth)
                yield "</li>" if is_item else ""
            yield f"</{tag}>"
        elif isinstance(content, list) and any(map(_is_inline, content)) and tag is None:
            yield f"<p>{''.join(self.inline(content, depth))}</p>"
        else:
            yield from self.block(content, depth)

    def _flow(self, node: JsonValue, depth: int) -> Iterator[str]:
        """Yield the content of an item, a quote or a cell."""
        if isinstance(node, str) or _is_inline(node):
            yield from self.inline(node, depth)
        else:
            yield from self.block(node, depth)

    def inline(self, node: JsonValue, depth: int) -> Iterator[str]:
        """Yield a node as part of a paragraph."""
        if not self.spend(depth):
            return
        if isinstance(node, str):
            yield node if is_markup(node) else _escape_lines(unescape(node))
        elif isinstance(node, list):
            for part in node:
                yield from self.inline(part, depth - 1)
        elif isinstance(node, dict):
            kind = kind_of(node)
            if _SKIPPED.search(kind):
                return
            if _tag_of(node, kind) == "br":
                yield "<br>"
            address = _address_of(node)
            yield f'<a href="{escape(address)}">' if address else ""
            yield from self.inline(_content_of(node), depth - 1)
            yield "</a>" if address else ""


def _tag_of(node: dict[str, JsonValue], kind: str) -> str | None:
    """Return the element name of a node, None for one without a known type."""
    if isinstance(node.get("listItem"), str):
        return "li"
    if _INLINE.match(kind):
        return None
    heading = _HEADING.search(kind)
    if heading:
        return f"h{heading[1] or _level_of(node, kind[heading.end() :])}"
    return next((tag for pattern, tag in _BY_WORD if pattern.search(kind)), None)


def _holders_of(node: dict[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
    """Yield a node and the objects with its attributes."""
    for part in (node, *map(node.get, ("attrs", "attributes", "data", "props"))):
        if isinstance(part, dict):
            yield part


def _level_of(node: dict[str, JsonValue], rest: str) -> int:
    for holder in _holders_of(node):
        level = holder.get("level")
        if isinstance(level, int) and 1 <= level <= 6:
            return int(level)
    number = next((n for name, n in _NUMBERS.items() if rest.startswith(name)), 0)
    return number or (int(rest[0]) if rest[:1] in "123456" and rest else 2)


def _content_of(node: dict[str, JsonValue], levels: int = 3) -> JsonValue:
    for key in _CONTENT_KEYS:
        content = node.get(key)
        if isinstance(content, dict) and levels:
            kind = kind_of(content)
            content = content if kind else _content_of(content, levels - 1)
        if content and isinstance(content, str | list | dict):
            return content
    return ""


def _address_of(node: dict[str, JsonValue]) -> str | None:
    for holder in _holders_of(node):
        for key in _LINK_KEYS:
            address = holder.get(key)
            if isinstance(address, str) and address:
                return address
    return None


def _is_item(node: JsonValue) -> bool:
    return isinstance(node, dict) and _tag_of(node, kind_of(node)) in ("li", "ul", "ol")


def _is_inline(node: JsonValue) -> bool:
    """Return whether a node is part of a paragraph: of an inline type, or untyped text."""
    if not isinstance(node, dict):
        return False
    kind = kind_of(node)
    return _INLINE.match(kind) is not None if kind else isinstance(node.get("text"), str)


def _is_block_markup(content: JsonValue) -> bool:
    return isinstance(content, str) and content.lstrip()[:3].lower() in ("<p>", "<p ", "<ul", "<h2")


def _escape_lines(text: str) -> str:
    return escape(text.strip("\n"), quote=False).replace("\n", "<br>")
