"""Train the perceptrons of `density_lines`: labelled pages → lines with labels → weights.

    python -m thresher.training.density_lines CORPUS… -o src/thresher/models/density_lines.npz

reads corpora (one JSON page per line, `.jsonl.xz`) and writes the weights and a model card next to
them. A line is content if at least half of its words are found in the page's gold text, in order.
Networks are trained for 1 to 3 lines and 1 to 3 attributes, as compared in the source, with a fixed
seed; scores are on pages of hosts that were not trained on.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from thresher.algorithms.classics.density_lines import (
    MAX_ATTRIBUTES,
    MAX_LINES,
    features_of,
    measure_lines,
)
from thresher.errors import UsageError
from thresher.evaluation.alignment import match_words
from thresher.evaluation.corpora import Corpus, digest_file
from thresher.page import Page
from thresher.page.blocks import join_leaves
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.support.hosts import host_of
from thresher.training.perceptrons import BATCH_LINES, N_STEP, RATE, SEED, fit

_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
"""A word, or a letter in scripts written without spaces."""
_MIN_SHARE: Final = 0.5
"""Share of a line's words that must be in the gold."""
_MAX_CELLS: Final = 10**9
"""Words of a page × words of its gold; alignment takes an eighth of that in bytes."""
FloatArray = npt.NDArray[np.float64]
TRAIN_CORPORA: Final = ("wcxb_dev", "newspaper4k_424", "fundus_tests", "magic_html")
"""Corpora for training; all others are for evaluation."""
_N_FOLD: Final = 5
_N_HIDDEN: Final = 8
_SIZES: Final = tuple(
    (n_line, n_attribute)
    for n_line in range(1, MAX_LINES + 1)
    for n_attribute in range(1, MAX_ATTRIBUTES + 1)
)


def label_lines(page: Page, gold: str) -> npt.NDArray[np.bool_] | None:
    """Flag the lines with text that are in the gold; bool[n].

    None if page and gold are too long to align.
    """
    words: list[str] = []
    stops = [0]
    for line in measure_lines(page).line.tolist():
        leaves = np.arange(*page.lines.start[line : line + 2])
        texts = [page.leaf_text(leaf) for leaf in leaves.tolist()]
        words += split_words(join_leaves(texts, page.gaps[leaves]))
        stops.append(len(words))
    gold_words = split_words(gold)
    if len(words) * len(gold_words) > _MAX_CELLS:
        return None
    place = match_words(words, gold_words)
    # A single word may be in the gold by chance, a word next to another match hardly.
    follows = (np.diff(place) == 1) & (place[1:] > 0)
    in_run = np.zeros(place.size + 1, np.bool_)
    in_run[1:-1] = follows
    sums = np.append(0, np.cumsum(in_run[:-1] | in_run[1:]))[stops]
    is_content: npt.NDArray[np.bool_] = np.diff(sums) >= np.maximum(_MIN_SHARE * np.diff(stops), 1)
    return is_content


def split_words(text: str) -> list[str]:
    """Split a text into case-folded words."""
    return _WORD.findall(text.casefold())


@dataclass(frozen=True, slots=True)
class LabelledLines:
    """Lines of labelled pages.

    ``features`` is float64[n_line, 9], ``is_content`` bool[n_line], ``fold`` int64[n_line]; lines
    of one host share a fold.
    """

    features: FloatArray
    is_content: BoolArray
    fold: npt.NDArray[np.int64]
    n_page: int


def read_lines(paths: Sequence[Path]) -> LabelledLines:
    """Read the lines of every page with gold text; UsageError for a corpus not for training."""
    features, labels, folds = [], [], []
    for path in paths:
        if path.name.split(".", 1)[0] not in TRAIN_CORPORA:
            raise UsageError(f"{path.name} is not to train on; only {', '.join(TRAIN_CORPORA)}")
        for labelled in Corpus(path.name, path).labelled():
            page = parse(labelled.html)
            is_content = label_lines(page, labelled.text or "")
            if is_content is None:
                continue
            host = host_of(labelled.url) or labelled.id
            features.append(features_of(measure_lines(page)))
            labels.append(is_content)
            folds.append(np.full(is_content.size, crc32(host.encode()) % _N_FOLD))
    if not features:
        raise UsageError("no page with gold text to train on")
    return LabelledLines(
        np.concatenate(features), np.concatenate(labels), np.concatenate(folds), len(labels)
    )


def _errors(kept: BoolArray, is_content: BoolArray) -> tuple[float, float]:
    """Return false positives and false negatives, as shares of all lines."""
    return float(np.mean(kept & ~is_content)), float(np.mean(~kept & is_content))


def _cross_errors(lines: LabelledLines, **settings: Any) -> tuple[float, float]:
    """Return the cross-validated errors of networks."""
    kept = np.zeros(lines.is_content.size, np.bool_)
    for fold in np.unique(lines.fold).tolist():
        out = lines.fold == fold
        network = fit(lines.features[~out], lines.is_content[~out], **settings)
        kept[out] = network.log_odds(lines.features[out]) > 0
    return _errors(kept, lines.is_content)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train every network; write the weights and their model card."""
    parser = argparse.ArgumentParser(
        prog="python -m thresher.training.density_lines",
        description="Train the perceptrons of the method density_lines.",
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS", help="a .jsonl.xz file")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the .npz to write")
    parser.add_argument(
        "--false-positive-weight",
        type=float,
        default=1.0,
        help="cost of a false positive line relative to a false negative one (default: 1)",
    )
    args = parser.parse_args(arguments)
    lines = read_lines(args.corpora)

    kept = lines.features[:, 0] > 0.5
    rows = [("density > 0.5", 1, 1, *_errors(kept, lines.is_content))]
    weights: dict[str, list[FloatArray]] = {"perceptron": [], "hidden": [], "output": []}
    for name, n_hidden in (("perceptron", 0), ("mlp", _N_HIDDEN)):
        for n_line, n_attribute in _SIZES:
            settings = {
                "n_line": n_line,
                "n_attribute": n_attribute,
                "n_hidden": n_hidden,
                "false_positive_weight": args.false_positive_weight,
            }
            rows.append((name, n_line, n_attribute, *_cross_errors(lines, **settings)))
            network = fit(lines.features, lines.is_content, **settings)
            if network.hidden is None:
                weights["perceptron"].append(network.output)
            else:
                weights["hidden"].append(network.hidden)
                weights["output"].append(network.output)

    args.output.parent.mkdir(parents=True, exist_ok=True)
    grid = (MAX_LINES, MAX_ATTRIBUTES)
    arrays: dict[str, Any] = {
        name: np.reshape(parts, (*grid, *parts[0].shape)).astype(np.float32)
        for name, parts in weights.items()
    }
    np.savez_compressed(args.output, **arrays)
    card = _write_card(args, lines, rows)
    args.output.with_suffix(".md").write_text(card, encoding="utf-8")


def _write_card(
    args: argparse.Namespace,
    lines: LabelledLines,
    rows: Sequence[tuple[str, int, int, float, float]],
) -> str:
    names = " ".join(path.name for path in args.corpora)
    flag = f" --false-positive-weight {args.false_positive_weight:g}"
    flag = "" if args.false_positive_weight == 1 else flag
    digests = "\n".join(f"| {path.name} | `{digest_file(path)}` |" for path in args.corpora)
    scores = "\n".join(
        f"| {name} | {n_line} | {n_attribute} | {wrong + lost:.3f} | {wrong:.3f} | {lost:.3f} |"
        for name, n_line, n_attribute, wrong, lost in rows
    )
    return f"""\
# {args.output.stem}

Perceptrons of the method `density_lines`: one neuron, or {_N_HIDDEN} hidden ones (tanh) before it,
for 1 to {MAX_LINES} lines (current, previous, next) and 1 to {MAX_ATTRIBUTES} attributes of each \
(density, ln(1 + bytes),
ln(1 + length of text)). The output is the log-odds that the line is content.

**Format.** float32, read with `allow_pickle=False`: `perceptron` [3, 3, 10], `hidden`
[3, 3, {_N_HIDDEN}, 10], `output` [3, 3, {_N_HIDDEN + 1}]; the first two axes are lines − 1 and \
attributes − 1, the
last weight of each neuron its bias. SHA-256 `{digest_file(args.output)}`.

**Made** on {date.today().isoformat()}, numpy {np.__version__}, by

    python -m thresher.training.density_lines {names} -o {args.output.name}{flag}

**Data.** {lines.n_page:,} pages, {lines.is_content.size:,} lines with text, \
{lines.is_content.mean():.1%} of them content: at least half of
the line's words are in the page's gold text, in order.

| corpus | SHA-256 |
|---|---|
{digests}

**Fitting.** Log loss, Adam with a first step of {RATE}, {N_STEP:,} steps of {BATCH_LINES:,} lines \
drawn at random,
seed {SEED}; a line kept wrongly costs {args.false_positive_weight:g} times one dropped wrongly.

**Scores.** Errors as shares of all lines, on pages of hosts that took no part in the training
({_N_FOLD} folds by host).

| | lines | attributes | errors | kept wrongly | dropped wrongly |
|---|---|---|---|---|---|
{scores}
"""


if __name__ == "__main__":
    main()
