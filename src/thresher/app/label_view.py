"""The label of a page beside its result: which of its lines the result has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from thresher.evaluation.metrics import Score, score_words

__all__ = ["LabelLine", "LabelView", "compare_with_label"]

_MAX_LINES: Final = 2000
"""Lines of a label that are shown."""


@dataclass(frozen=True, slots=True)
class LabelLine:
    """A line of a label."""

    text: str
    is_found: bool
    """Whether the result has it, whatever the white space."""


@dataclass(frozen=True, slots=True)
class LabelView:
    """A label prepared for display."""

    score: Score
    """Of the words of the result."""
    lines: tuple[LabelLine, ...]
    is_cut: bool
    """Whether there are more lines than are shown."""

    @property
    def n_missing(self) -> int:
        """Number of lines that the result lacks."""
        return sum(not line.is_found for line in self.lines)


def compare_with_label(found: str, label: str) -> LabelView:
    """Compare the text of a result with that of a label."""
    whole = " ".join(found.split())
    texts = [text for line in label.splitlines() if (text := " ".join(line.split()))]
    lines = tuple(LabelLine(text, text in whole) for text in texts[:_MAX_LINES])
    return LabelView(score_words(found, label), lines, len(texts) > _MAX_LINES)
