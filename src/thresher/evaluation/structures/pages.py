"""Pages generated for the measure: a structure between paragraphs, in a layout.

The structures and layouts are tables beside this file, with invented texts; the prose around them
is put together from a list of sentences, always alike.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Final

__all__ = ["LENGTHS", "Structure", "StructurePage", "generate_pages", "read_structures"]

LENGTHS: Final = (2, 5, 14)
"""Paragraphs before a structure, and as many after it."""
_FOLDER: Final = Path(__file__).parent
_SENTENCES_A_PARAGRAPH: Final = 4
_SENTENCES: Final = (
    "The mill stands where the river bends twice before it reaches the sea.",
    "For two hundred years somebody has opened the sluice there every morning.",
    "Most of the machinery is oak, and most of the oak is older than the road.",
    "When the wind drops, the miller can hear the trains on the other bank.",
    "Nobody in the village remembers a winter in which the wheel froze.",
    "The grain comes from four farms, none of them farther away than an hour's walk.",
    "Before the harvest the stones are lifted and dressed with a small hammer.",
    "It takes a day for each stone, and the sound carries across the meadows.",
    "Her grandfather kept a diary in which he wrote down the weather and the price of rye.",
    "Some of its pages are missing, but the years of the flood are complete.",
    "The council wanted to pull the building down and put up a car park instead.",
    "In the end it was a group of bakers who collected the money for the roof.",
    "Visitors are surprised by how warm the flour is when it leaves the stones.",
    "A good miller, she says, works with the hands and listens with the feet.",
)


@dataclass(frozen=True, slots=True)
class Structure:
    """A short structure and how to recognise it in Markdown."""

    name: str
    html: str
    pieces: tuple[str, ...]
    """What must come out, in this order."""
    form: str
    """Pattern that the Markdown of the structure must match; empty if any form will do."""


@dataclass(frozen=True, slots=True)
class StructurePage:
    """One generated page."""

    structure: Structure
    skin: str
    length: int
    html: str
    before: str
    """The last sentence before the structure."""
    after: str
    """The first sentence after it."""


def read_structures() -> tuple[Structure, ...]:
    """Read the table of structures."""
    return tuple(
        Structure(name, row["html"], tuple(row["pieces"]), row.get("form", ""))
        for name, row in _read("cases.toml").items()
    )


def generate_pages() -> Iterator[StructurePage]:
    """Generate a page for each structure, layout and length."""
    skins = {name: row["html"] for name, row in _read("skins.toml").items()}
    for structure in read_structures():
        for skin, layout in skins.items():
            for length in LENGTHS:
                prose = list(_write_paragraphs(2 * length))
                head, tail = prose[:length], prose[length:]
                text = "\n".join((*map(_wrap, head), structure.html, *map(_wrap, tail)))
                html = (
                    "<!DOCTYPE html><html lang='en'><head><title>The last mill on the river</title>"
                    f"</head><body>{layout.replace('TEXT', text)}</body></html>"
                )
                yield StructurePage(structure, skin, length, html, head[-1][-1], tail[0][0])


def _write_paragraphs(count: int) -> Iterator[list[str]]:
    """Yield paragraphs as lists of sentences; each sentence has its own number in the text."""
    sentences = cycle(_SENTENCES)
    for number in range(1, count + 1):
        paragraph = list(islice(sentences, _SENTENCES_A_PARAGRAPH))
        # The number makes a sentence that occurs again another one.
        yield [f"{sentence[:-1]}, as note {number} says." for sentence in paragraph]


def _wrap(paragraph: list[str]) -> str:
    return f"<p>{' '.join(paragraph)}</p>"


def _read(name: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))
