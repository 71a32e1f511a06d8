"""Generated pages with a structure between paragraphs, and whether it came out.

The structures and layouts are tables beside this file, with invented texts; the prose around them
is put together from a list of sentences, always alike. A structure came out if it is whole and in
order between its neighbours; whether it is what it should be is another question.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import cycle, islice
from pathlib import Path
from statistics import fmean
from typing import Final

from thresher.evaluation.command import write_table

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
_SIGN: Final = re.compile(r"[\W_]+")
"""What does not count when texts are compared: Markdown's own characters and white space."""
_MARK: Final = re.compile(r"\[\^([^\[\]\s]+)\](?!:)")
_NOTE: Final = re.compile(r"(?m)^\[\^([^\]\s]+)\]: (.*)$")


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
                yield StructurePage(structure, skin, html, head[-1][-1], tail[0][0])


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


class StructureOutcome(IntEnum):
    """What became of one structure on one page."""

    TORN = 0
    """Some of its pieces are missing or out of order between the sentences around it."""
    WHOLE = 1
    """All its pieces stand in order there."""
    SHAPED = 2
    """And its Markdown has the form that it should have."""


Judged = Sequence[tuple[StructurePage, StructureOutcome]]


def judge(page: StructurePage, markdown: str) -> StructureOutcome:
    """Judge the Markdown of one page."""
    start, stop = markdown.find(page.before), markdown.find(page.after)
    if start < 0 or stop < start:
        return StructureOutcome.TORN
    notes = dict(_NOTE.findall(markdown))
    between = markdown[start + len(page.before) : stop].strip("\n")
    # What a note says stands at the end of the Markdown, but belongs where its mark is.
    between = _MARK.sub(lambda mark: f"{mark[0]}\n{notes.get(mark[1], '')}", between)
    letters, at = _SIGN.sub("", between), 0
    for piece in page.structure.pieces:
        place = letters.find(_SIGN.sub("", piece), at)
        if place < 0:
            return StructureOutcome.TORN
        at = place + 1
    is_shaped = re.search(page.structure.form, between) is not None
    return StructureOutcome.SHAPED if is_shaped else StructureOutcome.WHOLE


def write_outcomes(judged_by: Mapping[str, Judged]) -> str:
    """Write the shares of each tool as a table in Markdown, and below it which structures fail."""
    rows, torn = [], []
    for tool, judged in judged_by.items():
        shares = (
            fmean(outcome >= least for _, outcome in judged)
            for least in (StructureOutcome.WHOLE, StructureOutcome.SHAPED)
        )
        rows.append([tool, *(f"{share * 100:.1f}" for share in shares)])
        counts = Counter(page.structure.name for page, outcome in judged if not outcome)
        names = ", ".join(f"{name} {n_page}" for name, n_page in counts.most_common()) or "none"
        torn.append(f"Not whole, on how many pages, {tool}: {names}.")
    table = write_table(["tool", "whole, %", "in their form, %"], rows)
    return "\n\n".join((table, *torn)) + "\n"
