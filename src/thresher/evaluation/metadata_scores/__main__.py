"""`python -m thresher.evaluation.metadata_scores`: titles, authors and dates, next to peers'."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import date
from functools import partial
from pathlib import Path

from thresher.evaluation.command import (
    add_corpora,
    add_output,
    add_peers,
    add_running,
    make_say,
    run_command,
    write_text,
)
from thresher.evaluation.corpora import find_corpora, read_corpora_paths
from thresher.evaluation.leaderboard.arguments import choose
from thresher.evaluation.leaderboard.environment import prepare
from thresher.evaluation.leaderboard.peer_runs import (
    Entrant,
    ask_all,
    gather,
    open_outputs,
    run_peer,
)
from thresher.evaluation.leaderboard.peers import Peer
from thresher.evaluation.metadata_scores.outcomes import (
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

_say = make_say("metadata scores")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    return run_command(_say, partial(_build_parser().parse_args, argv), _run)


def _build_parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m thresher.evaluation.metadata_scores",
        description="Precision and recall of titles, authors and dates, compared with other "
        "extractors, as tables in Markdown.",
    )
    add_corpora(parser)
    add_peers(parser, METADATA_PEERS)
    add_running(parser, kept="outputs of peers are cached")
    add_output(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="all results, page by page")
    return parser


def _run(args: Namespace) -> None:
    names = choose(args.peer, METADATA_PEERS, "peer")
    corpora = find_corpora(read_corpora_paths(args.corpora))
    outcomes: list[Outcome] = []
    evaluated: list[EvaluatedCorpus] = []
    with ExitStack() as open_things:
        kept, outputs = open_outputs(open_things, args.cache)

        def bring(peer: Peer) -> Entrant:
            place = prepare(peer, args.environment, python=args.python, install=args.install)
            return Entrant(peer, place, kept)

        entrants = gather(
            open_things,
            map(METADATA_PEERS.__getitem__, names),
            bring,
            partial(run_peer, deadline_s=args.deadline, loaders=LOADERS_FILE),
            lambda peer, problem: _say(f"{peer.name}: {problem}"),
        )
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
    write_text(write_scores(scores), args.output)
    if args.json:
        write_text(json.dumps(asdict(scores), indent=1) + "\n", args.json)


if __name__ == "__main__":
    sys.exit(main())
