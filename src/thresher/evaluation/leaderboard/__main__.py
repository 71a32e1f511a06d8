"""`python -m thresher.evaluation.leaderboard`: peers and methods on the same labelled pages."""

from __future__ import annotations

import json
import platform
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from functools import partial
from pathlib import Path

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD
from thresher.errors import UsageError
from thresher.evaluation.command import make_say, run_command, write_text
from thresher.evaluation.corpora import Corpus, LabelledPage, find_corpora, read_corpora_paths
from thresher.evaluation.evaluate import Contender, PageResult, Plan, evaluate
from thresher.evaluation.held_out import hold_out
from thresher.evaluation.leaderboard.arguments import (
    DEFAULT_METRICS,
    build_parser,
    choose,
    format_command,
)
from thresher.evaluation.leaderboard.board import Board, Entry
from thresher.evaluation.leaderboard.environment import prepare
from thresher.evaluation.leaderboard.methods import format_call, read_contenders
from thresher.evaluation.leaderboard.peer_runs import (
    Entrant,
    ask_all,
    gather,
    open_outputs,
    request_of,
    run_peer,
)
from thresher.evaluation.leaderboard.peers import PEERS, Peer
from thresher.evaluation.leaderboard.process import Process
from thresher.evaluation.leaderboard.scores import score_all
from thresher.evaluation.leaderboard.speed import Speed, Time, draw_pages, measure
from thresher.evaluation.leaderboard.write import write_board
from thresher.evaluation.metrics import METRICS
from thresher.evaluation.summary import EvaluatedCorpus, EvaluationRun, read_versions, summarise
from thresher.evaluation.tables import write_corpus
from thresher.support.quoting import quote

__all__ = ["main"]

_say = make_say("leaderboard")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    return run_command(_say, partial(build_parser().parse_args, argv), _run)


def _run(args: Namespace) -> None:
    peers = choose(args.peer, PEERS, "peer")
    methods = choose(args.method, ALGORITHMS, "method")
    metrics = choose(args.metric, METRICS, "metric") if args.metric else DEFAULT_METRICS
    corpora = _find_corpora(args)
    contenders = read_contenders(methods, args.variant)
    if args.speed_pages and args.reference not in (*peers, *(each.name for each in contenders)):
        raise UsageError(
            f"the reference {quote(args.reference)} does not take part: set --reference"
        )
    if args.folds:
        contenders = hold_out(contenders, args.folds, corpora)
    Plan(contenders, metrics)  # a metric that is not available fails now, not after an hour
    with ExitStack() as open_things:
        outputs_path, outputs = open_outputs(open_things, args.cache)
        absent: list[Entry] = []

        def bring(peer: Peer) -> Entrant:
            place = prepare(peer, args.environment, python=args.python, install=args.install)
            return Entrant(peer, place, outputs_path)

        def leave_out(peer: Peer, problem: str) -> None:
            _say(f"{peer.name}: {problem}")
            absent.append(_absent(peer, problem))

        start = partial(run_peer, deadline_s=args.deadline)
        entrants = gather(open_things, map(PEERS.__getitem__, peers), bring, start, leave_out)
        if not entrants and not contenders:
            raise UsageError("no peer or method takes part")
        for corpus in corpora:
            asked = ask_all(entrants, corpus.labelled(args.pages), outputs, n_job=args.jobs)
            _say(f"{corpus.name}: {asked.n_answer:,} new answers of peers")
            for entrant, problem in asked.problems.items():
                leave_out(entrant.peer, problem)
                del entrants[entrant]
        drawn = [p for c in corpora for p in draw_pages(c.labelled(args.pages), args.speed_pages)]
        speeds = _measure(drawn, entrants, contenders, args.reference)
        plan = Plan(contenders, metrics, args.without_title)
        run = _evaluate(corpora, tuple(entrants), plan, outputs_path, args)
    board = Board(
        run=run,
        entries=(*_enter(entrants, contenders, run), *absent),
        reference=args.reference,
        default=DEFAULT_METHOD if DEFAULT_METHOD in methods else None,
        n_speed_page=len(drawn),
        speeds=tuple(speeds),
        notes=_note(args, entrants),
    )
    write_text(write_board(board), args.output)
    if args.json:
        write_text(json.dumps(board.as_dict(), indent=1) + "\n", args.json)


def _find_corpora(args: Namespace) -> list[Corpus]:
    paths = read_corpora_paths(args.corpora)
    roles = {role.strip() for each in args.role for role in each.split(",")}
    if not roles:
        return list(find_corpora(paths))
    found = [corpus for corpus in find_corpora(paths) if corpus.role in roles]
    if not found:
        raise UsageError(f"no corpus has the role {' or '.join(sorted(roles))}")
    return found


def _measure(
    pages: Sequence[LabelledPage],
    entrants: Mapping[Entrant, Process],
    contenders: Sequence[Contender],
    reference: str,
) -> list[Speed]:
    if not pages:
        return []
    names = [*(each.name for each in entrants), *(each.name for each in contenders)]
    if reference not in names:
        _say(f"no times: {reference}, the reference, does not take part")
        return []
    requests = {page: request_of(page) for page in pages}

    def time_peer(process: Process) -> Time:
        def time(page: LabelledPage) -> float | None:
            answer = process.ask(requests[page])
            return None if answer.error else answer.cpu_s

        return time

    def time_method(contender: Contender) -> Time:
        return lambda page: contender.find(page).cpu_s

    times: dict[str, Time] = {each.name: time_peer(entrants[each]) for each in entrants}
    for each in contenders:
        times[each.name] = time_method(each)
    return measure(pages, times, reference)


def _evaluate(
    corpora: Sequence[Corpus], entrants: Sequence[Entrant], plan: Plan, kept: Path, args: Namespace
) -> EvaluationRun:
    evaluated: list[EvaluatedCorpus] = []
    results: list[PageResult] = []
    methods = tuple(each.name for each in (*entrants, *plan.contenders))
    for corpus in corpora:
        pages = partial(corpus.labelled, args.pages)
        found = [
            *score_all(entrants, pages, plan, kept, n_job=args.jobs),
            *evaluate(pages(), plan, n_job=args.jobs),
        ]
        n_page = len(found) // len(methods)
        about = EvaluatedCorpus(corpus.name, corpus.role, corpus.digest(), n_page)
        print(write_corpus(about, summarise(found)), file=sys.stderr)  # now: all may take an hour
        if found:
            evaluated.append(about)
            results += found
    return EvaluationRun(
        date=date.today().isoformat(),
        command=format_command(args),
        versions=read_versions(),
        metrics=plan.metrics,
        methods=methods,
        without_title=plan.without_title,
        corpora=tuple(evaluated),
        results=tuple(results),
    )


def _enter(
    entrants: Mapping[Entrant, Process], contenders: Sequence[Contender], run: EvaluationRun
) -> Iterator[Entry]:
    for entrant in entrants:
        yield Entry(entrant.name, entrant.environment.version, entrant.peer.call, is_ours=False)
    for contender in contenders:
        version, call = run.versions["thresher"], format_call(contender)
        yield Entry(contender.name, version, call, is_ours=True)


def _absent(peer: Peer, problem: str) -> Entry:
    return Entry(peer.name, "", peer.call, is_ours=False, problem=problem)


def _note(args: Namespace, entrants: Mapping[Entrant, Process]) -> tuple[str, ...]:
    notes = []
    pythons = sorted({entrant.environment.python_version for entrant in entrants})
    if pythons:
        notes.append(
            f"Peers ran on Python {', '.join(pythons)}, ours on {platform.python_version()}."
        )
        notes.append(
            "The language is that of the label, else the one that Thresher's metadata tells. Peers "
            "that give HTML (readability-lxml, magic-html) have it made text by our keep_all, "
            "outside of their time."
        )
        notes.append(
            f"A peer has {args.deadline:g} s of processor time for a page. Comments of readers are "
            "left out where a peer can be told so, but for `trafilatura comments`."
        )
    if args.folds:
        notes.append(
            "On corpora with the role train, trained methods are given for each page weights that "
            "were trained without its site; on others, the weights they come with."
        )
    return (*notes, *args.note)


if __name__ == "__main__":
    sys.exit(main())
