"""Metadata in fewer characters."""

from __future__ import annotations

from thresher import WriteOptions
from thresher.writers.shared.added import find_metadata_room, shorten_values

FIELDS = {
    "title": "On bread",
    "description": "word " * 100,
    "tags": ["rye"] * 300,
    "image": f"https://a.test/{'b' * 300}",
    "canonical_url": "https://a.test/b",
    "verdict": "content",
    "confidence": 0.93,
}


def test_long_values_are_cut_first() -> None:
    """Short values stay whole, lists lose items, and addresses are never cut."""
    shorter = shorten_values(FIELDS, 400, 5)
    assert FIELDS["title"] == shorter["title"]
    assert FIELDS["canonical_url"] == shorter["canonical_url"]
    assert str(shorter["description"]).endswith("…")
    assert {"rye"} == set(shorter["tags"])  # type: ignore[call-overload]
    assert "image" not in shorter
    assert len(str(shorter)) < 500


def test_values_within_the_room_stay() -> None:
    """Nothing is changed where there is room for all of it."""
    assert FIELDS == shorten_values(FIELDS, 5_000, 5)


def test_title_and_verdict_are_left_out_last() -> None:
    """With hardly any room the title stays, then the verdict; with none nothing does."""
    assert ["title"] == list(shorten_values(FIELDS, 20, 5))
    assert ["title", "verdict"] == list(shorten_values(FIELDS, 40, 5))
    assert {} == shorten_values(FIELDS, 10, 5)


def test_metadata_have_half_of_the_lower_limit() -> None:
    """A token is counted as a character."""
    assert 500 == find_metadata_room(WriteOptions(max_chars=1000))
    assert 100 == find_metadata_room(WriteOptions(max_chars=1000, max_tokens=200))
