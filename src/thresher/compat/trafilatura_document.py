"""The result of `bare_extraction`: trafilatura's fields, by its names."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import Element, tostring

from thresher.support.cached import cached_property

if TYPE_CHECKING:
    from thresher.document import Document

__all__ = ["FIELDS", "TrafilaturaDocument"]

FIELDS: Final = (
    *("title", "author", "url", "hostname", "description", "sitename", "date", "categories"),
    *("tags", "fingerprint", "id", "license", "body", "comments", "commentsbody", "raw_text"),
    *("text", "language", "image", "pagetype", "filedate"),
)
"""Names and order are trafilatura's."""
_FINGERPRINT_BYTES: Final = 8
"""Sixteen hexadecimal digits, as trafilatura's have."""


class TrafilaturaDocument:
    """Text, comments and metadata of a page; mutable, as trafilatura's documents are."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    id: str | None = None
    license: str | None = None
    comments: str | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def __init__(
        self, content: Document, make_elements: Callable[[], tuple[Element, Element]], **fields: Any
    ) -> None:
        self.content = content
        """The extraction by Thresher."""
        self.make_elements = make_elements
        """Makes the trees of ``body`` and ``commentsbody``."""
        for name, value in fields.items():
            setattr(self, name, value)

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits of title and text."""
        text = f"{self.title} {self.raw_text}"
        return blake2b(text.encode("utf-8", "replace"), digest_size=_FINGERPRINT_BYTES).hexdigest()

    @cached_property
    def body(self) -> Any:
        """The content as elements of lxml where it is installed, else of `xml.etree`."""
        return as_lxml(self.make_elements()[0])

    @cached_property
    def commentsbody(self) -> Any:
        """The comments, as ``body``."""
        return as_lxml(self.make_elements()[1])

    def as_dict(self) -> dict[str, Any]:
        """Return all fields by name."""
        return {name: getattr(self, name) for name in FIELDS}


def as_lxml(element: Element) -> Any:
    """Return an element of lxml that is like one of `xml.etree`; that one without lxml."""
    try:
        from lxml import etree  # noqa: PLC0415 - not needed by anything else
    except ImportError:
        return element
    return etree.fromstring(tostring(element))
