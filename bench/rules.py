"""What the rule beside the decider is worth: held-out pages with it and without it.

    python -m bench.rules --folds DIR CORPUS…

`between` keeps what stands between kept blocks. Each page is read by weights that were not trained
on its site (`thresher train --folds DIR`), and measured as by `thresher eval --by-blocks`, by its
label of roles if it has one, otherwise by its text: on how many pages is the word F1 higher or
lower with the rule, a hole closed, and a page perfect that was not, or no longer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.harness import make_parser, named_corpora
from thresher.algorithms.learned import Params, select
from thresher.algorithms.learned.reasons import Reason
from thresher.errors import ThresherError
from thresher.evaluation.block_losses import (
    BlockGold,
    BlockLosses,
    count_losses,
    flag_kept,
    read_role_gold,
    read_text_gold,
)
from thresher.evaluation.corpora import LabelledPage
from thresher.evaluation.folds import count_folds, weights_for
from thresher.evaluation.role_labels.labels import RoleLabels, label_of, read_labels
from thresher.page.parse import parse
from thresher.page.rows import BoolArray
from thresher.roles import ROLES
from thresher.selection import Selection

RULE: Final = "between"


@dataclass(frozen=True, slots=True)
class Effect:
    """The measures of a page without the rule, and with it."""

    before: BlockLosses
    after: BlockLosses


def compare(page: LabelledPage, labels: RoleLabels, folds: Path, n_fold: int) -> Effect | None:
    """Measure a page without the rule and with it; None without a usable label."""
    try:
        table = parse(page.html, url=page.url)
        selection = select(table, Params(model=weights_for(page, folds, n_fold)))
    except ThresherError:
        return None
    gold, text = _read_gold(page, labels, selection)
    if gold is None or not text or selection.reason_code is None:
        return None
    kept = flag_kept(selection)
    kept_by_rule = selection.reason_code == Reason.BETWEEN

    def measure(mask: BoolArray) -> BlockLosses:
        return count_losses(gold, mask, gold.text_of(mask), text)

    return Effect(measure(kept & ~kept_by_rule), measure(kept))


def main(argv: list[str] | None = None) -> int:
    """Print a row for each corpus, and one for all corpora."""
    parser = make_parser(__doc__, corpora=True)
    parser.add_argument("--folds", required=True, type=Path, metavar="DIR")
    args = parser.parse_args(argv)
    n_fold = count_folds(args.folds)
    labels = read_labels()
    print(f"{'rule':14}{'corpus':24} pages  better  worse  holes closed  perfect, no longer")
    effects: list[Effect] = []
    for corpus in named_corpora(args.corpora):
        corpus_effects = [
            effect
            for page in corpus.pages()
            if (effect := compare(page, labels, args.folds, n_fold))
        ]
        if corpus_effects:
            _print_row(corpus.name, corpus_effects)
        effects += corpus_effects
    _print_row("all", effects)
    return 0


def _read_gold(
    page: LabelledPage, labels: RoleLabels, selection: Selection
) -> tuple[BlockGold | None, str]:
    table = selection.page
    label = label_of(labels, page, len(table.blocks))
    if label is not None:
        gold = read_role_gold(table, label)
        return gold, gold.text
    if not page.text or selection.role_code is None:
        return None, ""
    roles = [ROLES[code] for code in selection.role_code.tolist()]
    return read_text_gold(table, page.text, roles), page.text


def _print_row(name: str, effects: Sequence[Effect]) -> None:
    pairs = [(effect.before, effect.after) for effect in effects]
    counts = (
        len(pairs),
        sum(after.word.f1 > before.word.f1 for before, after in pairs),
        sum(after.word.f1 < before.word.f1 for before, after in pairs),
        sum(after.n_hole < before.n_hole for before, after in pairs),
        sum(after.is_perfect and not before.is_perfect for before, after in pairs),
        sum(before.is_perfect and not after.is_perfect for before, after in pairs),
    )
    print("{:14}{:24}{:6}{:8}{:7}{:14}{:9}{:11}".format(RULE, name, *counts), flush=True)


if __name__ == "__main__":
    sys.exit(main())
