"""Training recipe of `learned`: labelled pages → networks → quantisation → calibration → card.

Every step is determined by the pages and a seed. Sites are assigned to folds; for each fold a model
is trained on all others, so that every page is read once by a model that was not trained on its
site. The output of those models calibrates the one trained on all pages, and is reported in its
card. Trained models can be kept on disk, so that an interrupted run is resumed.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from thresher.algorithms.learned.calibration import FAR, Calibration
from thresher.algorithms.learned.comments import excludes_comments
from thresher.algorithms.learned.decider import Decider
from thresher.algorithms.learned.model import Model
from thresher.algorithms.learned.network import Network
from thresher.algorithms.learned.roles import pick_roles
from thresher.errors import UsageError
from thresher.evaluation.corpora import Corpus, digest_file
from thresher.evaluation.evaluate import PageResult
from thresher.evaluation.folds import fold_of
from thresher.evaluation.metrics import standard_error
from thresher.evaluation.role_labels.labels import RoleAgreement, count_pairs, write_table
from thresher.evaluation.summary import format_versions, group_by, summarise
from thresher.features import FEATURES
from thresher.roles import SCOPES
from thresher.support.files import publish
from thresher.training.learned import encoding, fit, network
from thresher.training.learned.calibrate import (
    HeldOutPage,
    Reached,
    fit_calibration,
    quantise,
    try_choices,
)
from thresher.training.learned.deciding import calibrate_deciders, fit_decider, make_trials
from thresher.training.learned.encoding import Encoding, cross_predict, fit_encoding, fit_page_types
from thresher.training.learned.examples import Example, map_in_processes, scope_of
from thresher.training.learned.fit import fit_network, fit_role_network
from thresher.training.learned.network import encode

SEED: Final = 2026
"""Default seed of the initial weights, the order of pages and dropout."""
N_FOLD: Final = 8
"""Default number of folds."""
N_NETWORK: Final = 1
"""Default number of networks for content, which are averaged; that for roles is beside them."""
_N_INNER_FOLD: Final = 3
"""Folds for predicting the page types of a network's training pages."""
_UNCALIBRATED: Final = Calibration(
    block_slope=np.ones(len(SCOPES)),
    block_shift=np.zeros(len(SCOPES)),
    choice_slope=np.ones(len(SCOPES)),
    choice_shift=np.zeros(len(SCOPES)),
    expected=np.array([0.0, 1.0]),
    reached=np.array([0.0, 1.0]),
)


def digest_recipe(examples: Sequence[Example], n_fold: int, n_network: int, seed: int) -> str:
    """Return a digest of pages, labels and settings: a model of any other recipe is not reused."""
    digest = hashlib.sha256(repr((n_fold, n_network, seed, fit.SETTINGS)).encode())
    for example in examples:
        page = example.page
        digest.update(f"{page.corpus} {page.id} {page.page_type} {example.site}".encode())
        for one in filter(None, (example, example.varied)):
            features = one.features
            hashes = (features.tokens.hash, features.declared, features.first_words)
            for array in (features.values, *hashes, one.weight, one.share, one.role):
                digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:16]


def load_checkpoint(path: Path) -> Model | None:
    """Return the model that an earlier run saved, None if there is none.

    The file is unpickled: it must come from an earlier run of this program.
    """
    if not path.exists():
        return None
    model: Model = pickle.loads(path.read_bytes())
    return model


def save_checkpoint(path: Path, model: Model) -> None:
    """Write a model, whole or not at all."""

    def write(draft: Path) -> None:
        draft.write_bytes(pickle.dumps(model, protocol=pickle.HIGHEST_PROTOCOL))

    publish(path, write)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """The result of training."""

    model: Model
    folds: tuple[Model, ...]
    """The model of each fold, trained and calibrated without the sites of that fold."""
    held_out: tuple[HeldOutPage, ...]
    """Output of these models for the pages of their fold."""


def train(
    examples: Sequence[Example],
    *,
    n_fold: int = N_FOLD,
    n_network: int = N_NETWORK,
    seed: int = SEED,
    n_job: int = 1,
    keep: Path | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> TrainedModel:
    """Train a model on labelled pages, and one for each fold.

    ``keep`` is a folder for checkpoints of each trained model, from which an interrupted run is
    resumed; checkpoints of other pages or settings are ignored. ``report`` is called after each
    model, with the numbers of models done and in total. The same pages give the same weights on the
    same machine, for any number of processes. With ``n_job`` 1, PyTorch's seed and number of
    threads (one) are set in this process. Raises UsageError for fewer than two folds, for too few
    sites, and as `fit_network` does.
    """
    if n_fold < 2:
        raise UsageError(f"folds must be 2 or more, not {n_fold}")
    folds = {fold_of(example.page, n_fold) for example in examples}
    if len(folds) < n_fold:
        raise UsageError(f"the pages are of too few sites for {n_fold} folds")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "examples.pickle"
        with path.open("wb") as file:
            pickle.dump(list(examples), file, protocol=pickle.HIGHEST_PROTOCOL)
        run = partial(
            _train_without,
            examples=path,
            n_fold=n_fold,
            n_network=n_network,
            seed=seed,
            checkpoints=keep and keep / digest_recipe(examples, n_fold, n_network, seed),
        )
        models: list[Model] = []
        read: dict[int, HeldOutPage] = {}
        for model, held_out in map_in_processes(run, (*range(n_fold), None), n_job):
            models.append(model)
            read |= held_out
            report(len(models), n_fold + 1)
    pages = [read[place] for place in sorted(read)]
    reached = try_choices(pages)
    own = np.array([fold_of(page.example.page, n_fold) for page in pages])
    calibrations = [
        *(_calibrate_without(pages, reached, own == fold) for fold in range(n_fold)),
        fit_calibration(pages, reached),
    ]
    deciders = _fit_deciders(pages, own, n_fold)
    *of_folds, whole = (
        replace(model, calibration=calibration, decider=decider)
        for model, calibration, decider in zip(models, calibrations, deciders, strict=True)
    )
    return TrainedModel(whole, tuple(of_folds), tuple(pages))


def measure_roles(pages: Sequence[HeldOutPage]) -> RoleAgreement:
    """Compare annotated roles with those of models that were not trained on the page's site."""
    return count_pairs(
        (page.example.role, pick_roles(page.role_scores))
        for page in pages
        if page.example.role_trust == 1 and page.role_scores.any()
    )


def _fit_deciders(
    pages: Sequence[HeldOutPage], fold_of_page: npt.NDArray[np.integer], n_fold: int
) -> list[Decider]:
    """Fit deciders: one to all folds but each, and last one to all pages."""
    trials = make_trials(pages)
    parts = [[one for one in trials if fold_of_page[one.page] == fold] for fold in range(n_fold)]
    deciders = [
        fit_decider([one for one in trials if fold_of_page[one.page] != fold])
        for fold in range(n_fold)
    ]
    fitted = []
    for out, decider in enumerate((*deciders, fit_decider(trials))):
        # A fold's model must be calibrated by decisions on other folds.
        used = [fold for fold in range(n_fold) if fold != out]
        calibration = calibrate_deciders(
            [deciders[f] for f in used], [parts[f] for f in used], pages
        )
        fitted.append(replace(decider, **calibration))
    return fitted


def _calibrate_without(
    pages: Sequence[HeldOutPage], reached: Reached, out: npt.NDArray[np.bool_]
) -> Calibration:
    kept = np.flatnonzero(~out)
    return fit_calibration(
        [pages[i] for i in kept.tolist()], Reached(reached.expected[kept], reached.actual[kept])
    )


def _train_without(
    out: int | None,
    *,
    examples: Path,
    n_fold: int,
    n_network: int,
    seed: int,
    checkpoints: Path | None,
) -> tuple[Model, dict[int, HeldOutPage]]:
    """Train a model without one fold, or load its checkpoint, and run it on the pages of the fold.

    If ``out`` is None, it is trained on all pages. ``examples`` is a file of them: as arguments
    they would be sent to the process for every model. ``checkpoints`` is how the paths of
    checkpoints begin. Returns the model, uncalibrated, and its output by the index of the page.
    """
    torch.set_num_threads(1)  # more threads change the order of sums, and so the rounding
    with examples.open("rb") as file:
        pages: list[Example] = pickle.load(file)  # written by `train`
    folds = [fold_of(example.page, n_fold) for example in pages]
    path = checkpoints and checkpoints.with_name(f"{checkpoints.name}-{out}.pickle")
    model = load_checkpoint(path) if path else None
    if model is None:
        pairs = zip(pages, folds, strict=True)
        seen = [example.varied or example for example, fold in pairs if fold != out]
        model = _fit(seen, n_network, seed)
        if path:
            save_checkpoint(path, model)
    read = {place: _read(model, pages[place]) for place, fold in enumerate(folds) if fold == out}
    return model, read


def _fit_roles(seen: Sequence[Example], model: Model, seed: int) -> Network | None:
    """Fit the role network; None without annotated roles."""
    network = model.network
    scales = network.mean, network.deviation, network.saturation
    encoding = Encoding(*scales, model.vocabulary)
    pages = [
        encode(example, encoding, model.prepare(example.features, 0).types)
        for example in seen
        if example.role_trust == 1
    ]
    if not pages:
        return None
    fitted = fit_role_network(pages, encoding.vocabulary.size, seed=seed)
    return quantise([fitted], encoding, pages, predicts_roles=True)


def _fit(seen: Sequence[Example], n_network: int, seed: int) -> Model:
    encoding = fit_encoding(seen)
    page_types = fit_page_types(seen, encoding)
    types = cross_predict(seen, encoding, n_fold=_N_INNER_FOLD)
    pages = [encode(example, encoding, own) for example, own in zip(seen, types, strict=True)]
    n_token = encoding.vocabulary.size
    networks = [fit_network(pages, n_token, seed=seed + i) for i in range(n_network)]
    network = quantise(networks, encoding, pages)
    model = Model(encoding.vocabulary, page_types, network, _UNCALIBRATED)
    return replace(model, roles=_fit_roles(seen, model, seed))


def _read(model: Model, example: Example) -> HeldOutPage:
    """Run a model on a page under `auto` and under the scope of its label."""
    scopes = {0, scope_of(example.page)}
    inferences = {scope: model.prepare(example.features, scope) for scope in scopes}
    log_odds = {scope: one.run().astype(np.float64) for scope, one in inferences.items()}
    for scope, inference in inferences.items():
        if excludes_comments(scope, inference.types):
            log_odds[scope][example.comments] = -FAR
    return HeldOutPage(
        example,
        [log_odds.get(scope, log_odds[0]) for scope in range(len(SCOPES))],
        inferences[0].types,
        inferences[0].score_roles(),
    )


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
    corpora = "\n".join(map(_write_corpus, making.corpora))
    left_out = frozenset(corpus.name for corpus in making.left_out)
    scores = "\n".join(_write_rows(results, left_out))
    confidence = "\n".join(_write_confidence(results))
    return f"""\
# {making.weights.stem}

Weights of the method `learned`: networks of {network.N_ROUND} rounds, {making.n_network} for \
content and one for roles, over {len(FEATURES)} features (`python -m thresher.features`)
and {making.n_token:,} names of elements, a linear model of page types, and their calibration.

**Format.** `.npz`, read with `allow_pickle=False`; the arrays are the fields of `Network`,
`PageTypeModel` and `Calibration` in `thresher.algorithms.learned`, 8-bit whole numbers where size
matters. {making.weights.stat().st_size:,} bytes, SHA-256 \
`{digest_file(making.weights)}`.

**Made** on {making.date} by

    {making.command}

with {format_versions(making.versions)}.

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
    for name, group in group_by(results, lambda result: result.corpus).items():
        yield _write_row(f"{name} (left out)" if name in left_out else name, group)
        kinds = group_by(group, lambda result: result.page_type or "other")
        if len(kinds) > 1:
            yield from (_write_row(f"– {kind}", kinds[kind]) for kind in sorted(kinds))


def _write_confidence(results: Sequence[PageResult]) -> Iterator[str]:
    """Yield a row for each corpus: stated confidence and reached F1, by quarters."""
    stating = [result for result in results if result.confidence is not None]
    for name, group in group_by(stating, lambda result: result.corpus).items():
        pairs = [(result.confidence or 0.0, result.scores["word"].f1) for result in group]
        pairs.sort(key=lambda pair: pair[0])
        bounds = pairwise(len(pairs) * quarter // 4 for quarter in range(5))
        parts = (pairs[start:stop] for start, stop in bounds if start < stop)
        means = (map(fmean, zip(*part, strict=True)) for part in parts)
        cells = [f"{stated:.2f} → {reached:.2f}" for stated, reached in means]
        yield f"| {name} | {' | '.join(cells)} |"


def _write_row(name: str, results: Sequence[PageResult]) -> str:
    (mean,) = summarise(results)
    precision, recall, f1 = mean.scores["word"]
    error = standard_error([result.scores["word"].f1 for result in results])
    return (
        f"| {name} | {mean.n_page:,} | {f1:.3f} ± {error:.3f}"
        f" | {precision:.3f} | {recall:.3f} | {mean.n_empty} |"
    )
