"""Credits added up: precision, recall and F1 of a field, and the confidence of correct answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from thresher.evaluation.metadata_scores.matching import FIELDS, Values, credit, is_found

__all__ = ["Outcome", "Tally", "add_up", "compare"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an extractor for one field of one page."""

    extractor: str
    corpus: str
    page: str
    fold: int
    """0 for the half of the sites that the rules were developed on, 1 for the other."""
    field: str
    is_labelled: bool
    is_found: bool
    credit: float
    confidence: float | None = None
    """The confidence that the extractor reports, if any."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcomes of one extractor for one field, added up."""

    n_label: int
    n_right: float
    """Credits, which are whole numbers except for authors."""
    n_wrong: float
    n_missing: int
    n_extra: int
    """Pages where something was found and the label is empty. Labels do not say whether there is
    nothing or nobody looked, so these count neither for nor against."""

    @property
    def precision(self) -> float:
        """The share of values found on pages with a label that is correct."""
        n_found = self.n_label - self.n_missing
        return self.n_right / n_found if n_found else 0.0

    @property
    def recall(self) -> float:
        """The share of labels that was found."""
        return self.n_right / self.n_label if self.n_label else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def compare(
    extractor: str,
    page: tuple[str, str, int],
    found: Values,
    label: Values,
    confidence_of: dict[str, float] | None = None,
) -> list[Outcome]:
    """Compare all fields of a page; ``page`` is its corpus, its name and its half."""
    sure = confidence_of or {}
    return [
        Outcome(
            extractor,
            *page,
            field,
            is_found(label, field),
            is_found(found, field),
            credit(found, label, field),
            sure.get(field),
        )
        for field in FIELDS
    ]


def add_up(outcomes: Iterable[Outcome]) -> Tally:
    """Add up the outcomes of one field and one extractor."""
    every: Sequence[Outcome] = list(outcomes)
    labelled = [each for each in every if each.is_labelled]
    n_right = sum(each.credit for each in labelled)
    n_missing = sum(not each.is_found for each in labelled)
    return Tally(
        n_label=len(labelled),
        n_right=n_right,
        n_wrong=len(labelled) - n_missing - n_right,
        n_missing=n_missing,
        n_extra=sum(each.is_found and not each.is_labelled for each in every),
    )
