"""Footnotes of kept references are kept."""

from __future__ import annotations

import numpy as np
import pytest

from thresher.algorithms.learned.notes import find_notes
from thresher.features import compute_features
from thresher.page.parse import parse

TEXT = "The mill grinds rye from early in the morning, and oats when there is no rye to grind. " * 3
STORY = f"<p>{TEXT}<sup><a href=#a>1</a></sup></p><p>{TEXT}<sup><a href=#b>2</a></sup></p>"
NOTES = "<ol><li id=a>So says the log.</li><li id=b>Not so in winter.</li></ol>"


def complete(html: str, keep: str) -> str:
    """Return the additionally kept blocks, each as 1 or 0."""
    page = parse(f"<body>{html}")
    flags = np.array([char == "1" for char in keep])
    assert len(page.blocks) == flags.size
    found = find_notes(page, compute_features(page), flags)
    return "".join("01"[flag] for flag in found.tolist())


@pytest.mark.parametrize(
    ("html", "keep", "expected"),
    [
        (STORY + NOTES, "1100", "0011"),
        (STORY + NOTES, "0100", "0001"),
        (STORY + NOTES, "0000", "0000"),
        (STORY + NOTES, "1110", "0001"),
        (STORY + "<h2 id=a>So says</h2><h2 id=b>Not so</h2>", "1100", "0000"),
        (f"<p>{TEXT}</p>{NOTES}", "100", "000"),
    ],
    ids=["both", "one", "nothing kept", "one is kept", "sections", "no reference"],
)
def test_note_is_kept_when_its_reference_is(html: str, keep: str, expected: str) -> None:
    """Notes of kept text are kept, and no others."""
    assert expected == complete(html, keep)


def test_notes_stay_out_when_they_are_much_of_the_page() -> None:
    """Notes that are a large part of the page are not added."""
    long = NOTES.replace("Not so", "Not so " * 30)
    assert "0000" == complete(STORY + long, "1100")
