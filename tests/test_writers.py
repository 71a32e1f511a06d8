"""The table of writers."""

from __future__ import annotations

from thresher.writers import FORMATS, WRITERS


def test_formats_are_listed_when_asked_for() -> None:
    """The formats are those of the command line and the guide, in their order."""
    assert (
        *("markdown", "text", "html", "json", "inplace"),
        *("jsonl", "csv", "tei", "thread"),
    ) == FORMATS
    assert FORMATS == tuple(WRITERS)
