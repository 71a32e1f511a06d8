"""Duplicates of texts, and blocks that repeat on a host."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace

import pytest

from thresher.batch.duplicates import Duplicates, RepeatedBlocks
from thresher.batch.model import Record

WORDS = "barn rye oats wheat field river market road wind harvest straw sack mill".split()


def text_of(seed: int, count: int = 400) -> str:
    chance = random.Random(seed)
    return " ".join(f"{chance.choice(WORDS)}{chance.randrange(50)}" for _ in range(count))


@pytest.fixture
def duplicates() -> Duplicates:
    return Duplicates(sqlite3.connect(":memory:"))


def test_the_same_words_are_an_exact_duplicate(duplicates: Duplicates) -> None:
    """Case, spaces and punctuation are ignored; a duplicate from another file is named with it."""
    first = Record("a", source="one.warc", text="The barn was full, by night.")
    assert first == duplicates.mark(first)
    same = Record("b", source="one.warc", text="the BARN was full\nby night")
    assert ("a", "exact") == mark_of(duplicates.mark(same))
    elsewhere = replace(same, source="two.warc")
    assert ("one.warc#a", "exact") == mark_of(duplicates.mark(elsewhere))


def mark_of(record: Record) -> tuple[str | None, str | None]:
    return record.duplicate_of, record.duplicate


def test_nearly_the_same_words_are_a_near_duplicate(duplicates: Duplicates) -> None:
    """A text with another ending is a near duplicate; all copies refer to the first."""
    text = text_of(1)
    assert (None, None) == mark_of(duplicates.mark(Record("a", text=text)))
    assert ("a", "near") == mark_of(duplicates.mark(Record("b", text=f"{text} sold on Friday")))
    assert ("a", "near") == mark_of(duplicates.mark(Record("c", text=f"{text} sold on Monday")))
    assert (None, None) == mark_of(duplicates.mark(Record("d", text=text_of(2))))


def test_pages_that_share_half_are_not_duplicates(duplicates: Duplicates) -> None:
    """Pages that share half of their text are not duplicates."""
    shared = text_of(1)
    duplicates.mark(Record("a", text=f"{shared} {text_of(2)}"))
    assert (None, None) == mark_of(duplicates.mark(Record("b", text=f"{shared} {text_of(3)}")))


def test_short_texts_are_compared_exactly(duplicates: Duplicates) -> None:
    """Short texts are only compared exactly, and empty ones not at all."""
    duplicates.mark(Record("a", text="rye is sown in autumn and oats in spring"))
    almost = Record("b", text="rye is sown in autumn and oats in March")
    assert (None, None) == mark_of(duplicates.mark(almost))
    for id in "cd":
        assert (None, None) == mark_of(duplicates.mark(Record(id, text=" ... ")))


def test_rolled_back_texts_are_forgotten() -> None:
    """After a rollback a page is not a duplicate of itself."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    duplicates = Duplicates(database)
    record = Record("a", text=text_of(1))
    database.execute("begin")
    duplicates.mark(record)
    database.execute("rollback")
    assert (None, None) == mark_of(duplicates.mark(record))


def test_most_near_duplicates_are_found(duplicates: Duplicates) -> None:
    """At least 90 % of pairs that share 90 % of their shingles are found."""
    found = 0
    for seed in range(60):
        words = text_of(seed).split()
        duplicates.mark(Record(f"a{seed}", text=" ".join(words)))
        for at in range(0, 400, 100):  # four words of 400: 20 of 396 shingles on each side
            words[at] = "other"
        near = duplicates.mark(Record(f"b{seed}", text=" ".join(words)))
        found += (f"a{seed}", "near") == mark_of(near)
    assert 54 <= found


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
