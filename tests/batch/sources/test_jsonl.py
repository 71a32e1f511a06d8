"""JSON Lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from tests.batch.sources.reading import read
from thresher.batch.model import Item
from thresher.batch.sources.base import ReadOptions, Unreadable

LINES = [json.dumps({"html": f"<p>rye {n}", "url": f"http://farm.example/{n}"}) for n in range(50)]
CONTENT = "\n".join(LINES).encode()
CODECS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("codec", CODECS)
def test_a_line_is_a_page(codec: str, tmp_path: Path) -> None:
    """Lines are read in order, with any compression, also without a final line break."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(CODECS[codec](CONTENT))
    entries, tally = read("jsonl", path, {1})
    assert [0, *range(2, 50)] == list(entries)
    assert Item("50", "<p>rye 49", "http://farm.example/49") == entries[49]
    assert (50, path.stat().st_size, []) == (tally.n_entry, tally.n_byte, tally.damage)


def test_a_bad_line_is_an_error_of_its_own(tmp_path: Path) -> None:
    """Lines that are not objects, or too long, are numbered errors; blank lines are skipped."""
    lines = [b'{"html": "<p>a"}', b"{", b"", b"[1]", b'{"html": "%s"}' % (b"a" * 9000)]
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([*lines, b'{"html": "<p>b"}']))
    entries, tally = read("jsonl", path, (), ReadOptions(max_bytes=1000))
    assert ["1", "2", "4", "5", "6"] == [entry.id for entry in entries.values()]
    assert [1, 2, 3] == [n for n, entry in entries.items() if isinstance(entry, Unreadable)]
    assert (5, {"blank line": 1}) == (tally.n_entry, tally.skipped)


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_truncation_is_detected(codec: str, tmp_path: Path) -> None:
    """The complete lines of a truncated file are read, and the truncation is noted."""
    noise = [json.dumps({"html": str(hash((n, "rye")) ** 9)}).encode() for n in range(4000)]
    path = tmp_path / "a.jsonl"
    zipped = CODECS[codec](b"\n".join(noise))
    path.write_bytes(zipped[: len(zipped) // 2])
    entries, tally = read("jsonl", path)
    assert 1 == len(tally.damage)
    assert "it ends within" in tally.damage[0]
    assert 0 < len(entries) < 4000
    assert all(isinstance(entry, Item) for entry in entries.values())
