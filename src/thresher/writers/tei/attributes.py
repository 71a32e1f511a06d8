"""Attributes of HTML elements that TEI has too, and formulas."""

from __future__ import annotations

import re
from typing import Final

from turbohtml import Element

from thresher.support.xml import format_attribute, format_text
from thresher.writers.math.formulas import TEX

__all__ = ["DATE", "LANGUAGE", "format_attributes", "format_formula"]

DATE: Final = re.compile(
    r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])"
    r"(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d)?)?)?)?"
)
"""Dates valid in TEI (W3C XML Schema Part 2, 3.2.7 to 3.2.11), with four-digit years."""
LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


def format_attributes(element: Element) -> str:
    """Format the attributes of an element that TEI has too."""
    tag = element.tag
    formatted = ""
    language = element.attr("lang") or ""
    if LANGUAGE.fullmatch(language):
        formatted += format_attribute("xml:lang", language)
    if tag == "a":
        formatted += format_attribute("target", element.attr("href") or "")
    if tag == "time" and DATE.fullmatch(when := (element.attr("datetime") or "").strip()):
        formatted += format_attribute("when", when)
    if tag in ("td", "th"):
        for name, ours in (("colspan", "cols"), ("rowspan", "rows")):
            count = (element.attr(name) or "").strip()
            if count.isascii() and count.isdigit() and 1 < int(count[:9]) <= 65534:
                formatted += format_attribute(ours, str(int(count)))
    return formatted


def format_formula(element: Element) -> str:
    """Return a `formula`: its annotated TeX, otherwise its text."""
    for note in element.find_all("annotation"):
        if note.attr("encoding") == TEX and note.text.strip():
            tex = " ".join(note.text.split())
            return f'<formula notation="TeX">{format_text(tex)}</formula>'
    return f"<formula>{format_text(element.text)}</formula>"
