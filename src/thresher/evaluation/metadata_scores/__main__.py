"""`python -m thresher.evaluation.metadata_scores`: titles, authors and dates, next to peers'."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from thresher.evaluation.command import (
    DIGEST_CHARS,
    add_corpora,
    add_output,
    add_peers,
    add_running,
    choose,
    join_parts,
    make_say,
    run_command,
    write_table,
    write_text,
)
from thresher.evaluation.corpora import find_corpora
from thresher.evaluation.leaderboard.peer_runs import ask_all, gather, open_outputs, run_peer
from thresher.evaluation.metadata_scores.scores import (
    FIELDS,
    LOADERS_FILE,
    METADATA_PEERS,
    THRESHER,
    Outcome,
    add_up,
    labelled_pages,
    score_ours,
    score_peers,
)
from thresher.evaluation.summary import EvaluatedCorpus, format_versions, read_versions

_BANDS: Final = ((0.8, 1.01), (0.5, 0.8), (0.0, 0.5))
"""Bounds of confidence: from, and below."""
_HALVES: Final = ("tuned half", "other half")
"""Names of the folds."""
_HEADS: Final = ("", "P", "R", "F1", "wrong", "missing", "extra", *(f"F1, {h}" for h in _HALVES))
_RULES: Final = """\
**Title**: the same letters and digits after Unicode NFKC, letter case aside.

**Authors**: names are split at commas, semicolons, bars and "and" (in a few languages), "By" before
them is cut, and they are compared like titles. A page counts by the F1 of its set of names.

**Date**: the same calendar day as written, whatever the time zone, as in htmldate's own evaluation.
**Moment**: the same minute, if the label has a time and a zone; extractors that return only a day
cannot match it.

P is the share of correct values among those found on pages with a label, R the share of labels that
were found correctly, and F1 their harmonic mean, in per cent. "Extra" counts pages on which a value
was found but the label is empty. Labels do not show whether there is no value or nobody looked, so
these pages count neither as right nor as wrong. Labels and answers of all extractors go through the
same rules.

Sites are divided into two halves by a hash of their registered domain. Sources and patterns were
chosen by looking only at pages of the *tuned half*, including those of wcxb_dev. Of the *other
half* only scores were used and, once, counts of the kinds of dates that were missed. The original
order of sources was chosen before this division. The other half shows what to expect on other
sites.

The labels of newspaper4k_tests are newspaper4k's own output. Those of postlight are in UTC, which
moves some of them to the next day, equally for all extractors. Some labels of newspaper4k_424 are
the day of the last change, or have a wrong year. The labels of htmldate are the day of publication
for most pages, and the newest date for a few; both of its settings are shown."""
_say = make_say("metadata scores")


@dataclass(frozen=True, slots=True)
class Contestant:
    """Another extractor that took part."""

    name: str
    version: str
    package: str
    call: str


@dataclass(frozen=True, slots=True)
class Scores:
    """All results of a run."""

    date: str
    versions: Mapping[str, str] = field(hash=False)
    corpora: tuple[EvaluatedCorpus, ...]
    contestants: tuple[Contestant, ...]
    outcomes: tuple[Outcome, ...]


def write_scores(scores: Scores) -> str:
    """Write the page."""
    parts = [
        "# Metadata scores",
        "Titles, authors and dates that Thresher and other extractors find on the same labelled "
        "pages. [Metadata](../../docs/metadata.md) explains how Thresher decides. Produced by",
        "    python -m thresher.evaluation.metadata_scores CORPUS...",
        f"{scores.date}, {format_versions(scores.versions)}.",
        *_write_fields(scores),
        *_write_confidence(scores),
        "## Rules",
        *_RULES.split("\n\n"),
        *_write_contestants(scores),
        *_write_corpora(scores),
    ]
    return join_parts(parts)


def _write_fields(scores: Scores) -> Iterator[str]:
    for name in FIELDS:
        for corpus in scores.corpora:
            own = [o for o in scores.outcomes if o.corpus == corpus.name and o.field == name]
            n_label = sum(o.is_labelled for o in own if o.extractor == THRESHER)
            names = dict.fromkeys(o.extractor for o in own) if n_label else ()
            every = (_row(own, extractor) for extractor in names)
            rows = [row for row in every if row is not None]
            if rows:
                yield f"## {name.capitalize()}: {corpus.name}"
                yield f"{n_label:,} labels. Best F1 of a column in bold."
                yield write_table(_HEADS, _embolden(rows))


def _row(outcomes: Sequence[Outcome], extractor: str) -> list[str] | None:
    """Return an extractor's row; None if it never returns anything."""
    own = [o for o in outcomes if o.extractor == extractor]
    if not any(o.is_found for o in own):
        return None
    whole = add_up(own)
    halves = (add_up(o for o in own if o.fold == fold) for fold in range(len(_HALVES)))
    return [
        f"*{extractor}*" if extractor == THRESHER else extractor,
        _percent(whole.precision),
        _percent(whole.recall),
        _percent(whole.f1),
        f"{whole.n_wrong:.1f}".removesuffix(".0"),
        str(whole.n_missing),
        str(whole.n_extra),
        *(_percent(half.f1) for half in halves),
    ]


def _embolden(rows: Sequence[list[str]]) -> list[list[str]]:
    """Highlight the highest F1 of each column."""
    columns = [i for i, name in enumerate(_HEADS) if name.startswith("F1")]
    best = {i: max(float(row[i]) for row in rows) for i in columns}
    return [
        [
            f"**{cell}**" if i in best and float(cell) == best[i] else cell
            for i, cell in enumerate(row)
        ]
        for row in rows
    ]


def _write_confidence(scores: Scores) -> Iterator[str]:
    ours = [o for o in scores.outcomes if o.confidence is not None and o.is_labelled]
    if not ours:
        return
    yield "## Confidence and accuracy"
    yield (
        "The number of Thresher's values with each confidence on labelled pages of all corpora, "
        "and the share of them that is right, in per cent; in brackets, the same for the other "
        "half of the sites."
    )
    rows = []
    for name in FIELDS:
        own = [o for o in ours if o.field == name]
        cells = [
            _write_band([o for o in own if low <= (o.confidence or 0) < high])
            for low, high in _BANDS
        ]
        if own:
            rows.append([name, *cells])
    yield write_table(
        [
            "",
            *(f"{low:g} and more" if high > 1 else f"{low:g} to {high:g}" for low, high in _BANDS),
        ],
        rows,
    )


def _write_band(outcomes: Sequence[Outcome]) -> str:
    if not outcomes:
        return "–"
    other = [o for o in outcomes if o.fold == 1]
    shown = f" ({_percent(add_up(other).precision)})" if other else ""
    return f"{len(outcomes):,}: {_percent(add_up(outcomes).precision)}{shown}"


def _write_contestants(scores: Scores) -> Iterator[str]:
    yield "## Who took part"
    rows = [
        ["*thresher*", scores.versions.get("thresher", ""), "`read_metadata(parse(html, url=url))`"]
    ]
    for contestant in scores.contestants:
        version = contestant.version
        if contestant.package != contestant.name:
            version = f"with {contestant.package} {version}"
        rows.append([contestant.name, version, f"`{contestant.call}`"])
    yield write_table(["", "version", "call"], rows, n_text=4)
    absent = [name for name in METADATA_PEERS if name not in {c.name for c in scores.contestants}]
    if absent:
        yield f"Not here: {', '.join(absent)}."


def _write_corpora(scores: Scores) -> Iterator[str]:
    yield "## Corpora"
    rows = [
        [
            corpus.name,
            corpus.role or "",
            f"{corpus.n_page:,}",
            f"`{(corpus.sha256 or '')[:DIGEST_CHARS]}`",
        ]
        for corpus in scores.corpora
    ]
    yield write_table(["", "role", "pages", "SHA-256 begins"], rows, n_text=4)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its status: 0, 1 if something failed, 2 for incorrect usage."""
    return run_command(_say, _build_parser(), argv, _run)


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
    corpora = find_corpora(args.corpora)
    outcomes: list[Outcome] = []
    evaluated: list[EvaluatedCorpus] = []
    with ExitStack() as open_things:
        kept, outputs = open_outputs(open_things, args.cache)
        entrants = gather(
            open_things,
            map(METADATA_PEERS.__getitem__, names),
            args,
            kept,
            lambda peer, problem: _say(f"{peer.name}: {problem}"),
            start=partial(run_peer, loaders=LOADERS_FILE),
        )
        for corpus in corpora:
            n_answer, problems = ask_all(entrants, labelled_pages(corpus), outputs)
            for entrant, problem in problems.items():
                _say(f"{entrant.name}: {problem}")
                del entrants[entrant]
            ours = list(score_ours(labelled_pages(corpus)))
            if not ours:
                _say(f"{corpus.name}: no page has a label for a title, an author or a date")
                continue
            outcomes += ours
            outcomes += score_peers(entrants, labelled_pages(corpus), outputs)
            n_page = len({outcome.page for outcome in ours})
            evaluated.append(EvaluatedCorpus(corpus.name, corpus.role, corpus.digest(), n_page))
            _say(f"{corpus.name}: {n_page:,} pages, {n_answer:,} new answers of peers")
    scores = Scores(
        date=date.today().isoformat(),
        versions=read_versions(),
        corpora=tuple(evaluated),
        contestants=tuple(
            Contestant(
                entrant.name, entrant.environment.version, entrant.peer.package, entrant.peer.call
            )
            for entrant in entrants
        ),
        outcomes=tuple(outcomes),
    )
    write_text(write_scores(scores), args.output)
    if args.json:
        write_text(json.dumps(asdict(scores), indent=1) + "\n", args.json)


if __name__ == "__main__":
    sys.exit(main())
