r"""Description lists in Markdown: a term, and below it its definitions, each after a colon.

Hackle
: A board with steel pins.

PHP Markdown Extra introduced this syntax; Pandoc, kramdown, markdown-it, Hugo and MkDocs adopted
it. Readers that do not support it, such as GitHub's, show "Hackle : A board with steel pins.",
which means the same. So a list is written like this if each definition is one paragraph. Longer
definitions, as in an API reference, would have to be indented, which readers without support would
take for code: there terms and definitions become paragraphs.
"""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element, Node, Text

from thresher.deadline import watch

__all__ = ["COLON", "mark_definitions", "replace_definition_marks"]

COLON: Final = "\U0006fffe"
"""Placeholder for the line break and the colon before a definition, a noncharacter."""
_BLOCKS: Final = (
    "blockquote, dd, dl, dt, figure, h1, h2, h3, h4, h5, h6, hr, ol, p, pre, table, ul, br, img"
)
"""Elements that a definition of one paragraph and one line cannot contain, and an image alone."""
_AROUND: Final = "td, th, dd, dt, summary, figcaption, caption"
"""Elements that Markdown writes in one line, and definitions."""
_LEADING: Final = re.compile(r"^(?:[ >]|[-*+] |\d{1,9}[.)] )*")
_MARK: Final = re.compile(f"(?:(?<! ) +)?{COLON} *")
_BLOCK_START: Final = re.compile(
    COLON + "([\ufddd-\ufdef]*)"  # a mark of `thresher.writers.outline.layout`
    r"(#{1,6}(?= )|[-+](?=[ -])|>|\d{1,9}(?=[.)] )|`{3}|~{3})"
)
"""Text that would start a block at the beginning of a definition."""


def mark_definitions(tree: Element) -> None:
    """Convert the description lists that can be written as such to paragraphs with placeholders."""
    for each in watch(list(tree.find_all("dl"))):
        groups = _read(each)
        if groups:
            each.replace_with(*map(_paragraph, groups))


def _read(each: Element) -> list[list[Element]] | None:
    """Return the terms, each with its definitions; None if the list cannot be written this way."""
    if isinstance(each.parent, Element) and each.parent.closest(_AROUND) is not None:
        return None
    groups: list[list[Element]] = []
    for child in each.children:
        if isinstance(child, Text) and not child.data.strip():
            continue
        if not isinstance(child, Element) or child.tag not in ("dt", "dd"):
            return None
        _unwrap_paragraph(child)
        if not child.text.strip() or child.select(_BLOCKS):
            return None
        if child.tag == "dt":
            groups.append([child])
        elif groups:
            groups[-1].append(child)
        else:
            return None
    return groups if any(len(group) > 1 for group in groups) else None


def _unwrap_paragraph(part: Element) -> None:
    """Remove the only paragraph of a part, but keep its content."""
    inside = [c for c in part.children if not isinstance(c, Text) or c.data.strip()]
    if len(inside) == 1 and isinstance(inside[0], Element) and inside[0].tag == "p":
        inside[0].unwrap()


def _paragraph(group: list[Element]) -> Element:
    nodes: list[Node] = []
    for part in group:
        nodes += [Text(COLON)] if part.tag == "dd" else []
        nodes += list(part.children)
    return Element("p", children=nodes)


def replace_definition_marks(marked: str) -> str:
    """Replace the placeholders in rendered Markdown by line breaks and colons."""
    if COLON not in marked:
        return marked
    return "\n".join(map(_replace_in_line, marked.split("\n")))


def _replace_in_line(line: str) -> str:
    if COLON not in line:
        return line
    found = _LEADING.match(line)
    inside = re.sub(r"[^ >]", " ", found[0]) if found else ""
    return _MARK.sub(f"\n{inside}: ", _BLOCK_START.sub(_escape, line))


def _escape(found: re.Match[str]) -> str:
    start = found[2]
    escaped = f"{start}\\" if start.isdigit() else f"\\{start}"
    return f"{COLON}{found[1]}{escaped}"
