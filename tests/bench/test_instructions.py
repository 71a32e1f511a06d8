"""Instructions a page: counted by callgrind, bounded so that no change makes a page dear unseen."""

from __future__ import annotations

import pytest

from bench.instructions import count_instructions, has_valgrind, pages_of_tests

pytestmark = pytest.mark.slow

_MAX_MILLION = 15.5
"""Bound of the instructions a page of tests/pages; 14.1 were counted, and 10 % are slack."""


@pytest.mark.skipif(not has_valgrind(), reason="valgrind is not installed")
def test_a_page_takes_no_more_instructions_than_agreed() -> None:
    """From bytes to Markdown the pages of the tests take at most the agreed instructions."""
    counts = count_instructions(pages_of_tests())
    assert sum(counts.values()) <= _MAX_MILLION * 1e6, counts
