"""Model of threads."""

from __future__ import annotations

import dataclasses

import pytest

from thresher.analysis.threads import PostDate, ThreadKind


def test_dates_are_frozen() -> None:
    """Threads and posts are immutable."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        PostDate(None, "then").raw = "now"  # type: ignore[misc]


def test_kinds_are_named_for_readers() -> None:
    """The names of kinds are those of docs/threads.md."""
    assert ["forum", "comments", "questions and answers", "reviews"] == [
        each.value for each in ThreadKind
    ]
