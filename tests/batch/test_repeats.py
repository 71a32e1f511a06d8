"""Blocks repeated on many pages of a host."""

from __future__ import annotations

import sqlite3

from thresher.batch.model import Record
from thresher.batch.repeats import RepeatedBlocks


def test_blocks_of_many_pages_are_counted() -> None:
    """Blocks are counted per host, once per page, and marked from the threshold on."""
    repeats = RepeatedBlocks(sqlite3.connect(":memory:"), min_pages=3)
    counts = []
    for number in range(4):
        text = f"Story {number}\n\n  Subscribe   now \nSubscribe now\nAll rights reserved"
        record = Record("a", url=f"http://farm.example/{number}", text=text)
        counts.append(repeats.mark(record).n_repeated)
    assert [0, 0, 2, 2] == counts
    other = Record("b", url="http://mill.example/", text="Subscribe now")
    assert 0 == repeats.mark(other).n_repeated


def test_pages_without_text_or_host_are_left_alone() -> None:
    """Pages without text or host are unchanged."""
    repeats = RepeatedBlocks(sqlite3.connect(":memory:"))
    for record in (
        Record("a", url="http://farm.example/"),
        Record("b", text="rye"),
        Record("c", url="http://[", text="rye"),
    ):
        assert record == repeats.mark(record)
