"""The compiled steps for writers."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["WriterSteps"]


class WriterSteps(Protocol):
    """The compiled steps of `thresher.writers`.

    Each takes many arrays, which are listed in native/writers.c.
    """

    def group_kept(self, *arrays: Any) -> int:
        """Group kept leaves into runs, and flag their ancestors; return the number of leaves."""

    def find_heading_links(self, *arrays: Any) -> int:
        """Find the links in headings with kept leaves; return the number."""

    def lay_out_rows(self, *arrays: Any) -> int:
        """Determine how rows and runs are written; return 0."""

    def put_plain(self, *arrays: Any) -> int:
        """Find the pieces that are copied unchanged; return the number."""

    def join_pieces(self, *arrays: Any) -> int:
        """Join pieces if there is room for all; return their size in bytes."""

    def tidy_markup(self, *arrays: Any) -> int:
        """Write markup without forbidden attributes; return the number of bytes."""
