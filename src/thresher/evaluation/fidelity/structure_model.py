"""Model of the features of a page that are compared: headings, lists, tables, code and so on.

White space is ignored, except in code: texts are compared without it, in Unicode's form NFC.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from thresher.evaluation.fidelity.grid import Grid

__all__ = ["Code", "HeadingText", "LinkText", "ListItem", "PageStructure", "squeeze"]


class HeadingText(NamedTuple):
    """A heading."""

    level: int
    text: str


class ListItem(NamedTuple):
    """A list item; those of description lists are of the kinds ``dt`` and ``dd``."""

    depth: int
    """Number of lists around it, from 1."""
    kind: str
    """``ul``, ``dt``, ``dd``; for an ordered list its number."""
    text: str
    """Its own, without that of nested lists."""


class Code(NamedTuple):
    """A block of code."""

    text: str
    """Exact, except for blank lines around it."""
    language: str
    """As declared, in lower case; empty if it is not."""


class LinkText(NamedTuple):
    """A link to another page."""

    text: str
    target: str


@dataclass(frozen=True, slots=True)
class PageStructure:
    """The features found on one page, each kind in document order."""

    headings: tuple[HeadingText, ...] = ()
    items: tuple[ListItem, ...] = ()
    tables: tuple[Grid, ...] = ()
    code: tuple[Code, ...] = ()
    formulas: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Texts of footnotes."""
    quotes: tuple[str, ...] = ()
    links: tuple[LinkText, ...] = ()
    images: tuple[frozenset[str], ...] = ()
    """The URLs of each image: one, or those of several sizes."""
    spans: tuple[tuple[str, str], ...] = ()
    """Emphasis, code and the like inside text: their kind and text."""
    note_links: tuple[LinkText, ...] = ()
    """Links in footnotes, which are not among the others."""
    note_spans: tuple[tuple[str, str], ...] = ()
    """Emphasis and the like in footnotes."""
    words: tuple[str, ...] = ()
    title: str = ""
    """The first heading, if it is of the first level."""
    callouts: tuple[tuple[str, str], ...] = ()
    """Their kind and text."""
    terms: tuple[str, ...] = ()
    """Texts marked as terms, as opposed to the definitions below them."""
    blocks: tuple[str, ...] = ()
    """Texts of blocks, their white space collapsed and formulas left out."""
    captioned: tuple[str, ...] = ()
    """The blocks that follow an image directly, or share its block."""
    captions: tuple[str, ...] = ()
    """Only of what is expected, as are the next two: captions, written below their images."""
    signatures: tuple[str, ...] = ()
    """Names with parameters that are a block of their own."""
    embeds: tuple[str, ...] = ()
    """Addresses of posts and players."""

    @property
    def pieces(self) -> tuple[str, ...]:
        """The strings between white space, without formulas."""
        return tuple(piece for text in self.blocks for piece in text.split())


def squeeze(text: str) -> str:
    """Return a text in the form that is compared: NFC, without white space."""
    return "".join(unicodedata.normalize("NFC", text).split())
