"""The compiled steps for the features of blocks and the learned network."""

from __future__ import annotations

from typing import Any, Protocol

__all__ = ["LearnedSteps"]


class LearnedSteps(Protocol):
    """The compiled steps of `thresher.features` and `thresher.algorithms.learned`.

    They are given many arrays each: native/learned.c and selected.c list them. All return a number
    or 0.
    """

    def read_characters(self, *arrays: Any) -> int:
        """Count characters and words of blocks; return how many distinct words the title has."""

    def read_tokens(self, *arrays: Any) -> int:
        """Read what the elements around blocks are called: names, their tokens, who has them."""

    def measure_blocks(self, *arrays: Any) -> int:
        """Compute the container chain, the counts, the words and the features of blocks."""

    def hash_runs(self, *arrays: Any) -> int:
        """Hash runs of a buffer of symbols."""

    def index_hashes(self, *arrays: Any) -> int:
        """Fill a hash table, of a power of two of places, with the places of known hashes."""

    def number_hashes(self, *arrays: Any) -> int:
        """Find the places of hashes among the known; their number for those that are not."""

    def add_up_names(self, *arrays: Any) -> int:
        """Add up the embeddings of the names around blocks."""

    def average_blocks(self, *arrays: Any) -> int:
        """Average the features of blocks, by words and as they are."""

    def score_types(self, *arrays: Any) -> int:
        """Add up what means and names say of each page type."""

    def code_blocks(self, *arrays: Any) -> int:
        """Code blocks, and summarise their codes."""

    def add_up_summaries(self, *arrays: Any) -> int:
        """Add up the summaries before each block, and average them over the page."""

    def relate_blocks(self, *arrays: Any) -> int:
        """Code blocks anew, with what is around them."""

    def has_way(self, level: int, /) -> int:
        """Return 1 if this machine supports a SIMD level, else 0."""

    def choose_blocks(self, *arrays: Any) -> int:
        """Keep the blocks with the highest expected F-measure."""

    def find_candidates(self, *arrays: Any) -> int:
        """Find how much of a page could be kept, and describe each candidate."""

    def weigh_candidates(self, *arrays: Any) -> int:
        """Apply the layers of the chooser to candidates."""

    def find_gaps(self, *arrays: Any) -> int:
        """Find pictures, formulas and code that belong to the kept text around them."""

    def find_wholes(self, *arrays: Any) -> int:
        """Find what of tables, lists and headings is kept besides."""
