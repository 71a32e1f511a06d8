"""Duplicates among records."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace

import pytest

from thresher.batch.duplicates import Duplicates
from thresher.batch.model import Record

WORDS = "barn rye oats wheat field river market road wind harvest straw sack mill".split()


def text_of(seed: int, count: int = 400) -> str:
    chance = random.Random(seed)
    return " ".join(f"{chance.choice(WORDS)}{chance.randrange(50)}" for _ in range(count))


@pytest.fixture
def duplicates() -> Duplicates:
    return Duplicates(sqlite3.connect(":memory:"))


def test_the_same_words_are_an_exact_duplicate(duplicates: Duplicates) -> None:
    """Case, spaces and marks do not count; a page of another file is named with it."""
    first = Record("a", source="one.warc", text="The barn was full, by night.")
    assert first == duplicates.mark(first)
    same = Record("b", source="one.warc", text="the BARN was full\nby night")
    assert ("a", "exact") == mark_of(duplicates.mark(same))
    elsewhere = replace(same, source="two.warc")
    assert ("one.warc#a", "exact") == mark_of(duplicates.mark(elsewhere))


def mark_of(record: Record) -> tuple[str | None, str | None]:
    return record.duplicate_of, record.duplicate


def test_nearly_the_same_words_are_a_near_duplicate(duplicates: Duplicates) -> None:
    """A text with another ending is one; all copies name the first; another text is none."""
    text = text_of(1)
    assert (None, None) == mark_of(duplicates.mark(Record("a", text=text)))
    assert ("a", "near") == mark_of(duplicates.mark(Record("b", text=f"{text} sold on Friday")))
    assert ("a", "near") == mark_of(duplicates.mark(Record("c", text=f"{text} sold on Monday")))
    assert (None, None) == mark_of(duplicates.mark(Record("d", text=text_of(2))))


def test_half_the_words_are_no_duplicate(duplicates: Duplicates) -> None:
    """Two pages that share a long part are two pages."""
    shared = text_of(1)
    duplicates.mark(Record("a", text=f"{shared} {text_of(2)}"))
    assert (None, None) == mark_of(duplicates.mark(Record("b", text=f"{shared} {text_of(3)}")))


def test_short_texts_are_compared_exactly(duplicates: Duplicates) -> None:
    """Of a few words nothing can be estimated; of none, nothing can be said."""
    duplicates.mark(Record("a", text="rye is sown in autumn and oats in spring"))
    almost = Record("b", text="rye is sown in autumn and oats in March")
    assert (None, None) == mark_of(duplicates.mark(almost))
    for id in "cd":
        assert (None, None) == mark_of(duplicates.mark(Record(id, text=" ... ")))


def test_what_is_rolled_back_is_not_known() -> None:
    """After a crash a page is no duplicate of itself."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    duplicates = Duplicates(database)
    record = Record("a", text=text_of(1))
    database.execute("begin")
    duplicates.mark(record)
    database.execute("rollback")
    assert (None, None) == mark_of(duplicates.mark(record))


def test_most_near_duplicates_are_found(duplicates: Duplicates) -> None:
    """Of pairs that share nine tenths of their shingles at least nine in ten are found."""
    found = 0
    for seed in range(60):
        words = text_of(seed).split()
        duplicates.mark(Record(f"a{seed}", text=" ".join(words)))
        for at in range(0, 400, 100):  # four words of 400: 20 of 396 shingles on each side
            words[at] = "other"
        near = duplicates.mark(Record(f"b{seed}", text=" ".join(words)))
        found += (f"a{seed}", "near") == mark_of(near)
    assert 54 <= found
