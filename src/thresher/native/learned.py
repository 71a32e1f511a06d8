"""The compiled steps for the features of blocks and the learned network."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["LearnedSteps"]


class LearnedSteps(Protocol):
    """The compiled steps of `thresher.features` and `thresher.algorithms.learned`.

    Each takes many arrays, which are listed in native/learned.c and selected.c. All return a number
    or 0.
    """

    def read_characters(self, *arrays: Any) -> int:
        """Count characters and words of blocks; return the number of distinct title words."""

    def read_tokens(self, *arrays: Any) -> int:
        """Read the names of blocks' ancestors: distinct names, their tokens, their elements."""

    def measure_blocks(self, *arrays: Any) -> int:
        """Compute the container chain, the counts, the words and the features of blocks."""

    def hash_runs(self, *arrays: Any) -> int:
        """Hash runs of a buffer of symbols."""

    def index_hashes(self, *arrays: Any) -> int:
        """Fill a hash table, whose size is a power of two, with the indices of known hashes."""

    def number_hashes(self, *arrays: Any) -> int:
        """Find the indices of hashes among the known ones; their number for unknown hashes."""

    def add_up_names(self, *arrays: Any) -> int:
        """Sum the embeddings of the names of blocks' ancestors."""

    def average_blocks(self, *arrays: Any) -> int:
        """Average the features of blocks, weighted by words and unweighted."""

    def score_types(self, *arrays: Any) -> int:
        """Sum the evidence of means and names for each page type."""

    def code_blocks(self, *arrays: Any) -> int:
        """Encode blocks, and summarise their codes."""

    def add_up_summaries(self, *arrays: Any) -> int:
        """Sum the summaries before each block, and average them over the page."""

    def relate_blocks(self, *arrays: Any) -> int:
        """Encode blocks again, with their context."""

    def has_way(self, level: int, /) -> int:
        """Return 1 if this machine supports a SIMD level, else 0."""

    def choose_blocks(self, *arrays: Any) -> int:
        """Keep the blocks with the highest expected F-measure."""

    def find_candidates(self, *arrays: Any) -> int:
        """Find the candidates for a page's selection, and describe each."""

    def weigh_candidates(self, *arrays: Any) -> int:
        """Apply the layers of the chooser to candidates."""

    def find_gaps(self, *arrays: Any) -> int:
        """Find pictures, formulas and code that belong to the kept text around them."""

    def find_wholes(self, *arrays: Any) -> int:
        """Find further parts of tables, lists and headings to keep."""
