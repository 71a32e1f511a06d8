"""The card of an adapted model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from thresher.training.adapter.compare import ModelComparison
from thresher.training.adapter.fit import Recipe
from thresher.training.adapter.recipe import TrainedAdapter, advise

__all__ = ["write_card", "write_rows"]


def write_card(
    weights: Path,
    recipe: Recipe,
    trained: TrainedAdapter,
    comparison: ModelComparison,
    *,
    date: str,
    command: str,
    versions: dict[str, str],
) -> str:
    """Return the model card: how the weights were made, and their scores."""
    with_versions = ", ".join(f"{name} {version}" for name, version in versions.items())
    base = "features alone" if recipe.from_scratch else "the features and the shipped model's say"
    folds = "by site" if trained.by_site else "by page, all being of one site"
    said = "".join(f"\n- {each}" for each in advise(recipe.kind, trained.n_page, trained.n_site))
    curve = "\n".join(
        f"| {point.n_page} | {point.f1:.3f} ± {point.error:.3f} |" for point in trained.curve
    )
    rows = "\n".join(write_rows(comparison))
    return f"""\
# {weights.stem}

A {recipe.kind} over {base}, for the method `learned`: `--model {weights.name}`.

**Format.** `.npz`, read with `allow_pickle=False`; {weights.stat().st_size:,} bytes, SHA-256 \
`{hashlib.sha256(weights.read_bytes()).hexdigest()}`.

**Made** on {date} by

    {command}

with {with_versions}.

**Data.** {trained.n_page:,} pages of {trained.n_site:,} sites; {trained.n_left_out:,} more were \
left out, as their labels are not found in them.
A word kept wrongly costs {recipe.false_positive_weight:g} times one dropped wrongly.
{said}

**Before and after.** Word precision, recall and F1 of the text against the label, mean ± standard
error over {comparison.n_page:,} pages, each read by a model trained without its fold \
({len(trained.folds)} folds, {folds}).

| model | precision | recall | F1 | found none |
|---|---|---|---|---|
{rows}

{comparison.n_better:,} pages became better, {comparison.n_worse:,} worse; the mean F1 changed by \
{comparison.gain:+.3f} ± {comparison.gain_error:.3f}.

**Learning curve.** Word F1 by blocks, on pages of sites that were not learned from.

| labelled pages | F1 |
|---|---|
{curve}
"""


def write_rows(comparison: ModelComparison) -> Sequence[str]:
    """Return the two rows of the Markdown table."""
    return [
        f"| {row.name} | {row.precision:.3f} | {row.recall:.3f} | {row.f1:.3f} ± {row.error:.3f}"
        f" | {row.n_empty} |"
        for row in comparison.rows
    ]
