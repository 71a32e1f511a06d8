"""Elements in trafilatura's vocabulary, made from the TEI that Thresher writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from thresher.compat.trafilatura_options import CallOptions
from thresher.document import WriteOptions

if TYPE_CHECKING:
    from thresher.document import Document

__all__ = ["make_element"]

_TEI: Final = "{http://www.tei-c.org/ns/1.0}"
_RENDITIONS: Final = {
    ("hi", "bold"): "#b",
    ("hi", "italic"): "#i",
    ("hi", "underline"): "#u",
    ("hi", "subscript"): "#sub",
    ("hi", "superscript"): "#sup",
    ("list", "bulleted"): "ul",
    ("list", "numbered"): "ol",
}
"""Element and its rendition in TEI → trafilatura's rendition."""
_UNWRAPPED: Final = frozenset(("div", "figure", "hi"))
"""Elements that trafilatura's trees do not have; ``hi`` only without formatting."""


def make_element(document: Document | None, options: CallOptions, name: str) -> ElementTree.Element:
    """Make an element of a name that holds a document's content; empty without a document."""
    root = ElementTree.Element(name)
    if document is None:
        return root
    tei = document.write(
        "tei", WriteOptions(links=options.include_links, images=options.include_images)
    )
    body = ElementTree.fromstring(tei).find(f"{_TEI}text/{_TEI}body")
    unwrapped = _UNWRAPPED if not options.is_formatted else _UNWRAPPED - {"hi"}
    if body is not None:
        _move(body, root, unwrapped)
    return root


def _move(
    source: ElementTree.Element, target: ElementTree.Element, unwrapped: frozenset[str]
) -> None:
    """Copy what is in one element into another, in the other vocabulary."""
    # Text follows the last element that was made in its parent, or begins the parent.
    todo: list[tuple[ElementTree.Element | str | None, ElementTree.Element]] = [
        (part, target) for part in reversed(_parts_of(source))
    ]
    while todo:
        part, parent = todo.pop()
        if part is None:
            continue
        if isinstance(part, str):
            _append_text(parent, part)
            continue
        name = part.tag.removeprefix(_TEI)
        if name == "head" and "rend" not in part.attrib:
            name = "p"  # a caption: headings have their level
        inside = parent
        if name not in unwrapped:
            inside = ElementTree.SubElement(parent, name, _attributes_of(name, part))
        if name == "graphic":
            continue  # its description is an attribute here
        todo.extend((each, inside) for each in reversed(_parts_of(part)))


def _parts_of(element: ElementTree.Element) -> list[ElementTree.Element | str | None]:
    """Return text and elements of an element in their order."""
    parts: list[ElementTree.Element | str | None] = [element.text]
    for child in element:
        parts += (child, child.tail)
    return parts


def _append_text(parent: ElementTree.Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _attributes_of(name: str, element: ElementTree.Element) -> dict[str, str]:
    attributes = {key: value for key, value in element.attrib.items() if not key.startswith("{")}
    if rendition := _RENDITIONS.get((name, attributes.get("rend", ""))):
        attributes["rend"] = rendition
    if name == "cell" and attributes.get("role") == "label":
        attributes["role"] = "head"
    if name == "graphic" and "url" in attributes:
        attributes["src"] = attributes.pop("url")
        if alternative := element.findtext(f"{_TEI}desc"):
            attributes["alt"] = alternative
    return attributes
