"""Attributes of HTML elements that TEI has too, and formulas."""

from __future__ import annotations

import re
from typing import Final

from thresher.support.xml import format_attribute, format_text
from thresher.writers.math.formulas import TEX
from thresher.writers.math.tex import drop_tex_links
from thresher.writers.stream.events import Attributes
from thresher.writers.stream.markup import read_attributes

__all__ = ["ATTRIBUTED", "DATE", "LANGUAGE", "FormulaReader", "format_attributes"]

DATE: Final = re.compile(
    r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])"
    r"(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d)?)?)?)?"
)
"""Dates valid in TEI (W3C XML Schema Part 2, 3.2.7 to 3.2.11), with four-digit years."""
LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")

ATTRIBUTED: Final = frozenset(("a", "td", "th", "time"))
"""Elements with attributes that TEI has; the language can be that of any element."""


def format_attributes(tag: str, attributes: Attributes) -> str:
    """Format the attributes of an element that TEI has too."""
    if not attributes:
        return ""
    formatted = ""
    language = attributes.get("lang", "")
    if LANGUAGE.fullmatch(language):
        formatted += format_attribute("xml:lang", language)
    if tag == "a":
        formatted += format_attribute("target", attributes["href"])
    if tag == "time" and DATE.fullmatch(when := attributes.get("datetime", "").strip()):
        formatted += format_attribute("when", when)
    if tag in ("td", "th"):
        for name, ours in (("colspan", "cols"), ("rowspan", "rows")):
            count = attributes.get(name, "").strip()
            if count.isascii() and count.isdigit() and 1 < int(count[:9]) <= 65534:
                formatted += format_attribute(ours, str(int(count)))
    return formatted


class FormulaReader:
    """The content of a `math` element."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._tex = ""
        self._start = -1
        """Index of the first text of the annotation that is open."""

    def open(self, tag: str, attributes: str) -> None:
        """Begin an element in the formula."""
        if tag == "annotation":
            is_tex = read_attributes(attributes).get("encoding") == TEX
            self._start = len(self.texts) if is_tex else -1

    def close(self, tag: str) -> None:
        """End an element in the formula."""
        if tag == "annotation" and self._start >= 0:
            tex = "".join(self.texts[self._start :])
            self._tex = self._tex or drop_tex_links(tex).strip()
            self._start = -1

    def format(self) -> str:
        """Return a `formula`: its annotated TeX, otherwise its text."""
        if self._tex:
            return f'<formula notation="TeX">{format_text(" ".join(self._tex.split()))}</formula>'
        return f"<formula>{format_text(drop_tex_links(''.join(self.texts)))}</formula>"
