"""Whether a structure came out: whole and in order between its neighbours, and as what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from thresher.evaluation.structures.pages import StructurePage

__all__ = ["StructureCount", "StructureOutcome", "count_outcomes", "judge", "write_table"]

_SIGN: Final = re.compile(r"[\W_]+")
"""What does not count when texts are compared: Markdown's own characters and white space."""
_MARK: Final = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_NOTE: Final = re.compile(r"(?m)^\[\^([^\]\s]+)\]: (.*)$")


@dataclass(frozen=True, slots=True)
class StructureOutcome:
    """What became of one structure on one page."""

    is_whole: bool
    """All its pieces stand in order between the sentences around it."""
    is_shaped: bool
    """It is whole, and its Markdown has the form that it should have."""


@dataclass(frozen=True, slots=True)
class StructureCount:
    """Outcomes of one tool, by structure."""

    tool: str
    n_page: int
    n_whole: int
    n_shaped: int
    failed: tuple[tuple[str, int], ...]
    """Structures that were not whole on some pages, with the number of pages, most first."""


def judge(page: StructurePage, markdown: str) -> StructureOutcome:
    """Judge the Markdown of one page."""
    start, stop = markdown.find(page.before), markdown.find(page.after)
    if start < 0 or stop < start:
        return StructureOutcome(is_whole=False, is_shaped=False)
    notes = dict(_NOTE.findall(markdown))
    between = markdown[start + len(page.before) : stop].strip("\n")
    # What a note says stands at the end of the Markdown, but belongs where its mark is.
    between = _MARK.sub(lambda mark: f"{mark[0]}\n{notes.get(mark[1], '')}", between)
    letters, at = _SIGN.sub("", between), 0
    for piece in page.structure.pieces:
        found = letters.find(_SIGN.sub("", piece), at)
        if found < 0:
            return StructureOutcome(is_whole=False, is_shaped=False)
        at = found + 1
    form = page.structure.form
    return StructureOutcome(
        is_whole=True, is_shaped=not form or re.search(form, between) is not None
    )


def count_outcomes(
    tool: str, judged: Iterable[tuple[StructurePage, StructureOutcome]]
) -> StructureCount:
    """Count the outcomes of one tool."""
    n_page = n_whole = n_shaped = 0
    failed: dict[str, int] = {}
    for page, outcome in judged:
        n_page += 1
        n_whole += outcome.is_whole
        n_shaped += outcome.is_shaped
        if not outcome.is_whole:
            failed[page.structure.name] = failed.get(page.structure.name, 0) + 1
    ranked = sorted(failed.items(), key=lambda item: -item[1])
    return StructureCount(tool, n_page, n_whole, n_shaped, tuple(ranked))


def write_table(counts: Sequence[StructureCount]) -> str:
    """Write the shares as a table in Markdown, and below it which structures fail."""
    lines = ["| tool | whole, % | in their form, % |", "|---|---:|---:|"]
    lines += [
        f"| {one.tool} | {100 * one.n_whole / one.n_page:.1f}"
        f" | {100 * one.n_shaped / one.n_page:.1f} |"
        for one in counts
    ]
    for one in counts:
        names = ", ".join(f"{name} {n_failed}" for name, n_failed in one.failed) or "none"
        lines += ["", f"Not whole, on how many pages, {one.tool}: {names}."]
    return "\n".join(lines) + "\n"
