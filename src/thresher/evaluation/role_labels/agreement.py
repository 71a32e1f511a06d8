"""Agreement of two annotators, or of an annotator and a model, on the roles of blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from thresher.evaluation.role_labels.labels import RoleLabel, RoleLabels
from thresher.roles import ROLES

__all__ = ["RoleAgreement", "count_pairs", "measure_agreement", "write_table"]


@dataclass(frozen=True, slots=True)
class RoleAgreement:
    """Confusion matrix of two annotators over the blocks of some pages."""

    n_page: int
    pairs: npt.NDArray[np.int64]
    """Blocks by the role of the first annotator and of the second; int64[role, role]."""

    @property
    def kappa(self) -> float:
        """Cohen's κ (1960): agreement beyond chance, at most 1."""
        total = max(int(self.pairs.sum()), 1)
        agreed = float(np.trace(self.pairs)) / total
        chance = float((self.pairs.sum(axis=0) * self.pairs.sum(axis=1)).sum()) / total**2
        return (agreed - chance) / (1 - chance) if chance < 1 else 1.0

    def f1_of(self, role: str) -> float:
        """Return the F1 of one annotator against the other, which is symmetric."""
        code = ROLES.index(role)
        said = int(self.pairs[code].sum() + self.pairs[:, code].sum())
        return 2 * float(self.pairs[code, code]) / said if said else 1.0


def measure_agreement(labels: RoleLabels) -> RoleAgreement:
    """Compare the first two annotators of every page annotated at least twice."""
    readings: dict[str, list[RoleLabel]] = {}
    for label in chain.from_iterable(labels.values()):
        readings.setdefault(label.sha256, []).append(label)
    twice = [found[:2] for found in readings.values() if len(found) > 1]
    return count_pairs((first.roles, second.roles) for first, second in twice)


def count_pairs(
    pages: Iterable[tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]],
) -> RoleAgreement:
    """Count pairs of roles over pages; each page is a pair of int8[n_block]."""
    pairs, n_page = np.zeros((len(ROLES), len(ROLES)), np.int64), 0
    for first, second in pages:
        np.add.at(pairs, (first.astype(int), second.astype(int)), 1)
        n_page += 1
    return RoleAgreement(n_page, pairs)


def write_table(told: RoleAgreement, readers: RoleAgreement) -> str:
    """Return a Markdown table of the accuracy of each role, and of the annotators' agreement.

    ``told`` pairs annotators' roles with those of a method.
    """
    lines = [
        "| role | blocks | precision | recall | F1 | two readers |",
        "|---|---|---|---|---|---|",
    ]
    for code, role in enumerate(ROLES):
        hit = int(told.pairs[code, code])
        n_said, n_told = int(told.pairs[code].sum()), int(told.pairs[:, code].sum())
        precision, recall = hit / max(n_told, 1), hit / max(n_said, 1)
        lines.append(
            f"| {role} | {n_said:,} | {precision:.2f} | {recall:.2f} | {told.f1_of(role):.2f}"
            f" | {readers.f1_of(role):.2f} |"
        )
    return "\n".join(lines)
