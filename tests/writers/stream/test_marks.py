"""Marks in texts."""

from __future__ import annotations

import pytest

from thresher.writers.stream.markup import ANY_MARK, drop_marks


def test_marks_are_dropped_when_a_text_has_them() -> None:
    """A text must lose all marks, and nothing else."""
    assert "a\ufddfb".encode() == drop_marks("a\ufdd0\ufdd3\ufddfb".encode())


@pytest.mark.parametrize("mark", ANY_MARK)
def test_each_mark_is_dropped_when_it_stands_alone(mark: str) -> None:
    """Every mark must be removed, whatever its bytes and its neighbours."""
    assert b"b" == drop_marks(f"{mark}b".encode())
