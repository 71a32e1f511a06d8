"""`python -m thresher.evaluation.leaderboard`: peers and methods on the same labelled pages."""

from __future__ import annotations

import json
import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from thresher.algorithms import ALGORITHMS, DEFAULT_METHOD, find_algorithm
from thresher.errors import UsageError
from thresher.evaluation.command import (
    DEADLINE_S,
    add_corpora,
    add_output,
    add_peers,
    add_repeated,
    add_running,
    choose,
    make_say,
    read_count,
    read_number,
    run_command,
    write_text,
)
from thresher.evaluation.corpora import Corpus, LabelledPage, find_corpora
from thresher.evaluation.evaluate import Contender, PageResult, Plan, evaluate
from thresher.evaluation.folds import hold_out
from thresher.evaluation.leaderboard.board import (
    Board,
    Entry,
    Speed,
    Time,
    draw_pages,
    measure,
    score_all,
    write_board,
)
from thresher.evaluation.leaderboard.peer_runs import (
    Entrant,
    Process,
    ask_all,
    gather,
    open_outputs,
    request_of,
)
from thresher.evaluation.leaderboard.peers import PEERS, Peer
from thresher.evaluation.metrics import METRICS
from thresher.evaluation.summary import (
    EvaluatedCorpus,
    EvaluationRun,
    read_versions,
    summarise,
    write_corpus,
)
from thresher.support.quoting import quote

DEFAULT_METRICS: Final = ("word", "shingle", "lcsequence", "rouge_l")
SPEED_PAGES: Final = 8
"""Of each corpus: some fifty pages in total take a minute."""
REFERENCE: Final = "resiliparse"
"""The peer whose time is 1: the fastest of the widely used ones."""
_PROGRAM: Final = "python -m thresher.evaluation.leaderboard"
_say = make_say("leaderboard")


def build_parser() -> ArgumentParser:
    """Build the parser."""
    parser = ArgumentParser(
        prog=_PROGRAM,
        description="Other extractors and our methods on the same labelled pages, as tables in "
        "Markdown. Peers are installed into separate environments, and their outputs are cached.",
    )
    add_corpora(parser)
    what = parser.add_argument_group("measurement")
    add_peers(what, PEERS)
    methods = f"of {', '.join(ALGORITHMS)}; or none; may be repeated (default: all)"
    add_repeated(what, "-m", "--method", what=methods)
    add_repeated(
        what,
        "--variant",
        metavar="'METHOD NAME=VALUE ...'",
        what="also a method with these parameters; may be repeated",
    )
    metrics = f"of {', '.join(METRICS)}; may be repeated (default: {','.join(DEFAULT_METRICS)})"
    add_repeated(what, "--metric", what=metrics)
    what.add_argument(
        "--without-title",
        action="store_true",
        help="remove the title from the output and from the label before comparing",
    )
    what.add_argument(
        "--folds",
        type=Path,
        metavar="DIR",
        help="weights fold-0.npz and so on: a page of a corpus with the role train is given those "
        "that were trained without its site",
    )
    roles = "only corpora with one of these roles in the MANIFEST.tsv beside them"
    add_repeated(what, "--role", metavar="ROLE,...", what=roles)
    what.add_argument(
        "--pages",
        type=read_count,
        metavar="N",
        help="N of each corpus, drawn at random by page type (default: all)",
    )
    what.add_argument(
        "--reference",
        default=REFERENCE,
        metavar="NAME",
        help="the peer or method whose time is 1 (default: %(default)s)",
    )
    what.add_argument(
        "--speed-pages",
        type=read_number,
        default=SPEED_PAGES,
        metavar="N",
        help="pages of each corpus to measure time on; 0 for none (default: %(default)s)",
    )
    how = parser.add_argument_group("peers")
    add_running(how, kept="outputs of peers and their scores are cached")
    how.add_argument(
        "-j",
        "--jobs",
        type=read_count,
        default=1,
        metavar="N",
        help="peers asked, and processes that score, at the same time (default: %(default)s)",
    )
    output = parser.add_argument_group("output")
    add_output(output)
    output.add_argument("--json", type=Path, metavar="FILE", help="all results, page by page")
    note = "note to readers, such as who made a corpus; may be repeated"
    add_repeated(output, "--note", metavar="TEXT", what=note)
    return parser


def format_command(args: Namespace) -> str:
    """Format the command that reproduces the board; file locations do not matter to it."""
    words = [*_PROGRAM.split(), "CORPUS"]
    for option in ("peer", "method", "metric", "role"):
        if value := getattr(args, option):
            words += [f"--{option}", ",".join(value)]
    for variant in args.variant:
        words += ["--variant", variant]
    words += ["--without-title"] * args.without_title
    words += ["--folds", "DIR"] * (args.folds is not None)
    if args.pages:
        words += ["--pages", str(args.pages)]
    if args.reference != REFERENCE:
        words += ["--reference", args.reference]
    if args.speed_pages != SPEED_PAGES:
        words += ["--speed-pages", str(args.speed_pages)]
    if args.deadline != DEADLINE_S:
        words += ["--deadline", f"{args.deadline:g}"]
    return shlex.join(words)


def read_contenders(methods: Iterable[str], variants: Iterable[str]) -> tuple[Contender, ...]:
    """Return a contender for each method, and for each variant ``METHOD NAME=VALUE ...``.

    The text of a variant is its name in tables. Raises UsageError for unknown names.
    """
    contenders = [_build(name, name, {}) for name in methods]
    for variant in variants:
        method, *settings = variant.split() or [""]
        pairs = [setting.partition("=") for setting in settings]
        if not pairs or not all(equals for _, equals, _ in pairs):
            raise UsageError(f"a variant is METHOD NAME=VALUE ..., not {quote(variant)}")
        params = {name: value for name, _, value in pairs}
        contenders.append(_build(" ".join([method, *settings]), method, params))
    return tuple(contenders)


def format_call(contender: Contender) -> str:
    """Format the Python call of a method."""
    method, *settings = contender.name.split()
    pairs = ", ".join(
        f"{n!r}: {v!r}" for n, _, v in (setting.partition("=") for setting in settings)
    )
    params = f", params={{{pairs}}}" if pairs else ""
    return f"extract(html, method={method!r}{params}).text"


def _build(name: str, method: str, params: dict[str, str]) -> Contender:
    return Contender(name, method, find_algorithm(method).build_params(params))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    return run_command(_say, build_parser(), argv, _run)


def _run(args: Namespace) -> None:
    peers = choose(args.peer, PEERS, "peer")
    methods = choose(args.method, ALGORITHMS, "method")
    metrics = choose(args.metric, METRICS, "metric") if args.metric else DEFAULT_METRICS
    corpora = _find_corpora(args)
    contenders = read_contenders(methods, args.variant)
    if args.speed_pages and args.reference not in (
        *peers,
        *(contender.name for contender in contenders),
    ):
        raise UsageError(
            f"the reference {quote(args.reference)} does not take part: set --reference"
        )
    if args.folds:
        contenders = hold_out(contenders, args.folds, corpora)
    Plan(contenders, metrics)  # a metric that is not available fails now, not after an hour
    with ExitStack() as open_things:
        outputs_path, outputs = open_outputs(open_things, args.cache)
        absent: list[Entry] = []

        def leave_out(peer: Peer, problem: str) -> None:
            _say(f"{peer.name}: {problem}")
            absent.append(Entry(peer.name, "", peer.call, is_ours=False, problem=problem))

        chosen_peers = map(PEERS.__getitem__, peers)
        entrants = gather(open_things, chosen_peers, args, outputs_path, leave_out)
        if not entrants and not contenders:
            raise UsageError("no peer or method takes part")
        for corpus in corpora:
            pages = corpus.labelled(args.pages)
            n_answer, problems = ask_all(entrants, pages, outputs, n_job=args.jobs)
            _say(f"{corpus.name}: {n_answer:,} new answers of peers")
            for entrant, problem in problems.items():
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
    roles = {role.strip() for entry in args.role for role in entry.split(",")}
    corpora = [corpus for corpus in find_corpora(args.corpora) if not roles or corpus.role in roles]
    if not corpora:
        raise UsageError(f"no corpus has the role {' or '.join(sorted(roles))}")
    return corpora


def _measure(
    pages: Sequence[LabelledPage],
    entrants: Mapping[Entrant, Process],
    contenders: Sequence[Contender],
    reference: str,
) -> list[Speed]:
    if not pages:
        return []
    requests: dict[LabelledPage, dict[str, Any]] = {}

    def time_peer(process: Process, page: LabelledPage) -> float | None:
        if page not in requests:
            requests[page] = request_of(page)
        answer = process.ask(requests[page])
        return None if answer.error else answer.cpu_s

    def time_method(contender: Contender, page: LabelledPage) -> float:
        return contender.find(page).cpu_s

    times: dict[str, Time] = {
        **{entrant.name: partial(time_peer, process) for entrant, process in entrants.items()},
        **{contender.name: partial(time_method, contender) for contender in contenders},
    }
    if reference not in times:
        _say(f"no times: {reference}, the reference, does not take part")
        return []
    return measure(pages, times, reference)


def _evaluate(
    corpora: Sequence[Corpus], entrants: Sequence[Entrant], plan: Plan, kept: Path, args: Namespace
) -> EvaluationRun:
    evaluated: list[EvaluatedCorpus] = []
    results: list[PageResult] = []
    methods = tuple(participant.name for participant in (*entrants, *plan.contenders))
    for corpus in corpora:
        pages = partial(corpus.labelled, args.pages)
        scored = [
            *score_all(entrants, pages, plan, kept, n_job=args.jobs),
            *evaluate(pages(), plan, n_job=args.jobs),
        ]
        n_page = len(scored) // len(methods)
        about = EvaluatedCorpus(corpus.name, corpus.role, corpus.digest(), n_page)
        print(write_corpus(about, summarise(scored)), file=sys.stderr)  # now: all may take an hour
        if scored:
            evaluated.append(about)
            results += scored
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
