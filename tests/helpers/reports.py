"""Reading of reports that are one HTML file."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final, Self

_VOID: Final = {"meta", "rect", "line", "input", "br", "hr", "img"}
"""Elements without an end tag; those of SVG close themselves."""


class ReportReader(HTMLParser):
    """Checks that elements are closed in order, and collects tags, addresses and text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    @classmethod
    def read(cls, html: str) -> Self:
        """Read a whole document."""
        reader = cls()
        reader.feed(html)
        reader.close()
        assert [] == reader.open
        return reader

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in _VOID:
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
