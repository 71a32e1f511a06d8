"""The compiled steps for writers."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["WriterSteps"]


class WriterSteps(Protocol):
    """The compiled steps of `thresher.writers`.

    They are given many arrays each: native/writers.c lists them.
    """

    def group_kept(self, *arrays: Any) -> int:
        """Group kept leaves into runs, and find the rows that hold any; return how many leaves."""

    def find_heading_links(self, *arrays: Any) -> int:
        """Find the links in headings with kept leaves; return how many."""

    def lay_out_rows(self, *arrays: Any) -> int:
        """Find what rows and runs are written as; return 0."""

    def put_plain(self, *arrays: Any) -> int:
        """Find the pieces that are written as they stand; return how many."""

    def join_pieces(self, *arrays: Any) -> int:
        """Join pieces where there is room for all; return how many bytes they have."""

    def tidy_markup(self, *arrays: Any) -> int:
        """Write markup without the attributes that no element may have; return how many bytes."""
