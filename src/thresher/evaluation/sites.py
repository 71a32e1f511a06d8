"""`python -m thresher.evaluation.sites`: the benefit of knowing other pages of a site.

Each labelled page is extracted alone, and with 1, 2, 5 and 10 other pages of its site known, drawn
with a fixed seed. A site is a host; pages without a URL are grouped by the beginning of their ids.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean, median_high
from typing import Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.evaluation.command import make_say, run_command, write_table
from thresher.evaluation.corpora import LabelledPage, find_corpora
from thresher.evaluation.evaluate import Contender
from thresher.evaluation.folds import hold_out
from thresher.evaluation.metrics import score_words
from thresher.evaluation.summary import group_by
from thresher.extraction import extract
from thresher.page import Page
from thresher.page.parse import parse
from thresher.sites import learn
from thresher.support.hosts import host_of

KNOWN: Final = (1, 2, 5, 10)
"""Numbers of other pages of the site that are known."""
LOSS: Final = 0.01
"""Smallest difference in F1 that counts as a loss of a page."""
SITE_LOSS: Final = 0.003
"""The same of a site: the mean of its pages, with most known."""
_SEED: Final = 11
_HEADS: Final = ("known", "pages", "alone", "F1", "error cut", "gains", "losses")


@dataclass(frozen=True, slots=True)
class Trial:
    """One page with some others known."""

    corpus: str
    site: str
    page: str
    known: int
    alone: float
    """Word F1 with nothing known."""
    f1: float
    is_used: bool
    """Whether knowing them changed the text."""
    learn_s: float
    """Processor seconds to learn one page."""
    use_s: float
    """Additional processor seconds of extraction."""


def group(pages: Iterable[LabelledPage]) -> dict[str, list[LabelledPage]]:
    """Group pages by site; sites with one page are left out."""
    groups = group_by(pages, lambda page: host_of(page.url) or page.id.rpartition("-")[0])
    return {site: of_site for site, of_site in groups.items() if site and len(of_site) > 1}


def measure(
    site: str, pages: Sequence[LabelledPage], params: Mapping[str, Mapping[str, object]]
) -> Iterator[Trial]:
    """Extract each page alone and with others known; ``params`` by page id."""
    parsed = {page.id: parse(page.html, url=page.url) for page in pages}
    for page in pages:
        others = [other for other in pages if other.id != page.id]
        Random(f"{_SEED} {page.id}").shuffle(others)
        began = time.thread_time()
        text = extract(page.html, url=page.url, params=params[page.id]).text
        alone_s = time.thread_time() - began
        alone = score_words(text, page.text or "").f1
        for n_known in (n for n in KNOWN if n <= len(others)):
            chosen: list[Page] = [parsed[other.id] for other in others[:n_known]]
            began = time.thread_time()
            learned = learn(chosen)
            learn_s = (time.thread_time() - began) / n_known
            began = time.thread_time()
            document = extract(page.html, url=page.url, params=params[page.id], site=learned)
            informed = document.text
            use_s = time.thread_time() - began - alone_s
            f1 = score_words(informed, page.text or "").f1
            is_used = informed != text
            yield Trial(page.corpus, site, page.id, n_known, alone, f1, is_used, learn_s, use_s)


def write(trials: Sequence[Trial]) -> str:
    """Write tables as Markdown: the curve by corpus, sites with many pages, gains and losses."""
    by_known = group_by(trials, lambda trial: (trial.corpus, trial.known))
    corpora = [_row(corpus, by_known[corpus, n_known]) for corpus, n_known in sorted(by_known)]
    many = [trial for trial in trials if trial.known == KNOWN[2]]
    by_site = group_by(many, lambda trial: (trial.corpus, trial.site))
    sites = [_row(f"{corpus}: {site}", by_site[corpus, site]) for corpus, site in sorted(by_site)]
    if many:
        sites.append(_row("all pages", many))
    learn_s = median_high([t.learn_s for t in trials] or [0.0])
    use_s = median_high([t.use_s for t in trials] or [0.0])
    parts = [
        write_table(("corpus", *_HEADS), corpora),
        "Sites with five other pages and more, five known:",
        write_table(("site", *_HEADS), sites),
        "\n".join(_compare_sites(trials)),
        f"Processor time, median: {learn_s * 1e3:.2f} ms to learn a page that is parsed,"
        f" {use_s * 1e3:.2f} ms more to extract one.",
    ]
    return "\n\n".join(parts) + "\n"


def _compare_sites(trials: Sequence[Trial]) -> Iterator[str]:
    """Yield how many sites it changed, by how much in the mean, and each that is worse.

    A site counts with the most of its pages known.
    """
    by_site = group_by(trials, lambda trial: (trial.corpus, trial.site))
    changes, losses = [], []
    for (corpus, site), of_site in sorted(by_site.items()):
        most = max(t.known for t in of_site)
        last = [t for t in of_site if t.known == most]
        if any(t.is_used for t in last):
            change = fmean(t.f1 - t.alone for t in last)
            changes.append(change)
            if change < -SITE_LOSS:
                losses.append(f"- {corpus}: {site}, {most} known: {change:+.3f}")
    mean = f", by {fmean(changes):+.4f} F1 in the mean" if changes else ""
    yield f"{len(changes)} of {len(by_site)} sites have a page that it changed{mean}."
    yield ""
    yield f"Sites worse by more than {SITE_LOSS} F1 with most known:"
    yield ""
    yield from losses


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    return run_command(make_say("sites"), _build_parser(), argv, _run)


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m thresher.evaluation.sites", description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--folds", type=Path, help="folder of weights that never saw a page's site")
    return parser


def _run(args: Namespace) -> None:
    corpora = find_corpora(args.corpora)
    contender = Contender(DEFAULT_METHOD, DEFAULT_METHOD, ALGORITHMS[DEFAULT_METHOD].build_params())
    if args.folds:
        (contender,) = hold_out((contender,), args.folds, corpora)
    params_of = contender.params_of or (lambda page: {})
    trials: list[Trial] = []
    for corpus in corpora:
        for site, pages in group(corpus.labelled()).items():
            trials += measure(site, pages, {page.id: params_of(page) for page in pages})
    print(write(trials), end="")


def _row(name: str, trials: Sequence[Trial]) -> list[str]:
    alone, f1 = fmean(t.alone for t in trials), fmean(t.f1 for t in trials)
    cut = (f1 - alone) / (1 - alone) if alone < 1 else 0.0
    gains = sum(t.f1 > t.alone + LOSS for t in trials)
    losses = sum(t.f1 < t.alone - LOSS for t in trials)
    scores = (f"{alone:.4f}", f"{f1:.4f}", f"{cut:+.0%}")
    return [str(cell) for cell in (name, trials[0].known, len(trials), *scores, gains, losses)]


if __name__ == "__main__":
    raise SystemExit(main())
