"""The card of a trained model: its data, training and scores."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from thresher.evaluation.corpora import Corpus
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.metrics import standard_error
from thresher.evaluation.role_labels.labels import RoleAgreement, write_table
from thresher.features import FEATURES
from thresher.training.learned import encoding, fit, network

_LICENCES: Final = {
    "wcxb_dev": "CC BY 4.0",
    "newspaper4k_424": "Apache-2.0",
    "fundus_tests": "MIT",
    "magic_html": "Apache-2.0",
    "waddle_train": "GPL-3.0",
    "dragnet": "AGPL-3.0",
}
"""Licences of the corpora of the shipped weights, as stated by their authors."""


@dataclass(frozen=True, slots=True)
class Making:
    """Data, command and settings from which a model was trained."""

    date: str
    """In ISO 8601."""
    command: str
    versions: dict[str, str]
    corpora: Sequence[Corpus]
    left_out: Sequence[Corpus]
    """Corpora that the model saw nothing of, and was measured on."""
    n_network: int
    """Networks whose predictions are averaged."""
    seed: int
    n_page: int
    """Pages trained on, with their blocks and sites."""
    n_block: int
    n_site: int
    n_fold: int
    n_token: int
    """Known names of elements."""
    n_role_page: int
    """Pages with annotated roles."""
    roles: RoleAgreement
    """Annotated roles against those of models that were not trained on the page's site."""
    readers: RoleAgreement
    """Roles of two annotators, on pages with two annotations."""
    weights: Path
    """The file of weights."""


def write_card(making: Making, results: Sequence[PageResult]) -> str:
    """Return the card; ``results`` are by models that were not trained on the pages' sites."""
    versions = ", ".join(f"{name} {version}" for name, version in making.versions.items())
    corpora = "\n".join(map(_write_corpus, making.corpora))
    left_out = frozenset(corpus.name for corpus in making.left_out)
    scores = "\n".join(_write_rows(results, left_out))
    confidence = "\n".join(_write_confidence(results))
    return f"""\
# {making.weights.stem}

Weights of the method `learned`: networks of {network.N_ROUND} rounds, {making.n_network} for \
content and one for roles, over {len(FEATURES)} features (docs/features.md)
and {making.n_token:,} names of elements, a linear model of page types, and their calibration.

**Format.** `.npz`, read with `allow_pickle=False`; the arrays are the fields of `Network`,
`PageTypeModel` and `Calibration` in `thresher.algorithms.learned`, 8-bit whole numbers where size
matters. {making.weights.stat().st_size:,} bytes, SHA-256 \
`{hashlib.sha256(making.weights.read_bytes()).hexdigest()}`.

**Made** on {making.date} by

    {making.command}

with {versions}.

**Data.** {making.n_page:,} pages of {making.n_site:,} sites, {making.n_block:,} blocks. Left out: \
pages without a block, and
pages that hold less than half of their label. The texts are no part of the weights. Of \
{making.n_role_page:,} pages
language models told the role of each block (docs/role-labels.md); pages of corpora that are not
listed here were learned from by those alone.

| corpus | role | licence of the labels | SHA-256 |
|---|---|---|---|
{corpora}

**Fitting.** AdamW, {fit.N_EPOCH} epochs of {fit.BATCH_PAGES} pages a step, seed {making.seed}; \
tokens seen on {encoding.MIN_SITES} sites or more.
The constants, with what they mean, are in `thresher.training.learned`.

**Scores.** Word F1 of `Document.text` against the label, mean ± standard error over pages, by
models trained and calibrated without the page's site (registered domain; {making.n_fold} folds), or
of a corpus that is left out, by the model above, which saw none of it.

| corpus | pages | word F1 | precision | recall | found none |
|---|---|---|---|---|---|
{scores}

**Confidence.** The pages of each corpus in quarters by the confidence that those models stated, the
least sure first: mean confidence → mean word F1.

| corpus | first | second | third | fourth |
|---|---|---|---|---|
{confidence}

**Roles.** Those told by models that never saw the page's site, against readers', by blocks of the
pages above; last the agreement of two readers (F1), on {making.readers.n_page} pages. Cohen's κ \
{making.roles.kappa:.2f}, of two readers {making.readers.kappa:.2f}.

{write_table(making.roles, making.readers)}
"""


def _write_corpus(corpus: Corpus) -> str:
    digest = corpus.digest()
    told = (corpus.role or "none", _LICENCES.get(corpus.name, "not told"))
    return f"| {corpus.name} | {' | '.join(told)} | {f'`{digest}`' if digest else 'a folder'} |"


def _write_rows(results: Sequence[PageResult], left_out: Collection[str]) -> Iterator[str]:
    """Yield a row for each corpus, followed by its page types where there are several."""
    corpora: dict[str, list[PageResult]] = {}
    for result in results:
        corpora.setdefault(result.corpus, []).append(result)
    for name, group in corpora.items():
        yield _write_row(f"{name} (left out)" if name in left_out else name, group)
        kinds: dict[str, list[PageResult]] = {}
        for result in group:
            kinds.setdefault(result.page_type or "other", []).append(result)
        if len(kinds) > 1:
            yield from (_write_row(f"– {kind}", kinds[kind]) for kind in sorted(kinds))


def _write_confidence(results: Sequence[PageResult]) -> Iterator[str]:
    """Yield a row for each corpus: stated confidence and reached F1, by quarters."""
    corpora: dict[str, list[PageResult]] = {}
    for result in results:
        if result.confidence is not None:
            corpora.setdefault(result.corpus, []).append(result)
    for name, group in corpora.items():
        ranked = sorted(group, key=lambda result: result.confidence or 0.0)
        cells = []
        for quarter in range(4):
            part = ranked[quarter * len(ranked) // 4 : (quarter + 1) * len(ranked) // 4]
            if part:
                stated = fmean(result.confidence or 0.0 for result in part)
                reached = fmean(result.scores["word"].f1 for result in part)
                cells.append(f"{stated:.2f} → {reached:.2f}")
        yield f"| {name} | {' | '.join(cells)} |"


def _write_row(name: str, results: Sequence[PageResult]) -> str:
    scores = [result.scores["word"] for result in results]
    f1 = [score.f1 for score in scores]
    precision, recall = (
        fmean(values) for values in zip(*((s.precision, s.recall) for s in scores), strict=True)
    )
    n_empty = sum(result.is_empty for result in results)
    return (
        f"| {name} | {len(results):,} | {fmean(f1):.3f} ± {standard_error(f1):.3f}"
        f" | {precision:.3f} | {recall:.3f} | {n_empty} |"
    )
