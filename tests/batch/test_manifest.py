"""The manifest: its transactions, spans of positions, and fingerprints of files."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.batch.manifest import (
    NAME,
    Manifest,
    OutputPart,
    PositionSet,
    differ,
    take_fingerprints,
)
from thresher.batch.sources.base import Place, SourceTally
from thresher.errors import UsageError

PLACES = [Place("warc", "a.warc", ("a.warc",), 10), Place("html", "b", ("b/1", "b/2"), 5)]


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    manifest = Manifest(tmp_path)
    manifest.create(iter(PLACES), {"format": "parquet"})
    return manifest


def part_of(number: int, spans: list[list[int]]) -> OutputPart:
    return OutputPart(f"part-{number}", 2, 9, {1: spans}, {1: [0]}, {"n_record": 2})


def test_what_is_committed_is_there_again(manifest: Manifest) -> None:
    """Sources, parts and tallies are persistent."""
    tally = SourceTally(7, damage=["cut"])
    tally.skipped["request"] = 3
    manifest.begin()
    manifest.add_part(part_of(0, [[0, 2]]))
    manifest.add_part(part_of(1, [[2, 3], [5, 6]]))
    manifest.end_source(0, tally)
    manifest.commit()
    manifest.close()
    again = Manifest(manifest.path.parent)
    assert again.is_begun()
    again.check({"format": "parquet"})
    assert list(enumerate(PLACES)) == list(again.places())
    assert [part_of(0, [[0, 2]]), part_of(1, [[2, 3], [5, 6]])] == list(again.parts())
    assert [[0, 3], [5, 6]] == again.done()[1].pairs()
    (ended,) = again.ended().values()
    assert (7, {"request": 3}, ["cut"]) == (ended.n_entry, ended.skipped, ended.damage)
    again.close()


def test_a_plan_that_fails_leaves_no_manifest(tmp_path: Path) -> None:
    """If a source is missing, no manifest is created."""

    def find() -> list[Place]:
        raise UsageError("no such file")

    manifest = Manifest(tmp_path)
    with pytest.raises(UsageError, match="no such file"):
        manifest.create((place for _ in "a" for place in find()), {})
    manifest.close()
    again = Manifest(tmp_path)
    assert not again.is_begun()
    again.close()


def test_other_file_is_rejected(tmp_path: Path) -> None:
    """The error names the file."""
    (tmp_path / NAME).write_bytes(b"rye and oats, and no database at all" * 50)
    with pytest.raises(UsageError, match=NAME):
        manifest = Manifest(tmp_path)
        manifest.is_begun()


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_spans_are_a_set(positions: set[int], others: set[int]) -> None:
    """Positions in any order are stored in disjoint, non-adjacent spans; some can be taken out."""
    spans = PositionSet.of(positions)
    assert positions == {position for position in range(61) if position in spans}
    assert len(positions) == len(spans)
    pairs = spans.pairs()
    assert all(one[1] < other[0] for one, other in pairwise(pairs))
    assert pairs == PositionSet(pairs[::-1]).pairs()
    assert PositionSet.of(positions - others).pairs() == spans.without(others).pairs()


def test_any_change_is_seen(tmp_path: Path) -> None:
    """Another size, another time of modification, or another beginning."""
    path = tmp_path / "a"
    path.write_bytes(b"rye")
    os.utime(path, ns=(5, 5))
    before = take_fingerprints([str(path)])
    assert not differ(before, take_fingerprints([str(path)]))
    for content, time_ns in ((b"rye and oats", 5), (b"rye", 6), (b"oat", 5)):
        path.write_bytes(content)
        os.utime(path, ns=(time_ns, time_ns))
        assert differ(before, take_fingerprints([str(path)]))


def test_a_missing_file_tells_nothing(tmp_path: Path) -> None:
    """A file that was or is missing is not another one."""
    path = tmp_path / "a"
    missing = take_fingerprints([str(path)])
    assert [None] == missing
    path.write_bytes(b"rye")
    there = take_fingerprints([str(path)])
    assert not differ(missing, there)
    assert not differ(there, missing)
