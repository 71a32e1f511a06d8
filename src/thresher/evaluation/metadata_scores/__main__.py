"""`python -m thresher.evaluation.metadata_scores`: titles, authors and dates, next to peers'."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from thresher.errors import ThresherError, UsageError
from thresher.evaluation.corpora import CORPORA_VARIABLE, find_corpora, read_corpora_paths
from thresher.evaluation.leaderboard.arguments import choose
from thresher.evaluation.leaderboard.contest import Entrant, ask_all, run_peer
from thresher.evaluation.leaderboard.environment import default_folder, prepare
from thresher.evaluation.leaderboard.outputs import Outputs
from thresher.evaluation.leaderboard.process import Process
from thresher.evaluation.metadata_scores.contest import (
    LOADERS_FILE,
    labelled_pages,
    score_ours,
    score_peers,
)
from thresher.evaluation.metadata_scores.peers import METADATA_PEERS
from thresher.evaluation.metadata_scores.tally import Outcome
from thresher.evaluation.metadata_scores.write import Contestant, Scores, write_scores
from thresher.evaluation.summary import EvaluatedCorpus, read_versions

__all__ = ["main"]

DEADLINE_S: Final = 30.0
"""Processor seconds a peer has for a page."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 where something failed, 2 for a wrong call."""
    try:
        args = _build_parser().parse_args(argv)
    except SystemExit as stop:  # argparse has printed help or an error
        return 2 if stop.code else 0
    try:
        _run(args)
    except UsageError as error:
        _say(str(error))
        return 2
    except KeyboardInterrupt:
        return 130
    except (ThresherError, OSError) as error:
        _say(str(error))
        return 1
    return 0


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m thresher.evaluation.metadata_scores",
        description="Precision and recall of titles, authors and dates, next to other extractors', "
        "as tables in Markdown.",
    )
    parser.add_argument(
        "corpora",
        nargs="*",
        metavar="CORPUS",
        help=f"as for thresher eval (default: ${CORPORA_VARIABLE})",
    )
    parser.add_argument(
        "--peers",
        action="append",
        default=[],
        metavar="NAME,...",
        help=f"of {', '.join(METADATA_PEERS)}; or none (default: all)",
    )
    parser.add_argument(
        "--environment",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="folder of the peers' environments (default: in the user's cache)",
    )
    parser.add_argument(
        "--no-install", dest="install", action="store_false", help="use only what is there"
    )
    parser.add_argument("--cache", type=Path, metavar="FILE", help="where what peers found is kept")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="Markdown (default: standard output)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="all results, page by page")
    return parser


def _run(args: Namespace) -> None:
    names = choose(args.peers, METADATA_PEERS, "peer")
    corpora = find_corpora(read_corpora_paths(args.corpora))
    outcomes: list[Outcome] = []
    evaluated: list[EvaluatedCorpus] = []
    with ExitStack() as open_things:
        kept = args.cache or Path(open_things.enter_context(TemporaryDirectory())) / "kept"
        outputs = open_things.enter_context(Outputs(kept))
        entrants: dict[Entrant, Process] = {}
        for name in names:
            peer = METADATA_PEERS[name]
            try:
                place = prepare(peer, args.environment, python=sys.executable, install=args.install)
            except ThresherError as error:
                _say(f"{name}: {error}")
                continue
            entrant = Entrant(peer, place, kept)
            process = run_peer(entrant, deadline_s=DEADLINE_S, loaders=LOADERS_FILE)
            entrants[entrant] = open_things.enter_context(process)
        for corpus in corpora:
            asked = ask_all(entrants, labelled_pages(corpus), outputs)
            for entrant, problem in asked.problems.items():
                _say(f"{entrant.name}: {problem}")
                del entrants[entrant]
            ours = list(score_ours(labelled_pages(corpus)))
            if not ours:
                _say(f"{corpus.name}: no page has a label for a title, an author or a date")
                continue
            outcomes += ours
            outcomes += score_peers(entrants, labelled_pages(corpus), outputs)
            n_page = len({each.page for each in ours})
            evaluated.append(EvaluatedCorpus(corpus.name, corpus.role, corpus.digest(), n_page))
            _say(f"{corpus.name}: {n_page:,} pages, {asked.n_answer:,} new answers of peers")
    scores = Scores(
        date=date.today().isoformat(),
        versions=read_versions(),
        corpora=tuple(evaluated),
        contestants=tuple(
            Contestant(each.name, each.environment.version, each.peer.package, each.peer.call)
            for each in entrants
        ),
        outcomes=tuple(outcomes),
    )
    _write(write_scores(scores), args.output)
    if args.json:
        _write(json.dumps(asdict(scores), indent=1) + "\n", args.json)


def _write(text: str, path: Path | None) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _say(message: str) -> None:
    print(f"metadata scores: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
