"""A worker extracts one entry, and near-duplicates are flagged."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher import __version__
from thresher.batch.duplicates import Duplicates, RepeatedBlocks
from thresher.batch.model import Item, Record, Settings
from thresher.batch.work import describe_error, extract_item, scope_of
from thresher.errors import InputError, UsageError
from thresher.limits import Limits
from thresher.sites import HostRules, Rulebook, Rules

PAGE = """<html lang="en"><head><title>Rye</title>
<meta name="author" content="Ada Reaper"><link rel="canonical" href="https://example.org/rye">
</head><body><nav><a href="/">Home</a></nav><article><h1>Rye</h1>
<p>Rye is sown in autumn, and it is cut in the heat of the summer after.</p></article></body></html>
"""


def test_a_record_has_the_content_and_what_is_known() -> None:
    """A record has the requested formats, the metadata and the processing data."""
    settings = Settings(formats=("markdown",), scope="article")
    record = extract_item(Item("1", PAGE.encode(), "https://example.org/rye?from=x"), settings)
    assert "Rye is sown in autumn" in (record.markdown or "")
    assert (None, None) == (record.text, record.html)
    assert ("Rye", ("Ada Reaper",), "en") == (record.title, record.authors, record.language)
    assert ("content", "article", "learned") == (record.verdict, record.scope, record.method)
    assert ("https://example.org/rye?from=x", None) == (record.url, record.error)
    assert (len(PAGE), __version__) == (record.n_bytes, record.version)
    assert blake2b(PAGE.encode(), digest_size=16).hexdigest() == record.digest
    assert 0 < (record.confidence or 0) <= 1
    assert record.elapsed_s > 0


def test_rules_of_the_host_hold() -> None:
    """The user's rules apply to the pages of their host only."""
    book = Rulebook({"example.org": HostRules(Rules(drop=("h1",)))})
    settings = Settings(rules=book, method="keep_all")
    for url, is_kept in (("https://example.org/rye", False), ("https://other.org/rye", True)):
        record = extract_item(Item("1", PAGE, url), settings)
        assert is_kept == ("Rye\n" in (record.text or ""))


def test_a_record_without_metadata_has_none() -> None:
    """Without metadata, its columns are empty and the URL is the given one."""
    record = extract_item(Item("1", PAGE), Settings(metadata=False))
    assert (None, (), None) == (record.title, record.authors, record.url)
    assert "https://example.org/rye" == extract_item(Item("1", PAGE), Settings()).url


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_nothing_raises(body: bytes | str) -> None:
    """Any input gives a record with a verdict, or with an error and no content."""
    record = extract_item(Item("1", body), Settings())
    assert (record.error is None) == (record.verdict is not None) == (record.text is not None)


def test_errors_name_themselves() -> None:
    """An error begins with the name of the exception, and the record identifies the page."""
    record = extract_item(Item("7", b"%PDF-1.7", "https://example.org/leaflet"), Settings())
    assert (record.error or "").startswith("InputError: ")
    assert ("7", "https://example.org/leaflet", 8) == (record.id, record.url, record.n_bytes)
    assert "InputError: two lines" == describe_error(InputError("two\n  lines"))
    assert "MemoryError" == describe_error(MemoryError())


def test_partial_result_is_accepted_by_setting() -> None:
    """A page beyond a limit is an error, or by setting a partial record with that verdict."""
    page = "<p>One sheaf after the other was brought in.</p>" * 1000
    error = extract_item(Item("1", page), Settings(limits=Limits(max_nodes=500))).error
    assert (error or "").startswith("LimitError: nodes of the page")
    partial = Limits(max_nodes=500, on_limit="partial", deadline_s=60)
    record = extract_item(Item("1", page), Settings(limits=partial))
    assert ("partial", None) == (record.verdict, record.error)
    assert record.text


def test_the_scope_is_the_methods() -> None:
    """The scope comes from the settings, the parameters or the method's default, or is None."""
    assert "auto" == scope_of(Settings())
    assert "page" == scope_of(Settings(scope="page"))
    assert "thread" == scope_of(Settings(params={"scope": "thread"}))
    assert scope_of(Settings(method="keep_all")) is None
    with pytest.raises(UsageError, match="keep_all has no scope"):
        scope_of(Settings(method="keep_all", scope="page"))


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


def test_blocks_of_many_pages_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are counted per host, once per page, and marked from the threshold on."""
    monkeypatch.setattr("thresher.batch.duplicates._MIN_PAGES", 3)
    repeats = RepeatedBlocks(sqlite3.connect(":memory:"))
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
